"""The option that says where iterations start: by a name, or from factors that are given."""

from typing import Annotated, Literal

from condprob.options import Given


class GivenFactors(tuple):
    """A pair (W, H) of arrays to start from; it equals nothing but itself, as arrays would not."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


Start = Literal["random", "clusters"] | Annotated[GivenFactors, Given("a pair (W, H) of arrays")]


def as_start(initial: object) -> object:
    """Return a pair of factors as one that can be compared and hashed, anything else as it is."""
    is_pair = isinstance(initial, tuple | list) and len(initial) == 2
    return GivenFactors(initial) if is_pair else initial
