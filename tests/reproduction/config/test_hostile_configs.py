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

from reproduction.config.__main__ import main
from reproduction.config.files import ConfigError, load_config


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"a: {3000 * '['}{3000 * ']'}\n", "too many lists and keys inside each other"),
        ("a: &a [*a]\n", "too many lists and keys inside each other"),
        (f"a: {5000 * '9'}\n", "not valid YAML: Exceeds the limit"),
        ("a: !!int x\n", "not valid YAML: invalid literal"),
    ],
)
def test_a_file_of_which_no_data_can_be_made_is_one_line(text, message):
    (line,) = lines_of(text)
    assert message in line


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed: 7\n", f"{900 * 'k'}: 1\nseed: 7\n", "kkk...: unknown key (allowed: results, "),
        ("path: mine.txt", f"path: {5000 * 'a'}", "aaa... is not a file"),
        ("results: results", f"results: {300 * 'a'}", "must be the name of a folder"),
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


@pytest.mark.parametrize("text", ["a: [", "\0", None])
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
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["ad", "kn", "ad-lr", "curve", "mine", "rank", "half", "clusters", "last"])
)
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


def test_an_unknown_exhibit_is_reported_with_those_that_there_are(capsys, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[3])
    assert main(["--exhibit", "beyond_full_beyond-rivals"]) == 0
    assert main(["--exhibit", "figure-1aa"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("figure-1aa: is no exhibit; did you mean 'figure-1a', ")
    assert line.count("'") == 2 * 5
