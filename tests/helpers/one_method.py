"""A plugin of pytest: of the tests of every method, those of one method alone.

Tests that are not of a single method run as ever. `test_method_of_readme` has it.
"""


def pytest_addoption(parser):
    parser.addoption("--one-method", metavar="ID", required=True)


def pytest_collection_modifyitems(config, items):
    wanted, left_out = config.getoption("--one-method"), []
    for item in list(items):
        params = item.callspec.params if hasattr(item, "callspec") else {}
        if params.get("id", params.get("method_id", wanted)) != wanted:
            items.remove(item)
            left_out.append(item)
    config.hook.pytest_deselected(items=left_out)
