"""The readings as a target: mistakes in their section of the config, and a run on a small text."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from project import Project, write_tale

from reproduction.studies.readings.axes import CLAIMS
from reproduction.trust.manifest import read_manifest

SECTION = """
studies:
  readings:
    tokenizers: {tale: [whitespace, letters], fables: [letters]}
    words: 1000
    axes:
      split: [halves, pairs]
      vocabulary: [text]
      discount: [0.75]
      continuation: [discounted]
      unseen: [lower-order]
      backoff: [normalised]
      initial: [clusters, random]
      update: [simultaneous]
      rank: [2]
      constant: [0.5]
      lr_discount: [0.75]
    others: 1
    iterations: 2
    seeds: 2
    further: {ours: kn, methods: [kn, sb, ad-lr], rank: 2, seeds: 1}
    sceptics: {ours: kn, methods: [kn, sb], rank: 2, seeds: 1}
    new_texts:
      rank: 2
      words: 100
      replication: {methods: [kn, ad-lr], seeds: 2}
      further: {ours: sb, methods: [sb], seeds: 1}
      sceptics: {ours: sb, methods: [sb, ad-lr], seeds: 2}
      collections:
        fables: {package: fables, tokenizer: letters, texts: {fox: {files: [fox.txt]}}}
        here: {package: here, tokenizer: letters, texts: {tale: {files: [tale.txt]}}}
"""


@pytest.mark.long
def test_the_target_runs_and_leaves_out_what_cannot_be_had(tmp_path):
    project = Project(tmp_path / "one")
    package = project.folder / "home" / "corpora" / "here"
    package.mkdir(parents=True)
    write_tale(package / "tale.txt", words=200)
    for other in (project.folder / "workflow" / "studies").glob("*/config.yaml"):
        other.unlink()  # they are of texts that this copy has not
    with project.change("config.yaml", new=SECTION):
        status, printed = project.run("-j2", "readings", "readings_full", "--quiet", "all")
    assert status == 0, printed
    folder = project.results / "readings"
    claims = pd.read_csv(folder / "shares.csv")
    tale, fables = (claims[claims["corpus"] == name] for name in ("tale", "fables"))
    assert (tale["readings"] == [8, 4, 4, 4, 8, 8]).all()  # 2 tokenizers, 2 splits, 2 starts
    assert fables["readings"].isna().all()
    assert fables["note"].str.contains("127.0.0.1|refused|proxy|Connection", regex=True).all()
    tables = {
        name: pd.read_csv(folder / "exhibits" / f"{name}.csv").set_index("text", drop=False)
        for name in ("replication", "further", "further-readings")
    }
    for name in ("replication", "further"):
        lost = tables[name].set_index("collection").loc["fables"]
        assert lost["note"]
        assert np.isnan(lost["difference"])
    assert set(tables["replication"].loc["tale", "kn"]) == {"kn", "strongest"}
    # What is compared with the best of all others has those of the replication among them.
    assert set(tables["further"].loc["tale", "method"]) == {"sb", "kn", "ad-lr", "best other"}
    cuts = product(("whitespace", "letters"), ("halves", "pairs"))
    readings = {f"{cut}, {split}, text" for cut, split in cuts}
    assert set(tables["further-readings"].index.dropna()) == readings | {"all"}
    larger = project.results / "readings_full" / "exhibits"
    sceptics = pd.read_csv(larger / "sceptics.csv").set_index("text")
    assert set(sceptics.loc["tale", "method"]) == {"sb", "ad-lr", "best other"}
    sceptics = pd.read_csv(larger / "sceptics-readings.csv").set_index("text")
    assert set(sceptics.index.dropna()) == readings | {"all"}
    assert set(sceptics["method"].dropna()) == {"kn", "sb", "best other"}
    for name in (*CLAIMS, "effects", *(f"exhibits/{table}" for table in tables)):
        assert (folder / f"{name}.svg").stat().st_size > 1000
    assert "fables" in (folder / "report.html").read_text(encoding="utf-8")
    files = read_manifest(folder / "manifest.json")["files"]
    assert {"readings/report.html", "readings/universes.csv"} <= set(files)
