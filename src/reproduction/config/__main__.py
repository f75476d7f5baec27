"""Check the configuration of a run: ``python -m reproduction.config mine.yaml``.

Checked are config.yaml, the files of the studies, and the files that are given.
"""

import argparse
import sys

from condprob.interrupts import end_on_signals


def main(arguments=None):
    """Run the command; return its exit status. Each mistake is one line on standard error."""
    # These take a second, in which the command may be interrupted as well.
    from reproduction.config.files import ConfigError, list_files, load_config

    parser = argparse.ArgumentParser(prog="python -m reproduction.config", description=__doc__)
    parser.add_argument("files", nargs="*", help="later files override earlier ones")
    parser.add_argument("--exhibit", metavar="NAME", help="an exhibit that has to exist")
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
    """Raise a `ConfigError` if no target has an exhibit."""
    from reproduction.config.files import ConfigError
    from reproduction.config.schema import nearest
    from reproduction.study import plan_scopes

    scopes = plan_scopes(config).values()
    names = [target for scope in scopes for target in scope.targets().values()]
    if name not in names:
        raise ConfigError([f"{name}: is no exhibit{nearest(name, names)}"])


if __name__ == "__main__":
    end_on_signals("reproduction.config")
    sys.exit(main())
