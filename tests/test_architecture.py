"""Arrows go down only: which module may import which."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
# From the lowest floor to the highest. A room may import its own floor's rooms that stand before
# it in the line, and all floors below.
FLOORS = {
    "condprob": [
        ["annotations", "checks", "entries", "files", "interrupts", "labels", "contents"],
        ["file_relations", "file_kinds", "archives", "storage", "tokenizers", "runtime"],
        ["model", "vocabulary"],
        ["counts", "data_files", "shards", "smoothing"],
        ["matrices"],
        ["em"],
        ["sequences"],
        ["loglinear"],
        ["estimators"],
        ["risk", "synthetic"],
        ["cli", "__main__"],
    ],
    "reproduction": [
        ["jobs"],
        ["corpora", "config"],
        ["experiments"],
        ["exhibits", "multiverse"],
        ["verdicts"],
        ["papers"],
        ["page", "trust"],
        ["closing"],
    ],
}
MODULES = sorted(SOURCE.rglob("*.py"))


def imports(path):
    """Yield the dotted names of both packages that a file imports, in functions, too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] in FLOORS)


def floor(package, room):
    """Return how high a room lies, and its place on the floor."""
    for height, rooms in enumerate(FLOORS[package]):
        if room in rooms:
            return height, rooms.index(room)
    raise AssertionError(f"{package}/{room} stands on no floor: give it a place in FLOORS")


def test_every_room_has_a_floor():
    for package, floors in FLOORS.items():
        rooms = {path.stem for path in (SOURCE / package).iterdir() if path.suffix == ".py"}
        rooms |= {path.name for path in (SOURCE / package).iterdir() if path.is_dir()}
        rooms -= {"__init__", "__pycache__", "py"}
        assert rooms == {room for line in floors for room in line}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_down(path):
    package, room, *_ = [*path.relative_to(SOURCE).with_suffix("").parts, ""]
    for name in imports(path):
        other, *rest = name.split(".")
        if package == "condprob":
            assert other == "condprob", f"the library imports {name}"
        if other != package or not rest or room == "__init__":
            continue
        if (
            rest[0] != room
            and (SOURCE / package / rest[0]).exists()
            | (SOURCE / package / f"{rest[0]}.py").exists()
        ):
            assert floor(package, rest[0]) < floor(package, room), f"{room} imports {name}"


@pytest.mark.parametrize("package", FLOORS)
def test_no_module_imports_itself_through_others(package):
    """The modules of a package can be sorted so that each imports only those before it."""
    files = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts): path
        for path in MODULES
        if path.relative_to(SOURCE).parts[0] == package and path.name != "__init__.py"
    }
    waiting = {name: set(imports(path)) & files.keys() - {name} for name, path in files.items()}
    while waiting:
        free = {name for name, wanted in waiting.items() if not wanted & waiting.keys()}
        assert free, f"a circle among {sorted(waiting)}"
        waiting = {name: wanted for name, wanted in waiting.items() if name not in free}


def test_nothing_reads_a_pickle():
    """Reading one runs what it says. NumPy reads none unless it is told to."""
    for path in [*MODULES, *(SOURCE.parent / "workflow" / "scripts").glob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for word in ("import pickle", "joblib", "read_pickle", "allow_pickle=True", "yaml.Loader"):
            assert word not in text, f"{path} has {word!r}"
