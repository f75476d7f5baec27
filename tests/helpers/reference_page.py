"""The page of the paper, from the results that the repository keeps: nothing is fitted for it."""

import json
import shutil
from pathlib import Path

import pandas as pd
from made_up_page import CONFIG, describe_target

from reproduction.page.material import PageMaterial
from reproduction.page.report import write_page
from reproduction.studies.near_optimal.answer import list_answer
from reproduction.studies.near_optimal.plan import list_exhibits
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.study import make_study
from reproduction.verdicts.evidence import Results

STUDY = "near_optimal"
KEPT = Path(__file__).parents[2] / "results" / "reference" / STUDY


def write_reference_page(results):
    """Write the page and the kept files next to it into a folder of results; return its path."""
    folder = Path(results, STUDY)
    shutil.copytree(KEPT, folder)
    corpora = CONFIG["corpora"]
    exhibits = list_exhibits(CONFIG["exhibits"], corpora)
    exhibits |= list_answer(CONFIG, exhibits, corpora)
    tables = {path.stem: pd.read_csv(path) for path in sorted(folder.glob("exhibits/*.csv"))}
    provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    found = Results({}, tables, provenance["corpora"], checks=pd.read_csv(folder / "theory.csv"))
    material = PageMaterial(
        describe_target(make_study(STUDY, STUDY, exhibits, {})),
        SOURCE,
        CONFIG,
        found,
        pd.read_csv(folder / "claims.csv"),
        pd.read_csv(folder / "claims-settings.csv"),
        {name: str(folder / "exhibits" / f"{name}.png") for name in tables},
        provenance,
        abstract=pd.read_csv(folder / "abstract.csv"),
    )
    (folder / "report.html").write_text(write_page(material), encoding="utf-8")
    return folder / "report.html"
