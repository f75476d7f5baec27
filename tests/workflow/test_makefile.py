"""What the targets of the Makefile run, as `make --dry-run` tells it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def commands(folder, *arguments, **variables):
    """Return the lines that make would run in a folder."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copyfile(TOP / name, folder / name)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VENV", "CORES", "CONFIG", "NAME", "MAKEFLAGS", "XDG_CACHE_HOME")
    }
    run = subprocess.run(
        ["make", "--dry-run", *arguments],
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.splitlines()


def test_environment_lies_in_the_folder(tmp_path):
    lines = commands(tmp_path, "reproduce")
    assert lines[-1].split() == [
        ".venv/bin/python",
        "-m",
        "snakemake",
        "--logger",
        "progress",
        "-j8",
    ]
    assert not any("the environment lies in" in line for line in lines)


@pytest.mark.parametrize("name", ["two words", "a\ttab"])
def test_environment_of_a_folder_with_white_space_lies_in_the_cache(tmp_path, name):
    folders = [tmp_path / name, tmp_path / f"another {name}"]
    found = []
    for folder in folders:
        folder.mkdir()
        lines = commands(folder, "reproduce", XDG_CACHE_HOME="/cache")
        python = lines[-1].split()[0]
        assert python.startswith("/cache/condprob-")
        assert f'echo "the environment lies in {python.removesuffix("/bin/python")}"' in lines[0]
        found.append(python)
    assert found[0] != found[1]
    assert commands(folders[0], "test", HOME="/home/me")[-1].startswith("/home/me/.cache/condprob-")
    assert commands(folders[0], "test", "VENV=/mine")[-1] == "/mine/bin/python -m pytest"


def test_figure_makes_one_exhibit_with_the_given_settings(tmp_path):
    line = commands(tmp_path, "figure", "NAME=my-sweep", "CONFIG=mine.yaml", "CORES=2")[-1]
    assert line.endswith("-j2 --configfile mine.yaml -- exhibit_my-sweep")


def test_resume_unlocks_and_makes_again_what_was_being_made(tmp_path):
    unlock, run = commands(tmp_path, "resume", "CONFIG=mine.yaml")[-2:]
    assert unlock.endswith("-m snakemake --unlock --configfile mine.yaml")
    assert "--rerun-incomplete --configfile mine.yaml" in run
    assert commands(tmp_path, "resume", "TARGET=multiverse")[-1].endswith("-- multiverse")
