"""Files of arrays: they come back as they went, read or mapped, whole or not at all."""

import errno
import json
import os
import re
import stat
import subprocess
import sys
from decimal import Decimal
from threading import Thread

import numpy as np
import pytest

import condprob
from condprob import CountMatrix, load, method, shards
from condprob.cli import main
from condprob.files import arrays as io
from condprob.files import settle, tables
from condprob.files.arrays import FORMAT, load_with_labels, read_arrays, write_arrays
from condprob.files.data_files import read_ngrams

OLD, NEW = (CountMatrix.from_dense(np.full((3, 3), n)) for n in (1, 2))
FIT = method("ad-lr", rank=2, iterations=3)
ARRAYS = {
    "whole": np.arange(7, dtype=np.int32),
    "real": np.random.default_rng(0).random((3, 5)),
    "columns first": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "a number": np.array(2.5),
    "nothing": np.empty((0, 4)),
    "words": np.array(["rose", "ß", ""]),
    "other bytes": np.arange(5, dtype=">i8"),
}


@pytest.mark.parametrize("mmap", [False, True])
def test_arrays_come_back(tmp_path, mmap):
    path = tmp_path / "x.safetensors"
    write_arrays(path, ARRAYS)
    found = read_arrays(path, mmap=mmap)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype.newbyteorder("=")
        assert found[name].flags.f_contiguous == array.flags.f_contiguous
        is_mapped = mmap and array.size > 0 and array.dtype.kind != "U"
        assert isinstance(found[name], np.memmap) == is_mapped
        assert not is_mapped or found[name].offset % array.itemsize == 0


def test_the_layout_is_that_of_safetensors(tmp_path):
    """A size, a head in JSON, and arrays without gaps; and the package itself, where it is."""
    path = tmp_path / "x.safetensors"
    write_arrays(path, ARRAYS)
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    head = json.loads(raw[8 : 8 + size])
    assert all(isinstance(value, str) for value in head.pop("__metadata__").values())
    end = 0
    for name, each in head.items():
        begin, stop = each["data_offsets"]
        kind = {"F64": "<f8", "I64": "<i8", "I32": "<i4"}[each["dtype"]]
        stored = np.frombuffer(raw[8 + size + begin : 8 + size + stop], kind)
        np.testing.assert_array_equal(stored, ARRAYS[name].ravel("K"))
        assert begin == end
        end = stop
    assert 8 + size + end == len(raw)
    assert (8 + size) % 64 == 0
    found = pytest.importorskip("safetensors.numpy").load_file(path)
    assert found.keys() == ARRAYS.keys() - {"words"}
    np.testing.assert_array_equal(found["real"], ARRAYS["real"])
    np.testing.assert_array_equal(found["columns first"], ARRAYS["columns first"].T)


@pytest.mark.parametrize("mmap", [False, True])
def test_a_damaged_file_is_one_line_or_changes_nothing(tmp_path, mmap):
    """Where arrays are mapped, no checksum tells of a changed number: only the head has one."""
    path, refusals = tmp_path / "x", []
    write_arrays(path, ARRAYS)
    whole = path.read_bytes()
    start = 8 + int.from_bytes(whole[:8], "little")
    for place in range(0, len(whole), 5):
        flipped = bytearray(whole)
        flipped[place] ^= 0x55
        for content in (bytes(flipped), whole[:place]):
            path.write_bytes(content)
            try:
                found = read_arrays(path, mmap=mmap)
            except (ValueError, OSError) as error:
                refusals.append(str(error))
            else:
                is_same = all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)
                assert is_same or (mmap and place >= start and len(content) == len(whole))
    assert len(refusals) > len(whole) // 5
    assert not any("\n" in line for line in refusals)


