"""The table of methods: light to read, and no record has anything to do with another."""

from collections import Counter
from typing import get_args, get_type_hints

import pytest
from inputs import SHIPPED_IDS, exactly

from condprob import METHODS, Estimator, Method, catalogue
from condprob.catalogue import methods_of_group

FIELDS = get_type_hints(Method, vars(catalogue), {"Estimator": None, "Option": None})


@pytest.mark.parametrize("id", METHODS)
def test_a_record_leads_to_a_class_and_says_what_is_allowed(id):
    record = METHODS[id]
    assert issubclass(record.estimator, Estimator)
    assert record.estimator.__name__ == record.where.partition(":")[2]
    assert record.agreement in get_args(FIELDS["agreement"])
    assert record.fits in (("pairs",), ("pairs", "text"))
    assert not record.compiles or record.compiles in record.compiled
    for group in record.compiled:
        assert methods_of_group(group)


def test_a_new_record_has_the_look_of_its_id_wherever_it_stands():
    """It depends on nothing but the id, and is that of no shipped method."""
    shipped = Counter((METHODS[id].colour, METHODS[id].marker) for id in SHIPPED_IDS)
    assert set(shipped.values()) == {1}
    markers = {marker for _, marker in shipped}
    for id in ("dirichlet", "mine", "neural", *(f"new-{number}" for number in range(200))):
        assert Method(id, "somewhere:Else", "One").marker not in markers
    one, other = (Method("mine", where, label) for where, label in (("a:A", "A"), ("b:B", "B")))
    assert (one.colour, one.marker) == (other.colour, other.marker)
    # The bytes of SHA-256 are the same in every process and on every machine.
    assert (one.colour, one.marker) == ("#56b4e9", (5, 0, 180))


def test_a_look_that_is_given_stays():
    record = Method("mine", "somewhere:Else", "Mine", colour="red", marker="x")
    assert (record.colour, record.marker) == ("red", "x")


def test_what_compiles_a_group():
    assert methods_of_group("em") == ("naive-ad-lr", "add-half-lr", "ad-lr")
    assert methods_of_group("loglinear") == ("ll-treeinf",)
    for group in ("", "nothing"):
        with pytest.raises(ValueError, match=exactly(f"no method compiles {group!r}")):
            methods_of_group(group)
