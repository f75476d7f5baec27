"""The flags of compiled functions."""

# Compiled once and kept; without Python's global lock; and dividing by zero is no exception.
EXACT = {"cache": True, "nogil": True, "error_model": "numpy"}
# Sums may be reordered, which lets them run by vectors; inf and nan stay. docs/performance.md says
# what that earns.
JIT = EXACT | {"fastmath": {"reassoc", "contract", "arcp", "nsz"}}
