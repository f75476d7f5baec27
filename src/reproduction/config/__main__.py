"""The command ``python -m reproduction.config``; see `command`."""

import sys

from condprob.interrupts import end_on_signals, leave_signals


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status. Without arguments signals end it from now on.

    What it imports takes a second, in which it may be interrupted as well.
    """
    if arguments is None:
        end_on_signals("reproduction.config")
    from reproduction.config.command import main as run

    try:
        return run(arguments)
    finally:
        if arguments is None:
            leave_signals()


if __name__ == "__main__":
    sys.exit(main())
