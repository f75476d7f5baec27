"""The numbers that the README and docs/reproduction.md tell are those of results/reference."""

import re
from pathlib import Path

import coverage_of_intervals as coverage
import numpy as np
import pandas as pd
import pytest

from reproduction.config.files import load_config
from reproduction.exhibits.printing import print_table

TOP = Path(__file__).parents[2]
REFERENCE = TOP / "results" / "reference"
README, PAGE = (
    (TOP / path).read_text(encoding="utf-8") for path in ("README.md", "docs/reproduction.md")
)
OF_OURS = ("beyond.md", "beyond-tables.md")
BEYOND = "".join((TOP / "docs" / name).read_text(encoding="utf-8") for name in OF_OURS)
VARIANTS = re.findall(r"^\| `(kn[a-z-]*)` \| .* \| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def replication():
    """AD-LR from clusters against each variant of Kneser-Ney, over all texts; by the variant."""
    table = pd.read_csv(REFERENCE / "readings" / "exhibits" / "replication.csv")
    over_all = table[(table["collection"] == "all") & (table["ad_lr"] == "ad-lr")]
    return over_all.set_index("kn")


def told(row):
    return f"{row.difference:.3f} [{row.low:.3f}, {row.high:.3f}]"


def test_readme_counts_the_verdicts():
    claims = pd.read_csv(REFERENCE / "near_optimal" / "claims.csv")
    assert (claims["by"] == "source").all()
    counts = claims["verdict"].value_counts()
    order = ("reproduced", "trend only", "not reproduced", "not testable here")
    found = re.search(
        r"Of (\d+) checkable.*?\*\*(\d+) are reproduced, (\d+) in\s+trend only,\s+(\d+) not,\s+"
        r"and\s+(\d+) cannot be tested here", README, re.DOTALL,
    )  # fmt: skip
    assert [int(count) for count in found.groups()] == [
        counts.sum(),
        *(counts[verdict] for verdict in order),
    ]


def test_table_of_kneser_neys_variants(replication):
    assert len(VARIANTS) == 5
    for name, ahead, average in VARIANTS:
        row = replication.loc[name]
        assert ahead == f"{row.ahead:.0f} ({row.clear:.0f})"
        assert average == told(row)


def test_readme_tells_what_the_table_says(replication):
    text = " ".join(README.split())
    nearest, strongest = replication.loc["kn-nearest"], replication.loc["strongest"]
    assert nearest.ahead == nearest.texts == 22
    assert f"clearly on {nearest.clear:.0f}, by {nearest.difference:.3f} on average" in text
    assert f"[{nearest.low:.3f}, {nearest.high:.3f}]" in text
    assert f"ahead on all 22, by {told(replication.loc['kn-uniform'])}" in text
    assert strongest.clear == 0
    behind = f"{-strongest.difference:.3f} on average [{-strongest.high:.3f}, {-strongest.low:.3f}]"
    assert f"behind by {behind}" in text


def test_table_1_is_printed_as_the_run_prints_it():
    config = load_config([TOP / "config.yaml"])
    table = pd.read_csv(REFERENCE / "near_optimal" / "exhibits" / "table-1.csv")
    methods = {name: config["methods"][name] for name in config["exhibits"]["table-1"]["methods"]}
    printed, _, notes = print_table(table, methods, "markdown").partition("\n\n")
    assert printed in PAGE
    for shares in re.findall(r"\d+ to \d+ %", notes):
        assert shares in PAGE


def test_the_table_of_our_own_estimator_is_printed_as_the_run_prints_it():
    """Of the methods that the reference has."""
    files = [TOP / "config.yaml", TOP / "workflow" / "studies" / "beyond" / "config.yaml"]
    config, page = load_config(files), BEYOND
    table = pd.read_csv(REFERENCE / "beyond" / "exhibits" / "beyond-text.csv")
    methods = {name: config["methods"][name] for name in table["method"].unique()}
    assert print_table(table, methods, "markdown").partition("\n\n")[0] in page


def read_full(name):
    """One table of `beyond_full`, and the page that tells of it."""
    page = BEYOND
    return pd.read_csv(REFERENCE / "beyond_full" / name), page


def test_what_a_sceptic_builds_is_told_as_the_large_run_found_it():
    table, page = read_full("exhibits/beyond-rivals.csv")
    rows = {"kn-ad-lr-learned": "the fair one", "kn-ad-lr-learned-gt": r"the fair one with \(4\)",
            "gibbs-rows": "Gibbs samples in PY-LR's rows", "py-lr": "PY-LR"}  # fmt: skip
    section = page.partition("`beyond-rivals` of")[2]
    for method, label in rows.items():
        told = re.search(rf"^\| {label} \| (.*) \|$", section, re.M).group(1).replace("*", "")
        means = table[table["method"] == method].set_index("corpus")
        assert told.split(" | ") == [
            f"{means['mean'][corpus]:.4f} ± {means['sd'][corpus]:.4f}"
            for corpus in ("tartuffe", "genesis", "brown", "pydoc")
        ]


def test_the_spread_over_seeds_is_told_as_the_large_run_found_it():
    table, page = read_full("exhibits/beyond-seeds.csv")
    told = re.findall(r"^\| (\w+), ([\d,]+) \| ([\d.]+) \| ([\d.]+) \| (\.\d+) \|", page, re.M)
    assert len(told) == 6
    for corpus, words, rival, mean, spread in told:
        n = int(words.replace(",", ""))
        row = table[(table["corpus"] == corpus) & (table["n"] == n)].set_index("method")
        assert f"{row['mean']['kn-modified']:.3f}" == rival
        assert (f"{row['mean']['py-lr']:.3f}", f"{row['sd']['py-lr']:.4f}"[1:]) == (mean, spread)
    ours = table[table["method"] == "py-lr"]
    assert f"{ours['sd'].max():.4f}"[1:] == ".0039"


def test_verdicts_of_the_large_run_are_counted():
    claims, page = read_full("claims.csv")
    counts = claims["verdict"].value_counts()
    told = (
        f"Of its {len(claims)} claims, those of\n`beyond` among them, {counts['reproduced']} are "
        f"borne out, {counts['trend only']} in trend only, {counts['not reproduced']} fail."
    )
    assert told in page


def test_users_and_items_are_told_as_their_exhibit_has_them():
    table, page = read_full("exhibits/beyond-items.csv")
    told = re.findall(
        r"^\| (\d+) \| 6,000 / 30,000 / 150,000 \| (.*?) \| .*? \| (.*?) \|$", page, re.M
    )
    assert [int(rank) for rank, *_ in told] == sorted(set(table["rank"]))
    for rank, ours, by in told:
        means = table[table["rank"] == int(rank)].pivot(index="n", columns="method", values="mean")
        best = means.drop(columns="py-lr").min(axis=1)
        for n, cell in zip(means.index, ours.split(" / "), strict=True):
            assert f"{means['py-lr'][n]:.{len(cell) - 1}f}" == f"0{cell}"
        less = 100 * (means["py-lr"] / best - 1)
        lower = [f"{-less[n]:.0f}" for n in (6_000, 30_000)]
        assert by == f"{lower[0]} and {lower[1]} % lower, {less[150_000]:.0f} % higher"
    claims = pd.read_csv(REFERENCE / "beyond_full" / "claims.csv").set_index("id")
    row = -claims.loc["beyond-items-unbeaten", ["reproduced", "high", "low"]].astype(float)
    wanted = "{:.4f} [{:.4f}, {:.4f}]".format(*row)
    assert wanted.replace("0.", ".") in page


def test_the_wide_matrix_is_told_as_its_exhibit_has_it():
    table, page = read_full("exhibits/beyond-items-wide.csv")
    told = re.findall(r"^\| (5|15) \| ([\d,]+) / ([\d,]+) \| (.*) \|$", page, re.M)
    told = {int(rank): cells for rank, n, more, cells in told if (n, more) == ("50,000", "150,000")}
    order = ("py-lr", "add-half-lr-loo", "add-half-lr-loo-10", "add-half-lr-loo-30",
             "kn-ad-lr-learned", "kn-modified")  # fmt: skip
    assert told.keys() == set(table["rank"])
    for rank, cells in told.items():
        means = table[table["rank"] == rank].pivot(index="method", columns="n", values="mean")
        few, many = means[50_000], means[150_000]
        wanted = [f"{few[name]:.3f} / {many[name]:.3f}".replace("0.", ".") for name in order]
        assert cells.split(" | ") == wanted


def test_users_and_items_beside_the_sceptics_are_told_as_their_exhibit_has_them():
    table, page = read_full("exhibits/beyond-rivals-items.csv")
    order = ("py-lr", "kn-ad-lr-learned", "kn-ad-lr", "gibbs-rows", "aggregate-rows", "class-rows",
             "plre", "kn-modified")  # fmt: skip
    for rank, rows in table.groupby("rank"):
        means = rows.pivot(index="method", columns="n", values="mean")
        cells = [
            f"{a:.3f} / {b:.3f} / {c:.4f}".replace("0.", ".")
            for a, b, c in (means.loc[name] for name in order)
        ]
        assert f"| {rank} | {' | '.join(cells)} |" in page, cells
        less = means.drop(index="py-lr").min() - means.loc["py-lr"]
        assert (less > 0).tolist() == [True, True, False]
        lost = 100 * (means.loc["py-lr", 150_000] / means.loc["kn-ad-lr-learned", 150_000] - 1)
        assert f"{lost:.0f}" == {5: "6", 15: "3", 40: "2"}[rank]


def test_the_log_bilinear_bigram_is_told_by_size_and_on_models():
    table, page = read_full("exhibits/beyond-bilinear-learning.csv")
    means = table.pivot(index=["corpus", "n"], columns="method", values="mean")
    behind = (means["bilinear-rows"] - means["py-lr"]).unstack()
    cells = [
        " / ".join(f"{each:.3f}"[1:] for each in behind.loc[corpus])
        for corpus in ("tartuffe", "genesis", "brown", "pydoc")
    ]
    assert f"(`beyond-bilinear-learning`) | {' | '.join(cells)} |" in page
    table, _ = read_full("exhibits/beyond-bilinear-models.csv")
    means = table.pivot(index="n", columns="method", values="mean")
    more = 100 * (means["bilinear-rows"] / means["py-lr"] - 1)
    assert "has {:.0f}, {:.0f} and {:.0f} % more".format(*more) in page


def test_real_tables_are_told_as_the_benchmark_found_them():
    page = BEYOND
    table = pd.read_csv(TOP / "benchmarks" / "off_text.csv")
    for data, rows in table.groupby("data"):
        told = re.search(rf"^\| {re.escape(data)} \| (.*) \|$", page, re.M).group(1).split(" | ")
        rows = rows.set_index("method")
        order = (
            *("py-lr", "kn-modified", "kn-ad-lr", "kn-ad-lr-learned-gt", "gibbs-rows"),
            *("aggregate-rows", "class-rows", "plre", "plsa", "lsa", "ad-lr", "add-half-lr"),
        )
        shape = rows.loc["py-lr", ["pairs", "contexts", "outcomes"]]
        assert told[0] == " x ".join(f"{each:,}" for each in shape[1:]) + f"; {shape['pairs']:,}"
        assert told[1] == f"{rows['nats']['py-lr']:.3f} ± {rows['error']['py-lr']:.3f}"
        for cell, name in zip(told[2:], order[1:], strict=True):
            assert cell == f"{rows['less_ours'][name]:.3f}", (data, name)
    others = table[table["method"] != "py-lr"].set_index(["data", "method"])
    ahead = others[others["high"] < 0]
    assert ahead.index.tolist() == [("aircraft x destination", "gibbs-rows")]
    gap = -ahead.iloc[0][["less_ours", "high", "low"]].astype(float)
    wanted = "{:.3f} [{:.3f}, {:.3f}]".format(*gap).replace("0.", ".")
    assert f"Gibbs samples are ahead by {wanted}" in " ".join(page.split())
    even = others[(others["low"] < 0) & (others["high"] > 0)].index.tolist()
    assert even == [
        ("aircraft x destination", "class-rows"),
        ("player x college", "class-rows"),
    ]


def test_parts_of_the_ablation_without_claims_are_told():
    page = " ".join(BEYOND.split())
    table = pd.read_csv(REFERENCE / "beyond" / "exhibits" / "beyond-ablation.csv")
    means = table.pivot(index="method", columns="corpus", values="mean")
    lost = (means - means.loc["py-lr"])[["tartuffe", "genesis", "brown", "pydoc"]]
    for method, begin in (
        ("py-lr-rank-16", "one rank, 16, in place of seven costs"),
        ("py-lr-one-start", "one start"),
        ("py-lr-tokens", "tokens alone"),
    ):
        told = [f"{each:.3f}"[1:] for each in lost.loc[method]]
        assert f"{begin} {', '.join(told[:3])} and {told[3]}" in page, method
    assert lost.loc["py-lr-types"].abs().max() < 0.001


def test_readings_and_their_texts_are_told_as_their_tables_have_them():
    page = " ".join(BEYOND.split())
    for name in ("further-readings", "further"):
        table = pd.read_csv(REFERENCE / "readings" / "exhibits" / f"{name}.csv")
        row = table[(table["collection"] == "all") & (table["method"] == "best other")].iloc[0]
        mean = told(row).replace("0.", ".")
        assert row["ahead"] == row["texts"]
        if name == "further":
            assert row["clear"] == row["texts"]
            assert f"on {row['texts']:.0f} texts by {mean}, clearly on each" in page
        else:
            counts = f"on all {row['texts']:.0f}, clearly on {row['clear']:.0f}"
            assert f"by {mean} on average, {counts}" in page


def test_readings_beside_the_sceptics_are_told_as_their_tables_have_them():
    page = " ".join(BEYOND.split())
    folder = REFERENCE / "readings_full" / "exhibits"
    for name, seeds, fair, gibbs in (
        (
            "sceptics-readings",
            5,
            "clearly under each of the {}",
            "behind, and clearly ahead under six",
        ),
        ("sceptics", 10, "clearly on each of the {}", "behind on the 22, and clearly ahead on one"),
    ):
        table = pd.read_csv(folder / f"{name}.csv")
        rows = table[table["collection"] == "all"].set_index("method")
        means = {id: told(row).replace("0.", ".") for id, row in rows.iterrows()}
        best, nearest = rows.loc["kn-ad-lr-learned-gt"], rows.loc["gibbs-rows"]
        assert best["clear"] == best["texts"] == {5: 90, 10: 22}[seeds]
        assert (best["seeds"], nearest["behind"]) == (seeds, {5: 6, 10: 1}[seeds])
        assert f"{means['kn-ad-lr-learned-gt']}" in page
        assert fair.format(f"{best['texts']:.0f}") in page
        assert f"{means['gibbs-rows']} {gibbs}" in page
        others = rows.drop(index=["py-lr", "gibbs-rows", "best other"])
        assert (others["clear"] == others["texts"]).all()


def test_real_counts_are_told_as_their_script_measured_them():
    page = " ".join((TOP / "docs" / "settings.md").read_text(encoding="utf-8").split())
    table = pd.read_csv(TOP / "benchmarks" / "real_counts.csv")
    means = table.pivot_table(index=["data", "weights"], columns="unit", values="score")
    units = ("as built", "all at once", "three medians", "mean", "median")
    gains = []
    for (data, weights), row in means.iterrows():
        if weights == "one":
            continue
        cells = [means.loc[(data, "one"), "as built"], *row[list(units)]]
        name = data if "pairs" in data else f"{data}, 3,000 words"
        told = [name, weights, *(f"{cell:.3f}" for cell in cells)]
        assert f"| {' | '.join(told)} |" in page
        gains.append(row["all at once"] - row["as built"])
    gains = sorted(gains)
    assert (len(gains), sum(gain > 0 for gain in gains)) == (16, 14)
    told = [f"{gain:.2f}"[1:] for gain in (gains[2], gains[-1])]
    lost = [f"{-gain:.3f}"[1:] for gain in (gains[1], gains[0])]
    assert f"by {told[0]} to {told[1]} in fourteen of sixteen" in page
    assert f"worse by {lost[0]} and {lost[1]} on Brown" in page


def test_fresh_texts_are_told_as_the_frozen_run_found_them():
    claims = pd.read_csv(REFERENCE / "fresh" / "claims.csv").set_index("id")
    rivals = {
        "Kneser-Ney, three discounts": "kn-modified",
        "Kneser-Ney with AD-LR": "kn-ad-lr",
        "the mixture with (4), of rank 50": "kn-ad-lr-bins-gt",
    }
    behind = []
    for name, rival in rivals.items():
        line = f"| {name} |"
        for vocabulary in ("train", "text"):
            table = pd.read_csv(REFERENCE / "fresh" / "exhibits" / f"fresh-{vocabulary}.csv")
            over_all = table[table["collection"] == "all"].set_index("method").loc[rival]
            assert over_all["seeds"] in (1, 10)
            row = claims.loc[f"fresh-{vocabulary}-average-{rival}"]
            mean = f"{row['reproduced']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
            count = f"{over_all['ahead']:.0f} ({over_all['clear']:.0f})"
            line += f" {mean.replace('0.', '.')} | {count} |"
            if vocabulary == "train":
                behind.append((round(54 - over_all["ahead"]), round(over_all["behind"])))
                if rival != "kn-ad-lr":
                    number, interval = mean.split(" ", 1)
                    assert re.search(f"by\\s+{number} [^;]*{re.escape(interval)}", README)
        assert line in BEYOND, line
    (few, clearly), others = behind[0], list(zip(*behind[1:], strict=True))
    wanted = f"It is behind Kneser-Ney with three discounts on {few}, clearly on {clearly}, "
    wanted += "behind the others on {} and {}, clearly on {} and {}".format(*others[0], *others[1])
    assert wanted in " ".join(BEYOND.split())
    assert f"behind on {few} texts each, clearly on {clearly} and {others[1][1]}." in " ".join(
        README.split()
    )
    after = {
        "the fair one with (4)": "kn-ad-lr-learned-gt",
        "Gibbs samples in PY-LR's rows": "gibbs-rows",
        "power low-rank ensembles": "plre",
        "the best of all, chosen on the test text": "best other",
    }
    for name, rival in after.items():
        line = f"| {name} |"
        for vocabulary in ("train", "text"):
            name = f"fresh-after-{vocabulary}.csv"
            table = pd.read_csv(REFERENCE / "fresh" / "exhibits" / name)
            row = table[table["collection"] == "all"].set_index("method").loc[rival]
            line += f" {told(row).replace('0.', '.')} | {row['ahead']:.0f} ({row['clear']:.0f}) |"
        assert line in BEYOND, line
    counts = claims["verdict"].value_counts()
    wanted = f"{counts['reproduced']} are borne out, {counts['trend only']} in trend only"
    assert f"Of 18 claims {wanted}, {counts['not reproduced']} fail" in " ".join(BEYOND.split())


def test_much_text_is_told_as_the_benchmark_found_it():
    page = BEYOND
    table = pd.read_csv(TOP / "benchmarks" / "brown.csv")
    for row in table.itertuples():
        words, types = f"{row.n:,}", f"{row.types:,}"
        behind = f"{row.behind:.3f} [{row.low:.3f}, {row.high:.3f}]"
        told = f"| {words} | {types} | `{row.method}` | {row.nats:.3f} ± {row.error:.3f} |"
        told += f" {behind if row.method != 'py-lr' else ''} |".replace("  |", " |")
        told += f" {row.seconds:.0f} s, {row.gib:.1f} GiB |"
        assert told in page, told
        assert row.seeds == (1 if row.method == "kn-modified" else 10)
    assert f"at most {table['sd'].max():.4f}".replace("0.", ".") in page


def test_longer_histories_are_told_as_the_benchmark_found_them():
    page = BEYOND
    table = pd.read_csv(TOP / "benchmarks" / "orders.csv").set_index(["order", "method"])
    for order in (2, 3, 4, 5):
        kenlm, kn, ours = (table.loc[order, name] for name in ("lmplz", "kn-modified", "py-lr"))
        assert abs(kenlm["perplexity"] / kn["perplexity"] - 1) < 1e-5
        told = f"| {order} | {kenlm['perplexity']:.2f} | {kn['perplexity']:.2f} "
        told += f"| {ours['perplexity']:.2f} "
        told += f"| {ours['ratio']:.3f} [{ours['low']:.3f}, {ours['high']:.3f}] "
        assert f"{told}| {ours['seconds']:.0f} s | {kenlm['seconds']:.1f} s |" in page
        assert ours["high"] < 0.9
    assert table.loc[(2, "py-lr"), "perplexity"] < table.loc[(5, "kn-modified"), "perplexity"]


def test_what_longer_histories_add_to_bigrams_is_told_as_its_script_measured_it():
    page = " ".join((TOP / "docs" / "recipes.md").read_text(encoding="utf-8").split())
    table = pd.read_csv(TOP / "benchmarks" / "grown.csv")
    gained, lost = table["bigram"] - table["grown"], table["histories"] - table["bigram"]
    told = f"{table['words'][0]:,} words of Brown that gains {gained.min():.3f} to "
    told += f"{gained.max():.3f} nats; each history as a context of its own would lose "
    assert f"{told}{lost.min():.3f} to {lost.max():.3f} (" in page
    assert len(table) == 12


def test_what_the_design_rests_on_is_told_as_its_script_measured_it():
    page = (TOP / "docs" / "settings.md").read_text(encoding="utf-8")
    table = pd.read_csv(TOP / "benchmarks" / "design.csv")
    for (case, n), rows in table[table["table"] == "kinds"].groupby(["case", "n"]):
        rows = rows.set_index("setting")
        told = [f"{rows['score'][kind]:.3f} ± {rows['sd'][kind]:.3f}"
                for kind in ("types", "tokens", "learned")]  # fmt: skip
        assert f"| {case} | {n:,} | {rows['ahead']['learned']:.3f} | {' | '.join(told)} |" in page
    scores = table.set_index(["table", "n", "setting"])["score"]
    means = scores["momentum"].groupby("setting").mean()
    for label, momentum in (("without", "none"), ("with", "0.7")):
        told = [f"{means[f'{passes} passes, {momentum}']:.4f}" for passes in (10, 20, 30, 50, 100)]
        assert f"| {label} | {' | '.join(told)} |" in page
    words = " ".join(page.split())
    for n, told in ((20_000, "from 20,000 pairs"), (60_000, "from 60,000")):
        a, b, c = (f"{scores['iterations', n, f'{i} of tokens']:.3f}" for i in (20, 40, 80))
        assert f"{a}, {b} and {c} {told}" in words
    behind = scores["few"].unstack()
    behind = 100 * (behind.div(behind["ad-lr, told the rank"], axis=0) - 1).round(4)
    for setting, told in (
        ("all ranks", "from {} % above"),
        ("the middle rank and above", "to {} %"),
    ):
        a, b, c = (f"{each:.2f}" for each in behind[setting])
        assert told.format(f"{a}, {b} and {c}") in words


def test_what_was_added_to_py_lr_is_told_as_its_scripts_measured_it():
    page = (TOP / "docs" / "settings.md").read_text(encoding="utf-8")
    table = pd.read_csv(TOP / "benchmarks" / "few_classes.csv")
    means = table.groupby(["users", "pairs", "estimator"])["kl_risk"].mean().unstack()
    columns = ["Add-1/2-LR, leave-one-out, told the rank", "PY-LR",
               "bases by tokens alone, a of 1", "the same, a of 0.2"]  # fmt: skip
    cells = [
        " / ".join(f"{mean:.3f}" for mean in rows[column])
        for _, rows in means.groupby("users")
        for column in columns
    ]
    for start in range(0, len(cells), len(columns)):
        assert f"| {' | '.join(cells[start : start + len(columns)])} |" in page
    behind = 100 * (means["PY-LR"] / means[columns[0]] - 1)
    told = [f"{each:.1f}" for each in sorted(behind[behind > 0], reverse=True)]
    assert told == ["8.9", "7.6", "4.5", "0.6"]
    assert f"by {', '.join(told[:3])} and {told[3]} % in four of the eighteen" in page
    assert (f"{-behind[behind < 0].max():.0f}", f"{-behind.min():.0f}") == ("2", "27")
    gains = pd.read_csv(TOP / "benchmarks" / "few_classes_gains.csv")
    middle = gains[(gains["components"] < 10) & gains["case"].str.endswith("words")]
    assert f"{middle['gain'].max():.3f}"[1:] == ".025"
    short = pd.read_csv(TOP / "benchmarks" / "short_texts.csv", dtype={"deals": str, "starts": str})
    for (text, n), rows in short.groupby(["text", "words"], sort=False):
        told = [f"{row.mean:.3f} ± {row.sd:.4f}" for row in rows.itertuples(name="Row")]
        assert f"| {text}, {n:,} | {' | '.join(told)} |" in page
    windows = pd.read_csv(TOP / "benchmarks" / "windows.csv")
    for (text, n), rows in windows.groupby(["text", "words"]):
        rows = rows.set_index("window")
        told = [
            f"infinite ({said:.3f})" if np.isinf(change) else f"{change:+.4f} ({said:.3f})"
            for said, change in zip(rows["said"].iloc[1:], rows["change"].iloc[1:], strict=True)
        ]
        shares = f"{rows['came'].iloc[0]:.3f} | {rows['said']['pairs']:.3f}"
        assert f"| {text}, {n:,} | {shares} | {' | '.join(told)} |" in page
    scouts = pd.read_csv(TOP / "benchmarks" / "scouts.csv")
    own = scouts[scouts["scout"] == "PY-LR"].set_index(["text", "order"])["penalty"]
    for name, rows in scouts.groupby("scout"):
        rows = rows.set_index(["text", "order"])
        same = int((rows["penalty"] == own).sum())
        assert f"| {name} | {same} of {len(rows)} | {rows['loss'].max():.4f} |" in page


def test_the_larger_survey_is_told_as_it_came_out():
    page = " ".join((TOP / "docs" / "survey.md").read_text(encoding="utf-8").split())
    page = page.partition("**Larger**")[2].partition("**On all of Brown**")[0]
    table = pd.read_csv(REFERENCE / "survey_full" / "exhibits" / "methods.csv")
    brown = table[(table["corpus"] == "brown") & (table["reading"] == "text")].set_index("method")
    for method, told in (("sdr", "SDR has {}"), ("sdr-conditional", "SDR of the rows has {}"),
                         ("bilinear-rows", "in PY-LR's rows {}")):  # fmt: skip
        assert told.format(f"{brown['mean'][method]:.3f}") in page
    claims = pd.read_csv(REFERENCE / "survey_full" / "claims.csv").set_index("id")
    low, high = (f"{claims[name]['s-lsa']:.3f}".replace("0.", ".") for name in ("low", "high"))
    assert f"[{low}, {high}]" in page
    default = pd.read_csv(REFERENCE / "survey" / "claims.csv").set_index("id")["verdict"]
    assert list(claims.index[claims["verdict"] != default]) == ["s-lsa"]
    gains = pd.read_csv(REFERENCE / "survey_full" / "exhibits" / "tagging.csv")
    gains = 100 * gains[gains["method"] == "aso"].set_index("n")["gain"]
    told = f"{gains[1000]:.1f} points .* {gains[3000]:.1f} from 3,000 and {gains[10_000]:.1f} from"
    assert re.search(f"{told} 10,000, and from 50,000 behind by {-gains[50_000]:.1f} ", page)


@pytest.mark.parametrize("study", ["textbook", "survey"])
def test_verdicts_on_other_sources_are_counted(study):
    page = " ".join((TOP / "docs" / f"{study}.md").read_text(encoding="utf-8").split())
    told = re.search(r"Of (\d+) statements .*? (\d+) hold, (\d+) do not, and (\d+) cannot", page)
    claims = pd.read_csv(REFERENCE / study / "claims.csv")
    counts = claims[claims["by"] == "source"]["verdict"].value_counts()
    order = ("reproduced", "not reproduced", "not testable here")
    assert [int(count) for count in told.groups()] == [
        counts.sum(), *(counts[verdict] for verdict in order)
    ]  # fmt: skip


TEXTS = ("tartuffe", "genesis", "brown", "pydoc")


def told_nats(table, column):
    """Return means to three digits, by method; infinite ones, too."""
    means = table.set_index("method")["mean"]
    return {name: f"{mean:.3f}".replace("inf", "\N{INFINITY}") for name, mean in means.items()} | {
        "": column
    }


def list_methods():
    """Return the rows of the survey's table of all methods: nats on each text, and KL risk."""
    files = [TOP / "config.yaml", *(TOP / "workflow" / "studies").glob("*/config.yaml")]
    methods, folder = load_config(files)["methods"], REFERENCE / "survey" / "exhibits"
    table, risk = (pd.read_csv(folder / f"{name}.csv") for name in ("methods", "risk"))
    table = table[table["reading"] == "text"]
    columns = [told_nats(table[table["corpus"] == corpus], corpus) for corpus in TEXTS]
    columns.append(told_nats(risk[risk["n"] == risk["n"].max()], "KL risk"))
    both = pd.concat([risk, table]).drop_duplicates("method")  # on the models are all of them
    rows = [("family", "method", ""), *((row.family, methods[row.method]["label"], row.method)
                                        for row in both.itertuples())]  # fmt: skip
    return [f"| {family} | {label} | {' | '.join(c.get(name, '') for c in columns)} |"
            for family, label, name in rows]  # fmt: skip


def test_the_surveys_table_of_methods_is_of_its_reference():
    page = (TOP / "docs" / "survey.md").read_text(encoding="utf-8")
    head, *rows = list_methods()
    assert "\n".join([head, "| --- " * 7 + "|", *rows]) in page


def test_the_page_of_the_theory_tells_its_slopes_and_how_ad_lr_goes_on():
    page = (TOP / "docs" / "theory.md").read_text(encoding="utf-8")
    exhibits = REFERENCE / "theory" / "exhibits"
    rates = pd.read_csv(exhibits / "rates.csv").dropna(subset=["slope"])
    own = rates[rates["method"] == "add-half-lr"].drop_duplicates("slope_of")
    for row in own.itertuples():
        assert f"{row.slope:.3f} [{row.slope_low:.3f}, {row.slope_high:.3f}]" in page
    cases = pd.read_csv(REFERENCE / "theory" / "theory.csv")
    for case in cases.loc[cases["check"] == "theory-factor", "case"]:
        assert re.search(r"slope (\S+ \[.*?\])", case)[1] in page
    fits = pd.read_csv(exhibits / "descent.csv").query("method == 'ad-lr' and corpus != 'genesis'")
    late = fits[fits["iteration"] > 1000]
    last = fits[fits["iteration"] == fits["iteration"].max()]
    assert f"by {late['moved'].min():.3f} to {late['moved'].max():.3f} nats per pair" in page
    assert f"at the last by {last['moved'].min():.3f} to {last['moved'].max():.3f}" in page
    assert f"between {late['objective'].min():.3f} and {late['objective'].max():.3f}" in page
    starts = (
        pd.read_csv(exhibits / "restarts.csv")
        .groupby("n")
        .agg({"gap": "max", "ratio": ["min", "max"]})
    )
    for n, verb in ((500, "nats per pair of the lowest objective, with"), (5000, "with")):
        gap, low, high = starts.loc[n]
        assert gap <= float(re.search(rf"within (\S+)(?:,)? {verb}", page)[1].rstrip(","))
        assert f"{low:.2f} to {high:.2f}" in page


def test_the_coverage_of_intervals_is_told_as_its_script_measured_it():
    table, page = pd.read_csv(coverage.CSV), (TOP / "docs" / "recipes.md").read_text("utf-8")
    assert coverage.print_table(table) in page
    assert set(table["model"]) == set(range(10))
    means = coverage.summarise(table)["mean"].xs("sampled", level="posterior")
    means = means[["all", "seen", "unseen"]]
    assert means.size == 30
    assert "Of the thirty figures for all, seen and unseen cells four miss it" in page
    assert ((means < 93) | (means > 97)).sum().sum() == 4


def test_the_networks_on_all_of_brown_are_of_their_reference():
    page = " ".join((TOP / "docs" / "survey.md").read_text(encoding="utf-8").split())
    table = pd.read_csv(REFERENCE / "nplm_full" / "exhibits" / "table.csv")
    own = {f"{row.method} {row.order}": row.perplexity for row in table.itertuples()}
    words, large, small = own["kn-text-modified 5"], own["nplm-10 5"], own["nplm-8 3"]
    for told in (
        f"MLP10 has perplexity {large:.1f} and MLP8 {small:.1f}, Kneser-Ney of order 5 {words:.1f}",
        f"{large / words:.3f} and {small / words:.3f} of it",
        f"{252 / 321:.3f} and {270 / 321:.3f}",
        f"alone ({own['nplm-8-alone 3']:.1f} against {own['nplm-8-plain-alone 3']:.1f}",
        f"mixed ({small:.1f} against {own['nplm-8-plain 3']:.1f}",
        f"Classes have {own['class-kn 3']:.1f}",
    ):
        assert told in page
    whole, quarter = (
        pd.read_csv(REFERENCE / name / "claims.csv").set_index("id")["verdict"]
        for name in ("nplm_full", "survey")
    )
    judged = whole.index[whole.isin(["reproduced", "not reproduced"])]
    other = [id for id in judged if whole[id] != quarter[id]]
    assert other == ["n-cells", "n-direct-alone", "n-direct-mixed"]
    assert "three verdicts are the other way round there: on the ratios, and on direct" in page


def test_what_became_of_the_coin_flip_is_told_as_it_was_measured():
    page = " ".join(BEYOND.split())
    table = pd.read_csv(TOP / "benchmarks" / "fresh_seeds.csv")
    assert (table["seeds"] == 10).all()
    for method, label in (("py-lr", "as it was frozen"), ("py-lr-since", "since")):
        line = f"| {label} |"
        for vocabulary in ("train", "text"):
            rows = table[(table["method"] == method) & (table["reading"] == vocabulary)]
            assert len(rows) == 54
            numbers = rows["sd"].median(), rows["sd"].max(), rows["worst"].max()
            told = " / ".join(f"{each:.4f}"[1:] for each in numbers)
            line += f" {told} | {(rows['sd'] > 0.004).sum()} |"
        assert line in page, line
    gains = []
    for vocabulary in ("train", "text"):
        table = pd.read_csv(REFERENCE / "fresh" / "exhibits" / f"fresh-since-{vocabulary}.csv")
        rows = table[table["method"] == "py-lr-since"].set_index("text")
        row = -rows.loc["all", ["difference", "high", "low"]].astype(float)
        gains.append("{:.4f} [{:.4f}, {:.4f}]".format(*row).replace("0.", "."))
        if vocabulary == "train":
            of_texts = -rows.drop(index="all")["difference"]
            least, most = f"{of_texts.min():.3f}", f"{of_texts.max():.3f}"
            assert f"from {least} to {most} on single texts".replace("0.", ".") in page
    assert f"lower by {gains[0]} nats on average, and by {gains[1]} with" in page


def test_tokens_beside_types_are_told_as_their_script_measured_them():
    page = " ".join((TOP / "docs" / "settings.md").read_text(encoding="utf-8").split())
    table = pd.read_csv(TOP / "benchmarks" / "tokens_beside_types.csv")
    much = table[table["text"] == "all of brown"]
    keys = ["text", "words", "stretch", "vocabulary"]
    few = table.drop(index=much.index).set_index([*keys, "left_out"]).unstack("left_out")
    assert (few["times"]["useless"] == 0).all()
    left_out = few["times"]["behind"] > 0
    for (text, words, stretch, vocabulary), row in few[left_out].iterrows():
        if vocabulary != "train":
            continue
        cells = [
            f"{row['mean', kind]:.4f} ± {row['sd', kind]:.4f}" for kind in ("behind", "useless")
        ]
        told = [f"{text}, {words:,}", ("first", "second")[stretch], f"{row['times', 'behind']:.0f}"]
        assert f"| {' | '.join([*told, *cells])} |" in page
    gains = (few["mean"]["behind"] - few["mean"]["useless"]).unstack("vocabulary")["text"]
    assert f"between {-gains.min():.4f} worse and {gains.max():.4f} better" in page
    spread = {kind: few["sd"][kind].unstack("vocabulary").max() for kind in ("behind", "useless")}
    for vocabulary in ("train", "text"):
        told = [f"{spread[kind][vocabulary]:.4f}" for kind in ("behind", "useless")]
        assert "from {} to {}".format(*told) in page
    for words, rows in much.groupby("words"):
        rows = rows.set_index("left_out")
        cells = [f"{rows['mean'][kind]:.4f}" for kind in ("behind", "useless", "never")]
        seconds = [f"{rows['seconds'][kind]:.0f}" for kind in ("behind", "useless", "never")]
        adds, most = (f"{rows[each]['useless']:.4f}" for each in ("adds", "most"))
        told = f"| {words:,} | {adds} (at most {most}) | {' | '.join(cells)} |"
        assert f"{told} {' / '.join(seconds)} s |" in page


def test_more_starts_of_few_pairs_are_told_as_their_script_measured_them():
    page = (TOP / "docs" / "settings.md").read_text(encoding="utf-8")
    table = pd.read_csv(TOP / "benchmarks" / "starts.csv")
    keys = ["text", "words", "stretch", "vocabulary"]
    cases = table.set_index([*keys, "most"]).unstack("most")
    assert (len(cases), set(table["seeds"])) == (14, {20})
    less = cases["mean"].rsub(cases["mean"][8], axis=0)
    for most in (8, 16, 32):
        cells = [
            f"{less[most].mean():.4f}" if most > 8 else "",
            *(f"{x:.4f}" for x in (cases["sd"][most].mean(), cases["sd"][most].max())),
            f"{cases['worst'][most].max():.4f}",
        ]
        cells = [cell.removeprefix("0") for cell in cells] + [
            f"{cases['seconds'][most].mean():.1f}"
        ]
        assert f"| {' | '.join([str(most), *cells])} |".replace("|  |", "| |") in page
    assert f"{-less[16].min():.4f}"[1:] == ".0003"


def test_other_training_sets_are_told_as_their_script_measured_them():
    table = pd.read_csv(TOP / "benchmarks" / "training_sets.csv")
    for (text, words, vocabulary), rows in table.groupby(["text", "words", "vocabulary"]):
        rows = rows.set_index("method")
        assert (rows["stretches"] == 10).all()
        cells = [
            f"{row.behind:.3f} [{row.low:.3f}, {row.high:.3f}] ± {row.sd:.3f}".replace("0.", ".")
            for row in (
                rows.loc[name] for name in ("kn-modified", "kn-ad-lr-learned-gt", "gibbs-rows")
            )
        ]
        name = {"train": "first half", "text": "both halves"}[vocabulary]
        assert f"| {text}, {words:,} | {name} | {' | '.join(cells)} |" in BEYOND, cells


def test_contexts_of_one_class_are_told_as_their_script_measured_them():
    page = (TOP / "docs" / "settings.md").read_text(encoding="utf-8")
    table = pd.read_csv(TOP / "benchmarks" / "one_class.csv")
    for name, rows in table.groupby("data"):
        scores = f"{rows['without'].mean():.4f} | {rows['score'].mean():.4f} |"
        assert re.search(rf"^\| {re.escape(name)} \| .* \| {re.escape(scores)}$", page, re.M), name
    changed = table[table["without"] != table["score"]]
    models = {f"one class each: {pairs} pairs a context" for pairs in (6, 20)}
    assert set(changed["data"]) == {"aircraft x destination"} | models
