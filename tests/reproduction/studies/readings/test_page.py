"""The page of the readings is written from tables, and says where there are none."""

from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from made_up_page import PROVENANCE

from reproduction.config.files import load_config
from reproduction.page.material import Material
from reproduction.studies.readings import plan
from reproduction.studies.readings.page import write_page
from reproduction.studies.readings.source import SOURCE
from reproduction.verdicts.evidence import Results

TOP = Path(__file__).parents[4]
CONFIG = load_config([TOP / "config.yaml", *(TOP / "workflow" / "studies").glob("*/config.yaml")])
REFERENCE = TOP / "results" / "reference" / "readings"


@pytest.mark.parametrize("over", [(), ("small.yaml",)], ids=["the project's", "other settings"])
@pytest.mark.parametrize("made", [True, False], ids=["made", "nothing made"])
def test_the_page_is_written_with_what_there_is(made, over):
    scope, *_ = plan.plan(CONFIG)
    exhibits, files = {}, {}
    if made:
        paths = REFERENCE.glob("exhibits/*.csv")
        exhibits = {path.stem: pd.read_csv(path) for path in paths}
        files = {path.name: str(path) for path in REFERENCE.glob("*.csv")}
        exhibits |= {"shares": pd.read_csv(files["shares.csv"])}
    given = SimpleNamespace(**asdict(scope)), SOURCE, CONFIG, Results({}, exhibits, {})
    page = write_page(Material(*given, files=files, provenance=PROVENANCE, over=over))
    assert SOURCE.title in page
    assert ("small.yaml" in page) == bool(over)
    assert ("of pairs)" in page) == made  # by how many readings a claim is turned
