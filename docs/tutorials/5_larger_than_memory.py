"""
Larger than memory: shards, files and checkpoints
=================================================

Pairs are counted in parts, the parts are added up on disk, and a fit reads them from there and can
be interrupted. The sizes here are small; the steps are those of large data. :doc:`The guide
</docs/large>` counts with DuckDB and Dask.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

from condprob import Checkpoint, CountMatrix, add_shards, method

folder = TemporaryDirectory()
place = Path(folder.name)

# %%
# Each part is counted by itself, on whatever machine, and saved.

rng = np.random.default_rng(0)
shards = []
for part in range(4):
    contexts = rng.zipf(1.3, size=20_000) % 1000
    outcomes = (contexts * 7 + rng.zipf(1.5, size=20_000)) % 1000
    shards.append(place / f"shard-{part}.npz")
    CountMatrix.from_pairs(contexts, outcomes, k=1000).save(shards[-1])

# %%
# ``add_shards`` holds some rows at a time. The arrays of what it returns stay on disk.

total = add_shards(shards, place / "total.npz")
print(f"{total.n:,} pairs, {total.nnz:,} distinct; {type(total.values).__name__} on disk")

# %%
# A fit reads the counts pass by pass. With a checkpoint, whatever ends it, the same call goes on
# from the file: here it was asked for 20 iterations first, and then for 40.

counts = CountMatrix.load(place / "total.npz", mmap=True)
saved = Checkpoint(place / "fit.npz", seconds=600)
short = method("ad-lr", rank=5, iterations=20).fit(counts, seed=0, checkpoint=saved)
longer = method("ad-lr", rank=5, iterations=40).fit(counts, seed=0, checkpoint=saved)
at_once = method("ad-lr", rank=5, iterations=40).fit(counts, seed=0)
print("the numbers of a fit that was not interrupted:", np.array_equal(longer.H, at_once.H))

# %%
# The course of the objective, with the place where it was taken up.

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.plot(longer.history, label="went on")
axes.plot(short.history, linewidth=4, alpha=0.5, label="asked for first")
axes.set(xlabel="iteration", ylabel="objective, nats per pair")
axes.legend()
plt.show()

folder.cleanup()
