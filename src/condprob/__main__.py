"""``python -m condprob`` does what the command ``condprob`` does."""

import sys

from condprob.cli import main

if __name__ == "__main__":
    sys.exit(main())
