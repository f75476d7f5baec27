"""Receipts: what is known of a corpus that was had, or why one could not be had."""

import json
from pathlib import Path


class ReceiptError(ValueError):
    """A file is not a receipt; the message is one line."""


def write_receipt(path, receipt, at_hand):
    """Write a receipt as JSON.

    Parameters
    ----------
    path : str or Path
    receipt : dict
        With a ``reason`` and a ``remedy`` where the corpus could not be had.
    at_hand : bool
        Whether a copy lay on the search path, so that none had to be downloaded.
    """
    text = json.dumps({"at_hand": at_hand} | receipt, indent=2, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def read_receipt(path):
    """Read what `write_receipt` wrote.

    Raises
    ------
    ReceiptError
        If the file holds something else, such as half a receipt.
    """
    try:
        receipt = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError:  # no JSON, or not UTF-8
        receipt = None
    if not isinstance(receipt, dict):
        raise ReceiptError(f"{path} is not the receipt of a corpus: remove it and run again")
    return receipt


def read_receipts(paths):
    """Read several receipts; return them by the names of their corpora, which the files bear."""
    return {Path(path).stem: read_receipt(path) for path in paths}


def left_out(receipts):
    """Return the reason of each corpus that could not be had, by its name."""
    return {name: each["reason"] for name, each in receipts.items() if "reason" in each}
