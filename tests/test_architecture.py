"""Arrows go down only: which module may import which."""

import ast
from functools import cache
from pathlib import Path

import pytest

import condprob
from reproduction.studies import STUDIES

SRC = Path(__file__).parents[1] / "src"
# From the lowest floor to the highest. A room, a file or a folder, may import the floors below its
# own, and the rooms of its floor that stand before it: also late, and for types alone.
MOST_FLOORS = 10  # a reader should see them at a glance
FLOORS = {
    "condprob": [
        ["checks", "options", "products", "interrupts", "progress", "jit", "weights"],
        ["tokenizers", "vocabulary", "files", "run"],
        ["counts", "shards", "splits", "model", "matrix", "sparse_plus_low_rank"],
        ["text"],
        ["estimator"],
        ["methods", "catalogue"],
        ["labelled_model", "risk", "evaluation", "synthetic", "embeddings", "mixtures"],
        ["labels"],
        ["ratings", "reading", "cli", "__main__", "sklearn", "distributed"],
    ],
    "reproduction": [
        ["jobs", "methods", "code", "verify"],
        ["study"],
        ["corpora", "mistakes", "config"],
        ["scores"],
        ["exhibits"],
        ["verdicts"],
        ["trust", "page"],
        ["studies"],
    ],
}
# Every room may read the list of the studies, which is names alone. None imports a study. These
# files load a study when the program runs, by its name in the list.
LIST = {"reproduction.studies", "reproduction.studies.STUDIES"}
LOADERS = {
    "reproduction/methods.py",
    "reproduction/study.py",
    "reproduction/mistakes.py",
}
MODULES = sorted(SRC.rglob("*.py"))


@cache
def nodes(path):
    """Return all that the code of a file consists of."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def all_imports(path):
    """Return the dotted names that a file imports: in functions, and for types alone, too."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def imports(path):
    """Return the names of `all_imports` that belong to the two packages."""
    return [name for name in all_imports(path) if name.split(".")[0] in FLOORS]


@cache
def strings(path):
    """Return the texts in the code of a file."""
    constants = (node.value for node in nodes(path) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def floor(package, room):
    """Return how high a room lies, and its place on the floor."""
    for height, rooms in enumerate(FLOORS[package]):
        if room in rooms:
            return height, rooms.index(room)
    raise AssertionError(f"{package}/{room} stands on no floor: give it a place in FLOORS")


def test_every_room_has_a_floor():
    for package, floors in FLOORS.items():
        rooms = {path.stem for path in (SRC / package).iterdir() if path.suffix == ".py"}
        rooms |= {path.parent.name for path in (SRC / package).glob("*/*.py")}
        rooms -= {"__init__", "py"}
        assert rooms == {room for line in floors for room in line}
        assert len(floors) <= MOST_FLOORS


def test_no_module_outside_the_methods_names_a_method_of_another_source():
    """The catalogue takes the list of the records as it is.

    Two modules are exceptions: that of the public names, and that of ratings, which are of one
    method.
    """
    others = tuple(f"condprob.methods.{name}" for name in ("structured", "survey", "textbook"))
    for path in MODULES:
        place = path.relative_to(SRC).parts
        if place[0] == "condprob" and place[1] not in ("methods", "ratings.py", "__init__.py"):
            names = {*imports(path), *strings(path)}
            assert not [name for name in names if name.startswith(others)], path


def test_imports_go_down():
    for path in MODULES:
        package, room, *_ = [*path.relative_to(SRC).with_suffix("").parts, ""]
        for name in imports(path):
            other, *rest = name.split(".")
            assert package != "condprob" or other == "condprob", f"{path} imports {name}"
            if other != package or not rest or name in LIST:
                continue
            there = SRC / package / rest[0]
            if rest[0] != room and (there.exists() or there.with_suffix(".py").exists()):
                assert floor(package, rest[0]) < floor(package, room), f"{path} imports {name}"


def test_the_list_of_the_studies_imports_nothing():
    """Whoever reads it has not imported a study."""
    assert not imports(SRC / "reproduction" / "studies" / "__init__.py")


def test_studies_are_loaded_by_name_in_two_places_alone():
    machinery = [path for path in MODULES if path.is_relative_to(SRC / "reproduction")]
    found = {
        path.relative_to(SRC).as_posix()
        for path in machinery
        if "importlib" in {name.split(".")[0] for name in all_imports(path)}
        and "import_module" in path.read_text(encoding="utf-8")
    }
    assert found == LOADERS


def test_the_machinery_knows_no_study_by_name():
    """A study is added by a folder and a name in one list."""
    for path in MODULES:
        place = path.relative_to(SRC).parts
        if place[0] == "reproduction" and place[1] != "studies":
            # Words of the machinery, too: a claim has several readings, or is of a theory.
            assert not strings(path) & (set(STUDIES) - {"readings", "theory"}), path


def test_a_study_imports_only_those_before_it():
    """Claims on our own estimator rest on the paper's numbers, and not the other way.

    The first two studies are the paper and its theory, which all may import.
    """
    for path in MODULES:
        place = path.relative_to(SRC).parts
        if place[:2] == ("reproduction", "studies") and len(place) > 3:
            for name in imports(path):
                other = name.split(".")[2:3]
                if name.startswith("reproduction.studies.") and other[0] in STUDIES[2:]:
                    assert STUDIES.index(other[0]) <= STUDIES.index(place[2]), (path, name)


@pytest.mark.parametrize("package", FLOORS)
def test_no_module_imports_itself_through_others(package):
    """The modules of a package can be sorted so that each imports only those before it."""
    files = {
        ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): path
        for path in MODULES
        if path.relative_to(SRC).parts[0] == package
    }
    waiting = {name: set(imports(path)) & files.keys() - {name} for name, path in files.items()}
    while waiting:
        free = {name for name, wanted in waiting.items() if not wanted & waiting.keys()}
        assert free, f"a circle among {sorted(waiting)}"
        waiting = {name: wanted for name, wanted in waiting.items() if name not in free}


