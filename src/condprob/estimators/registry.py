"""The methods by their ids: one record makes a method known everywhere.

The configuration and its schema, the command line, figures, tables and the contract tests derive
what they need of a method from its record here and from the fields of its class.
"""

from dataclasses import dataclass
from typing import Literal

from condprob.checks import in_brief
from condprob.estimators.backoff import KneserNey, StupidBackoff
from condprob.estimators.base import Estimator
from condprob.estimators.direct import AbsoluteDiscounting, AddHalf
from condprob.estimators.hierarchical import HierarchicalPitmanYor
from condprob.estimators.interpolation import JelinekMercer, WittenBell
from condprob.estimators.log_linear import (
    LogLinearL1,
    LogLinearL2,
    LogLinearTree2,
    LogLinearTreeInf,
)
from condprob.estimators.low_rank import (
    AddHalfLowRank,
    DiscountingLowRank,
    LowRank,
)
from condprob.estimators.mixtures import AveragedLowRank, KneserNeyWithLowRank
from condprob.estimators.naive import NaiveAddHalfLowRank, NaiveDiscountingLowRank
from condprob.estimators.options import Option, nearest, options_of
from condprob.estimators.pitman_yor.estimator import PitmanYorLowRank


@dataclass(frozen=True)
class Method:
    """The record of one method.

    Attributes
    ----------
    id : str
        Its name in configurations and in `method`.
    estimator : type
        The class.
    label : str
        Its name in figures and tables.
    random : bool
        Whether a fit depends on its seed, so that several seeds tell more than one.
    data : "pairs" or "sentences"
        What it is fitted to: a `counts.CountMatrix`, or `sequences.Sentences`.
    distribution : bool
        Whether every row of a fit sums to one whatever the options.
    """

    id: str
    estimator: type[Estimator]
    label: str
    random: bool = False
    data: Literal["pairs", "sentences"] = "pairs"
    distribution: bool = True

    @property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        return options_of(self.estimator)


RECORDS = (
    Method("add-half", AddHalf, "Add-1/2"),
    Method("ad", AbsoluteDiscounting, "AD"),
    Method("naive-add-half-lr", NaiveAddHalfLowRank, "Naive Add-1/2 LR", random=True),
    Method("naive-ad-lr", NaiveDiscountingLowRank, "Naive AD-LR", random=True),
    Method("sb", StupidBackoff, "SB", distribution=False),
    Method("kn", KneserNey, "KN"),
    Method("add-half-lr", AddHalfLowRank, "Add-1/2-LR", random=True),
    Method("ad-lr", DiscountingLowRank, "AD-LR", random=True),
    Method("lr", LowRank, "LR", random=True),
    Method("jm", JelinekMercer, "Jelinek-Mercer"),
    Method("wb", WittenBell, "Witten-Bell"),
    Method("ad-lr-mean", AveragedLowRank, "AD-LR, mean", random=True),
    Method("kn-ad-lr", KneserNeyWithLowRank, "KN with AD-LR", random=True),
    Method("hpy", HierarchicalPitmanYor, "HPY", random=True),
    Method("py-lr", PitmanYorLowRank, "PY-LR", random=True),
    Method("ll-l1", LogLinearL1, "LL-l1", random=True),
    Method("ll-l2", LogLinearL2, "LL-l2", random=True),
    Method("ll-tree2", LogLinearTree2, "LL-T2", random=True),
    Method("ll-treeinf", LogLinearTreeInf, "LL-T∞", random=True),
)
METHODS = {record.id: record for record in RECORDS}


def method(id: str, **options) -> Estimator:
    """Return the estimator called ``id`` with the given hyperparameters.

    Parameters
    ----------
    id : str
        A key of `METHODS`.
    **options
        Fields of the estimator's class.

    Returns
    -------
    Estimator
        A frozen dataclass with ``fit(counts, seed=0)``, which returns a `ConditionalMatrix`.

    Raises
    ------
    ValueError
        For an unknown id or option, or a value out of range.
    """
    if not isinstance(id, str) or id not in METHODS:
        raise ValueError(f"method {in_brief(id)} does not exist{nearest(id, METHODS)}")
    record = METHODS[id]
    for option in options:
        if option not in record.options:
            raise ValueError(
                f"{id} has no option {in_brief(option)}{nearest(option, record.options)}"
            )
    return record.estimator(**options)
