"""The command ``condprob``, which is also ``python -m condprob``."""

import sys

from condprob.interrupts import end_on_signals

try:
    import resource
except ImportError:  # Windows has no such limits.
    resource = None

# Bytes of addresses. With 600,000 KB `kn`, `py-lr` and `hpy` were fitted on two cores, on
# 25 November 2026; with less libraries of others wait for ever where no signal is heard, or abort.
LEAST_ADDRESSES = 600_000 * 1024


def main() -> int:
    """Run the command; return its exit status.

    Its imports take a second, in which signals are heard, and fail without room for a compiler.
    """
    try:
        end_on_signals()
        _check_addresses()
        from condprob.cli import main as run
    except (ImportError, OSError, MemoryError, RuntimeError, SystemError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"condprob: error: {message}", file=sys.stderr)
        return 2
    return run()


def _check_addresses() -> None:
    """Raise MemoryError where a limit leaves less room than the libraries need to begin."""
    limit = -1 if resource is None else resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= limit < LEAST_ADDRESSES:
        least = f"at least {LEAST_ADDRESSES / 1e6:.0f} MB are needed"
        raise MemoryError(f"{limit / 1e6:.0f} MB of addresses (ulimit -v): {least}")


if __name__ == "__main__":
    sys.exit(main())
