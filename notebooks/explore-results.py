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
# Nothing is computed here that the pipeline has not computed: this notebook reads `results/`, and
# what is not there from the `results/reference/` that comes with the code. Start with what the run
# was, go on to the verdicts, and then follow one number back to where it comes from.
#
# The outputs below are those of a finished `make reproduce` and `make readings`.

# %% tags=["of-one-run"]
from pathlib import Path

import pandas as pd
from IPython.display import HTML, Image, Markdown, display

from reproduction.config.files import load_config
from reproduction.exhibits.printing import print_table
from reproduction.page.pictures import reduce_png
from reproduction.trust.manifest import MANIFEST, check_files, read_manifest
from reproduction.trust.verify import compare

TOP = next(
    folder for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "Snakefile").exists()
)
REFERENCE = TOP / "results" / "reference"
PAPER = "near_optimal"  # the target of the paper, and its folder of results
RESULTS = TOP / "results" if (TOP / "results" / PAPER / MANIFEST).exists() else REFERENCE
print(f"reading {RESULTS.relative_to(TOP)}")


def find(name):
    """Return the path of a result, or of its copy in the reference if it was not computed here."""
    return RESULTS / name if (RESULTS / name).exists() else REFERENCE / name


def read(name):
    """Read a table of the results."""
    return pd.read_csv(find(f"{name}.csv"))


def show(table, digits=4, **form):
    """Show a table; a cell without a value stays empty."""
    return HTML(table.to_html(na_rep="", float_format=f"{{:.{digits}f}}".format, **form))


def look_at(name):
    """Show the figure of an exhibit."""
    display(Image(reduce_png(find(f"{PAPER}/exhibits/{name}.png")), width=760))


# %% [markdown]
# ## What made them
#
# Are the files those that the run left? (Changed, missing and extra files would be named.)

# %%
check_files(RESULTS)

# %% tags=["of-one-run"]
provenance = read_manifest(RESULTS / PAPER / MANIFEST)["provenance"]
run = provenance["machine"] | {key: provenance[key] for key in ("blas", "seed", "git", "written")}
show(pd.Series(run).to_frame(""), header=False)

# %% tags=["of-one-run"]
show(pd.Series(provenance["versions"]).to_frame(""), header=False)

# %% [markdown]
# The texts, with the first digits of their hashes (SHA-256; the manifest has the whole). One that
# could not be had says why.

# %% tags=["of-one-run"]
texts = pd.DataFrame(provenance["corpora"]).T
texts["content_sha256"] = texts["content_sha256"].str[:12]
show(texts.drop(columns=["at_hand", "sha256"], errors="ignore"))

# %% [markdown]
# Where the time went, in seconds: by the clock, the longest job of each rule, and the processor's.
# The most memory of a job is in MB.

# %% tags=["of-one-run"]
show(pd.DataFrame(provenance["run_time"]).T.astype({"jobs": int}), digits=1)

# %% [markdown]
# ## Which claims hold?
#
# Every checkable statement of the paper was written down with its criterion before it was judged.

# %%
claims = read(f"{PAPER}/claims").set_index("id")
claims["verdict"].value_counts().to_frame()

# %% [markdown]
# Those that do not hold, or not quite, are the interesting ones. What was claimed, and what
# was found?

# %%
doubtful = claims[~claims["verdict"].isin(["reproduced", "not testable here"])]
columns = ["place", "statement", "verdict", "reproduced", "low", "high", "reason"]
show(doubtful[columns])

# %% [markdown]
# And does a verdict depend on how the paper is read? Some claims were judged under other readings
# as well. Here are those whose verdict changes under one:

# %%
readings = read(f"{PAPER}/claims-readings")
verdicts = readings.pivot_table("verdict", "id", "reading", aggfunc="first", sort=False)
others = [reading for reading in verdicts if reading != "default"]
turned = verdicts[others].ne(verdicts["default"], axis=0) & verdicts[others].notna()
show(verdicts[turned.any(axis=1)])

# %% [markdown]
# ## Table 1
#
# Ours, with the standard deviation over starts where there is chance in it, and in brackets what
# the paper printed.

# %%
table = read(f"{PAPER}/exhibits/table-1")
methods = load_config([TOP / "config.yaml"])["methods"]
shown = {name: methods[name] for name in table["method"].dropna().unique()}
Markdown(print_table(table, shown, "markdown"))

