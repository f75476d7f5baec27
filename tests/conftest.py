"""Settings of the whole suite."""

import pytest
from hypothesis import settings

# The same examples on every run and machine, and no failure because a machine was busy.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")

try:
    import reproduction  # noqa: F401
except ModuleNotFoundError:
    # The library alone is installed, as from a wheel: the pipeline runs from a checkout only.
    collect_ignore = ["reproduction", "workflow"]


def pytest_collection_modifyitems(items):
    """On several cores, keep on one what shares fixtures: a file, the copies of the project."""
    for item in items:
        group = "project" if "copies" in item.fixturenames else item.location[0]
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_report_header():
    """Say what is left out, and how to run it."""
    if "collect_ignore" in globals():
        return (
            "tests of the reproduction and its workflow are left out: the library alone is "
            "installed (`make test` runs all)"
        )
    return None
