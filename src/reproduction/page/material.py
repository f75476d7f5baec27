"""What a page is made from: the results of one scope, and what is said of it."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from reproduction.study import source_of
from reproduction.verdicts.evidence import Results, read_results
from reproduction.verdicts.source import Source


@dataclass(frozen=True)
class Material:
    """What a page is made from.

    Attributes
    ----------
    scope : types.SimpleNamespace
        The fields of a `study.Scope`, of its exhibits and jobs dictionaries.
    source : verdicts.source.Source
    config : mapping
        ``results``, ``methods`` and perhaps ``repository``.
    results : verdicts.evidence.Results
        Without scores.
    claims, readings : pandas.DataFrame
        Of the verdicts; empty where there are none.
    figures : mapping of str to path
        The SVG of each exhibit, with a PNG beside it.
    files : mapping of str to path
        What the study's own rules made, by their names below its folder of results.
    provenance : mapping
        Empty where there is none.
    """

    scope: SimpleNamespace
    source: Source
    config: dict
    results: Results
    claims: pd.DataFrame = field(default_factory=pd.DataFrame)
    readings: pd.DataFrame = field(default_factory=pd.DataFrame)
    figures: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)
    provenance: dict = field(default_factory=dict)

    @property
    def exhibits(self):
        """The entries of the exhibits, by name."""
        return {name: exhibit["entry"] for name, exhibit in self.scope.exhibits.items()}


def read_material(scope, config, given):
    """Read what a page is made from.

    Parameters
    ----------
    scope : mapping
        The fields of a `study.Scope`.
    config : mapping
    given : snakemake's input
        ``verdicts``, ``cases``, ``tables``, ``figures``, ``receipts``, ``files``, ``provenance``.

    Returns
    -------
    Material
    """
    scope = SimpleNamespace(**scope)
    tables = {Path(file).stem: file for file in given.tables}
    return Material(
        scope,
        source_of(scope.study),
        config,
        read_results({}, tables, given.receipts, *given.cases),
        *map(pd.read_csv, given.verdicts),
        figures={Path(file).stem: file for file in given.figures if file.endswith("svg")},
        files={file.partition(f"/{scope.study}/")[2]: file for file in given.files},
        provenance=json.loads(Path(given.provenance).read_text(encoding="utf-8")),
    )
