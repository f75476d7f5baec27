"""The material of a page: the results of one scope, and the words of its source."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from reproduction.study import source_of
from reproduction.verdicts.evidence import Results, read_results
from reproduction.verdicts.source import Source


@dataclass(frozen=True)
class PageMaterial:
    """The material of a page."""

    scope: SimpleNamespace  # the fields of a `study.Scope`, of its exhibits and jobs dictionaries
    source: Source
    config: dict  # ``results``, ``methods`` and perhaps ``repository``
    results: Results  # without scores
    # `claims`, `readings`: of the verdicts; empty where there are none
    claims: pd.DataFrame = field(default_factory=pd.DataFrame)
    readings: pd.DataFrame = field(default_factory=pd.DataFrame)
    # the SVG of each exhibit, with a PNG beside it
    figures: dict[str, str] = field(default_factory=dict)
    # the files of the study's own rules, by their names below its folder of results
    files: dict[str, str] = field(default_factory=dict)
    provenance: dict = field(default_factory=dict)  # empty where there is none
    over: tuple[str, ...] = ()  # configuration files that were put over the project's

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
            "scope": self.scope,
            "results": self.config["results"],
            "make": self.command,
            "over": self.over,
            "receipts": self.results.receipts,
            "provenance": self.provenance,
        }

    @property
    def exhibits(self):
        """The entries of the exhibits, by name."""
        return {name: exhibit["entry"] for name, exhibit in self.scope.exhibits.items()}


def read_material(scope, config, given, over=()):
    """Read the material of a page: the fields of a scope, the config, and snakemake's inputs.

    ``over`` are the configuration files that were put over the project's.
    """
    scope = SimpleNamespace(**scope)
    tables = {Path(file).stem: file for file in given.tables}
    return PageMaterial(
        scope,
        source_of(scope.study),
        config,
        read_results({}, tables, given.receipts, *given.cases),
        *map(pd.read_csv, given.verdicts),
        figures={Path(file).stem: file for file in given.figures if file.endswith("svg")},
        files={file.partition(f"/{scope.study}/")[2]: file for file in given.files},
        provenance=json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        over=tuple(over),
    )
