"""pyproject.toml, its lock and environment.yml say the same, and the lock is whole."""

import re
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
        *OPTIONAL["progress"],
        *(wanted for wanted in OPTIONAL["reproduction"] if not wanted.startswith("condprob[")),
        *GROUPS["dev"],
        *PYPROJECT["build-system"]["requires"],
    ],
    "requirements-bench.txt": GROUPS["bench"],
    "requirements-notebook.txt": GROUPS["notebook"],
    "requirements-slurm.txt": GROUPS["slurm"],
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
    """No address of an index and no path: it installs from whatever index pip is told to use."""
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


def test_every_dependency_has_its_reason():
    text = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    groups = [*OPTIONAL.values(), *GROUPS.values()]
    asked = [*PROJECT["dependencies"], *(wanted for group in groups for wanted in group)]
    for requirement in asked:
        assert re.search(rf'^    "{re.escape(requirement)}",? +# \w.+$', text, re.MULTILINE), (
            requirement
        )


def test_conda_environment_is_the_lock():
    conda = yaml.safe_load((TOP / "environment.yml").read_text(encoding="utf-8"))
    assert conda["name"] == PROJECT["name"]
    assert conda["dependencies"] == [
        f"python {PROJECT['requires-python']}",
        "pip",
        {"pip": ["--requirement requirements.txt"]},
    ]


def test_version_and_its_date_are_told_alike():
    import condprob

    citation = yaml.safe_load((TOP / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert citation["version"] == condprob.__version__
    told = f"## [{condprob.__version__}] - {citation['date-released']}"
    assert told in changelog.splitlines()
    assert "version" in PROJECT["dynamic"]  # read from the package when it is built


def test_paths_in_the_documents_exist():
    """Of files and folders of the code, in quotes or as links; not of results, nor of examples."""
    for name in ("README.md", "CHANGELOG.md", *sorted((TOP / "docs").glob("*.md"))):
        path = TOP / name
        text = path.read_text(encoding="utf-8")
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)", text)
        quoted = re.findall(r"`((?:src|workflow|tests|docs|benchmarks|notebooks)/[\w./-]+)`", text)
        missing = [link for link in links if not (path.parent / link).exists()]
        missing += [other for other in quoted if not (TOP / other).exists()]
        assert not missing, f"{path.name}: {missing}"
