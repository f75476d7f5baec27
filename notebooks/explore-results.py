# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The results, as a reviewer would go through them
#
# Nothing is computed here that the pipeline has not computed: this notebook reads `results/`, or,
# before the first run, the `results/reference/` that comes with the code. Start with what the
# run was, go on to the verdicts, and then follow one number back to where it comes from.

# %%
from pathlib import Path

import pandas as pd
from IPython.display import Image, Markdown, display

from reproduction.config.files import load_config
from reproduction.exhibits.tables import print_table
from reproduction.trust.manifest import MANIFEST, check_files, read_manifest
from reproduction.trust.verify import compare

pd.set_option("display.max_colwidth", 110)
TOP = next(
    folder for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "Snakefile").exists()
)
RESULTS, REFERENCE = TOP / "results", TOP / "results" / "reference"
if not (RESULTS / MANIFEST).exists():
    RESULTS = REFERENCE
MANIFESTED = read_manifest(RESULTS / MANIFEST)
provenance = MANIFESTED["provenance"]
print(f"reading {RESULTS.relative_to(TOP)}")


def read(name):
    """Read a table of the results."""
    return pd.read_csv(RESULTS / f"{name}.csv")


def look_at(name):
    """Show a figure of the results."""
    display(Image(RESULTS / f"{name}.png", width=760))


# %% [markdown]
# ## What made them
#
# Are the files those that the run left? (Changed, missing and extra files would be named.)

# %%
check_files(RESULTS)

# %%
machine = provenance["machine"] | {"simd": " ".join(provenance["machine"]["simd"])}
pd.Series(machine | {key: provenance[key] for key in ("blas", "seed", "git", "written")}).to_frame(
    ""
)

# %%
pd.Series(provenance["versions"], name="version").to_frame()

# %% [markdown]
# The texts, with the hashes of what was read. One that could not be had says why.

# %%
texts = pd.DataFrame(provenance["corpora"]).T
texts.drop(columns="sha256", errors="ignore")

# %% [markdown]
# Where the time went, in seconds of the processor; by the clock, the longest job of each rule:

# %%
pd.DataFrame(provenance["run_time"]).T

# %% [markdown]
# ## Which claims hold?
#
# Every checkable statement of the paper was written down with its criterion before it was judged.

# %%
claims = read("claims").set_index("id")
claims["verdict"].value_counts().to_frame()

# %% [markdown]
# Those that do not hold, or not quite, are the interesting ones. What was claimed, and what
# was found?

# %%
doubtful = claims[~claims["verdict"].isin(["reproduced", "not testable here"])]
doubtful[["place", "statement", "verdict", "reproduced", "low", "high", "reason"]]

# %% [markdown]
# And does a verdict depend on how the paper is read? Some claims were judged under other readings
# as well.

# %%
claims.loc[claims["other_readings"].notna(), ["verdict", "other_readings"]]

# %% [markdown]
# ## Table 1
#
# Ours, with the standard deviation over starts where there is chance in it, and in brackets what
# the paper printed.

# %%
table = read("table-1")
methods = load_config([TOP / "config.yaml"])["methods"]
shown = {name: methods[name] for name in table["method"].dropna().unique()}
Markdown(print_table(table, shown, "markdown"))

# %% [markdown]
# The largest differences from the printed values, in nats per word:

# %%
printed = table.dropna(subset=["paper"]).sort_values("error", key=abs, ascending=False)
printed[["corpus", "method", "mean", "sd", "paper", "error"]].head(8)

# %%
look_at("table-1")

# %% [markdown]
# ## Synthetic data, where the truth is known
#
# Figure 1(a) as its caption has it, beside the axis that the paper printed. Uniform rows of $B$
# cannot reach that scale; power-law rows do.

# %%
look_at("figure-1a")

# %%
look_at("figure-1a-power-law")

# %% [markdown]
# In Figure 1(b) there is much data for a small matrix. Who is lowest at each size?

# %%
curve = read("figure-1b")
curve.loc[curve.groupby("n")["mean"].idxmin(), ["n", "method", "mean", "low", "high", "trials"]]

# %%
look_at("figure-1b")

# %% [markdown]
# ## By how much is AD-LR better than Kneser-Ney?
#
# On real text, against the number of training words. Both columns are differences from stupid
# backoff, in nats per word, so their difference is what we are after.

# %%
learning = read("figure-2a").pivot_table("difference", "n", "method")
learning.assign(gain=learning["kn"] - learning["ad-lr"])

# %%
look_at("figure-2a")

# %% [markdown]
# Are the fits done? The share of starts whose objective had come to rest:

# %%
read("figure-2a").pivot_table("converged", "n", "method")

# %% [markdown]
# ## Follow a number back
#
# Take one cell of Table 1. Its CSV row is a mean over starts of a file of scores, which the rule
# `score_text` wrote: the loss on each stretch of test text.

# %%
row = table.dropna(subset=["mean"]).iloc[-1]
scores = RESULTS / "scores" / "table-1" / f"{row['corpus']}-train-m{row['rank']:.0f}.csv"
if scores.exists():
    parts = pd.read_csv(scores).query("method == @row['method']")
    sums = parts.groupby("seed")[["loss", "pairs"]].sum()
    print(f"in the table:    {row['mean']:.9f}")
    print(f"from the scores: {(sums['loss'] / sums['pairs']).mean():.9f}")
else:
    print(f"{RESULTS.relative_to(TOP)} holds no scores; `make reproduce` computes them")

# %% [markdown]
# ## Would another machine say the same?
#
# The comparison that `make verify` makes: cell by cell with the reference, each within its stated
# tolerance.

# %%
if (REFERENCE / MANIFEST).exists():
    comparisons, notes = compare(RESULTS, REFERENCE)
    print(*comparisons, *notes, sep="\n")
