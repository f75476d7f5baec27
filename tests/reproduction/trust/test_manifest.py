"""The manifest names every file that is not what the run left."""

import errno
import os

import pytest

from condprob import files
from reproduction.page.index import write_index
from reproduction.trust.manifest import (
    INDEX,
    MANIFEST,
    ManifestError,
    check_files,
    files_of,
    find_manifests,
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
    put(folder, a_csv="abc", s__scores__b_csv="1,2\n", logs__a_log="x", index_html="x")
    names = ["s/scores/b.csv", "a.csv"]
    files = [folder / name for name in names]
    write_manifest(folder / "s" / MANIFEST, folder, {"seed": 1}, files, {"unsteady": ["told"]})
    return folder


def test_manifest_holds_hashes_by_name_from_its_folder(results):
    manifest = read_manifest(results / "s" / MANIFEST)
    assert manifest["files"]["a.csv"] == ABC
    assert list(manifest["files"]) == ["a.csv", "s/scores/b.csv"]
    assert manifest["provenance"] == {"seed": 1}
    assert manifest["unsteady"] == ["told"]


def test_changed_missing_and_extra_files_are_named(results):
    (results / "a.csv").unlink()
    put(results, s__scores__b_csv="1,3\n", s__scores__c_csv="")
    changed, extra = ["s/scores/b.csv"], ["s/scores/c.csv"]
    assert check_files(results) == {"changed": changed, "missing": ["a.csv"], "extra": extra}
    (results / "a.csv").symlink_to("nowhere")
    assert check_files(results) == {"changed": changed, "missing": ["a.csv"], "extra": extra}


def test_logs_times_reference_manifests_index_and_other_runs_are_no_results(results):
    put(results, reference__a_csv="", smoke__logs__a_log="", smoke__a_csv="")
    put(results, benchmarks__a_tsv="", s__scores__reference__c_csv="")  # any name is an exhibit's
    assert list_results(results) == {"a.csv", "s/scores/b.csv", "s/scores/reference/c.csv"}


def test_every_scope_has_a_manifest_and_a_file_may_be_in_several(results):
    put(results, t__b_csv="1")
    files = [results / "a.csv", results / "t/b.csv"]
    write_manifest(results / "t" / MANIFEST, results, {}, files)
    assert list(find_manifests(results)) == ["s", "t"]
    assert set(files_of(find_manifests(results))) == {"a.csv", "s/scores/b.csv", "t/b.csv"}
    assert check_files(results) == {"changed": [], "missing": [], "extra": []}
    put(results, t__b_csv="2")
    assert check_files(results)["changed"] == ["t/b.csv"]
    assert (results / "s" / MANIFEST).read_text().count("t/b.csv") == 0


OUTSIDE = [f'{{"files": {{"{name}": "0"}}}}' for name in ("../x", "/x", "a/../../x")]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"files": {"a": 1}}', "{}", '{"files": 1}', "\x00", 100_000 * "[", *OUTSIDE]
)
def test_what_is_no_manifest_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / MANIFEST
    path.write_text(text)
    with pytest.raises(ManifestError, match=r"\A.*manifest\.json is not a manifest: do this\Z"):
        read_manifest(path, "do this")


def test_a_manifest_and_a_front_page_that_cannot_be_written_stay_the_old_ones(
    tmp_path, monkeypatch
):
    paths = [tmp_path / MANIFEST, tmp_path / INDEX]
    for path in paths:
        path.write_text("old")

    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    for work in (
        lambda: write_manifest(paths[0], tmp_path, {}, paths[1:]),
        lambda: write_index(tmp_path, {}),
    ):
        with pytest.raises(OSError, match="No space left"):
            work()
    assert [path.read_text() for path in paths] == ["old", "old"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
