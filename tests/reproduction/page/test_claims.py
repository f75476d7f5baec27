"""Numbers of claims in print, by hand."""

from math import inf, nan
from types import SimpleNamespace

import pytest

from reproduction.page.claims import (
    describe_verdict,
    format_interval,
    format_measured,
    format_published,
    format_tolerance,
)


@pytest.mark.parametrize(
    ("test", "numbers", "measured", "interval"),
    [
        ("order", (0.25, 0.125, 0.5), "0.2500", "0.1250 to 0.5000"),
        ("cell", (0.25, nan, 0.5), "0.2500", ""),
        ("minimum", (30, 20, 1400), "m = 30", "20 to 1,400"),
        ("words", (38240, nan, nan), "38,240", ""),
        ("axis", (nan, 0.0125, 10), "0.0125 to 10", ""),
        ("theory", (5e-10, nan, nan), "0", ""),
        ("theory", (-0.25, nan, nan), "-0.25", ""),
        ("theory", (4e-5, nan, nan), "4 \N{MULTIPLICATION SIGN} 10^-5", ""),
        ("theory", (0.0, nan, nan), "0", ""),
        ("order", (nan, nan, nan), "", ""),
    ],
)
def test_the_measured_number_and_its_interval(test, numbers, measured, interval):
    row = dict(zip(("measured", "low", "high"), numbers, strict=True))
    assert (format_measured(row, test), format_interval(row, test)) == (measured, interval)


@pytest.mark.parametrize(
    ("published", "tolerance", "text"),
    [(5.7, 0.005, "± 0.005"), (38240.0, 1000.0, "± 1,000"), (nan, 0.25, ""), (0.1, nan, "")],
)
def test_how_near_is_near_enough(published, tolerance, text):
    assert format_tolerance({"published": published, "tolerance": tolerance}) == text


@pytest.mark.parametrize(
    ("test", "value", "text"),
    [
        ("axis", nan, "1 to 50"),
        ("theory", inf, "infinite"),
        ("theory", 0.0, "0"),
        ("theory", 0.5, "≤ 0.5"),
        ("theory", 4e-5, "≤ 4 \N{MULTIPLICATION SIGN} 10^-5"),
        ("theory", nan, ""),
        ("words", 38240.0, "38,240"),
        ("growth", -0.5, "slope -0.5"),
        ("size", 2.0, "≥ 2"),
        ("cell", 5.7555, "5.7555"),
        ("order", nan, ""),
    ],
)
def test_the_number_of_the_paper(test, value, text):
    claim = SimpleNamespace(test=test, tolerance=nan, settings={"ends": (1, 50)})
    assert format_published({"published": value}, claim) == text


def test_a_verdict_has_the_difference_that_it_rests_on_or_else_its_reason():
    row = dict.fromkeys(("measured", "low", "high", "points", "better", "order"), nan)
    row |= {"setting": "as printed", "verdict": "reproduced", "reason": "no network", "n": 5000}
    assert describe_verdict(row, "order", {})["reason"] == "no network"
    row |= {"better": "kn", "worse": "ad"}
    reason = describe_verdict(row, "order", {"ad": "AD"})["reason"]
    assert reason.endswith(": AD minus kn at n = 5,000")
