"""Configurations that are hostile, or nonsense: a line for each mistake, and nothing written."""

import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from config_mistakes import VALID
from hostile_configs import HOSTILE, bomb
from hypothesis import given, settings
from hypothesis import strategies as st

from condprob.checks import LARGEST, LONGEST
from reproduction.config.__main__ import main
from reproduction.config.files import MOST_MISTAKES, ConfigError, load_config
from reproduction.config.schema import show


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text(100 * "some words ", encoding="utf-8")
    Path("src").mkdir()
    Path("src", "code.py").touch()
    return tmp_path


def lines_of(text):
    """Return the lines of error that a configuration gives; none if it is right."""
    Path("config.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        load_config(["config.yaml"])
    except ConfigError as error:
        lines = str(error).split("\n")
        assert all(line.isprintable() and line.startswith("config.yaml") for line in lines)
        return lines
    return []


@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_hostile_configuration_is_refused_with_cause_and_place(folder, case):
    old, new, told = case
    assert VALID.count(old) == 1, "the text to replace is not unique"
    before = sorted(folder.rglob("*"))
    lines = lines_of(VALID.replace(old, new))
    assert any(told in line for line in lines), lines
    assert sorted(folder.rglob("*")) == sorted([*before, folder / "config.yaml"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rows: uniform", "rows: power-law\n    exponent: abc"),
        ("test_words: 30", "test_words: abc"),
        ("rank: 5\n", "rank: abc\n"),
        ("rank: 20", "rank: abc"),
    ],
)
def test_a_wrong_value_is_one_mistake_and_not_said_to_be_missing(old, new):
    (line,) = lines_of(VALID.replace(old, new))
    assert "'abc' is not allowed" in line


def test_the_valid_configuration_has_no_mistake():
    assert lines_of(VALID) == []


def test_a_folder_of_results_may_be_new_empty_or_of_a_run(folder):
    for name in ("new", "new/inside", "empty", "older", "older/smoke", str(folder / "absolute")):
        (folder / "empty").mkdir(exist_ok=True)
        (folder / "older" / "logs" / "score").mkdir(parents=True, exist_ok=True)
        (folder / "older" / "notes.txt").touch()
        assert lines_of(VALID.replace("results: results", f"results: {name}")) == []


def test_a_folder_of_corpora_is_none_of_results(folder):
    """NLTK's data have corpora: a run would write its own among them."""
    (folder / "nltk_data" / "corpora").mkdir(parents=True)
    (line,) = lines_of(VALID.replace("results: results", "results: nltk_data"))
    assert line.endswith("'nltk_data' holds something else than results")


@pytest.mark.parametrize("log", ["logs/app.log", "app/logs/score-board.log", "logs/2026/score"])
def test_logs_of_others_are_no_sign_of_results(folder, log):
    """A run would write its front page over theirs."""
    path = folder / "site" / log
    path.parent.mkdir(parents=True)
    path.touch()
    (folder / "site" / "index.html").touch()
    (line,) = lines_of(VALID.replace("results: results", "results: site"))
    assert line.endswith("'site' holds something else than results")


def test_of_more_mistakes_than_anybody_reads_the_others_are_one_line():
    unknown = "".join(f"unknown{number}: 1\n" for number in range(3000))
    *lines, last = lines_of(VALID + unknown)
    assert len(lines) == MOST_MISTAKES
    assert lines[0].startswith("config.yaml:57: unknown0: unknown key")
    told = "more than 1,000 mistakes; others are told when these are mended"
    assert last == f"config.yaml: {told}"


@pytest.mark.parametrize("value", [["a" * 10**6] * 500, {"a": ["b" * 10**6] * 500}])
def test_a_long_value_is_shown_without_writing_it_whole(value):
    tracemalloc.start()
    shown = show(value)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(shown) == LONGEST
    assert most < 10**7  # its parts are 500 MB


def test_the_memory_that_a_job_may_take_can_be_said():
    assert lines_of(VALID.replace("seed: 7", "seed: 7\nmemory_gb: 1")) == []
    # Two trials of two matrices 100 x 5 and 100 more numbers, 8 bytes each, are 17.6 kB alone.
    lines = lines_of(VALID.replace("seed: 7", "seed: 7\nmemory_gb: 1.7e-5"))
    assert lines[0].startswith("config.yaml:27: exhibits.curve: a job takes ")
    assert lines[0].endswith("memory_gb is 1.7e-05")


def test_numbers_up_to_the_largest_are_right():
    old = "{method: ad, discount: 0.75}"
    assert VALID.count(old) == 1
    assert lines_of(VALID.replace(old, f"{{method: add-half, constant: {LARGEST}}}")) == []
    (line,) = lines_of(VALID.replace(old, f"{{method: add-half, constant: {LARGEST + 1}}}"))
    assert line.endswith("1000000000001 is not allowed; must be at most 1,000,000,000,000")


@pytest.mark.parametrize(
    "text", [bomb(), "a: &a [*a]\n", f"a: {500 * '['}\n", "\0", "- 1\n", "", None]
)
def test_the_command_tells_it_in_one_line(folder, capsys, text):
    (folder / "config.yaml").write_text(VALID)
    if text is not None:
        (folder / "mine.yaml").write_text(text)
    assert main(["mine.yaml"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"mine\.yaml:[^\n]+\n", printed.err)


def test_the_command_says_nothing_of_a_right_configuration(folder, capsys):
    (folder / "config.yaml").write_text(VALID)
    assert main([]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_command_in_a_process_of_its_own(folder):
    (folder / "config.yaml").write_text(VALID)
    command = [sys.executable, "-m", "reproduction.config", "nope.yaml"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "nope.yaml: cannot be read: No such file or directory\n"


# ---------------------------------------------------------------------------------------- fuzzed

SIGNS = set("[]{}-?:,!~\t\"'|>%") | {"&a", "*a", "<<:", "!!int", ".nan"}
PIECES = sorted({*VALID.split(), *SIGNS})
LINES = VALID.splitlines()
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["ad", "kn", "ad-lr", "curve", "mine", "rank", "half", "clusters", "last"])
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.sampled_from(PIECES) | st.text(max_size=5), below, max_size=4)
    ),
    max_leaves=12,
)


few = settings(max_examples=60)


@few
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_in_lines(raw):
    assert lines_of(raw)


@few
@given(st.lists(st.sampled_from([*PIECES, "\n", "\n  ", " "]), max_size=60).map(" ".join))
def test_any_pieces_of_a_configuration_are_refused_in_lines(text):
    assert lines_of(text)


@few
@given(st.data())
def test_lines_that_are_cut_repeated_and_moved_raise_nothing_else(data):
    chosen = data.draw(st.lists(st.sampled_from(LINES), min_size=10, max_size=30))
    lines_of("\n".join(chosen))


@few
@given(st.data())
def test_any_value_at_any_place_raises_nothing_else(data):
    """A value is put over each key or item of the valid configuration, by a second file."""
    import yaml

    config = yaml.safe_load(VALID)
    place = config
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not data.draw(st.integers(0, 2)):
            place[key] = data.draw(VALUES)
            break
        place = place[key]
    lines_of(yaml.safe_dump(config, allow_unicode=True).encode("utf-8", "surrogatepass"))


def test_an_exhibit_that_is_none_is_told_with_what_there_is(capsys, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[3])
    assert main(["--exhibit", "beyond_full_beyond-rivals"]) == 0
    assert main(["--exhibit", "figure-1aa"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("NAME = figure-1aa: is no exhibit; did you mean 'figure-1a'? (there ")
    assert line.endswith(")")
