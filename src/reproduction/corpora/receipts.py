"""Receipts: the origin and sizes of a text that was had."""

import json
from pathlib import Path


class ReceiptError(ValueError):
    """A file is not a receipt; the message is one line."""


def write_receipt(path, receipt):
    """Write a receipt as JSON."""
    text = json.dumps(receipt, indent=2, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def read_receipt(path):
    """Read what `write_receipt` wrote; raise ReceiptError if it is something else, or half."""
    try:
        receipt = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # no JSON, or not UTF-8
        receipt = None
    if not isinstance(receipt, dict):  # any JSON may lie there, such as where it became a link
        raise ReceiptError(f"{path} is not the receipt of a corpus: remove it and run again")
    return receipt


def read_receipts(paths):
    """Read several receipts; return them by the names of their corpora, which the files bear."""
    return {Path(path).stem: read_receipt(path) for path in paths}


def left_out(receipts):
    """Return the reason of each text that is missing, by its name."""
    return {name: each["reason"] for name, each in receipts.items() if "reason" in each}
