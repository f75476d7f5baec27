"""What a study is, as rules and pages take it: jobs, exhibits, and the scopes that they make up.

A study is a source, or a question of our own: a folder of `reproduction.studies` and the folder of
the same name in ``workflow/studies``. Its module ``plan`` has a function ``plan``, which takes the
config and returns its scopes: what a target makes. Its module ``source`` has `verdicts.Source`,
what is said of it. Nothing here is heavy to import: the process of every job plans anew.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from reproduction.studies import STUDIES

SOURCE = Path(__file__).parents[1]  # the folder of both packages
MANIFEST = "manifest.json"  # of each scope, in its folder of results


@dataclass(frozen=True)
class Job:
    """One file of scores.

    Attributes
    ----------
    name : str
        Of the file, below the folder of the study's scores.
    scorer : str
        The function that yields its rows, as ``module:function``. It takes the root of the random
        numbers, the inputs, the methods, and what is ``given``.
    methods : mapping
        Entries of the config's ``methods`` that it fits, without their labels.
    given : mapping
        What else the scorer is told.
    inputs : mapping of str to str, or to a tuple of them
        Files below the folder of results, by what they are.
    columns : tuple of str
        Of its rows, beyond those of every score.
    memory : int
        MB that it takes, at most.
    about : str
        What it does, for whoever watches the run.
    checkpoint : bool
        Whether a killed fit goes on from a file of its own.
    """

    name: str
    scorer: str
    methods: Mapping
    given: Mapping = field(default_factory=dict)
    inputs: Mapping = field(default_factory=dict)
    columns: tuple = ()
    memory: int = 800
    about: str = ""
    checkpoint: bool = False

    def files(self):
        """Yield the files that it is given, below the folder of results."""
        for files in self.inputs.values():
            yield from files if isinstance(files, tuple) else [files]


@dataclass(frozen=True)
class Exhibit:
    """A figure with its tidy table.

    Attributes
    ----------
    name : str
    entry : mapping
        Of the config, or like one: ``kind``, ``title``, ``methods`` and what its kind needs.
    jobs : tuple of str
        Names of the jobs whose scores it shows.
    tabulate, draw : str
        What makes the table of `Material`, and the figure of the table, the entry and the methods,
        as ``module:function``.
    receipts : tuple of str
        Of the texts, below the folder of results.
    printed : bool
        Whether its table is printed in Markdown and LaTeX, too.
    tables : mapping of str to str
        Further tables that the figure is drawn from, below the folder of results.
    """

    name: str
    entry: Mapping
    jobs: tuple
    tabulate: str
    draw: str
    receipts: tuple = ()
    printed: bool = False
    tables: Mapping = field(default_factory=dict)


@dataclass(frozen=True)
class Material:
    """What the table of an exhibit is made of.

    Attributes
    ----------
    scores, held_out : pandas.DataFrame
        Rows of its jobs: of test words or trials, and of what was held out to choose settings.
    entry : mapping
        See `Exhibit`.
    methods : mapping
        Its entries of the config's ``methods``, without labels.
    receipts : mapping
        By text.
    tables : mapping of str to pandas.DataFrame
        See `Exhibit`.
    root : int
        Of the random numbers.
    study : str
    """

    scores: object
    held_out: object
    entry: Mapping
    methods: Mapping
    receipts: Mapping
    tables: Mapping
    root: int
    study: str


@dataclass(frozen=True)
class Theory:
    """Statements that are tried case by case.

    Attributes
    ----------
    check : str
        What yields the cases, as ``module:function``: takes the root of the random numbers, the
        scores of the scope by exhibit, and the inputs.
    methods : tuple of str
        Ids of the methods that it fits.
    inputs : mapping of str to str
        Files below the folder of results, by what they are.
    exhibits : tuple of str
        Those whose scores it looks at.
    """

    check: str
    methods: tuple = ()
    inputs: Mapping = field(default_factory=dict)
    exhibits: tuple = ()


@dataclass(frozen=True)
class Scope:
    """What one target makes: a study, or a larger or smaller part of it.

    Attributes
    ----------
    name : str
        Of the target, and of its folder of results.
    study : str
    title, question : str
        For the front page.
    jobs : mapping of str to Job
    exhibits : mapping of str to Exhibit
    corpora : tuple of str
        Of the config.
    theory : Theory or None
    judged : bool
        Whether its source has claims.
    page : str
        What writes its page, as ``module:function``; empty where it has none.
    files : tuple of str
        What rules of the study's own make, below the folder of results.
    agreement : str
        How nearly two machines agree on what is drawn from the scores: see `condprob.Method`.
    kept : tuple of str
        Ends of the names of files that are kept as a reference.
    larger : str
        The scope that has what this one lacks.
    takes : str
        How long it takes on two cores, for the front page.
    """

    name: str
    study: str
    title: str
    question: str
    jobs: Mapping = field(default_factory=dict)
    exhibits: Mapping = field(default_factory=dict)
    corpora: tuple = ()
    theory: Theory | None = None
    judged: bool = True
    page: str = "reproduction.page.report:write_page"
    files: tuple = ()
    agreement: str = "iterated"
    kept: tuple = (".csv", ".png")
    larger: str = ""
    takes: str = ""

    def scores(self, jobs=None):
        """Return the files of scores of some jobs, or of all, below the folder of results."""
        return [f"{self.study}/scores/{name}.csv" for name in (self.jobs if jobs is None else jobs)]

    def methods(self):
        """Return the entries of all methods that are fitted, by name."""
        return {name: entry for job in self.jobs.values() for name, entry in job.methods.items()}

    def titles(self):
        """Return the titles of the exhibits, by name."""
        return {name: each.entry.get("title", name) for name, each in self.exhibits.items()}


def plan_scopes(config):
    """Return the scopes of all studies by name, those of the first study first."""
    found = [
        scope
        for study in STUDIES
        for scope in import_module(f"reproduction.studies.{study}.plan").plan(config)
    ]
    return {scope.name: scope for scope in found}


def source_of(study):
    """Return the `verdicts.source.Source` of a study."""
    return import_module(source_module(study)).SOURCE


def source_module(study):
    """Return the name of the module that has what a study's source says."""
    return f"reproduction.studies.{study}.source"


def load_function(place):
    """Return the function at ``module:function``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


@cache
def file_of(place):
    """Return the file of ``module:function``, without importing it."""
    module = place.partition(":")[0]
    return SOURCE.joinpath(*module.split(".")).with_suffix(".py")


def section_of(config, study):
    """Return a study's part of the config."""
    return config.get("studies", {}).get(study, {})


def without_labels(methods):
    """Return entries of methods without labels: a new label draws figures again, fits nothing."""
    return {
        name: {key: value for key, value in entry.items() if key != "label"}
        for name, entry in methods.items()
    }


def without_title(entry):
    """Return an exhibit's entry without its title: a new one draws it again, and no more."""
    return {key: value for key, value in entry.items() if key != "title"}


def ids_of(methods):
    """Return the ids of entries of methods, each once."""
    return sorted({entry["method"] for entry in methods.values()})


def choose_methods(config, names):
    """Return the config's entries of methods with these names, in their order."""
    return {name: config["methods"][name] for name in names}


def refuse_spaces():
    """End where Snakemake could not run this Python: it puts its path into commands as it is."""
    if any(map(str.isspace, sys.executable)):
        sys.exit(
            f"error: {sys.executable}: Snakemake cannot run a Python whose path has a space; "
            "`make` installs one elsewhere"
        )
