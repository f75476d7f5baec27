"""The command ``condprob``, which is also ``python -m condprob``."""

import sys

from condprob.interrupts import end_on_signals


def main() -> int:
    """Run the command; return its exit status.

    What it imports takes a second, in which it may be interrupted as well; and it may fail, where
    there is no room for a compiler.
    """
    end_on_signals()
    try:
        from condprob.cli import main as run
    except (ImportError, OSError, MemoryError) as error:
        told = " ".join(str(error).split()) or type(error).__name__
        print(f"condprob: error: {told}", file=sys.stderr)
        return 2

    return run()


if __name__ == "__main__":
    sys.exit(main())
