"""What every model draws and lists: labels by inversion of a row, and the likeliest."""

import numpy as np
import pytest

from condprob import method
from condprob.model import draw_by_inversion


def test_a_draw_is_where_the_steps_of_its_row_pass_the_number():
    rows = np.array([[1 / 2, 1 / 4, 1 / 4], [0, 1, 0], [0, 0, 1]])
    which = np.array([0, 0, 0, 0, 0, 0, 1, 1, 2, 2])
    uniforms = np.array([0, 0.49, 0.5, 0.74, 0.75, 0.999, 0, 0.999, 0, 0.999])
    drawn = draw_by_inversion(rows, which, uniforms)
    assert drawn.tolist() == [0, 0, 1, 1, 2, 2, 1, 1, 2, 2]


def test_no_draw_falls_off_the_end_of_a_row_that_sums_to_a_rounding_less():
    rows = np.full((3, 7), 1 / 7) * (1 - 1e-12)
    drawn = draw_by_inversion(rows, np.arange(3), np.full(3, np.nextafter(1, 0)))
    assert drawn.tolist() == [6, 6, 6]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 9])
def test_the_likeliest_come_first_and_the_smaller_number_among_equals(n):
    # Add-1/2 of (0, 2, 0, 1) is (1, 5, 1, 3) / 10.
    outcomes, probabilities = method("add-half").fit([[0, 2, 0, 1]]).top(0, n)
    assert outcomes.tolist() == [1, 3, 0, 2][:n]
    np.testing.assert_allclose(probabilities, [0.5, 0.3, 0.1, 0.1][:n])
