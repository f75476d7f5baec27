"""The command ``condprob``, which is also ``python -m condprob``."""

import sys

from condprob.interrupts import end_on_signals, leave_signals

try:
    import resource
except ImportError:  # Windows has no such limits.
    resource = None

# Bytes of addresses. With 600,000 KB `kn`, `py-lr` and `hpy` were fitted on two cores, on
# 25 November 2026; with less libraries of others wait for ever where no signal is heard, or abort.
LEAST_ADDRESSES = 600_000 * 1024


def main() -> int:
    """Run the command; return its exit status.

    What it imports takes a second, in which it may be interrupted as well; and it may fail, where
    there is no room for a compiler.
    """
    try:
        end_on_signals()
        _check_addresses()
        from condprob.cli import main as run
    except (ImportError, OSError, MemoryError, RuntimeError, SystemError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"condprob: error: {message}", file=sys.stderr)
        return 2
    try:
        return run()
    finally:
        leave_signals()


def _check_addresses() -> None:
    """Raise MemoryError where a limit leaves less room than the libraries need to begin."""
    limit = -1 if resource is None else resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= limit < LEAST_ADDRESSES:
        least = f"at least {LEAST_ADDRESSES / 1e6:.0f} MB are needed"
        raise MemoryError(f"{limit / 1e6:.0f} MB of addresses (ulimit -v): {least}")


if __name__ == "__main__":
    sys.exit(main())
