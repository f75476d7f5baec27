"""Check the configuration of a run: ``python -m reproduction.config mine.yaml``.

That is config.yaml, the files of the studies, and those that are given.
"""

import argparse
import sys

from reproduction.config.files import ConfigError, list_files, load_config
from reproduction.config.schema import nearest
from reproduction.study import plan_scopes


def main(arguments=None):
    """Run the command; return its exit status. A mistake is one line on standard error."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.config", description=__doc__)
    parser.add_argument("files", nargs="*", help="later files override earlier ones")
    parser.add_argument("--exhibit", metavar="NAME", help="that there is an exhibit of this name")
    given = parser.parse_args(arguments)
    try:
        config = load_config(list_files(given.files))
        if given.exhibit:
            check_exhibit(given.exhibit, config)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def check_exhibit(name, config):
    """Raise a `ConfigError` unless a target has an exhibit of this name."""
    names = [
        target for scope in plan_scopes(config).values() for target in scope.targets().values()
    ]
    if name not in names:
        hint = nearest(name, names)  # before the names, of which there are dozens
        allowed = f"is no exhibit{hint} (there are {', '.join(names)})"
        raise ConfigError([f"NAME = {name}: {allowed}"])
