"""A crate has what RO-Crate 1.1 and Workflow Run Crate 0.5 say that it must have."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from reproduction.trust.crate import METADATA, main
from reproduction.trust.manifest import MANIFEST, check_files, write_manifest

TOP = Path(__file__).parents[3]
PROVENANCE = {
    "written": "2026-11-23T06:59:30+00:00",
    "versions": {"snakemake": "9.27.1"},
    "git": {"commit": "8d051ff26b45103ecfe761458f55f34cae9dce95", "dirty": True},
}


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Results of a target with their manifest, seen from the top folder."""
    monkeypatch.chdir(TOP)
    folder = tmp_path / "results"
    for name, text in (("s/été.csv", "abc"), ("s/exhibits/a.png", "not a picture")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    files = [folder / "s" / "été.csv", folder / "s" / "exhibits" / "a.png"]
    write_manifest(folder / "s" / MANIFEST, folder, PROVENANCE, files)
    return folder


def references(value):
    """Yield every reference in the values of an entity."""
    if isinstance(value, dict):
        yield value["@id"]
    for part in value if isinstance(value, list) else ():
        yield from references(part)


def test_a_crate_has_what_the_profiles_ask_for(results, capsys):
    assert main(["s", "--results", str(results)]) == 0
    path = results / "crates" / "s.zip"
    assert capsys.readouterr().out == f"the crate is {path}\n"
    with zipfile.ZipFile(path) as crate:
        held = {name: crate.read(name) for name in crate.namelist()}
    metadata = json.loads(held.pop(METADATA))
    assert metadata["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
    entities = {each["@id"]: each for each in metadata["@graph"]}
    assert len(entities) == len(metadata["@graph"])

    descriptor, root = entities[METADATA], entities["./"]
    assert (descriptor["@type"], descriptor["about"]) == ("CreativeWork", {"@id": "./"})
    assert {"@id": "https://w3id.org/ro/crate/1.1"} in descriptor["conformsTo"]
    assert root["@type"] == "Dataset"
    assert {"name", "description", "datePublished", "license"} <= root.keys()
    assert {"@id": "https://w3id.org/ro/wfrun/workflow/0.5"} in root["conformsTo"]

    workflow, run = entities[root["mainEntity"]["@id"]], entities[root["mentions"]["@id"]]
    assert workflow["@type"] == ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
    assert workflow["version"] == PROVENANCE["git"]["commit"]
    language = entities[workflow["programmingLanguage"]["@id"]]
    assert (language["@type"], language["version"]) == ("ComputerLanguage", "9.27.1")
    assert (run["@type"], run["instrument"]) == ("CreateAction", root["mainEntity"])
    made = ["results/s/exhibits/a.png", "results/s/été.csv", "results/s/manifest.json"]
    assert [each["@id"] for each in run["result"]] == made
    assert "not committed" in run["description"]

    # Every part is there, with its hash, and nothing else is; references lead somewhere.
    assert list(references(root["hasPart"])) == list(held)
    for name, content in held.items():
        assert entities[name]["sha256"] == hashlib.sha256(content).hexdigest()
    for each in metadata["@graph"]:
        for value in (value for key, value in each.items() if key != "@id"):
            for id in references(value):
                assert id in entities or id.startswith(("http://schema.org/", "https://")), id


def test_a_crate_is_the_same_bytes_again_and_no_result(results):
    path = results / "crates" / "s.zip"
    assert main(["s", "--results", str(results)]) == 0
    first = path.read_bytes()
    assert main(["s", "--results", str(results)]) == 0
    assert path.read_bytes() == first
    assert check_files(results)["extra"] == []


def test_what_is_not_as_the_manifest_says_is_refused(results, capsys):
    (results / "s" / "été.csv").write_text("abd")
    assert main(["s", "--results", str(results)]) == 1
    assert main(["t", "--results", str(results)]) == 1
    changed, missing = capsys.readouterr().err.splitlines()
    assert changed.endswith("été.csv is not what the manifest says: see `make verify`")
    assert missing.endswith("does not exist: run `make t` first")
    assert not (results / "crates").exists()


def test_a_crafted_manifest_and_a_folder_that_cannot_be_written_are_one_line(results, capsys):
    path = results / "s" / MANIFEST
    whole = json.loads(path.read_text(encoding="utf-8"))
    for provenance in (None, {}, [], PROVENANCE | {"versions": 1}):
        path.write_text(json.dumps(whole | {"provenance": provenance}), encoding="utf-8")
        assert main(["s", "--results", str(results)]) == 1
        assert capsys.readouterr().err == f"error: {path} does not tell of its run\n"
    path.write_text(json.dumps(whole), encoding="utf-8")
    (results / "crates").touch()
    assert main(["s", "--results", str(results)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