# %% [markdown]
# The largest differences from the printed values, in nats per word:

# %%
printed = table.dropna(subset=["paper"]).sort_values("error", key=abs, ascending=False)
show(printed[["corpus", "method", "mean", "sd", "paper", "error"]].head(8), index=False)

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
# In Figure 1(b) there is much data for a small matrix. Who is lowest at each size, and in which
# share of the trials had its fit converged?

# %%
curve = read(f"{PAPER}/exhibits/figure-1b")
lowest = curve.loc[curve.groupby("n")["mean"].idxmin()]
show(lowest[["n", "method", "mean", "low", "high", "trials", "converged"]], index=False)

# %%
look_at("figure-1b")

# %% [markdown]
# ## By how much is AD-LR better than Kneser-Ney?
#
# On real text, against the number of training words. The first columns are differences from stupid
# backoff, in nats per word, so their difference is the gain of AD-LR: over the strongest Kneser-Ney
# (`kn`), and over the textbook's (`kn-uniform`).

# %%
learning = read(f"{PAPER}/exhibits/figure-2a").pivot_table("difference", "n", "method")
gains = {f"gain over {kn}": learning[kn] - learning["ad-lr"] for kn in ("kn", "kn-uniform")}
show(learning.assign(**gains))

# %%
look_at("figure-2a")

# %% [markdown]
# Had the fits converged? The share of starts whose last iteration hardly moved the objective:

# %%
converged = read(f"{PAPER}/exhibits/figure-2a").pivot_table("converged", "n", "method")
show(converged[["ad-lr", "ad-lr-random"]], digits=2)

# %% [markdown]
# The paper does not say which Kneser-Ney it used. Each variant, against AD-LR, on 22 texts that the
# paper never saw: KN minus AD-LR in nats per word, above zero where AD-LR is better, with a 95 %
# interval over texts, stretches of text and starts; on how many of the texts AD-LR is ahead, and
# on how many clearly. `strongest` is, on each text, the best of the variants on that very text.

# %%
replication = read("readings/exhibits/replication")
whole = replication[(replication["collection"] == "all") & (replication["ad_lr"] == "ad-lr")]
whole = whole.astype({"texts": int, "ahead": int, "clear": int})
columns = ["kn", "difference", "low", "high", "texts", "ahead", "clear"]
show(whole[columns], digits=3, index=False)

# %% [markdown]
# ## How far do the claims of Table 1 depend on what the paper leaves open?
#
# The share of defensible readings in which each claim holds, for each text; and the choice that
# most often turns it. Shares are not probabilities: nobody knows how likely each reading is.

# %%
shares = read("readings/shares")
order = shares["statement"].unique(), shares["corpus"].unique()
show(shares.pivot(index="statement", columns="corpus", values="share").loc[order], digits=2)

# %%
show(shares.pivot(index="statement", columns="corpus", values="flipped_by").loc[order])

# %% [markdown]
# ## Follow a number back
#
# Take one cell of Table 1. Its CSV row is a mean over starts of a file of scores, which the rule
# `score` wrote: the loss on each stretch of test text.

# %% tags=["of-one-run"]
row = table.dropna(subset=["mean"]).iloc[-1]
name = f"{row['corpus']}-train-m{row['rank']:.0f}.csv"
scores = RESULTS / PAPER / "scores" / "table-1" / name
if scores.exists():
    parts = pd.read_csv(scores).query("method == @row['method']")
    sums = parts.groupby("seed")[["loss", "pairs"]].sum()
    print(f"{row['method']} on {row['corpus']}, from {scores.relative_to(TOP)}")
    print(f"in the table:    {row['mean']:.9f}")
    print(f"from the scores: {(sums['loss'] / sums['pairs']).mean():.9f}")
else:
    print(f"{RESULTS.relative_to(TOP)} holds no scores; `make reproduce` computes them")

# %% [markdown]
# ## Would another machine say the same?
#
# The comparison that `make verify` makes: cell by cell with the reference, each within its stated
# tolerance.

# %% tags=["of-one-run"]
comparisons, notes = compare(RESULTS, REFERENCE)
print(*comparisons, *notes, sep="\n")
