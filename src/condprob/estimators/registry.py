"""The methods by their ids: ``method("ad-lr", rank=50).fit(counts, seed=0)``."""

from dataclasses import fields
from difflib import get_close_matches

from condprob.estimators.backoff import KneserNey, StupidBackoff
from condprob.estimators.direct import AbsoluteDiscounting, AddHalf
from condprob.estimators.low_rank import (
    AddHalfLowRank,
    DiscountingLowRank,
    LowRank,
    NaiveAddHalfLowRank,
    NaiveDiscountingLowRank,
)

METHODS = {
    "add-half": AddHalf,
    "ad": AbsoluteDiscounting,
    "naive-add-half-lr": NaiveAddHalfLowRank,
    "naive-ad-lr": NaiveDiscountingLowRank,
    "sb": StupidBackoff,
    "kn": KneserNey,
    "add-half-lr": AddHalfLowRank,
    "ad-lr": DiscountingLowRank,
    "lr": LowRank,
}


def method(id, **options):
    """Return the estimator called ``id`` with the given hyperparameters.

    Parameters
    ----------
    id : str
        One of ``add-half``, ``ad``, ``naive-add-half-lr``, ``naive-ad-lr``, ``sb``, ``kn``,
        ``add-half-lr``, ``ad-lr`` (the eight of Section 7) and ``lr`` (no smoothing).
    **options
        Fields of the estimator's class.

    Returns
    -------
    A frozen dataclass with ``fit(counts, seed=0)``, which returns a `ConditionalMatrix`.

    Raises
    ------
    ValueError
        For an unknown id or option, or a value out of range.
    """
    if id not in METHODS:
        raise ValueError(f"method {id!r} does not exist{_nearest(id, METHODS)}")
    allowed = [field.name for field in fields(METHODS[id])]
    for option in options:
        if option not in allowed:
            raise ValueError(f"{id} has no option {option!r}{_nearest(option, allowed)}")
    return METHODS[id](**options)


def is_low_rank(id):
    """Whether the method has a rank and a start."""
    return issubclass(METHODS[id], LowRank)


def _nearest(name, allowed):
    """Say the nearest valid name, or all of them."""
    near = get_close_matches(str(name), list(allowed), n=1)
    return f"; did you mean {near[0]!r}?" if near else f" (allowed: {', '.join(allowed)})"
