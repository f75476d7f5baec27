"""
Counts in shards
================

Parts are counted wherever they are; :func:`condprob.add_shards` adds them up on disk, holding some
rows at a time.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from condprob import CountMatrix, add_shards, cross_entropy, draw_model, method, sample_counts

model = draw_model(k=300, rank=5, rows="power-law", exponent=1.5, seed=0)
test = sample_counts(model, 5000, seed=99)
losses = []
with TemporaryDirectory() as folder:
    shards = [Path(folder, f"shard-{part}.npz") for part in range(8)]
    for part, shard in enumerate(shards):
        sample_counts(model, 3000, seed=part).save(shard)
    for many in range(1, 9):
        total = add_shards(shards[:many], Path(folder, f"first-{many}.npz"))
        losses.append(cross_entropy(test, method("kn").fit(total)))
    again = CountMatrix.load(Path(folder, "first-8.npz"), mmap=True)
    print(f"{again.n:,} pairs in a file of", Path(folder, "first-8.npz").stat().st_size, "bytes")
    del again, total

figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
axes.plot(range(1, 9), losses, marker="o")
axes.set(xlabel="shards", ylabel="nats per pair of a test")
plt.show()
