"""The record of a method: its id, where its class is, and what people call it."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condprob.estimator import Estimator
    from condprob.options import Option


@dataclass(frozen=True)
class Method:
    """Record of a method: its name, and where its class is.

    Attributes
    ----------
    id : str
        Name of the method in `condprob.method` and in configurations.
    where : str
        Place of its class, as ``"module:class"``.
    label : str
        Name in figures and tables.
    aliases : tuple of str
        Other names by which people may look for it; they appear in suggestions.

    Examples
    --------
    >>> from condprob import METHODS
    >>> METHODS["kn"].label
    'KN'
    """

    id: str
    where: str
    label: str
    aliases: tuple[str, ...] = ()

    @property
    def estimator(self) -> type["Estimator"]:
        """The class; its module is imported here."""
        module, _, name = self.where.partition(":")
        return getattr(import_module(module), name)

    @property
    def folds(self) -> bool:
        """Whether further contexts can be folded into its fits (`Estimator.fold_in`)."""
        from condprob.estimator import Estimator

        return self.estimator.fold_in is not Estimator.fold_in

    @property
    def options(self) -> dict[str, "Option"]:
        """The options by name."""
        from condprob.options import options_of

        return options_of(self.estimator)
