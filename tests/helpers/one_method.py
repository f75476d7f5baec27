"""A plugin of pytest: of the tests of every method those of one, and those of all that are named.

`test_method_of_readme` has it.
"""


def pytest_addoption(parser):
    parser.addoption("--one-method", metavar="ID", required=True)
    parser.addoption("--of-all", metavar="NAME", action="append", default=[])


def pytest_collection_modifyitems(config, items):
    wanted, named = config.getoption("--one-method"), config.getoption("--of-all")

    def is_kept(item):
        params = item.callspec.params if hasattr(item, "callspec") else {}
        return wanted in (params.get("id"), params.get("method_id")) or item.name in named

    config.hook.pytest_deselected(items=[item for item in items if not is_kept(item)])
    items[:] = filter(is_kept, items)
