"""Every public method says what it does, or overrides one that does."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import condprob
import reproduction

PACKAGES = [Path(package.__file__).parent for package in (condprob, reproduction)]
NAMES = [
    module.name
    for folder in PACKAGES
    for module in walk_packages([str(folder)], f"{folder.name}.")
    if not module.name.endswith("__main__")
]


def own_methods(module):
    """Yield the public methods that the classes of a module define."""
    for owner in vars(module).values():
        if inspect.isclass(owner) and owner.__module__ == module.__name__:
            for name, value in vars(owner).items():
                is_function = inspect.isfunction(value) and value.__name__ == name
                if not name.startswith("_") and (
                    is_function or isinstance(value, property | classmethod)
                ):
                    yield owner, name


@pytest.mark.parametrize("name", NAMES)
def test_a_method_has_a_docstring_of_its_own_or_of_the_method_that_it_overrides(name):
    methods = own_methods(import_module(name))
    assert [each for each in methods if not inspect.getdoc(getattr(*each))] == []


@pytest.mark.parametrize("name", sorted(condprob.__all__))
def test_examples_of_a_public_name_print_their_results(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    value, runner = getattr(condprob, name), doctest.DocTestRunner()
    if callable(value):
        for example in doctest.DocTestFinder().find(value, name, globs={}):
            runner.run(example)
    assert runner.summarize().failed == 0