# Names that two modules define on purpose: a fit on Dask workers is called as any other fit is, and
# the script `condprob` imports the command line in a `main` of its own.
DEFINED_TWICE = {"fit", "main"}


def defined(body):
    """Yield the names that statements at the top of a module define; imports define none."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            inside = (each for target in targets for each in ast.walk(target))
            yield from (each.id for each in inside if isinstance(each, ast.Name))
        elif isinstance(node, (ast.If, ast.Try)):
            yield from defined([*node.body, *node.orelse])


def test_a_name_stands_for_one_thing_in_the_whole_library():
    """Private names too: who looks for one, or reads a traceback, finds one place."""
    places = {}
    for path in MODULES:
        if path.is_relative_to(SRC / "condprob"):
            for name in {*defined(nodes(path)[0].body)}:
                places.setdefault(name, []).append(path.relative_to(SRC).as_posix())
    of_python = {"_", "__all__"}  # `_` is for what nobody calls by its name
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert twice.keys() - of_python == DEFINED_TWICE, twice


def compared(path):
    """Yield the strings that a module compares with something, or matches."""
    for node in nodes(path):
        sides = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.match_case):
            sides = [node.pattern]
        names = {getattr(side, "attr", getattr(side, "id", None)) for side in sides}
        if "form" in names:  # an option, of which "interpolated" is a value, too
            continue
        for side in sides:
            for inside in ast.walk(side):
                if isinstance(inside, ast.Constant) and isinstance(inside.value, str):
                    yield inside.value


def test_no_module_tests_for_a_method():
    """A method is described by its class and its record; studies know theirs."""
    for path in MODULES:
        is_of_study = path.is_relative_to(SRC / "reproduction" / "studies")
        if not is_of_study and path.stem != "catalogue":
            assert not set(compared(path)) & condprob.METHODS.keys(), path


def test_nothing_reads_a_pickle():
    """Reading a pickle runs its code. NumPy reads none by default."""
    for path in [*MODULES, *(SRC.parent / "workflow").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for word in ("import pickle", "joblib", "read_pickle", "allow_pickle=True", "yaml.Loader"):
            assert word not in text, f"{path} has {word!r}"


def test_public_names_are_those_that_have_a_place():
    """Tools that read the library without running it see the stub; users get the places."""
    stub = ast.parse((SRC / "condprob" / "__init__.pyi").read_text(encoding="utf-8"))
    shown = {
        (alias.name, node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    # What has other types by its arguments is written out.
    written_out = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    shown |= {(name, f"condprob.{condprob._MODULES[name]}") for name in written_out}
    places = {name: f"condprob.{module}" for name, module in condprob._MODULES.items()}
    assert shown == set(places.items())
    for name in condprob.__all__:
        assert getattr(condprob, name) is not None
