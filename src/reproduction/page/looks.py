"""How verdicts look: a class, and a sign, so that none is ever told by colour alone."""

from reproduction.verdicts.criteria import FAILED, NOT_RUN, REPRODUCED, TREND, UNTESTED

LOOKS = {
    REPRODUCED: ("reproduced", "✓"),
    TREND: ("trend", "≈"),
    FAILED: ("failed", "✗"),
    NOT_RUN: ("larger", "…"),
    UNTESTED: ("untested", "○"),
}


def look_of_verdicts(count):
    """Return each verdict with its looks, and with how many there are of it, as ``count`` tells."""
    return [
        {"verdict": verdict, "look": look, "sign": sign, "count": count(verdict)}
        for verdict, (look, sign) in LOOKS.items()
    ]
