"""The commands of the Makefile's targets, by `make --dry-run`."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from reproduction.study import studies_in_words

TOP = Path(__file__).parents[2]
FURTHER = ("bench", "docs", "notebook", "slurm", "test", "uv")  # groups with a lock of their own
LOCKS = ["requirements.txt", *(f"workflow/locks/{group}.txt" for group in FURTHER)]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def commands(folder, *arguments, **variables):
    """Return the lines that make would run in a folder."""
    for name in ("Makefile", "pyproject.toml", *LOCKS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / name, folder / name)
    # Under `make test` this make would be one within another, and say so.
    of_make = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    options = ("CORES", "CONFIG", "NAME", "TARGET", "PROFILE", "UPGRADE")
    set_here = ("VENV", *options, "XDG_CACHE_HOME", *of_make)
    environment = {name: value for name, value in os.environ.items() if name not in set_here}
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
    assert commands(folders[0], "test", "VENV=/mine")[-1].startswith("/mine/bin/python -m pytest ")


def test_figure_makes_one_exhibit_with_the_given_settings(tmp_path):
    check, line = commands(tmp_path, "figure", "NAME=my-sweep", "CONFIG=mine.yaml", "CORES=2")[-2:]
    assert check.endswith("-m reproduction.config mine.yaml")
    figure = "results/near_optimal/exhibits/my-sweep.png"
    assert line.endswith(f"-j2 --configfile mine.yaml -- {figure}")


def test_every_scope_of_the_studies_is_a_target(tmp_path, monkeypatch):
    monkeypatch.chdir(TOP)
    for target in (*studies_in_words(), "everything"):
        *_, check, fetch, run = commands(tmp_path, target, "CONFIG=mine.yaml")
        assert f"--keep-going --quiet all --configfile mine.yaml -- {target}_texts" in fetch
        assert check.endswith("-m reproduction.config mine.yaml")
        assert run.endswith(f"-j8 --configfile mine.yaml -- {target}")


def test_resume_unlocks_and_makes_again_what_was_being_made(tmp_path):
    unlock, run = commands(tmp_path, "resume", "CONFIG=mine.yaml")[-2:]
    assert unlock.endswith("-m snakemake --unlock --configfile mine.yaml")
    assert (
        run.endswith("-m snakemake -j8 --configfile mine.yaml -- ".rstrip()) or "mine.yaml" in run
    )
    assert commands(tmp_path, "resume", "TARGET=readings")[-1].endswith("-- readings")


def test_slurm_takes_its_profile_and_a_target_and_no_cores(tmp_path):
    profile = "profiles/slurm"
    line = commands(tmp_path, "slurm", "TARGET=readings", "CONFIG=mine.yaml")[-1]
    assert f"--workflow-profile {profile} --configfile mine.yaml -- readings" in line
    assert " -j" not in line
    (tmp_path / profile).mkdir(parents=True)
    (tmp_path / profile / "cancel_jobs.sh").touch()
    cancel, unlock, run = commands(tmp_path, "resume", f"PROFILE={profile}")[-3:]
    assert cancel == f"sh {profile}/cancel_jobs.sh"
    assert "--unlock" in unlock
    assert f"--workflow-profile {profile} " in run
    assert not any("cancel_jobs" in line for line in commands(tmp_path, "resume"))


def test_help_lists_every_target():
    printed = subprocess.run(
        ["make", "--silent", "help"], cwd=TOP, capture_output=True, text=True, check=True
    )
    text = (TOP / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    studies, phony = (
        re.search(rf"^{name} (.*)$", text, re.MULTILINE)[1] for name in ("STUDIES :=", r"\.PHONY:")
    )
    listed = re.findall(r"^  make (\w+) +\S", printed.stdout, re.MULTILINE)
    assert sorted(listed) == sorted(phony.replace("$(STUDIES)", studies).split())


def install(folder, version, uv_works):
    """Run workflow/install_locks.sh with a made-up Python; return the arguments of its calls."""
    (folder / "workflow" / "locks").mkdir(parents=True)
    for name in ("requirements.txt", "workflow/locks/uv.txt", "workflow/install_locks.sh"):
        shutil.copyfile(TOP / name, folder / name)
    python = folder / "python"
    python.write_text(
        "#!/bin/sh\n"
        f'case "$2" in *version_info*) exit {int(version < (3, 14))};; esac\n'
        'echo "$*" >> calls\n'
        'for each in "$@"; do case "$each" in /*) cp "$each" one.txt;; esac; done\n'
        f'[ "$2" != uv ] || exit {int(not uv_works)}\n'
    )
    python.chmod(0o755)
    run = ["sh", "workflow/install_locks.sh", "./python", "requirements.txt", "other.txt"]
    subprocess.run(run, cwd=folder, check=True)
    return (folder / "calls").read_text(encoding="utf-8").splitlines()


def test_locks_are_installed_by_uv(tmp_path):
    first, *others = install(tmp_path, (3, 14), uv_works=True)
    assert re.search("--require-hashes --quiet --target [./]+uv[.]", first)
    assert first.endswith(" --requirement workflow/locks/uv.txt")
    assert not list(tmp_path.glob("uv.*"))  # it does not stay in the environment
    (line,) = others
    assert line.startswith("-m uv pip install --python ./python --require-hashes ")
    assert line.endswith("--requirement requirements.txt --requirement other.txt")


def test_locks_are_installed_by_pip_where_uv_cannot(tmp_path):
    *_, last = calls = install(tmp_path, (3, 13), uv_works=False)
    assert len(calls) == 3
    assert last.startswith("-m pip install ")
    assert "--require-hashes --no-deps --requirement requirements.txt" in last


def test_immutables_is_installed_by_its_hashes_and_without_its_part_in_c(tmp_path):
    """What is written of the lock for pip of Python 3.14, which finds no wheel of it."""
    assert len(install(tmp_path, (3, 14), uv_works=False)) == 4
    first, *hashes = (tmp_path / "one.txt").read_text().splitlines()
    options = ("--global-option=build_py", "--build-option=--skip-build")
    pin, *given = first.removesuffix(" \\").split()
    assert re.fullmatch(r"immutables==[\d.]+", pin)
    assert given == [f"--config-settings={option}" for option in options]
    lock = (TOP / "requirements.txt").read_text(encoding="utf-8")
    assert f"{pin} \\\n" + "\n".join(hashes) + "\n" in lock
    assert not hashes[-1].endswith("\\")
    settings = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]
    of_uv = settings["config-settings-package"]["immutables"]
    assert tuple(f"{name}={value}" for name, value in of_uv.items()) == options


# The last line of pip-audit, seen without a network, with a proxy that answers something else, with
# a vulnerable version, and with none; its exit status; whether `make lint` passes.
AUDITS = [
    ("requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.osv.dev')", 1, True),
    ("requests.exceptions.JSONDecodeError: Expecting value", 1, True),
    ("Found 1 known vulnerability in 1 package", 1, False),
    ("ERROR:pip_audit._cli:requirement is not pinned", 1, False),
    ("No known vulnerabilities found", 0, True),
]


@pytest.mark.parametrize(("line", "status", "passes"), AUDITS)
def test_lint_audits_every_lock_where_there_is_a_network(tmp_path, line, status, passes):
    commands(tmp_path, "lint")  # copies the Makefile and the locks
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        f'#!/bin/sh\n[ "$2" = pip_audit ] || exit 0\necho "$*" > arguments\n'
        f'echo "{line}" >&2\nexit {status}\n'
    )
    python.chmod(0o755)
    for tool in ("codespell", "zizmor"):
        (python.parent / tool).symlink_to(python)
    for mark in ("installed", "installed-test", "installed-docs"):
        (tmp_path / "venv" / mark).touch()
    run = subprocess.run(
        ["make", "lint", "VENV=venv"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.returncode == 0) == passes
    is_reached = "exceptions" not in line
    assert (line in run.stderr) == is_reached
    assert ("not audited: no answer from the database OSV" in run.stdout) != is_reached
    arguments = (tmp_path / "arguments").read_text()
    assert re.findall(r"--requirement (\S+)", arguments) == LOCKS
