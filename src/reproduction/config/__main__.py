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
            estimate(given.exhibit, check_exhibit(given.exhibit, config))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def check_exhibit(name, config):
    """Return the entry of an exhibit that a target has; raise a `ConfigError` if none has it."""
    from reproduction.config.files import ConfigError
    from reproduction.config.schema import nearest
    from reproduction.study import plan_scopes

    scopes = plan_scopes(config).values()
    entries = {t: s.exhibits[own].entry for s in scopes for own, t in s.targets().items()}
    if name not in entries:
        hint = nearest(name, entries)  # before the names, of which there are dozens
        raise ConfigError([f"{name}: is no exhibit{hint} (there are {', '.join(entries)})"])
    return entries[name]


def estimate(name, entry):
    """Print a line where the models of an exhibit take long, before they are drawn."""
    from reproduction.config.sizes import LONG, seconds_of_exhibit

    seconds = seconds_of_exhibit(entry)
    if seconds > LONG:
        took = f"{seconds / 3600:,.1f} hours" if seconds > 7200 else f"{seconds / 60:.0f} minutes"
        text = "of one processor, at least; smaller k_values, or fewer trials, take less"
        print(f"{name}: the exact risks of its models take {took} {text}", file=sys.stderr)


if __name__ == "__main__":
    end_on_signals("reproduction.config")
    sys.exit(main())
