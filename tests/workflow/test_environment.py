"""pyproject.toml, its locks and environment.yml say the same; with which Python it is made."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]
OPTIONAL = PROJECT["optional-dependencies"]
WANTED = {
    "requirements.txt": [
        *PROJECT["dependencies"],
        *OPTIONAL["clusters"],
        *(wanted for wanted in OPTIONAL["reproduction"] if not wanted.startswith("condprob[")),
        *PYPROJECT["build-system"]["requires"],
    ],
    "workflow/locks/bench.txt": GROUPS["bench"],
    "workflow/locks/docs.txt": GROUPS["docs"],
    "workflow/locks/notebook.txt": GROUPS["notebook"],
    "workflow/locks/slurm.txt": GROUPS["slurm"],
    "workflow/locks/test.txt": GROUPS["dev"],
    "workflow/locks/uv.txt": GROUPS["uv"],
}
locks = pytest.mark.parametrize("lock", WANTED)


def read_lock(lock):
    """Return the requirements of a lock and the hashes of each, by name."""
    text = (TOP / lock).read_text(encoding="utf-8")
    lines = re.sub(r"#.*", "", text).replace("\\\n", " ").split("\n")
    pins = {}
    for line in filter(str.strip, lines):
        requirement, *hashes = line.split("--hash=")
        pin = Requirement(requirement.strip())
        pins[canonicalize_name(pin.name)] = pin, [digest.strip() for digest in hashes]
    return pins


@locks
def test_lock_pins_every_version_by_hash(lock):
    for pin, hashes in read_lock(lock).values():
        assert re.fullmatch(r"==[0-9][0-9A-Za-z.]*", str(pin.specifier)), pin
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), pin


@locks
def test_lock_holds_all_that_pyproject_asks_for(lock):
    pins = read_lock(lock)
    for wanted in map(Requirement, WANTED[lock]):
        pin, _ = pins[canonicalize_name(wanted.name)]
        (version,) = pin.specifier
        assert wanted.specifier.contains(version.version), f"{wanted} but {pin}; run `make lock`"


@locks
def test_lock_holds_pins_and_hashes_only(lock):
    """No address of an index and no path: it installs from any index that pip uses."""
    text = (TOP / lock).read_text(encoding="utf-8")
    pin, digest = (
        r"[a-z0-9.-]+==[\w.]+( ; [\w .'<>=!()]+)? \\",
        r" +--hash=sha256:[0-9a-f]{64}( \\)?",
    )
    for line in text.splitlines():
        assert re.fullmatch(rf"#[^/]*|{pin}|{digest}", line), line


@pytest.mark.parametrize("lock", [name for name in WANTED if name != "requirements.txt"])
def test_locks_agree(lock):
    pins = read_lock("requirements.txt")
    for name, (pin, _) in read_lock(lock).items():
        assert name not in pins or pin.specifier == pins[name][0].specifier


@pytest.mark.parametrize("system", ["linux", "darwin"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_lock_is_the_same_for_all_systems(system, python):
    """What it pins for one Python only would give other numbers there: nothing numerical is."""
    environment = {"sys_platform": system, "python_version": python}
    environment["python_full_version"] = f"{python}.0"
    pins = read_lock("requirements.txt")
    for name in ("numpy", "scipy", "numba", "llvmlite", "scikit-learn", "pandas", "matplotlib"):
        pin, _ = pins[name]
        assert pin.marker is None or pin.marker.evaluate(environment), pin


def test_conda_environment_is_the_lock():
    conda = yaml.safe_load((TOP / "environment.yml").read_text(encoding="utf-8"))
    assert conda["name"] == PROJECT["name"]
    python, *others = conda["dependencies"]
    locks = ["--requirement requirements.txt", "--requirement workflow/locks/test.txt"]
    assert others == ["pip", {"pip": locks}]
    assert conda["variables"] == {"PYTHONPATH": "src"}
    name, version = python.split()
    assert name == "python"
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(version[:-2])


def test_version_and_its_date_agree():
    import condprob

    citation = yaml.safe_load((TOP / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert citation["version"] == condprob.__version__
    heading = f"## [{condprob.__version__}] - {citation['date-released']}"
    assert heading in changelog.splitlines()
    assert "version" in PROJECT["dynamic"]  # read from the package when it is built


def test_paths_in_the_documents_exist():
    """Of files and folders of the code, in quotes or as links; not of results, nor of examples."""
    for name in ("README.md", "CHANGELOG.md", *sorted((TOP / "docs").glob("*.md"))):
        path = TOP / name
        text = path.read_text(encoding="utf-8")
        links = re.findall(r"\]\((?!https?:|#|\.\./\.\./actions/)([^)#]+)(?:#[^)]*)?\)", text)
        quoted = re.findall(r"`((?:src|workflow|tests|docs|benchmarks|notebooks)/[\w./-]+)`", text)
        missing = [link for link in links if not (path.parent / link).exists()]
        missing += [other for other in quoted if not (TOP / other).exists()]
        assert not missing, f"{path.name}: {missing}"


# Stand-ins: a Python that is too old, uv, a Python that fits, and one without its venv module. The
# first three write down their arguments; the programs that they make are stand-ins again.
UNFIT = """#!/bin/sh
echo "unfit $*" >> "$LOG"
case "$2" in
    venv)
        mkdir -p "$4/bin" && cp "$STANDINS/unfit" "$4/bin/python" ;;
    pip)
        cp "$STANDINS/uv" "${0%/python}/uv" ;;
    *)
        exit 1 ;;
