"""Receipts: what is known of a corpus that was had, or why one could not be had."""

import json
from pathlib import Path


def read_receipts(paths):
    """Read several receipts; return them by the names of their corpora, which the files bear."""
    paths = map(Path, paths)
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def left_out(receipts):
    """Return the reason of each corpus that could not be had, by its name."""
    return {name: each["reason"] for name, each in receipts.items() if "reason" in each}
