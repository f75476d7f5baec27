"""The methods by their ids: one record makes a method known everywhere.

The records are in `condprob.methods`, the folder with the code of every method.

The configuration and its schema, the command line, figures, tables, verification and the contract
tests read its record and the fields of its class. This module imports only the standard library
until `Method.estimator` is read: the planning of a run does not wait for a compiler.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from condprob.methods import RECORDS
from condprob.methods.record import Method

if TYPE_CHECKING:
    from condprob.estimator import Estimator

DEFAULT_METHOD = "py-lr"  # of `fit`, the command line, and scikit-learn's estimator
METHODS = {record.id: record for record in RECORDS}
# Options of the fits of `compile_functions`. The loop of EM is compiled anew for vectors of 1, 2, 4
# and 8 classes: a rank above 4 has those of 8.
_SMALL = {"rank": 8, "iterations": 2, "largest_rank": 2, "samples": 1}


def register(record: Method) -> None:
    """Add a method of your own, so that the library finds it by its name.

    Parameters
    ----------
    record : Method
        Name, place and label of the method. Its class must be importable from the place.

    Raises
    ------
    ValueError
        If another method has this name.

    Examples
    --------
    >>> from condprob import METHODS, Method, register
    >>> record = Method("my-kn", "condprob.methods.kneser_ney:KneserNey", "My Kneser-Ney")
    >>> register(record)
    >>> METHODS.pop("my-kn").label
    'My Kneser-Ney'
    """
    if METHODS.setdefault(record.id, record) != record:
        raise ValueError(f"method {record.id!r} exists: {METHODS[record.id].where}")


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


def id_of(method: "str | Estimator") -> str:
    """Return the id of a method given by its id or as an estimator; or the name of its class."""
    if isinstance(method, str):
        return method
    kind = type(method)
    where = f"{kind.__module__}:{kind.__name__}"
    return next((id for id, record in METHODS.items() if record.where == where), kind.__name__)


def check_folding(id: str, otherwise: str = "fit all counts again, or use one of") -> None:
    """Raise ValueError unless fits of a method fold further contexts in; say which do."""
    if id not in METHODS or not METHODS[id].folds:
        others = ", ".join(record.id for record in METHODS.values() if record.folds)
        raise ValueError(f"method {id!r} cannot fold in new contexts; {otherwise}: {others}")


def method(id: str, **options: Any) -> "Estimator":
    """Create an estimator by the name of its method.

    Parameters
    ----------
    id : str
        Name of the method, a key of `METHODS`.
    **options
        Options of the method: fields of the estimator's class. ``condprob methods ID`` prints them.

    Returns
    -------
    Estimator
        A frozen dataclass with ``fit(counts, seed=0)``, which returns a `ConditionalMatrix`, and
        ``fit_text(sentences, order=2, seed=0)``, which returns a `SequenceModel`.

    Raises
    ------
    ValueError
        If the method or an option does not exist, or if a value is out of range.

    Notes
    -----
    Type checkers find the class of each name in ``condprob/__init__.pyi``.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("kn", discount=0.75).fit([[2, 1, 0], [0, 1, 1]])
    >>> matrix.shape
    (2, 3)
    """
    return build(id, options)


def build(id: str, options: Mapping[str, Any], arguments: Iterable[str] = ()) -> "Estimator":
    """Do what `method` says; an unknown option may be meant for one of the arguments."""
    if not isinstance(id, str) or id not in METHODS:
        from condprob.checks import in_brief
        from condprob.options import nearest

        names = {
            name: record.id
            for record in METHODS.values()
            for name in (record.where.partition(":")[2], record.label, *record.aliases)
        }
        raise ValueError(f"method {in_brief(id)} does not exist{nearest(id, METHODS, names)}")
    return METHODS[id].estimator.of(options, id, arguments)
