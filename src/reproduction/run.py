"""Snakemake, which a Ctrl-C ends in one line from the first moment on.

``python -m reproduction.run`` takes the arguments of ``snakemake``, and is what the Makefile calls.
Snakemake takes some seconds to import; an interrupt then would be a traceback of Python's. From the
moment on in which the rules are read, `reproduction.interrupts.end_at_interrupts` hears it.
"""

import signal
import sys

from reproduction.interrupts import end_at_once

if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # ignored, it stays so
        signal.signal(signal.SIGINT, end_at_once)
    from snakemake.cli import main  # here: the handler stands before the import begins

    sys.argv[0] = "snakemake"  # as its usage calls it
    main()
