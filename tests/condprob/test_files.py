"""Files are written whole or not at all, and only where they may be."""

import errno
import gc
import os
import stat
import subprocess
import sys
import time

import numpy as np
import pytest
from condprob.files import settle
from inputs import exactly

from condprob import CountMatrix, files, load, method, storage
from condprob.cli import main
from condprob.io import load_with_labels

OLD, NEW = (CountMatrix.from_dense(np.full((3, 3), n)) for n in (1, 2))
FIT = method("ad-lr", rank=2, iterations=3)


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
    assert "File name too long: 'aaa" in refused(300 * "a")
    assert settle("a" * 255).name == "a" * 255
    OLD.save("ä" * 127)  # 254 bytes; its part has a shorter name
    os.link("file", "same")
    assert refused("same", "file") == "same: is what is read as file, and would be replaced"
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
        (["train", "-o", "train"], "train: is what is read as train, and would be replaced"),
        (["train", "-o", "link"], "link: is what is read as train, and would be replaced"),
        (["train", "--vocabulary", "other", "-o", "other"], "other: is what is read as other"),
        (["train", "-o", "/dev/null"], "/dev/null: not a regular file"),
        (["train", "-o", "absent/model"], "No such file or directory: 'absent/model'"),
        (["train", "-o", "x", "--checkpoint", "x"], "x: is the checkpoint, and would be replaced"),
        (["train", "-o", "x", "--checkpoint", "absent/x"], "No such file or directory: 'absent/x'"),
    ],
)
def test_a_fit_begins_when_its_output_is_settled(tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train").write_text("a b a b a")
    (tmp_path / "other").write_text("c d")
    (tmp_path / "link").symlink_to("train")
    monkeypatch.setattr("condprob.commands._fit", None)  # it would be called
    assert main(["fit", *arguments, "--method", "ad-lr"]) == 2
    assert told in capsys.readouterr().err
    assert (tmp_path / "train").read_text() == "a b a b a"


def test_standard_input_is_not_replaced(tmp_path):
    (tmp_path / "train").write_text("a b a b a")
    with open(tmp_path / "train") as opened:
        ran = subprocess.run(
            [sys.executable, "-m", "condprob", "fit", "-", "-o", "train", "--method", "kn"],
            cwd=tmp_path, stdin=opened, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (2, "")
    told = "train: is what is read as standard input, and would be replaced"
    assert ran.stderr == f"condprob: error: {told}\n"
    assert (tmp_path / "train").read_text() == "a b a b a"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_where_a_command_tells_what_it_does_is_not_replaced(tmp_path, stream):
    (tmp_path / "train").write_text("a b a b a")
    (tmp_path / "log").write_text("of before\n")
    with open(tmp_path / "log", "a") as log:
        ran = subprocess.run(
            [sys.executable, "-m", "condprob", "fit", "train", "-o", f"/dev/{stream}"],
            cwd=tmp_path, check=False,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {stream: log},
        )  # fmt: skip
    assert ran.returncode == 2
    told = (tmp_path / "log").read_text() + (ran.stderr or b"").decode()
    assert told.startswith("of before\n")
    assert f"/dev/{stream}: is where what is told goes" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "train"]


HALF = """
import os, sys, time
from condprob import files
with files.replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(600)
"""


def test_parts_of_a_killed_process_are_removed_and_those_of_a_living_one_are_not(tmp_path):
    path = tmp_path / "fit.npz"
    writers = [
        subprocess.Popen([sys.executable, "-c", HALF, path], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        for writer in writers:
            writer.stdout.readline()
        assert len(list(tmp_path.iterdir())) == 2
        writers[0].kill()
        writers[0].wait()
        FIT.fit(OLD, checkpoint=path)
        assert len(list(tmp_path.iterdir())) == 2  # the checkpoint, and the living one's part
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    FIT.fit(OLD, checkpoint=path)  # It has nothing to write, and clears up nevertheless.
    assert [found.name for found in tmp_path.iterdir()] == ["fit.npz"]


def save_counts(path):
    NEW.save(path)


def save_model(path):
    method("kn").fit(NEW).save(path, words=["a", "b", "c"])


def save_checkpoint(path):
    FIT.fit(NEW, checkpoint=path)


@pytest.fixture
def unraisable(monkeypatch):
    """An archive whose opening fails half way complains when it is collected: that is Python's."""
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    yield
    gc.collect()


def contents(path):
    """Return the arrays of a file: of a disk that does not tell the place, zip has another form."""
    kind, arrays = storage.read(path, ["counts", "sparse plus low rank"])
    return kind, {name: array.tolist() for name, array in arrays.items()}


class Fault:
    """Fails at one call into compiled code, by number; afterwards nothing fails."""

    def __init__(self, number, error):
        self.left, self.error, self.is_over = number, error, False

    def __call__(self, frame, event, argument):
        if event == "c_call" and not self.is_over and in_writing(frame) and can_fail(argument):
            self.left -= 1
            if self.left < 0:
                self.is_over = True
                sys.setprofile(None)
                raise self.error


def can_fail(function):
    """Whether a call can fail at all: that which gives a lock back cannot."""
    return function.__name__ not in ("__enter__", "__exit__", "acquire", "release")


def in_writing(frame):
    return frame.f_code.co_filename.endswith(
        ("/files.py", "/storage.py", "/archives.py", "/zipfile.py", "/_format_impl.py")
    )


def fault_at_every_step(work, is_right, error, stride=1):
    """Let each step of some work fail once, or each of so many; return how many there are."""
    number = 0
    while True:
        fault = Fault(number, error())
        sys.setprofile(fault)
        try:
            work()
            told = ""
        except (OSError, MemoryError, ValueError) as raised:
            told = str(raised)
        finally:
            sys.setprofile(None)
        assert "\n" not in told
        is_right()
        if not fault.is_over:
            return number
        number += stride


def no_space():
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.usefixtures("unraisable")
@pytest.mark.parametrize("error", [no_space, MemoryError])
@pytest.mark.parametrize("save", [save_counts, save_model])
def test_a_save_that_fails_at_any_step_leaves_the_old_file_or_the_new_one(tmp_path, save, error):
    path = tmp_path / "file"
    save(path)
    new = contents(path)
    OLD.save(path)
    old, raw = contents(path), path.read_bytes()

    def is_right():
        assert contents(path) in (old, new)
        parts = [each for each in tmp_path.iterdir() if each != path]
        assert len(parts) <= 1  # where it was its removal that failed
        path.write_bytes(raw)

    assert fault_at_every_step(lambda: save(path), is_right, error, stride=5) > 50
    save(path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.usefixtures("unraisable")
@pytest.mark.parametrize("error", [no_space, MemoryError])
@pytest.mark.parametrize("mmap", [False, True])
def test_a_load_that_fails_at_any_step_says_so_and_changes_nothing(tmp_path, mmap, error):
    path, found = tmp_path / "file", []
    save_counts(path)
    old = path.read_bytes()

    def is_right():
        assert path.read_bytes() == old
        assert all(np.array_equal(each.dense(), NEW.dense()) for each in found)

    def work():
        found[:] = []
        found.append(CountMatrix.load(path, mmap=mmap))

    assert fault_at_every_step(work, is_right, error) > 20
    assert found


@pytest.mark.usefixtures("unraisable")
@pytest.mark.parametrize("error", [no_space, MemoryError])
def test_a_checkpoint_that_fails_at_any_step_stays_one(tmp_path, error):
    path, expected = tmp_path / "fit.npz", FIT.fit(NEW)
    method("ad-lr", rank=2, iterations=1).fit(NEW, checkpoint=path)
    old = path.read_bytes()

    def is_right():
        np.testing.assert_array_equal(FIT.fit(NEW, checkpoint=path).W, expected.W)
        path.write_bytes(old)

    assert fault_at_every_step(lambda: save_checkpoint(path), is_right, error, stride=31) > 50


@pytest.mark.parametrize("error", [no_space, MemoryError])
def test_a_text_whose_writing_fails_at_any_step_is_the_old_or_the_new_one(tmp_path, error):
    path = tmp_path / "page.html"

    def is_right():
        assert path.read_text() in ("old", "new")
        path.write_text("old")

    path.write_text("old")
    steps = fault_at_every_step(lambda: files.write_text(path, "new"), is_right, error)
    assert steps > 20


def test_a_full_disk_is_one_line_with_the_name_that_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    OLD.save("file")
    before = (tmp_path / "file").read_bytes()

    def full(number):
        raise no_space()

    monkeypatch.setattr(files.os, "fsync", full)
    message = f"[Errno 28] {os.strerror(28)}: 'file'"
    with pytest.raises(OSError, match=exactly(message)):
        NEW.save("file")
    assert (tmp_path / "file").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_labels_come_back_to_the_last_nul_and_take_their_own_room(tmp_path):
    matrix = method("kn").fit(np.eye(3))
    labels = ["a\0", "x" * 10**6, "", "\ud800", "\u2028", "語"]
    matrix.save(tmp_path / "model", contexts=labels, outcomes=labels, numbers=np.arange(3))
    _, found = load_with_labels(tmp_path / "model")
    assert found["contexts"].tolist() == found["outcomes"].tolist() == labels
    assert found["numbers"].tolist() == [0, 1, 2]
    assert (tmp_path / "model").stat().st_size < 10**6 + 10_000
    assert load(tmp_path / "model").shape == (3, 3)
    with pytest.raises(ValueError, match="at most 1000 characters"):
        matrix.save(tmp_path / "model", **{70_000 * "x": labels})


def test_a_long_word_makes_no_long_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("a b " * 3 + "x" * 10**6 + " a b\0", encoding="utf-8")
    began = time.monotonic()
    assert main(["fit", "text", "-o", "model", "--method", "kn"]) == 0
    assert time.monotonic() - began < 20
    assert (tmp_path / "model").stat().st_size < 1_100_000
    assert main(["top", "model", "a", "-n", "4"]) == 0
    assert "a\tb\\x00\t" in capsys.readouterr().out  # which a terminal is not to see


@pytest.mark.parametrize("has_locks", [True, False])
def test_a_file_is_closed_before_it_replaces_another_where_there_are_no_locks(
    tmp_path, monkeypatch, has_locks
):
    # As on Windows, which replaces no file by one that is open; elsewhere it is locked till then.
    if not has_locks:
        monkeypatch.setattr(files, "fcntl", None)
    opened, replace, told = [], os.replace, []

    def replace_and_tell(source, target):
        told.append(opened[0].closed)
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_and_tell)
    with files.replacing(tmp_path / "x") as file:
        opened.append(file)
        file.write(b"whole")
    assert told == [not has_locks]
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x", b"whole")]
