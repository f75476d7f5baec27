"""Check the configuration of a run: ``python -m reproduction.config mine.yaml``.

That is config.yaml, the files of the studies, and those that are given.
"""

import argparse
import sys

from condprob.interrupts import end_on_signals
from reproduction.config.files import ConfigError, list_files, load_config


def main(arguments=None):
    """Run the command; return its exit status. A mistake is one line on standard error."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.config", description=__doc__)
    parser.add_argument("files", nargs="*", help="later files override earlier ones")
    given = parser.parse_args(arguments)
    try:
        load_config(list_files(given.files))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    end_on_signals("reproduction.config")
    sys.exit(main())
