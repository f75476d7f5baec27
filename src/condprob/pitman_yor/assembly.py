"""The matrix of what was learned and fitted: rows around any bases, with what is new among them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from condprob.counts import CountMatrix
from condprob.pitman_yor.bases import FittedBase
from condprob.pitman_yor.matrix import PitmanYorMatrix
from condprob.pitman_yor.novelty import add_novelty
from condprob.pitman_yor.rows import BINS, bin_of, mix, rows_around, three_discounts
from condprob.pitman_yor.settings import Learned


def assemble(
    counts: CountMatrix,
    names: Sequence[str],
    fits: Sequence[Sequence[FittedBase]],
    learned: Learned,
    novelty: float,
    **told: Any,
) -> PitmanYorMatrix:
    """Return the matrix of fits to all the counts.

    Parameters
    ----------
    counts : CountMatrix
    names : sequence of str
        Of the components.
    fits : sequence of sequences of FittedBase
        Of each component, which is their mean.
    learned : Learned
    novelty : float
        How much of what `novelty.novel_shares` says is moved to outcomes never seen.
    **told
        What else the matrix has.
    """
    bins, novel = bin_of(counts.row_sums), np.zeros(BINS.size + 1)
    around = rows_around(counts, learned.strength, learned.discount)
    has_entries = not np.isinf(learned.strength)
    rows = mix(around, fits, learned.shares[bins], has_entries=has_entries)
    if novelty:
        rows, novel = add_novelty(counts, rows, bins, novel.size, novelty)
    return PitmanYorMatrix.on_pattern(
        counts,
        rows.left,
        np.asfortranarray(rows.right),
        rows.entries,
        strength=float(learned.strength),
        discounts=three_discounts(counts, learned.strength, learned.discount),
        components=np.array(names),
        shares=learned.shares,
        bins=BINS,
        novel=novel,
        history=_histories(fits),
        **told,
    )


def _histories(fits):
    """Return those of all fits, shape (components, starts, longest): see `PitmanYorMatrix`."""
    longest = max(base.history.size for of_component in fits for base in of_component)
    starts = max(map(len, fits))
    found = np.full((len(fits), starts, longest), np.nan)
    for b, of_component in enumerate(fits):
        for start, base in enumerate(of_component):
            found[b, start, : base.history.size] = base.history
    return found