def test_an_array_of_objects_is_not_written(tmp_path):
    path = tmp_path / "x"
    write_arrays(path, {"a": np.ones(2)})
    with pytest.raises(ValueError, match="of type object"):
        write_arrays(path, {"a": np.zeros(2), "b": np.array([object()])})
    assert [each.name for each in tmp_path.iterdir()] == ["x"]
    np.testing.assert_array_equal(read_arrays(path)["a"], np.ones(2))


def test_a_file_of_version_0_2_says_what_to_do(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, condprob=np.array(["low rank", "2"]), W=np.eye(2))
    for read in (load, CountMatrix.load, read_arrays):
        with pytest.raises(ValueError, match=r"x\.npz: a NumPy archive, as condprob 0\.2 wrote it"):
            read(path)
    with pytest.raises(ValueError, match="fit again and save it, or read it with condprob 0"):
        FIT.fit(OLD, checkpoint=path)


def test_another_file_is_one_line(tmp_path):
    path = tmp_path / "x"
    head = b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
    for raw in (b"words", b"", b"words " * 99, len(head).to_bytes(8, "little") + head + b"1"):
        path.write_bytes(raw)
        for mmap in (False, True):
            with pytest.raises(ValueError, match="not a condprob file") as told:
                read_arrays(path, mmap=mmap)
            assert ("another program wrote it" in str(told.value)) == raw.endswith(b"}1")


def test_the_old_mode_stays_and_a_new_one_is_the_usual(tmp_path):
    path = tmp_path / "file"
    mask = os.umask(0o027)
    try:
        OLD.save(path)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    for mode in (0o600, 0o664):
        path.chmod(mode)
        NEW.save(path)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert CountMatrix.load(path).n == NEW.n


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "file"
    link.symlink_to(target)
    for counts in (OLD, NEW):  # at first it points to nothing
        counts.save(link)
        assert link.is_symlink()
        assert CountMatrix.load(target).n == counts.n
    fitted = tmp_path / "checkpoint"
    fitted.symlink_to(tmp_path / "there" / "state")
    FIT.fit(OLD, checkpoint=fitted)
    FIT.fit(OLD, checkpoint=fitted)
    assert fitted.is_symlink()
    assert {path.name for path in (tmp_path / "there").iterdir()} == {"file", "state"}


def refused(path, *inputs):
    with pytest.raises((ValueError, OSError)) as caught:
        settle(path, inputs)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_cannot_be_written_is_told_with_the_name_that_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    assert "not a regular file" in refused("/dev/null")
    assert "pipe: not a regular file" in refused("pipe")
    assert "Is a directory: 'folder'" in refused("folder")
    assert "Is a directory: 'new/'" in refused("new/")
    assert "Is a directory: 'new/.'" in refused("new/.")
    assert "No such file or directory: 'absent/file'" in refused("absent/file")
    assert "Not a directory: 'file/x'" in refused("file/x")
    assert "symbolic links: 'loop'" in refused("loop")
    assert "No such file or directory: ''" in refused("")
    assert "File name too long" in refused(300 * "a")
    assert settle("a" * 255).name == "a" * 255
    OLD.save("ä" * 127)  # 254 bytes; its part has a shorter name
    os.link("file", "same")
    assert refused("same", "file") == "same: is read as file, and would be replaced"
    assert settle("new", ["file", "absent", "a\0b"]) == tmp_path / "new"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "file").chmod(0o400)
    assert "Permission denied" in refused(tmp_path / "file")
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused(tmp_path / "new")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["train", "-o", "train"], "train: is read as train, and would be replaced"),
        (["train", "-o", "link"], "link: is read as train, and would be replaced"),
        (["train", "--vocabulary", "other", "-o", "other"], "other: is read as other"),
        (["train", "-o", "/dev/null"], "/dev/null: not a regular file"),
        (["train", "-o", "absent/model"], "absent/model: No such file or directory"),
        (["train", "-o", "x", "--checkpoint", "absent/x"], "absent/x: No such file or directory"),
        (["train", "-o", "x", "--checkpoint", "train"], "train: is read as train"),
    ],
)
def test_a_fit_begins_when_its_output_is_settled(tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train").write_text("a b a b a")
    (tmp_path / "other").write_text("c d")
    (tmp_path / "link").symlink_to("train")
    monkeypatch.setattr("condprob.labels.fit_sentences", None)  # it would be called
    assert main(["fit", *arguments, "--method", "ad-lr"]) == 2
    assert told in capsys.readouterr().err
    assert (tmp_path / "train").read_text() == "a b a b a"


def test_standard_input_is_not_replaced(tmp_path):
    (tmp_path / "train").write_text("a b a b a")
    with open(tmp_path / "train") as opened:
        ran = subprocess.run(
            [sys.executable, "-m", "condprob", "fit", "-", "-o", "train", "--method", "kn"],
            cwd=tmp_path,
            stdin=opened,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ran.returncode, ran.stdout) == (2, "")
    told = "train: is read as standard input, and would be replaced"
    assert ran.stderr == f"condprob: error: {told}\n"
    assert (tmp_path / "train").read_text() == "a b a b a"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_where_a_command_tells_what_it_does_is_not_replaced(tmp_path, stream):
    (tmp_path / "train").write_text("a b a b a")
    (tmp_path / "log").write_text("of before\n")
    with open(tmp_path / "log", "a") as log:
        ran = subprocess.run(
            [sys.executable, "-m", "condprob", "fit", "train", "-o", f"/dev/{stream}"],
            cwd=tmp_path,
            check=False,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {stream: log},
        )
    assert ran.returncode == 2
    told = (tmp_path / "log").read_text() + (ran.stderr or b"").decode()
    assert told.startswith("of before\n")
    assert f"/dev/{stream}: is where messages go" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "train"]


