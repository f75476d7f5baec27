"""The methods by their ids: one record makes a method known everywhere.

The configuration and its schema, the command line, figures, tables, verification and the contract
tests read its record and the fields of its class. This module imports only the standard library
until `Method.estimator` is read: the planning of a run does not wait for a compiler.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from condprob.estimator import Estimator
    from condprob.kneser_ney import KneserNey
    from condprob.low_rank import LowRank
    from condprob.models.structured.log_linear import LogLinear
    from condprob.options import Option
    from condprob.pitman_yor.estimator import PitmanYorLowRank

DEFAULT_METHOD = "py-lr"  # of the command line, and of scikit-learn's estimator

# A record without a look of its own has one of these pairs, by its id: Okabe and Ito's palette
# with markers that no shipped record has.
_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#000000", "#7f7f7f")
# As matplotlib writes them: points, kind and angle.
_MARKERS = ((4, 1, 0), (5, 0, 180), (6, 1, 0), (7, 0, 0), (8, 1, 0), (4, 1, 45), (12, 1, 0))


@dataclass(frozen=True)
class Method:
    """The record of one method.

    Attributes
    ----------
    id : str
        Its name in configurations and in `method`.
    where : str
        Where its class is, "module:class".
    label : str
        Its name in figures and tables.
    random : bool
        Whether a fit depends on its seed.
    distribution : bool
        Whether every row of a fit sums to one whatever the options.
    fits : tuple of "pairs" and "text"
        Data that its paper defines it for. A method of pairs alone can also be fitted to a text:
        its bigram is then mixed with Kneser-Ney (`Estimator.fit_text`).
    backs_off : bool
        Whether its fit to a text is a `BackoffModel`, which an ARPA file can hold.
    compiled : tuple of str
        Groups of compiled functions that a fit runs.
    compiles : str
        Group that a fit of this method compiles, alone or with other `methods_of_group`; "" for
        none.
    agreement : "exact", "iterated", "choosing" or "certified"
        How nearly two machines agree. "exact": sums differ by their rounding. "iterated":
        iterations repeat the rounding. "choosing": a last bit may turn a draw or a discrete choice.
        "certified": a fit stops once its gap, or the gain of an iteration, is small enough.
    edged : bool
        Whether a change of the last bit may grow until the fit is another one. Soft absolute
        discounting does so when soft counts come near one.
    least : int
        Pairs that it needs to learn its settings; a labelled fit warns of fewer. Zero where nothing
        is learned.
    others : tuple of str
        Further names by which people may look for it.
    colour : str
    marker : str or tuple
        Of its curves, in matplotlib's terms. The default follows from the id; two such methods may
        look alike.
    """

    id: str
    where: str
    label: str
    random: bool = False
    distribution: bool = True
    fits: tuple[Literal["pairs", "text"], ...] = ("pairs",)
    backs_off: bool = False
    compiled: tuple[str, ...] = ()
    compiles: str = ""
    agreement: Literal["exact", "iterated", "choosing", "certified"] = "exact"
    edged: bool = False
    least: int = 0
    others: tuple[str, ...] = ()
    colour: str = ""
    marker: str | tuple[int, int, int] = ""

    def __post_init__(self) -> None:
        number = int.from_bytes(sha256(self.id.encode()).digest()[:8], "big")
        turn, place = divmod(number, len(_COLOURS))
        object.__setattr__(self, "colour", self.colour or _COLOURS[place])
        object.__setattr__(self, "marker", self.marker or _MARKERS[turn % len(_MARKERS)])

    @property
    def estimator(self) -> type["Estimator"]:
        """The class; its module is imported here."""
        module, _, name = self.where.partition(":")
        return getattr(import_module(module), name)

    @property
    def folds(self) -> bool:
        """Whether further contexts can be folded into its fits (`Estimator.fold_in`)."""
        base = import_module("condprob.estimator").Estimator
        return self.estimator.fold_in is not base.fold_in

    @property
    def options(self) -> dict[str, "Option"]:
        """The options by name."""
        from condprob.options import options_of

        return options_of(self.estimator)


# Fields that the records of a family share.
_BOTH: tuple[Literal["pairs", "text"], ...] = ("pairs", "text")
_EM: dict[str, Any] = {"random": True, "compiled": ("em",), "agreement": "iterated"}
_DRAWN: dict[str, Any] = {"random": True, "agreement": "choosing"}
_LOG_LINEAR: dict[str, Any] = {"random": True, "fits": _BOTH, "compiled": ("loglinear",)}
_LOG_LINEAR |= {"agreement": "certified"}

# fmt: off
RECORDS = (
    Method("add-half", "condprob.direct:AddHalf", "Add-1/2",
           others=("krichevsky-trofimov",), colour="#7f7f7f", marker="s"),
    Method("ad", "condprob.direct:AbsoluteDiscounting", "AD",
           colour="#e69f00", marker="^"),
    Method("mle", "condprob.models.textbook.ngrams:MaximumLikelihood", "MLE",
           fits=_BOTH, backs_off=True, colour="#bbbbbb", marker="1"),
    Method("laplace", "condprob.direct:AddOne", "Add-1",
           others=("add-one",), colour="#555555", marker="2"),
    Method("interpolated", "condprob.models.textbook.ngrams:Interpolated", "Interpolated",
           fits=_BOTH, backs_off=True, agreement="iterated", others=("trigram", "n-gram"),
           colour="#ee6677", marker="3"),
    Method("naive-add-half-lr", "condprob.naive:NaiveAddHalfLowRank", "Naive Add-1/2 LR",
           **_EM, colour="#cc79a7", marker="v"),
    Method("naive-ad-lr", "condprob.naive:NaiveDiscountingLowRank", "Naive AD-LR",
           **_EM, compiles="em", colour="#56b4e9", marker="D"),
    Method("sb", "condprob.kneser_ney:StupidBackoff", "SB",
           distribution=False, colour="#000000", marker="P"),
    Method("kn", "condprob.kneser_ney:KneserNey", "KN",
           fits=_BOTH, backs_off=True, colour="#d55e00", marker="X"),
    Method("add-half-lr", "condprob.low_rank:AddHalfLowRank", "Add-1/2-LR",
           **_EM, compiles="em", colour="#009e73", marker="<"),
    Method("ad-lr", "condprob.low_rank:DiscountingLowRank", "AD-LR",
           **_EM, compiles="em", edged=True, colour="#0072b2", marker="o"),
    Method("lr", "condprob.low_rank:LowRank", "LR",
           **_EM, colour="#8c564b", marker="*"),
    Method("jm", "condprob.models.textbook.ngrams:JelinekMercer", "Jelinek-Mercer",
           colour="#882255", marker="h"),
    Method("wb", "condprob.models.textbook.ngrams:WittenBell", "Witten-Bell",
           colour="#44aa99", marker="d"),
    Method("py-lr", "condprob.pitman_yor.estimator:PitmanYorLowRank", "PY-LR",
           **_DRAWN, fits=_BOTH, compiled=("py-lr",), compiles="py-lr", least=20,
           colour="#117733", marker="H"),
    Method("class-kmeans", "condprob.models.textbook.classes:KMeansClasses", "Classes, k-means",
           **_DRAWN, colour="#4477aa", marker="4"),
    Method("class-exchange", "condprob.models.textbook.classes:ExchangeClasses",
           "Classes, exchange",
           agreement="choosing", compiled=("classes",), compiles="classes",
           others=("brown-clusters",), colour="#66ccee", marker="+"),
    Method("mf-sgd", "condprob.models.textbook.completion:MatrixCompletion", "MF, SGD",
           **_DRAWN, compiled=("mf-sgd",), compiles="mf-sgd",
           others=("mf", "als", "funk-svd"), colour="#ccbb44", marker="x"),
    Method("lsa", "condprob.models.survey.lsa:LatentSemanticAnalysis", "LSA",
           random=True, agreement="iterated", others=("svd", "pca", "truncated-svd"),
           colour="#228833", marker="d"),
    Method("plsa", "condprob.models.survey.plsa:ProbabilisticSemanticAnalysis", "PLSA",
           **_EM, others=("nmf", "lda", "topics"), colour="#aa3377", marker="<"),
    Method("aso", "condprob.models.survey.aso:StructuralSoftmax", "ASO",
           **_DRAWN, colour="#bb5566", marker="P"),
    Method("nplm", "condprob.models.survey.neural:NeuralLanguageModel", "NPLM",
           **_DRAWN, fits=_BOTH, others=("neural", "mlp"), colour="#e15759", marker="*"),
    Method("sdr", "condprob.models.survey.sdr:SufficientReduction", "SDR",
           random=True, agreement="certified", colour="#ee8866", marker="v"),
    Method("sdr-conditional", "condprob.models.survey.sdr:ConditionalReduction", "SDR, conditional",
           random=True, agreement="certified", colour="#ee8866", marker="s"),
    Method("ll-l1", "condprob.models.structured.log_linear:LogLinearL1", "LL-l1",
           **_LOG_LINEAR, colour="#b07aa1", marker="8"),
    Method("ll-l2", "condprob.models.structured.log_linear:LogLinearL2", "LL-l2",
           **_LOG_LINEAR, colour="#7f7f7f", marker="X"),
    Method("ll-tree2", "condprob.models.structured.log_linear:LogLinearTree2", "LL-T2",
           **_LOG_LINEAR, colour="#e69f00", marker="v"),
    Method("ll-treeinf", "condprob.models.structured.log_linear:LogLinearTreeInf", "LL-T∞",
           **_LOG_LINEAR, compiles="loglinear", colour="#cc79a7", marker="D"),
)
# fmt: on
METHODS = {record.id: record for record in RECORDS}
# Methods of earlier versions, and where they went.
_COMPARED, _LATER = "a rival of py-lr in tables of ours", "of no source that the project reproduces"
WITHDRAWN = {
    "hpy": f"{_COMPARED}; py-lr samples hierarchical Pitman-Yor rows, too",
    **dict.fromkeys(
        (
            "ad-lr-mean",
            "kn-ad-lr",
            "kn-gt",
            "plre",
            "aggregate-rows",
            "class-rows",
            "bilinear-rows",
        ),
        _COMPARED,
    ),
    **dict.fromkeys(
        ("kn-ad-lr-bins", "gibbs-rows"), f"{_COMPARED}; reproduction.studies.beyond registers it"
    ),
    **dict.fromkeys(
        ("nuclear-ml", "rank-ml", "spectral", "blocks", "aggregation", "good-turing-rows"), _LATER
    ),
}
# Options of the fits of `compile_functions`.
_SMALL = {"rank": 2, "iterations": 2, "largest_rank": 2, "samples": 1}


def register(record: Method) -> None:
    """Add a method: from then on the library knows it by its id, as its own.

    Parameters
    ----------
    record : Method

    Raises
    ------
    ValueError
        If another method has this id.
    """
    if METHODS.setdefault(record.id, record) != record:
        raise ValueError(f"method {record.id!r} exists: {METHODS[record.id].where}")


def methods_of_group(group: str) -> tuple[str, ...]:
    """Return the ids of the methods whose fits together compile a group of functions.

    Raises
    ------
    ValueError
        If no method compiles such a group.
    """
    found = tuple(id for id, record in METHODS.items() if record.compiles == group)
    if not group or not found:
        raise ValueError(f"no method compiles {group!r}")
    return found


def compile_functions(ids: Iterable[str]) -> list["Estimator"]:
    """Let Numba compile the functions with which methods fit pairs, and keep them on disk.

    Each method is fitted to few pairs and to many: passes of their own visit them. Returns the
    estimators, which are small and run the same functions as others.
    """
    import numpy as np

    estimators = []
    for id in ids:
        options = {name: size for name, size in _SMALL.items() if name in METHODS[id].options}
        estimators.append(method(id, **options))
        for counts in (np.eye(20, dtype=int), np.full((20, 20), 2)):
            estimators[-1].fit(counts)
    return estimators


def id_of(estimator: "Estimator") -> str:
    """Return the id of the method that an estimator is one of; of another the name of its class."""
    kind = type(estimator)
    where = f"{kind.__module__}:{kind.__name__}"
    return next((id for id, record in METHODS.items() if record.where == where), kind.__name__)


def check_folding(id: str, otherwise: str = "fit all the counts again") -> None:
    """Raise ValueError unless fits of a method fold further contexts in; say which do."""
    if id not in METHODS or not METHODS[id].folds:
        others = ", ".join(record.id for record in METHODS.values() if record.folds)
        raise ValueError(f"{id} folds no contexts in ({others} do): {otherwise}")


@overload
def method(id: Literal["lr", "add-half-lr", "ad-lr", "plsa"], **options: Any) -> "LowRank": ...
@overload
def method(id: Literal["py-lr"], **options: Any) -> "PitmanYorLowRank": ...
@overload
def method(id: Literal["kn"], **options: Any) -> "KneserNey": ...
@overload
def method(
    id: Literal["ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"], **options: Any
) -> "LogLinear": ...
@overload
def method(id: str, **options: Any) -> "Estimator": ...
def method(id: str, **options: Any) -> "Estimator":
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
        A frozen dataclass with ``fit(counts, seed=0)``, which returns a `ConditionalMatrix`, and
        ``fit_text(sentences, order=2, seed=0)``, which returns a `SequenceModel`.

    Raises
    ------
    ValueError
        For an unknown id or option, or a value out of range.
    """
    return build(id, options)


def build(id: str, options: Mapping[str, Any], arguments: Iterable[str] = ()) -> "Estimator":
    """Do what `method` says; an unknown option may be meant for one of the arguments."""
    if isinstance(id, str) and id in WITHDRAWN and id not in METHODS:
        raise ValueError(f"method {id!r} was withdrawn: {WITHDRAWN[id]}")
    if not isinstance(id, str) or id not in METHODS:
        from condprob.checks import in_brief
        from condprob.options import nearest

        names = {
            name: record.id
            for record in METHODS.values()
            for name in (record.where.partition(":")[2], record.label, *record.others)
        }
        raise ValueError(f"method {in_brief(id)} does not exist{nearest(id, METHODS, names)}")
    return METHODS[id].estimator.of(options, id, arguments)
