"""
What a fit returns
==================

Every fit to pairs is a :class:`condprob.ConditionalMatrix`, and every fit a
:class:`condprob.ConditionalModel`: it has rows, single cells, samples and a file. Inside it keeps
what its method needs, here by the size of the file.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from condprob import (
    ConditionalMatrix,
    Estimator,
    LinkedMatrix,
    LogLinearMatrix,
    LowRankMatrix,
    MixtureMatrix,
    PosteriorMatrix,
    SparsePlusLowRank,
    draw_model,
    load,
    method,
    sample_counts,
)

counts = sample_counts(draw_model(k=100, rank=3, seed=0), 3000, seed=1)
estimators: dict[type[ConditionalMatrix], Estimator] = {
    SparsePlusLowRank: method("kn"),
    LowRankMatrix: method("ad-lr", rank=3, iterations=20),
    MixtureMatrix: method("kn-ad-lr", rank=3, iterations=20),
    PosteriorMatrix: method("hpy"),
    LinkedMatrix: method("mf-sgd"),
    LogLinearMatrix: method("ll-l2", penalty=0.1),
}
sizes = {}
for kind, estimator in estimators.items():
    matrix = estimator.fit(counts, seed=0)
    assert isinstance(matrix, kind)
    with TemporaryDirectory() as folder:
        path = Path(folder, "fit.npz")
        matrix.save(path)
        sizes[kind.__name__] = path.stat().st_size / 1000
        assert (load(path).rows([0]) == matrix.rows([0])).all()
    print(f"{kind.__name__}: {matrix.ended}, sums to {matrix.rows([0]).sum():.12f}")

figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.barh(list(sizes), list(sizes.values()))
axes.set(xlabel="kilobytes on disk; all 10,000 cells would be 80")
plt.show()