def no_space():
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("error", [no_space, MemoryError, KeyboardInterrupt])
@pytest.mark.parametrize("step", ["crc32", "fsync", "replace"])
def test_a_save_that_fails_at_any_step_leaves_the_old_file(tmp_path, monkeypatch, step, error):
    monkeypatch.chdir(tmp_path)
    OLD.save("file")
    before, expected = (tmp_path / "file").read_bytes(), type(error())

    called = []

    def fail(*args, **options):
        called.append(args)
        if step != "crc32" or len(called) > 1:  # the first is of the head, before the file
            raise error()
        return 0

    owner = io if step == "crc32" else os
    with monkeypatch.context() as patched:
        patched.setattr(owner, step, fail)
        with pytest.raises(expected) as caught:
            NEW.save("file")
    if expected is OSError:
        assert str(caught.value) == f"[Errno 28] {os.strerror(28)}: 'file'"
    assert (tmp_path / "file").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_labels_come_back_to_the_last_nul_and_take_their_own_room(tmp_path):
    matrix = method("kn").fit(np.eye(3))
    labels = ["a\0", "x" * 10**6, "", "\ud800", "\u2028", "語"]
    matrix.save(tmp_path / "model", contexts=labels, outcomes=labels, numbers=np.arange(3))
    _, found = load_with_labels(tmp_path / "model")
    assert found["contexts"] == found["outcomes"] == labels
    assert found["numbers"] == [0, 1, 2]
    assert (tmp_path / "model").stat().st_size < 10**6 + 10_000
    assert load(tmp_path / "model").shape == (3, 3)


@pytest.mark.parametrize(
    "labels",
    [
        ["1", "1.0", "True", ""],
        [1, 2**63, -(2**70)],
        [1.0, 0.1, 5e-324, float("inf")],
        [True, False],
        [1, 2.5, 3.0, True],
        [],
    ],
)
def test_labels_come_back_in_their_types(tmp_path, labels):
    FIT.fit(OLD).save(tmp_path / "model", labels=labels, again=labels)
    _, found = load_with_labels(tmp_path / "model")
    for name in ("labels", "again"):
        assert found[name] == labels
        assert [*map(type, found[name])] == [*map(type, labels)]


