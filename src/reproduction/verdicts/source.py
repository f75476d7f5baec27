"""A source as the machinery takes it: its claims, its settings, its words.

Each study has one `Source`: a paper, or this project where the study is a question of our own.
Whatever judges claims or shows them is handed that object and knows nothing else of the study.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from math import nan
from typing import Literal

from reproduction.study import read_words


@dataclass(frozen=True)
class Claim:
    """One checkable statement."""

    id: str
    place: str  # where the paper says it
    statement: str  # in our words
    test: str  # how it is judged: a key of `reproduction.verdicts.criteria.CRITERIA`
    exhibit: str  # that tests it: one of the config, or ``corpora`` or ``theorems``
    # `published`, `tolerance`: the number that the paper prints, and how near is near enough; nan
    # where there is none
    published: float = nan
    tolerance: float = nan
    # the columns' values that the test looks at, such as ``corpus``, ``rank``, ``pairs``
    settings: dict = field(default_factory=dict)
    # Who claims it. Both are judged alike, and never added up.
    by: Literal["source", "project"] = "source"
    headline: bool = False  # whether the sentence at the head of the page counts it
    kind: str = ""  # of `criteria.KINDS`; by default that of its test


THEOREMS = "theorems"  # in place of an exhibit, where cases of a theory test a claim


@dataclass(frozen=True)
class Setting:
    """Another setting, under which the claims that it changes are judged as well."""

    name: str  # how verdicts under it are called
    # What stands in a claim in place of the names of methods, exhibits or checks, by these names.
    instead: Mapping[str, str]
    about: str = ""  # its choices, and how they were made
    keys: tuple[str, ...] = ()  # the settings of a claim that it may change; by default all


DEFAULT = "default"  # the setting of claims as they are stated, where a source has no `columns`


@dataclass(frozen=True)
class Erratum:
    """Something in the paper that is wrong or cannot be; shown while all its claims fail."""

    title: str
    text: str
    claims: tuple = ()


@dataclass(frozen=True)
class Interpretation:
    """One thing that the paper does not say."""

    id: str
    about: str
    # `paper`, `chosen`, `evidence`: the words of the paper, the choice made here, and its reason
    paper: str
    chosen: str
    evidence: str
    trust: str  # ``high``, ``medium`` or ``low``
    key: str  # where config.yaml says it, if it does
    exhibits: tuple[str, ...]  # that depend on it


@dataclass(frozen=True)
class Source:
    """A source, as verdicts and page need it."""

    # `title`, `byline`, `link`: ``link`` is the address of its own page
    title: str
    byline: str
    link: str
    claims: tuple[Claim, ...]
    # Settings under each of which every claim is judged: each has a column in claims.csv. The last
    # has nothing ``instead``: it is the setting of the claims as they are stated.
    columns: tuple[Setting, ...] = ()
    other_settings: tuple[Setting, ...] = ()
    # the words of a test's criterion where this source needs others than criteria.toml
    criteria: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()  # the exhibits in the paper's order; others come after them
    # the paper's own description, or an explanation, of each exhibit
    descriptions: Mapping[str, str] = field(default_factory=dict)
    remarks: Mapping[str, str] = field(default_factory=dict)  # on what is seen in an exhibit
    interpretations: tuple[Interpretation, ...] = ()
    left_out: str = ""  # the introduction to the interpretations
    errata: tuple[Erratum, ...] = ()
    # takes the table of verdicts under each setting (see
    # `reproduction.verdicts.judge.SETTING_COLUMNS`) and returns the findings in a few sentences; by
    # default these say how many of the source's claims have each verdict
    headline: Callable | None = None
    # notes on the variants of Kneser-Ney among the config's methods, such as "the textbook's"
    kneser_ney: Mapping[str, str] = field(default_factory=dict)
    # takes corpus, entry of the method, rank and training words; returns the number that the source
    # prints for such a fit, or nan
    find_printed: Callable = lambda corpus, entry, rank, n: nan
    # the options that it states of methods, by their names in the config, which are their ids
    # unless ``method`` says another
    stated: Mapping[str, Mapping] = field(default_factory=dict)
    # the sentence that the page begins with, its ``text``, and the ``claims`` that it rests on
    finding: Mapping = field(default_factory=dict)
    # what is known of all other settings, its ``text``, and the ``file`` of the picture of it
    curve: Mapping[str, str] = field(default_factory=dict)
    foremost: tuple[str, ...] = ()  # ids of claims, at most six, that a page shows first
    is_paper: bool = True  # whether it is a source, and not this project
    noun: str = "paper"  # its kind of text
    settings: tuple[str, ...] = ()  # exhibits of settings: after the claims, if it is no paper

    @property
    def default(self):
        """The name of the setting under which a claim has its verdict."""
        return self.judged_under[-1]

    @property
    def judged_under(self):
        """The names of the settings under which every claim is judged; the last is the default."""
        return [setting.name for setting in self.columns] or [DEFAULT]

    @property
    def changing(self):
        """The settings that may change a claim: all but the default one."""
        return (*self.columns[:-1], *self.other_settings)


def read_source(module, **further):
    """Return the `Source` of ``words.toml`` next to a module; ``further`` are fields from code."""
    words = read_words(module)
    given = words | further
    records = {"interpretations": Interpretation, "errata": Erratum}
    records |= dict.fromkeys(("columns", "other_settings"), Setting)
    for key in records.keys() & words.keys():
        given[key] = tuple(records[key](**_fixed(entry)) for entry in words[key])
    if "claims" not in further:
        given["claims"] = tuple(map(make_claim, words["claims"]))
    for key in {"exhibits", "targets", "abstract"} & given.keys():  # others read these words
        del given[key]
    return Source(**_fixed(given))


def make_claim(entry):
    """Return a claim of its fields; any other key of the entry is a setting of its test.

    Without a test it holds if all cases do of the ``check`` of its name, or of the one it names.
    """
    known = {field.name for field in fields(Claim)} & entry.keys()
    settings = {key: value for key, value in entry.items() if key not in known}
    given = {"test": "theory", "exhibit": THEOREMS} | {key: entry[key] for key in known}
    if given["exhibit"] == THEOREMS:
        settings = {"check": entry["id"]} | settings
    return Claim(**given, settings=settings)


def _fixed(entry):
    """Return fields with tuples in the place of lists."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
