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
# This notebook computes nothing. It reads `results/`, or `results/reference/`, which comes with the
# code, for files that were not made here. It starts with the run, goes on to the verdicts, and
# follows one number back to its source.
#
# The outputs below are those of a finished `make reproduce` and `make readings`.

# %% tags=["of-one-run"]
import contextlib
import io
import json
from pathlib import Path

import pandas as pd
from IPython.display import HTML, Image, Markdown, display
from PIL import Image as Picture

from reproduction.config import load_config
from reproduction.exhibits.printing import print_table
from reproduction.verify import verify

TOP = next(
    folder for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "Snakefile").exists()
)
REFERENCE = TOP / "results" / "reference"
PAPER = "near_optimal"  # the target of the paper, and its folder of results
PROVENANCE = f"{PAPER}/provenance.json"
RESULTS = TOP / "results" if (TOP / "results" / PROVENANCE).exists() else REFERENCE
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
    with Picture.open(find(f"{PAPER}/exhibits/{name}.png")) as picture, io.BytesIO() as small:
        picture.convert("RGB").quantize(64).save(small, "PNG", optimize=True)
        display(Image(small.getvalue(), width=760))


# %% [markdown]
# ## The run
#
# The machine and the code of the run:

# %% tags=["of-one-run"]
provenance = json.loads((RESULTS / PROVENANCE).read_text(encoding="utf-8"))
run = provenance["machine"] | {key: provenance[key] for key in ("blas", "seed", "git", "written")}
show(pd.Series(run).to_frame(""), header=False)

# %% tags=["of-one-run"]
show(pd.Series(provenance["versions"]).to_frame(""), header=False)

# %% [markdown]
# The texts, with the first digits of their SHA-256. A text that was not available has the reason.

# %% tags=["of-one-run"]
texts = pd.DataFrame(provenance["corpora"]).T
texts["content_sha256"] = texts["content_sha256"].str[:12]
show(texts.drop(columns=["at_hand", "sha256"], errors="ignore"))

# %% [markdown]
# The time of each rule in seconds: on the clock, of its longest job, and of the processor. Memory
# is the most of a job, in MB.

# %% tags=["of-one-run"]
show(pd.DataFrame(provenance["run_time"]).T.astype({"jobs": int}), digits=1)

# %% [markdown]
# ## Which claims hold?
#
# Each claim of the paper was written down with its criterion before it was judged. Reviews changed
# some criteria later: docs/reproduction.md lists them.

# %%
claims = read(f"{PAPER}/claims").set_index("id")
claims["verdict"].value_counts().to_frame()

# %% [markdown]
# The claims that do not hold, or are reproduced only partially:

# %%
doubtful = claims[~claims["verdict"].isin(["reproduced", "not testable"])]
columns = ["place", "statement", "verdict", "measured", "low", "high", "reason"]
show(doubtful[columns])

# %% [markdown]
# Each claim is judged under three settings; the verdict above is that under the last. The claims
# whose verdict depends on the setting:

# %%
settings = ["textbook", "best match", "strongest baseline"]
depends = claims[settings].nunique(axis=1) > 1
show(claims.loc[depends, ["statement", *settings]])

# %% [markdown]
# ## Table 1
#
# Our numbers, with the standard deviation over random starts, and the paper's in brackets.

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
# Figure 1(a) as captioned, beside the printed axis. Uniform rows of $B$ cannot reach that scale;
# power-law rows do.

# %%
look_at("figure-1a")

# %%
look_at("figure-1a-power-law")

# %% [markdown]
# Figure 1(b) has much data for a small matrix. The best method at each size, and the share of
# trials in which its fit had converged:

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
# backoff, in nats per word, so their difference is the gain of AD-LR: over the strongest variant
# with the paper's discount (`kn`), and over the textbook's (`kn-uniform`).

# %%
learning = read(f"{PAPER}/exhibits/figure-2a").pivot_table("difference", "n", "method")
gains = {f"gain over {kn}": learning[kn] - learning["ad-lr"] for kn in ("kn", "kn-uniform")}
show(learning.assign(**gains))

# %%
look_at("figure-2a")

# %% [markdown]
# The share of starts that had converged, so that the last iteration hardly changed the objective:

# %%
converged = read(f"{PAPER}/exhibits/figure-2a").pivot_table("converged", "n", "method")
show(converged[["ad-lr", "ad-lr-random"]], digits=2)

# %% [markdown]
# The paper does not name its variant of Kneser-Ney. The table compares each with AD-LR on 22 texts
# that the paper never saw: AD-LR minus KN in nats per word, with a 95 % interval over texts,
# stretches of text and starts. `ahead` and `clear` count the texts on which AD-LR is better, and
# significantly better. `strongest` is the best variant on each text.

# %%
replication = read("readings/exhibits/replication")
whole = replication[(replication["collection"] == "all") & (replication["ad_lr"] == "ad-lr")]
whole = whole.astype({"texts": int, "ahead": int, "clear": int})
columns = ["kn", "difference", "low", "high", "texts", "ahead", "clear"]
show(whole[columns], digits=3, index=False)

# %% [markdown]
# ## How far do the claims of Table 1 depend on what the paper leaves open?
#
# Each defensible setting of the texts, of Kneser-Ney and of the start makes one difference, AD-LR
# minus Kneser-Ney in nats per word: below zero AD-LR is better. The table has their range on each
# text, and the share of settings in which AD-LR is better. Shares are not probabilities: nobody
# knows how likely a setting is.

# %%
specification = find("readings/exhibits/specification.csv")
curve = pd.read_csv(specification) if specification.exists() else pd.DataFrame()
if len(curve):
    of_text = curve.dropna(subset=["difference"]).groupby("corpus", sort=False)["difference"]
    ranges = of_text.agg(["size", "min", "median", "max"])
    summary = show(ranges.assign(share_better=of_text.agg(lambda gaps: (gaps < 0).mean())))
else:
    summary = Markdown("`make readings` makes this table.")
summary

# %% [markdown]
# Three of these settings are those of the verdicts:

# %%
if len(curve):
    marked = curve.dropna(subset=["setting"])
    three = marked.pivot_table("difference", "corpus", "setting", sort=False)
    summary = show(three)
summary

# %% [markdown]
# ## Follow a number back
#
# A cell of Table 1 is a row of its CSV: a mean over starts. The rule `score` wrote the file below
# it, with the loss on each stretch of test text.

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
# ## The same on another machine
#
# `make verify` makes this comparison: each cell with the reference, within its stated tolerance.

# %% tags=["of-one-run"]
with contextlib.chdir(TOP):  # so that what is printed names folders of the project
    verified = verify(RESULTS.relative_to(TOP), REFERENCE.relative_to(TOP), [PAPER])
