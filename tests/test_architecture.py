"""Arrows go down only: which module may import which."""

import ast
import re
from pathlib import Path

import pytest

import condprob
from reproduction.studies import STUDIES

SOURCE = Path(__file__).parents[1] / "src"
# From the lowest floor to the highest. A room may import its own floor's rooms that stand before
# it in the line, and all floors below.
FLOORS = {
    "condprob": [
        ["annotations", "checks", "entries", "sparse_input"],
        ["interrupts", "files", "labels", "contents"],
        ["file_relations", "file_kinds", "archives", "storage", "tokenizers", "runtime"],
        ["model", "vocabulary", "labelled_model"],
        ["counts", "data_files", "shards", "smoothing"],
        ["matrices"],
        ["em"],
        ["sequences"],
        ["loglinear"],
        ["estimators"],
        ["risk", "synthetic", "evaluation", "uncertainty", "sklearn"],
        ["labelled"],
        ["commands"],
        ["cli", "__main__"],
    ],
    "reproduction": [
        ["jobs"],
        ["study"],
        ["corpora", "config"],
        ["scores"],
        ["exhibits"],
        ["verdicts"],
        ["trust", "page"],
        ["studies"],
        ["closing"],
    ],
}
# The list of the studies, which the package of all studies has, is a line of names that every
# room may read. None imports a study: these files load what a study says when the program runs,
# by the names in that list and by the places, ``module:function``, that its plan gives.
LIST = {"reproduction.studies", "reproduction.studies.STUDIES"}
LOADERS = {"reproduction/study.py", "reproduction/config/checks.py"}
MODULES = sorted(SOURCE.rglob("*.py"))


def all_imports(path):
    """Yield the dotted names that a file imports, in functions, too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from names


def imports(path):
    """Yield those of `all_imports` that are of both packages."""
    return (name for name in all_imports(path) if name.split(".")[0] in FLOORS)


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


def drawn_rooms(package):
    """Yield the rooms of each line of the drawing, from the lowest to the highest."""
    _, drawing, _ = (SOURCE.parent / "ARCHITECTURE.md").read_text(encoding="utf-8").split("```")
    _, _, below = drawing.partition(f"src/{package} ")
    lines = re.split(r"\n *(?:\||src/)", below)[0].strip().splitlines()[1:]
    for line in reversed(lines):
        yield re.split(r" {3,}", line.strip())[0].split()


@pytest.mark.parametrize("package", FLOORS)
def test_the_drawing_shows_every_room_on_its_floor(package):
    lines = list(drawn_rooms(package))
    heights = [{floor(package, room)[0] for room in rooms} for rooms in lines]
    assert [len(of_line) for of_line in heights] == [1] * len(lines)
    assert [min(of_line) for of_line in heights] == sorted(min(of_line) for of_line in heights)
    drawn = sorted(room for rooms in lines for room in rooms)
    assert drawn == sorted(room for rooms in FLOORS[package] for room in rooms)


def test_the_drawing_shows_every_package():
    packages = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    text = (SOURCE.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^ +src/(\w+)", text, re.MULTILINE)) == packages
    for name in packages - FLOORS.keys():  # neither is imported there
        for path in (SOURCE / name).rglob("*.py"):
            assert not list(imports(path)), path


def test_imports_go_down():
    for path in MODULES:
        package, room, *_ = [*path.relative_to(SOURCE).with_suffix("").parts, ""]
        for name in imports(path):
            other, *rest = name.split(".")
            assert package != "condprob" or other == "condprob", f"{path} imports {name}"
            if other != package or not rest or room == "__init__" or name in LIST:
                continue
            there = SOURCE / package / rest[0]
            if rest[0] != room and (there.exists() or there.with_suffix(".py").exists()):
                assert floor(package, rest[0]) < floor(package, room), f"{path} imports {name}"


def test_the_list_of_the_studies_imports_nothing():
    """Whoever reads it has not imported a study."""
    assert not list(imports(SOURCE / "reproduction" / "studies" / "__init__.py"))


def test_studies_are_loaded_by_name_in_two_places_alone():
    machinery = [path for path in MODULES if path.is_relative_to(SOURCE / "reproduction")]
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in machinery
        if "importlib" in {name.split(".")[0] for name in all_imports(path)}
        and "import_module" in path.read_text(encoding="utf-8")
    }
    assert found == LOADERS


def test_the_machinery_knows_no_study_by_name():
    """A study is added by a folder and a name in one list."""
    for path in MODULES:
        place = path.relative_to(SOURCE).parts
        if place[0] == "reproduction" and place[1] != "studies":
            words = {
                node.value
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            # Words of the machinery, too: a claim has several readings, or is of a theory.
            assert not words & (set(STUDIES) - {"readings", "theory"}), path


def test_a_study_imports_only_those_before_it():
    """What we say of our own estimator rests on the paper's numbers, and not the other way."""
    for path in MODULES:
        place = path.relative_to(SOURCE).parts
        if place[:2] == ("reproduction", "studies") and len(place) > 3:
            for name in imports(path):
                other = name.split(".")[2:3]
                if name.startswith("reproduction.studies.") and other[0] in STUDIES:
                    assert STUDIES.index(other[0]) <= STUDIES.index(place[2]), (path, name)


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
    for path in [*MODULES, *(SOURCE.parent / "workflow").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for word in ("import pickle", "joblib", "read_pickle", "allow_pickle=True", "yaml.Loader"):
            assert word not in text, f"{path} has {word!r}"


def test_public_names_are_those_that_have_a_place():
    """Tools that read the library without running it see the list; users get the places."""
    assert sorted(condprob.__all__) == sorted(condprob._PLACES)
    tree = ast.parse((SOURCE / "condprob" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    shown = {
        (alias.name, node.module) for node in ast.walk(block) if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    assert shown == set(condprob._PLACES.items())
    for name in condprob.__all__:
        assert getattr(condprob, name) is not None
