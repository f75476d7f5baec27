"""The command ``condprob``, which is also ``python -m condprob``."""

import sys

from condprob.interrupts import end_on_signals


def main() -> int:
    """Run the command; return its exit status. Signals are heard during its imports, too."""
    end_on_signals()
    from condprob.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
