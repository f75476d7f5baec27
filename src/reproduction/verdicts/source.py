"""What is said of one source, as the machinery takes it: its claims, its readings, its words.

Each study has one `Source`: a paper, or this project where the study is a question of our own.
Whatever judges claims or shows them is handed that object and knows nothing else of the study.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import nan


@dataclass(frozen=True)
class Claim:
    """One checkable statement.

    Attributes
    ----------
    id : str
    place : str
        Where the paper says it.
    statement : str
        In our words.
    test : str
        How it is judged: a key of `reproduction.verdicts.criteria.CRITERIA`.
    exhibit : str
        What tests it: an exhibit of the config, ``corpora`` or ``theorems``.
    published, tolerance : float
        The number that the paper prints, and how near is near enough; nan where there is none.
    settings : dict
        The columns' values that the test looks at, such as ``corpus``, ``rank``, ``pairs``.
    by : "source" or "us"
        Who claims it. Both are judged alike, and never added up.
    """

    id: str
    place: str
    statement: str
    test: str
    exhibit: str
    published: float = nan
    tolerance: float = nan
    settings: dict = field(default_factory=dict)
    by: str = "source"


@dataclass(frozen=True)
class OtherReading:
    """Another reading, under which the claims that it changes are judged too.

    Attributes
    ----------
    name : str
        How verdicts under it are called.
    keys : tuple of str
        The settings of a claim that it may change; ``exhibit`` stands for the claim's exhibit.
    old, new : str
        The value that is replaced, and by what.
    """

    name: str
    keys: tuple
    old: str
    new: str


@dataclass(frozen=True)
class Erratum:
    """Something in the paper that is wrong or cannot be; shown while all its claims fail."""

    title: str
    text: str
    claims: tuple = ()


@dataclass(frozen=True)
class Reading:
    """One thing that the paper does not say.

    Attributes
    ----------
    id, about : str
    paper, chosen, evidence : str
        What it says or leaves out, what is done here, and why.
    trust : str
        ``high``, ``medium`` or ``low``.
    key : str
        Where config.yaml says it, if it does.
    exhibits : tuple of str
        What depends on it.
    """

    id: str
    about: str
    paper: str
    chosen: str
    evidence: str
    trust: str
    key: str
    exhibits: tuple


@dataclass(frozen=True)
class Source:
    """A source, as verdicts and page need it.

    Attributes
    ----------
    title, byline, link : str
        ``link`` is the address of its own page.
    claims : tuple of Claim
    other_readings : tuple of OtherReading
    criteria : mapping of str to str
        The words of a test's criterion where this source needs others than
        `reproduction.verdicts.criteria.CRITERIA`.
    order : tuple of str
        The exhibits in the paper's order; others come after them.
    parts : tuple of str
        Parts of the paper by which its claims are filtered; a claim belongs to the first that its
        place names.
    descriptions : mapping of str to str
        What the paper describes, or what there is to know, of each exhibit.
    readings : tuple of Reading
    left_out : str
        What the paper leaves out, as an introduction to the readings.
    errata : tuple of Erratum
    headline : function
        Takes the table of verdicts under each reading (see
        `reproduction.verdicts.judge.READING_COLUMNS`) and returns the findings in a few sentences.
    kneser_ney : mapping of str to str
        What to call the variants of Kneser-Ney among the config's methods, such as "the
        textbook's".
    find_printed : function
        Takes corpus, entry of the method, rank and training words; returns the number that the
        source prints for such a fit, or nan.
    is_paper : bool
        Whether it is a paper, and not this project.
    """

    title: str
    byline: str
    link: str
    claims: tuple
    other_readings: tuple = ()
    criteria: Mapping = field(default_factory=dict)
    order: tuple = ()
    parts: tuple = ()
    descriptions: Mapping = field(default_factory=dict)
    readings: tuple = ()
    left_out: str = ""
    errata: tuple = ()
    headline: Callable = lambda verdicts: ""
    kneser_ney: Mapping = field(default_factory=dict)
    find_printed: Callable = lambda corpus, entry, rank, n: nan
    is_paper: bool = True
