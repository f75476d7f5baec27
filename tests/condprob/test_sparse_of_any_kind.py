"""Every format, type and order of indices that scipy has, against sums in Python's integers."""

from collections import defaultdict
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from condprob import CountMatrix

FORMATS = ["coo", "csr", "csc", "bsr", "dia", "dok", "lil"]
TYPES = [
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float32", "float64", "longdouble"),
]
CSR = sparse.csr_array
HOW = list(product(FORMATS, ["int32", "int64"], ["array", "matrix"]))


def values_of(dtype):
    """Draw numbers of a type, up to its largest, or to what fits 64 bits a few times."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans()
    if kind in "iu":
        return st.integers(0, min(int(np.iinfo(dtype).max), 2**58))
    return st.one_of(
        st.integers(0, 2**20).map(float),
        st.integers(1, 2**20).map(lambda n: n / 1024),  # exact in 32 bits
    )


@st.composite
def entries(draw):
    """Draw a shape, a type, and cells with numbers, cells perhaps more than once."""
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    dtype = draw(st.sampled_from(TYPES))
    cell = st.tuples(*(st.integers(0, size - 1) for size in shape))
    listed = draw(st.lists(st.tuples(cell, values_of(dtype)), max_size=12))
    return shape, dtype, listed


def build(form, index, shape, dtype, listed, family):
    """Return the matrix that scipy makes of cells; formats with entries keep duplicates."""
    rows = np.array([cell[0] for cell, _ in listed], dtype=index)
    columns = np.array([cell[1] for cell, _ in listed], dtype=index)
    data = np.array([value for _, value in listed], dtype=dtype)
    coo = getattr(sparse, f"coo_{family}")((data, (rows, columns)), shape=shape)
    if form == "coo":
        return coo
    if form in ("csr", "csc"):  # with duplicates, in the order of the cells
        along, across = (rows, columns) if form == "csr" else (columns, rows)
        order = np.argsort(along, kind="stable")
        starts = np.searchsorted(along[order], np.arange(shape[form == "csc"] + 1)).astype(index)
        make = getattr(sparse, f"{form}_{family}")
        return make((data[order], across[order], starts), shape=shape)
    if form == "bsr":
        return coo.tobsr(blocksize=(1, 1))
    return getattr(coo, f"to{form}")()


def exact(listed):
    """Add up by cell, exactly."""
    sums = defaultdict(Fraction)
    for cell, value in listed:
        sums[cell] += Fraction(float(value)) if isinstance(value, float) else Fraction(int(value))
    return {cell: total for cell, total in sums.items() if total}


@given(entries(), st.sampled_from(HOW))
def test_counts_are_the_exact_sums(drawn, how):
    (shape, dtype, listed), (form, index, family) = drawn, how
    if form not in ("coo", "csr", "csc"):  # scipy itself adds what these cannot hold
        listed = list({cell: (cell, value) for cell, value in listed}.values())
    wanted = exact(listed)
    given_ = build(form, index, shape, dtype, listed, family)
    before = given_.copy()
    counts = CountMatrix.from_sparse(given_)
    found = {
        (int(i), int(j)): Fraction(v.item())
        for i, j, v in zip(counts.contexts, counts.outcomes, counts.values, strict=True)
    }
    assert found == wanted
    assert Fraction(counts.n) == sum(wanted.values())
    assert counts.is_whole == all(total.denominator == 1 for total in wanted.values())
    if form in ("coo", "csr", "csc"):
        np.testing.assert_array_equal(given_.data, before.data)
    if form not in ("dia", "lil", "dok"):
        weights = [value for _, value in listed]
        cells = ([c[a] for c, _ in listed] for a in (0, 1))
        if listed:
            pairs = CountMatrix.from_pairs(*cells, shape=shape, weights=np.array(weights, dtype))
            np.testing.assert_array_equal(pairs.values, counts.values)
            np.testing.assert_array_equal(pairs.outcomes, counts.outcomes)


def test_half_floats_are_added_in_64_bits():
    # 2048 + 1 is 2048 in 16 bits.
    cell = np.zeros(2, int)
    counts = CountMatrix.from_pairs(cell, cell, 1, weights=np.array([2048, 1], np.float16))
    assert counts.n == 2049


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
@pytest.mark.parametrize("data", [[3, -1], [np.inf, 1.0], [np.nan, 1.0], [-1.0, 1.0]])
def test_each_number_is_checked_before_it_is_added(form, data):
    listed = [((0, 0), value) for value in data]
    matrix = build(form, "int32", (2, 2), np.array(data).dtype, listed, "array")
    with pytest.raises(ValueError, match="must be finite numbers >= 0"):
        CountMatrix.from_sparse(matrix)


def test_sums_that_are_too_large_are_told():
    cell = np.zeros(2, int)
    largest = CountMatrix.from_pairs(cell, cell, 1, weights=np.array([2**62, 2**62 - 2048]))
    assert largest.n == 2**63 - 2048
    for weights in ([2**62, 2**62], [2**63 - 1, 1]):
        with pytest.raises(ValueError, match=r"less than 2\*\*63"):
            CountMatrix.from_pairs(cell, cell, 1, weights=np.array(weights))


def test_a_sum_that_is_too_large_and_as_a_float_is_not_is_told():
    weights = np.full(1024, 2**53 + 1)  # as floats each is 2^53
    weights[0] = 2**53 - 1000
    assert sum(weights.tolist()) >= 2**63 > weights.sum(dtype=float)
    cell = np.zeros(1024, int)
    with pytest.raises(ValueError, match=r"less than 2\*\*63"):
        CountMatrix.from_pairs(cell, cell, 1, weights=weights)
    with pytest.raises(ValueError, match=r"less than 2\*\*63"):
        CountMatrix((1, 1024), [0, 1024], np.arange(1024), weights)


def with_parts(form, **parts):
    """Return a matrix of integers, some of whose parts are replaced after it is made."""
    matrix = getattr(sparse, f"{form}_array")(np.eye(4, dtype=int))
    for name, part in parts.items():
        setattr(matrix, name, part)
    return matrix


def damage(attribute, place, value):
    """Yield matrices in rows, columns and blocks with another number at one place."""
    for form in ("csr", "csc", "bsr"):
        array = getattr(with_parts(form), attribute).copy()
        array[place] = value
        yield with_parts(form, **{attribute: array})


@pytest.mark.parametrize(
    "matrix",
    [
        *(
            damaged
            for place, value in ((1, 10**6), (1, -5), (0, 1), (-1, 10**6))
            for damaged in damage("indptr", place, value)
        ),
        *(damaged for value in (10**6, -1) for damaged in damage("indices", 0, value)),
        with_parts("dia", offsets=np.arange(4)),  # of one diagonal: scipy writes beyond its room
        with_parts("dia", offsets=np.array([], int)),
        with_parts("dia", data=np.ones((2, 4), int), offsets=np.array([0, 0])),
        with_parts("bsr", data=np.ones((4, 3, 1), int)),
        with_parts("bsr", data=np.ones((4, 1), int)),
        with_parts("csr", indptr=np.array([0, 10**6, 0, 0, 0])),  # no entry, by its end
        with_parts("csr", indptr=np.arange(4)),
        with_parts("csr", indices=np.arange(3)),
        with_parts("csr", indices=np.arange(4) + 0.5),
        with_parts("coo", data=np.ones(3, int)),
        with_parts("coo", coords=(np.arange(4) + 0.5, np.arange(4))),
        with_parts("coo", coords=(np.array([10**6, 1, 2, 3]), np.arange(4))),
        with_parts("lil", rows=np.array([[10**6], [1], [2], [3], 0], object)[:4]),
        # scipy writes both where there is room for one
        with_parts("lil", data=np.array([[1.0, 2.0], [1], [1], [1], 0], object)[:4]),
        with_parts("lil", data=np.array([[1], [1], [1], 0], object)[:3]),
    ],
    ids=lambda matrix: matrix.format,
)
def test_no_part_of_a_matrix_is_followed_or_cut_before_it_is_checked(matrix):
    with pytest.raises(ValueError, match="damaged") as caught:
        CountMatrix.from_sparse(matrix)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_masked_numbers_of_a_matrix_are_told(form):
    masked = np.ma.array([1, 2, 3, 4], mask=[1, 0, 0, 0])
    with pytest.raises(ValueError, match="counts are a masked array: fill it"):
        CountMatrix.from_sparse(with_parts(form, data=masked))


def test_room_for_the_rows_is_looked_at_before_there_is_any():
    matrix = sparse.coo_array(([1], ([0], [0])), (2**40, 2))
    with pytest.raises(ValueError, match=r"counts of shape \(1099511627776, 2\) takes 8,796"):
        CountMatrix.from_sparse(matrix)
    with pytest.raises(ValueError, match=r"counts of shape \(1099511627776, 2\) takes 8,796"):
        CountMatrix.from_dense([[1, 2]]).resized((2**40, 2))


def test_another_order_of_bytes_changes_no_number():
    # scipy lets it in, and computes nothing with it.
    data = np.array([[[300]], [[1]], [[2]]], dtype=">i4")
    places = np.array([0, 0, 1]), np.array([0, 2, 3])
    for matrix in (
        CSR((data.ravel(), *places), (2, 2)),
        sparse.csc_array((data.ravel(), *places), (2, 2)).T,
    ):
        assert not matrix.dtype.isnative
        assert CountMatrix.from_sparse(matrix).dense().tolist() == [[301, 0], [0, 2]]
    diagonals = sparse.dia_array((np.array([[1, 300, 9]], ">i4"), np.array([1], ">i8")), (2, 2))
    assert CountMatrix.from_sparse(diagonals).dense().tolist() == [[0, 300], [0, 0]]


def test_whole_multiples_are_exact_or_refused():
    counts = CountMatrix.from_dense([[2**53 + 1, 1]])
    assert (3 * counts).dense().tolist() == [[3 * 2**53 + 3, 3]]
    assert (0 * counts).nnz == 0
    assert (0.5 * CountMatrix.from_dense([[2, 3]])).dense().tolist() == [[1, 1.5]]
    with pytest.raises(ValueError, match=r"less than 2\*\*63"):
        1024 * counts
    with pytest.raises(ValueError, match="counts have the value 9007199254740993: floats"):
        counts + CountMatrix.from_dense([[0, 0.5]])


def test_counts_cannot_be_changed_under_what_is_derived_from_them():
    counts = CountMatrix.from_dense(np.eye(3))
    with pytest.raises(AttributeError, match="cannot assign to field 'k'"):
        counts.k = 3
    derived = [
        name for name, kind in vars(CountMatrix).items() if isinstance(kind, cached_property)
    ]
    arrays = [getattr(counts, name) for name in ("indptr", "outcomes", "values", *derived)]
    for array in (array for array in arrays if isinstance(array, np.ndarray)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
