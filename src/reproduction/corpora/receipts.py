"""Receipts: the origin and sizes of a corpus, or the reason why it could not be had."""

import json
from pathlib import Path

from reproduction.corpora.sources import is_at_hand


class ReceiptError(ValueError):
    """A file is not a receipt; the message is one line."""


def write_receipt(path, receipt, at_hand):
    """Write a receipt as JSON, with ``at_hand``: whether a copy lay on the search path."""
    text = json.dumps({"at_hand": at_hand} | receipt, indent=2, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def read_receipt(path):
    """Read what `write_receipt` wrote; raise ReceiptError if it is something else, or half."""
    try:
        receipt = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # no JSON, or not UTF-8
        receipt = None
    # Any JSON may lie there, such as where a receipt became a link.
    is_ours = isinstance(receipt, dict) and "at_hand" in receipt
    if not is_ours or ("reason" in receipt and "remedy" not in receipt):
        raise ReceiptError(f"{path} is not the receipt of a corpus: remove it and run again")
    return receipt


def read_receipts(paths):
    """Read several receipts; return them by the names of their corpora, which the files bear."""
    return {Path(path).stem: read_receipt(path) for path in paths}


def left_out(receipts):
    """Return the reason of each corpus that could not be had, by its name."""
    return {name: each["reason"] for name, each in receipts.items() if "reason" in each}


def say_left_out(name, receipt):
    """Say of a corpus that could not be had why, and how to get it; nothing of any other."""
    if "reason" not in receipt:
        return ""
    remedy = f"To get it: {receipt['remedy']}; then run again."
    return f"Left out: {name}, because {receipt['reason']}. {remedy}"


def was_at_hand(receipt, entry, search=None):
    """Whether a copy of a corpus lay on the search path when it was had, or else lies there now.

    The workflow compares the answer with that of the last run, so that a corpus is read which was
    missing and has come. A corpus that was had counts as before: to take its copy away takes no
    result away, and a download is not repeated. Nothing is written. A receipt that is missing, or
    cannot be read, counts as none.
    """
    try:
        known = read_receipt(receipt)
    except (OSError, ReceiptError):
        known = {}
    if "at_hand" in known and "reason" not in known:
        return known["at_hand"]
    return is_at_hand(entry, search)
