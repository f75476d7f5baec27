"""Configurations that are hostile, or nonsense: a line for each mistake, and nothing written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from config_mistakes import VALID
from hypothesis import given, settings
from hypothesis import strategies as st

from condprob.checks import LARGEST
from reproduction.config.__main__ import estimate, main
from reproduction.config.files import MOST_MISTAKES, ConfigError, load_config


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


def bomb(width=9, height=9):
    """Aliases of aliases: a few lines that stand for more values than fit into a memory."""
    first = f"a0: &a0 [{', '.join(width * 'x')}]\n"
    return first + "".join(
        f"a{i}: &a{i} [{', '.join(width * [f'*a{i - 1}'])}]\n" for i in range(1, height)
    )


def chain(length):
    """Lists inside each other by their aliases, none of which is written inside another."""
    return "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, length))


LONG_TEXTS = f"a: &a {30_000 * 'a'}\nb: [{', '.join(40 * ['*a'])}]\n"
TOO_DEEP = "more than 30 lists and keys inside each other"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (bomb(), "aliases stand for more than 100,000 values"),
        (LONG_TEXTS, "aliases stand for more than 1,048,576 characters"),
        (chain(40), TOO_DEEP),
        (f"a: {3000 * '['}{3000 * ']'}\n", TOO_DEEP),
        (f"a: {3000 * '{a: '}1{3000 * '}'}\n", TOO_DEEP),
        (f"a: {40 * '['}{40 * ']'}\n", TOO_DEEP),
        ("a: &a [*a]\n", TOO_DEEP),
        (2**20 * "#" + "\n", "has 1,048,577 bytes; must have at most 1,048,576"),
        (f"a: {5000 * '9'}\n", "must be a number of at most 100 digits"),
        (f"a: 0x{5000 * 'f'}\n", "must be a number of at most 100 digits"),
    ],
)
def test_a_file_that_stands_for_too_much_is_one_line(text, message):
    (line,) = lines_of(text)
    assert message in line
    assert len(line) < 200


@pytest.mark.parametrize("lists", [29, 30])
def test_a_value_may_stand_within_thirty_lists_and_keys(lists):
    """The key ``a`` is one of them."""
    refused = [line for line in lines_of(f"a: {lists * '['}1{lists * ']'}\n") if TOO_DEEP in line]
    assert len(refused) == (1 + lists > 30)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed: 7\n", f"{900 * 'k'}: 1\nseed: 7\n", "kkk...: unknown key (allowed: results, "),
        ("path: mine.txt", f"path: {5000 * 'a'}", "aaa... is not a file"),
        ("results: results", f"results: {300 * 'a'}", "must be the name of a folder"),
        (
            "iterations: 200",
            f"discount: [{', '.join(f'0.{i:03}' for i in range(1, 401))}], constant: "
            f"[{', '.join(map(str, range(400)))}]",
            "methods.ad-lr: sweeps 160,000 settings; must be at most 100,000",
        ),
        (
            "k_values: [50, 100]\n    rank_values: [3, 5]\n    n_values: [10, 20]\n",
            f"k_values: {list(range(50, 275))}\n    rank_values: [3, 5]\n"
            f"    n_values: {list(range(1, 226))}\n",
            "exhibits.curve: has 101,250 points; must be at most 100,000",
        ),
    ],
)
def test_a_long_or_large_value_is_refused_in_a_short_line(old, new, message):
    assert VALID.count(old) == 1, "the text to replace is not unique"
    line, *_ = lines_of(VALID.replace(old, new))
    assert message in line
    assert len(line) < 400


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


def test_a_folder_of_other_files_inside_of_results_is_refused(folder):
    """It may be a link, or lie on the way to the folder that is named."""
    (folder / "results" / "logs" / "score").mkdir(parents=True)
    (folder / "papers").mkdir()
    (folder / "papers" / "mine.txt").touch()
    (folder / "results" / "link").symlink_to(folder / "papers")
    (folder / "results" / "notes").mkdir()
    (folder / "results" / "notes" / "mine.txt").touch()
    for name, wrong in (("link", "link"), ("link/new", "link"), ("notes", "notes")):
        (line,) = lines_of(VALID.replace("results: results", f"results: results/{name}"))
        assert line.endswith(f"'results/{wrong}' holds something else than results")


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
    message = "more than 1,000 mistakes; the others follow when these are mended"
    assert last == f"config.yaml: {message}"


def test_the_memory_that_a_job_may_take_can_be_said():
    assert lines_of(VALID.replace("seed: 7", "seed: 7\nmemory_gb: 1")) == []
    # Two trials of two matrices 100 x 5 and 100 more numbers, 8 bytes each, are 17.6 kB alone.
    lines = lines_of(VALID.replace("seed: 7", "seed: 7\nmemory_gb: 1.7e-5"))
    assert lines[0].startswith("config.yaml:27: exhibits.curve: a job takes ")
    assert lines[0].endswith("memory_gb is 1.7e-05")


def test_numbers_up_to_the_largest_are_right():
    for more in (0, 1):
        text = VALID.replace("ad, discount: 0.75", f"add-half, constant: {LARGEST + more}", 1)
        assert [line[-17:] for line in lines_of(text)] == more * ["1,000,000,000,000"]


@pytest.mark.parametrize("text", [bomb(), "\0", None])
def test_the_command_reports_a_mistake_in_one_line(folder, capsys, text):
    (folder / "config.yaml").write_text(VALID)
    if text is not None:
        (folder / "mine.yaml").write_text(text)
    assert main(["mine.yaml"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"mine\.yaml:[^\n]+\n", printed.err)


def test_the_command_says_nothing_of_a_right_configuration(folder):
    (folder / "config.yaml").write_text(VALID)
    command = [sys.executable, "-m", "reproduction.config"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


# ---------------------------------------------------------------------------------------- fuzzed

SIGNS = set("[]{}-?:,!~\t\"'|>%") | {"&a", "*a", "<<:", "!!int", ".nan"}
PIECES = sorted({*VALID.split(), *SIGNS})
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
@given(st.data())
def test_any_value_at_any_place_raises_nothing_else(data):
    """A value is put over each key or item of the valid configuration, by a second file."""
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


def test_the_time_of_large_models_is_estimated(capsys):
    """A job of 2 million by 2 million, 3 methods and one trial: 1.2e13 cells at 3e-8 s, 100 h."""
    entry = {"k_values": [2_000_000], "rank_values": [5], "n_values": [10], "trials": 1}
    estimate("huge", entry | {"methods": ["a", "b", "c"]})
    estimate("small", entry | {"k_values": [20], "methods": ["a", "b", "c"]})
    estimate("text", {"corpora": ["tale"], "methods": ["a"]})
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("huge: the exact risks of its models take 100.0 hours of one processor")


def test_an_unknown_exhibit_is_reported_with_those_that_there_are(capsys, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[3])
    assert main(["--exhibit", "beyond_full_beyond-rivals"]) == 0
    assert main(["--exhibit", "figure-1aa"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("figure-1aa: is no exhibit; did you mean 'figure-1a'? (there ")
    assert line.endswith(")")
