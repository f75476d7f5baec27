"""A study: a source, or a question of this project's own, and what the rules look up of it.

Its folder in `reproduction.studies` has

    tables.py   TABULATE: for each kind of exhibit, the function that makes its table from scores
    figures.py  DRAW: for each kind of exhibit, the function that makes its figure from that table
    checks.py   check_cases: the statements of its theory, case by case, if it has one
    source.py   SOURCE: claims, interpretations and descriptions, most of them from words.toml

and ``workflow/studies/NAME/rules.smk`` has the rules that make its scores.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from reproduction.studies import STUDIES as PACKAGES

TOP = Path(__file__).parents[2]  # of the checkout
# Keys of an exhibit's entry that only its figure reads, or a page.
STYLE_OF_EXHIBITS = {
    *("title", "description", "alt", "differs", "printed_gap"),
    *("x", "x_scale", "y_scale", "y_range", "y_ranges", "difference_range"),
}
STYLE_OF_METHODS = ("label", "style")  # keys of a method's entry that only figures read
PRINTED = ("table",)  # kinds of exhibits that are printed in Markdown and LaTeX, too


@dataclass(frozen=True)
class Study:
    """What the rules look up of a study: its exhibits, and the names of its files.

    A study with several targets has a record for each; their scores share a folder.
    """

    name: str  # of its target, and of its folder below results/
    exhibits: Mapping[str, Mapping]  # by name: kind, title, methods, and the keys of the kind
    scores: Mapping[str, list]  # the files of scores behind each exhibit
    package: str = ""  # its folder in `reproduction.studies`; by default, its name
    # `corpora`: by exhibit, the corpora that its claims are about, also those that are missing
    # `receipts`: by exhibit, the receipts of texts that a rule of the study's own reads
    # `tables`: by exhibit, further tables that it is made from, by their names
    corpora: Mapping[str, list] = field(default_factory=dict)
    receipts: Mapping[str, list] = field(default_factory=dict)
    tables: Mapping[str, Mapping] = field(default_factory=dict)
    # Of its checks: the ids of the methods that they fit, the exhibits whose scores they read, and
    # further files, by their names.
    has_checks: bool = True
    fitted: Collection[str] = ()
    checked: Collection[str] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    # From ``words.toml``: a title and a question for the page; whether it has claims, and a page;
    # the time it takes.
    title: str = ""
    question: str = ""
    judged: bool = True
    takes: str = ""

    def __post_init__(self):
        if not self.package:
            object.__setattr__(self, "package", self.name)

    def files(self, *forms, kinds=None):
        """Return the files of its exhibits in some forms, such as csv or png."""
        names = [
            name for name, entry in self.exhibits.items() if not kinds or entry["kind"] in kinds
        ]
        return [f"results/{self.name}/exhibits/{name}.{form}" for name in names for form in forms]

    def receipts_of(self, names=None):
        """Return the receipts of the texts behind some exhibits, by default of all, each once."""
        found = {}
        for name in self.exhibits if names is None else names:
            corpora = self.exhibits[name].get("corpora", ())
            found |= dict.fromkeys(f"results/corpora/{corpus}.json" for corpus in corpora)
            found |= dict.fromkeys(self.receipts.get(name, ()))
        return list(found)

    def scores_of(self, names=None):
        """Return the files of scores behind some exhibits, by default of all, each once."""
        every = self.exhibits if names is None else names
        return list(dict.fromkeys(file for name in every for file in self.scores.get(name, ())))

    @property
    def texts(self):
        """The texts that its claims are about, also those that are missing, each once."""
        return list(dict.fromkeys(text for texts in self.corpora.values() for text in texts))

    @property
    def folders(self):
        """The folders of its benchmarks: its own, that of its scores, that of shared rules."""
        return list(dict.fromkeys([self.name, self.package, "shared"]))

    @property
    def cases(self):
        """The file of the cases of its theory, if it has one."""
        return [f"results/{self.name}/theory.csv"] if self.has_checks else []

    @property
    def verdicts(self):
        """The verdicts on its claims, and those under each interpretation, if it has claims."""
        names = ("claims", "claims-settings") if self.judged else ()
        return [f"results/{self.name}/{name}.csv" for name in names]

    @property
    def results(self):
        """What its target asks for: figures, printed tables, and the page."""
        page = [f"results/{self.name}/report.html"] if self.judged else []
        printed = self.files("md", "tex", kinds=PRINTED)
        return [*self.files("png", "svg"), *printed, *page]


@dataclass(frozen=True)
class Material:
    """What the table of an exhibit is made from."""

    # `scores`, `held_out`: rows of test words or trials, and of words held out to choose settings
    scores: object
    held_out: object
    entry: Mapping  # of the exhibit
    methods: Mapping  # entries of its methods, without labels
    receipts: Mapping  # by text
    tables: Mapping  # data frames, by name: see `Study.tables`
    root: int  # of the random numbers
    study: str  # the folder in `reproduction.studies`


def make_study(package, name, exhibits, scores, **further):
    """Return a `Study` with the words that ``words.toml`` has for its target."""
    return Study(name, exhibits, scores, package, **words_of(package)["targets"][name], **further)


def studies_in_words():
    """Return a `Study` without exhibits for each target that the words of a study describe."""
    return {
        name: make_study(package, name, {}, {})
        for package in PACKAGES
        for name in words_of(package)["targets"]
    }


def make_entry(package, name, **keys):
    """Return the entry of an exhibit that ``words.toml`` describes; its kind is its name."""
    words = dict(words_of(package)["exhibits"][name])
    words.pop("kept", None)  # of references only: see `trust.keep`
    return {"kind": name, "methods": ()} | words | keys


def fitted_in(study, methods):
    """Return the entries of the methods that the exhibits of a study show, by name."""
    shown = {name for entry in study.exhibits.values() for name in entry.get("methods", ())}
    return {name: entry for name, entry in methods.items() if name in shown}


def fields_of(study):
    """Return what the page of a study has to know of it."""
    fields = {key: getattr(study, key) for key in ("name", "title", "question")}
    exhibits = {name: dict(entry) for name, entry in study.exhibits.items()}
    return fields | {"study": study.package, "exhibits": exhibits}


def part_of(package, module):
    """Return a module of a study, such as its ``tables``."""
    return import_module(f"reproduction.studies.{package}.{module}")


def source_of(package):
    """Return the `verdicts.source.Source` of a study."""
    return part_of(package, "source").SOURCE


@cache
def read_words(module):
    """Return the words of a study: the content of ``words.toml`` next to one of its modules."""
    return tomllib.loads(Path(module).with_name("words.toml").read_text(encoding="utf-8"))


def words_of(package):
    """Return the words of a study by the name of its folder."""
    return read_words(Path(__file__).parent / "studies" / package / "words.toml")


def section_of(config, package):
    """Return a study's part of the config."""
    return config.get("studies", {}).get(package, {})


def without_style(methods):
    """Return entries of methods without label and style, which only change figures."""
    return {
        name: {key: value for key, value in entry.items() if key not in STYLE_OF_METHODS}
        for name, entry in methods.items()
    }


def without_style_of(entry):
    """Return an exhibit's entry without what only its figure reads, which fits nothing."""
    return {key: value for key, value in entry.items() if key not in STYLE_OF_EXHIBITS}


def ids_of(methods):
    """Return the ids of entries of methods, each once."""
    return sorted({entry["method"] for entry in methods.values()})


def choose_methods(config, names):
    """Return the config's entries of methods with these names, in their order."""
    return {name: config["methods"][name] for name in names}
