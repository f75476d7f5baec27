"""The command ``condprob``, which is also ``python -m condprob``."""

import sys

from condprob.interrupts import end_on_signals


def main() -> int:
    """Run the command; return its exit status.

    Its imports take a second, in which signals are heard, and fail without room for a compiler.
    """
    try:
        end_on_signals()
        from condprob.cli import main as run
    except (ImportError, OSError, MemoryError, RuntimeError, SystemError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"condprob: error: {message}", file=sys.stderr)
        return 2
    return run()


if __name__ == "__main__":
    sys.exit(main())
