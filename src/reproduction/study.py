"""A study, as rules and pages take it: jobs, exhibits, and the scopes that they make up.

A study is a source, or a question of our own: a folder of `reproduction.studies` and the folder of
the same name in ``workflow/studies``. Its module ``plan`` has a function ``plan``, which takes the
config and returns the scopes of the study; each target makes one scope. Its module ``source`` has
a `verdicts.Source`: claims, readings and descriptions, which are mostly those of ``words.toml``
beside it. Nothing here is heavy to import, because the
process of every job plans anew.
"""

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from reproduction.studies import STUDIES

PACKAGES = Path(__file__).parents[1]  # the folder of both packages
TOP = PACKAGES.parent  # of the checkout
_JOB = re.compile(r"\w+:(\w+=|$)")  # of the command of a process that runs jobs
# Keys of an exhibit's entry that its figure alone reads, or a page.
KEYS_OF_LOOKS = {
    *("title", "description", "alt", "differs", "printed_gap"),
    *("x", "x_scale", "y_scale", "y_range", "y_ranges", "difference_range"),
}
MANIFEST = "manifest.json"  # of each scope, in its folder of results


@dataclass(frozen=True)
class Texts:
    """Texts that a study reads in a way of its own, once for all of its jobs."""

    name: str  # of its rule, after ``read_`` and the study, and of its log
    # `find`, `save`: functions, as ``module:function``. The first takes the entries, the settings
    # ``given`` and whether other hashes are allowed, and returns the texts. The other takes the
    # files, and the texts as ``found``, which is None where a text cannot be had; it writes the
    # files in any case, and returns the fields of the receipt.
    find: str
    save: str
    files: tuple[str, ...]  # below the folder of results, and so is the receipt
    receipt: str
    entries: Mapping  # of the corpora that are read, like those of the config's ``corpora``
    given: Mapping = field(default_factory=dict)  # further settings of ``find``
    awaited: str = ""  # the entry whose text is read again when it comes to hand
    needed: bool = False  # whether a run fails without them, also where ``strict`` is false
    memory: int = 1500  # MB that reading takes, at most
    about: str = ""  # their description, for the log of the run


@dataclass(frozen=True)
class Job:
    """One file of scores."""

    name: str  # of the file, below the folder of the study's scores
    # The function that yields its rows, as ``module:function``. It takes the root of the random
    # numbers, the inputs, the methods, and the settings ``given``.
    scorer: str
    methods: Mapping  # entries of the config's ``methods`` that it fits, without their labels
    given: Mapping = field(default_factory=dict)  # further settings of the scorer
    # files below the folder of results, by their meaning
    inputs: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()  # of its rows, beyond those of every score
    memory: int = 800  # MB that it takes, at most
    about: str = ""  # its description, for the log of the run
    checkpoint: bool = False  # whether a killed fit goes on from a file of its own

    def files(self):
        """Yield the files that it is given, below the folder of results."""
        for files in self.inputs.values():
            yield from files if isinstance(files, tuple) else [files]


@dataclass(frozen=True)
class Exhibit:
    """A figure with its tidy table."""

    name: str
    # of the config, or like one: ``kind``, ``title``, ``methods`` and the keys of its kind
    entry: Mapping
    jobs: tuple[str, ...]  # names of the jobs whose scores it shows
    # `tabulate`, `draw`: functions, as ``module:function``. The first makes the table of a
    # `Material`; the other makes the figure of the table, the entry and the methods.
    tabulate: str
    draw: str
    receipts: tuple[str, ...] = ()  # of the texts, below the folder of results
    printed: bool = False  # whether its table is printed in Markdown and LaTeX, too
    # further tables that the figure is drawn from, below the folder of results
    tables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Material:
    """The material of an exhibit's table."""

    # `scores`, `held_out`: rows of its jobs: of test words or trials, and of words held out to
    # choose settings
    scores: object
    held_out: object
    entry: Mapping  # see `Exhibit`
    methods: Mapping  # its entries of the config's ``methods``, without labels
    receipts: Mapping  # by text
    tables: Mapping  # data frames by name: see `Exhibit`
    root: int  # of the random numbers
    study: str


@dataclass(frozen=True)
class Theory:
    """Statements that are checked case by case."""

    # the function that yields the cases, as ``module:function``: it takes the root of the random
    # numbers, the scores of the scope by exhibit, and the inputs
    check: str
    methods: tuple[str, ...] = ()  # ids of the methods that it fits
    # files below the folder of results, by their meaning
    inputs: Mapping[str, str] = field(default_factory=dict)
    exhibits: tuple[str, ...] = ()  # the exhibits whose scores it looks at


