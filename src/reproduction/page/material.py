"""The material of a page: the results of one target, and the words of its source."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from reproduction.study import source_of
from reproduction.verdicts.evidence import Results, read_results
from reproduction.verdicts.source import Source

RESULTS = "results"  # the folder of what is computed


@dataclass(frozen=True)
class PageMaterial:
    """The material of a page."""

    target: SimpleNamespace  # its name, study, title, question and exhibits
    source: Source
    config: dict  # ``methods`` and perhaps ``repository``
    results: Results  # without scores
    # `claims`, `settings`: of the verdicts; empty where there are none
    claims: pd.DataFrame = field(default_factory=pd.DataFrame)
    settings: pd.DataFrame = field(default_factory=pd.DataFrame)
    # the PNG of each exhibit; the page shows it from the folder ``exhibits`` next to itself
    figures: dict[str, str] = field(default_factory=dict)
    provenance: dict = field(default_factory=dict)  # empty where there is none
    over: tuple[str, ...] = ()  # configuration files that were put over the project's
    abstract: pd.DataFrame = field(default_factory=pd.DataFrame)  # empty where there is none

    @property
    def command(self):
        """The command that makes a target with these settings; the target comes after it."""
        over = f" --configfile {' '.join(self.over)} --" if self.over else ""
        return f"snakemake -j8{over}"

    @property
    def frame(self):
        """The frame of every page, for the templates ``base`` and ``provenance``."""
        return {
            "paper": self.source,
            "target": self.target,
            "results": RESULTS,
            "make": self.command,
            "over": self.over,
            "receipts": self.results.receipts,
            "provenance": self.provenance,
        }

    @property
    def exhibits(self):
        """The entries of the exhibits, by name."""
        return self.target.exhibits


def read_material(given, params):
    """Read the material of a page: the inputs and the params of its rule."""
    target = SimpleNamespace(**params.study)
    tables = {Path(file).stem: file for file in given.tables}
    config = {"methods": params.methods, "repository": params.repository}
    results = read_results({}, tables, given.receipts, *given.cases)
    results.receipts.update(params.missing)
    return PageMaterial(
        target,
        source_of(target.study),
        config,
        results,
        *map(pd.read_csv, given.verdicts),
        figures={Path(file).stem: file for file in given.figures if file.endswith("png")},
        abstract=pd.read_csv(*given.abstract) if given.abstract else pd.DataFrame(),
        provenance=json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        over=tuple(params.over),
    )