esac
"""
UV = """#!/bin/sh
echo "uv $*" >> "$LOG"
case "$2" in
    install)
        if [ -n "$OFFLINE" ]; then echo "error: no network" >&2; exit 2; fi
        mkdir -p "$UV_PYTHON_INSTALL_DIR" && cp "$STANDINS/fit" "$UV_PYTHON_INSTALL_DIR/python" ;;
    find)
        echo "$UV_PYTHON_INSTALL_DIR/python" ;;
esac
"""
FIT = """#!/bin/sh
echo "fit $*" >> "$LOG"
"""
WITHOUT_VENV = """#!/bin/sh
exit 1
"""


def make_environment(tmp_path, *pythons, offline=""):
    """Return what workflow/make_environment.sh says, and what it asks of stand-ins for Python."""
    for name, text in (("unfit", UNFIT), ("uv", UV), ("fit", FIT), ("without-venv", WITHOUT_VENV)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    log = tmp_path / "log"
    log.touch()
    variables = {"LOG": str(log), "STANDINS": str(tmp_path), "OFFLINE": offline}
    variables["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    run = subprocess.run(
        ["sh", TOP / "workflow" / "make_environment.sh", tmp_path / "made", *pythons],
        cwd=tmp_path,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return run, log.read_text(encoding="utf-8").splitlines()


def test_the_first_python_that_fits_makes_the_environment(tmp_path):
    run, calls = make_environment(tmp_path, "no-such-python", "unfit", "fit")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert calls[0].startswith("unfit -c import ensurepip, sys; ")
    assert calls[1].startswith("fit -c ")
    assert calls[2:] == [f"fit -m venv --clear {tmp_path}/made"]


def test_where_no_python_fits_uv_fetches_one_and_says_so(tmp_path):
    run, calls = make_environment(tmp_path, "no-such-python", "without-venv", "unfit")
    uv = tmp_path / "made" / "uv"
    line = "no Python 3.11 to 3.14 among: no-such-python without-venv unfit"
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{line}; uv fetches Python 3.13 into {uv}\n"
    assert calls[1:] == [
        f"unfit -m venv --clear {uv}",
        "unfit -m pip install --disable-pip-version-check --quiet --require-hashes "
        "--requirement workflow/locks/uv.txt",
        "uv python install --no-bin 3.13",
        "uv python find --system --managed-python 3.13",
        f"fit -m venv {tmp_path}/made",
    ]


def test_where_no_python_can_be_fetched_one_line_says_what_is_needed(tmp_path):
    run, calls = make_environment(tmp_path, "unfit", offline="yes")
    assert run.returncode == 1
    assert calls[-1] == "uv python install --no-bin 3.13"
    assert run.stderr.splitlines() == [
        "error: no network",
        "error: needs Python 3.11 to 3.14 with its venv module; none among: unfit, and uv could "
        "not fetch one (name another with 'make PYTHON=...')",
    ]


def test_where_no_python_has_venv_one_line_says_where_it_is(tmp_path):
    run, _ = make_environment(tmp_path, "no-such-python", "without-venv")
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr == (
        "error: needs Python 3.11 to 3.14 with its venv module; none among: no-such-python "
        "without-venv; Debian has it in python3-venv (name another with 'make PYTHON=...')\n"
    )


def test_pythons_that_make_an_environment_are_those_of_pyproject():
    script = (TOP / "workflow" / "make_environment.sh").read_text(encoding="utf-8")
    first, end = re.search(r"\((3, \d+)\) <= sys.version_info < \((3, \d+)\)", script).groups()
    assert PROJECT["requires-python"] == f">={first.replace(', ', '.')}"  # no cap: pip misreads one
    minors = range(int(first.split(", ")[1]), int(end.split(", ")[1]))
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: 3." in line]
    assert named == [f"3.{minor}" for minor in minors]