@pytest.mark.parametrize(
    "labels", [["a", 1], [None], [("a", "b")], [b"a"], [1j], [["a"]], np.eye(2)]
)
def test_labels_of_other_kinds_are_refused_before_the_file(tmp_path, labels):
    with pytest.raises(ValueError, match="labels 'further': must be only texts or only numbers"):
        FIT.fit(OLD).save(tmp_path / "model", further=labels)
    assert not (tmp_path / "model").exists()


def test_one_label_in_the_place_of_a_list_is_told(tmp_path):
    for label in (np.array(1), b"a"):
        with pytest.raises(ValueError, match="is one label: pass a list"):
            FIT.fit(OLD).save(tmp_path / "model", further=label)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("number", [np.longdouble(0.5), Decimal("0.5")])
def test_numbers_are_saved_as_those_of_python(tmp_path, number):
    FIT.fit(OLD).save(tmp_path / "model", further=[number])
    assert load_with_labels(tmp_path / "model")[1]["further"] == [0.5]


@pytest.mark.parametrize(
    "array",
    [
        np.array([b"a"]),
        np.array([1j]),
        np.array(["2026-11-27"], dtype="datetime64[D]"),
        np.array([1], dtype="timedelta64[s]"),
        np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
        np.array([b"ab"]).view("V2"),
        np.array([None]),
        pytest.param(np.array([1.0], "g"), id="long double"),
    ],
    ids=lambda array: str(array.dtype),
)
def test_what_load_refuses_save_refuses_before_the_file(tmp_path, array):
    path = tmp_path / "x.npz"
    with pytest.raises(ValueError, match="of type"):
        write_arrays(path, {"a": array})
    if array.dtype.kind != "f":
        with pytest.raises(ValueError, match="must be only"):
            FIT.fit(OLD).save(path, further=array)
    assert not path.exists()


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "U3", ">i4"])
def test_what_save_takes_load_reads(tmp_path, dtype):
    array = np.array([0, 1, 1]).astype(dtype)
    write_arrays(tmp_path / "x.npz", {"a": array})
    np.testing.assert_array_equal(read_arrays(tmp_path / "x.npz")["a"], array)


READERS = [
    load,
    io.read_stored,
    CountMatrix.load,
    read_arrays,
    condprob.LanguageModel.from_arpa,
    shards.digest,
    lambda path: condprob.add_shards([path], f"{path}-sum"),
]


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__qualname__)
@pytest.mark.parametrize("place", ["pipe", "/dev/zero", "folder"])
def test_files_that_are_none_are_refused_before_a_byte_is_read(tmp_path, read, place):
    path = tmp_path / place
    if place == "pipe":
        os.mkfifo(path)
    elif place == "folder":
        path.mkdir()
    with pytest.raises((ValueError, IsADirectoryError), match=re.escape(str(path))):
        read(path)


TEXT_READERS = {
    "text": lambda path: condprob.fit_text(path),
    "n-grams": lambda path: read_ngrams(str(path), "utf-8"),
    "pairs": lambda path: tables.read_pairs(str(path), "utf-8"),
    "columns": lambda path: tables.read_columns(str(path), ["a", "b"]),
}


@pytest.mark.parametrize("read", TEXT_READERS.values(), ids=TEXT_READERS)
def test_a_text_is_no_folder(tmp_path, read):
    with pytest.raises(IsADirectoryError):
        read(tmp_path)


def test_a_text_in_a_pipe_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("the cat\n" * 9,))
    writer.start()
    found = condprob.fit_text(pipe, method="kn")
    writer.join()
    assert found.about.n == 27


def test_the_kind_is_looked_at_before_other_arrays(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_arrays(path, {"other": np.ones(3), FORMAT: np.array(["of tomorrow", "4"])})
    monkeypatch.setattr(io, "_read_array", None)
    with pytest.raises(ValueError, match="of tomorrow"):
        load(path)
