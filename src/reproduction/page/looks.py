"""How verdicts look: a class, and a sign, because colour alone must not carry a meaning."""

from reproduction.verdicts.criteria import FAILED, NOT_RUN, REPRODUCED, TREND, UNTESTED

LOOKS = {
    REPRODUCED: ("reproduced", "✓"),
    TREND: ("trend", "≈"),
    FAILED: ("failed", "✗"),
    NOT_RUN: ("larger", "…"),
    UNTESTED: ("untested", "○"),
}


def look_of_verdicts(count):
    """Return each verdict with its looks, and its number by the function ``count``."""
    return [
        {"verdict": verdict, "look": look, "sign": sign, "count": count(verdict)}
        for verdict, (look, sign) in LOOKS.items()
    ]
