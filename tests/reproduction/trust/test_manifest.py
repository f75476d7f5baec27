"""The manifest names every file that is not what the run left."""

import pytest

from reproduction.trust.manifest import (
    MANIFEST,
    ManifestError,
    check_files,
    list_results,
    read_manifest,
    write_manifest,
)

# SHA-256 of "abc", from FIPS 180-2, appendix B.1.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def put(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def results(tmp_path):
    """A folder of results with its manifest."""
    folder = tmp_path / "the results of été"
    put(folder, a_csv="abc", scores__a__b_csv="1,2\n", logs__a_log="x")
    names = ["scores/a/b.csv", "a.csv"]
    write_manifest(folder / MANIFEST, {"seed": 1}, [folder / name for name in names])
    return folder


def check(folder):
    return check_files(folder)


def test_manifest_holds_hashes_by_name_from_its_folder(results):
    manifest = read_manifest(results / MANIFEST)
    assert manifest["files"]["a.csv"] == ABC
    assert list(manifest["files"]) == ["a.csv", "scores/a/b.csv"]
    assert manifest["provenance"] == {"seed": 1}


def test_untouched_results_are_as_the_manifest_says(results):
    assert check(results) == {"changed": [], "missing": [], "extra": []}


def test_one_flipped_bit_is_named(results):
    path = results / "scores/a/b.csv"
    raw = bytearray(path.read_bytes())
    raw[-1] ^= 1
    path.write_bytes(raw)
    assert check(results) == {"changed": ["scores/a/b.csv"], "missing": [], "extra": []}


def test_missing_and_extra_files_are_named(results):
    (results / "a.csv").unlink()
    put(results, scores__a__c_csv="")
    assert check(results) == {"changed": [], "missing": ["a.csv"], "extra": ["scores/a/c.csv"]}


def test_logs_times_reference_and_other_runs_are_no_results(results):
    put(results, reference__a_csv="", smoke__logs__a_log="", smoke__a_csv="")
    put(results, other__manifest_json="{}", other__b_csv="")
    put(results, scores__reference__c_csv="")  # an exhibit may have any name
    assert list_results(results) == {"a.csv", "scores/a/b.csv", "scores/reference/c.csv"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 1}', "\x00"])
def test_what_is_no_manifest_is_told_in_one_line(tmp_path, text):
    path = tmp_path / MANIFEST
    path.write_text(text)
    with pytest.raises(ManifestError, match=r"\A.*manifest\.json is not a manifest: do this\Z"):
        read_manifest(path, "do this")


def test_no_manifest_is_told_in_one_line(tmp_path):
    with pytest.raises(ManifestError, match=r"\A.*manifest\.json does not exist: run `make .*\Z"):
        read_manifest(tmp_path / MANIFEST)