@dataclass(frozen=True)
class Scope:
    """The results of one target: a study, or a larger or smaller part of it."""

    name: str  # of the target, and of its folder of results
    study: str
    # `title`, `question`: for the front page
    title: str
    question: str
    jobs: Mapping[str, Job] = field(default_factory=dict)
    exhibits: Mapping[str, Exhibit] = field(default_factory=dict)
    corpora: tuple[str, ...] = ()  # of the config
    texts: tuple[Texts, ...] = ()  # of its own
    theory: Theory | None = None
    judged: bool = True  # whether it has claims, and a page
    files: tuple[str, ...] = ()  # made by rules of the study's own, below the folder of results
    # methods, checks, claims and exhibits that rest on fits which do not come to rest: there a last
    # bit grows, and two machines share the verdicts and not the numbers
    unsteady: tuple[str, ...] = ()
    # ends of the names of files that are kept as a reference
    kept: tuple[str, ...] = (".csv", ".png")
    larger: str = ""  # the scope that has the claims and exhibits that this one lacks
    takes: str = ""  # how long it takes on two cores, for the front page

    def scores(self, jobs=None):
        """Return the files of scores of some jobs, or of all, below the folder of results."""
        return [f"{self.study}/scores/{name}.csv" for name in (self.jobs if jobs is None else jobs)]

    def methods(self):
        """Return the entries of all methods that are fitted, by name."""
        return {name: entry for job in self.jobs.values() for name, entry in job.methods.items()}

    def targets(self):
        """Return the names of the exhibits for `make figure`, by their names in the scope.

        Where the study's own scope may have the exhibit, too, the target comes before the name.
        """
        alone = self.name if self.name != self.study else ""
        return {n: n if n.startswith(alone) else f"{alone}_{n}" for n in self.exhibits}

    def titles(self):
        """Return the titles of the exhibits, by name."""
        return {name: each.entry.get("title", name) for name, each in self.exhibits.items()}


def studies_of_jobs(arguments):
    """Return the studies of the jobs that a process of Snakemake runs; all where they do not tell.

    The ``arguments`` of its command have ``rule:wildcard=value,...`` of each job: Snakemake itself
    knows the jobs only after it has read the rules.
    """
    named = set()
    for job in filter(_JOB.match, arguments):
        wildcards = dict(part.partition("=")[::2] for part in job.partition(":")[2].split(","))
        named.add(wildcards.get("study", wildcards.get("scope")))
    known = bool(named) and named <= {*STUDIES}
    return [study for study in STUDIES if study in named] if known else STUDIES


def plan_scopes(config, studies=STUDIES):
    """Return the scopes of some studies by name, by default of all, those of the first first."""
    found = [
        scope
        for study in studies
        for scope in import_module(f"reproduction.studies.{study}.plan").plan(config)
    ]
    return {scope.name: scope for scope in found}


@cache
def read_words(module):
    """Return the words of a study: the content of ``words.toml`` beside one of its modules."""
    return tomllib.loads(Path(module).with_name("words.toml").read_text(encoding="utf-8"))


def make_exhibit(module, name, jobs=(), receipts=(), tables=None, **entry):
    """Return an exhibit of some jobs, which words.toml beside a ``module`` of the study describes.

    There stand its title and kind (by default its name), and as ``module:function`` the functions
    that ``tabulate`` and ``draw`` it.
    """
    entry = {"kind": name, "methods": ()} | read_words(module)["exhibits"][name] | entry
    functions = {key: entry.pop(key) for key in ("tabulate", "draw")}
    return Exhibit(
        name,
        entry,
        tuple(job.name for job in jobs),
        receipts=receipts,
        tables=tables or {},
        **functions,
    )


def make_scope(module, name, jobs, exhibits, **further):
    """Return a scope of some jobs and exhibits; other fields are in words.toml beside a module."""
    words = read_words(module)["scopes"][name]
    return Scope(
        name,
        Path(module).parent.name,
        jobs={job.name: job for job in jobs},
        exhibits={exhibit.name: exhibit for exhibit in exhibits},
        **words,
        **further,
    )


def source_of(study):
    """Return the `verdicts.source.Source` of a study."""
    return import_module(source_module(study)).SOURCE


def source_module(study):
    """Return the name of the module that has a study's `verdicts.Source`."""
    return f"reproduction.studies.{study}.source"


def load_function(place):
    """Return the function at ``module:function``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


@cache
def file_of(place):
    """Return the file of ``module:function``, without importing it."""
    module = place.partition(":")[0]
    return PACKAGES.joinpath(*module.split(".")).with_suffix(".py")


def section_of(config, study):
    """Return a study's part of the config."""
    return config.get("studies", {}).get(study, {})


def without_labels(methods):
    """Return entries of methods without labels: a new label draws figures again, fits nothing."""
    return {
        name: {key: value for key, value in entry.items() if key != "label"}
        for name, entry in methods.items()
    }


def without_looks(entry):
    """Return an exhibit's entry without its looks: a new one draws it again, and no more."""
    return {key: value for key, value in entry.items() if key not in KEYS_OF_LOOKS}


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
