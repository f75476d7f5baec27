"""The command ``condprob``, which is also ``python -m condprob``."""

import sys

from condprob.interrupts import end_on_signals


def main() -> int:
    """Run the command; return its exit status.

    What it imports takes a second, in which it may be interrupted as well.
    """
    end_on_signals()
    from condprob.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
