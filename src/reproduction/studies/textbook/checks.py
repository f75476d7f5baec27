"""Cases of the textbook's claims: examples, theorems, digits, styles, and n-grams of Brown."""

import numpy as np

from reproduction.scores.intervals import student_interval
from reproduction.scores.pairs import compare_orders
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook import exact
from reproduction.studies.textbook.clusters import (
    COST_TOLERANCE,
    find_elbow,
    load_all_digits,
    make_players,
    split_players,
)
from reproduction.studies.textbook.images import (
    RANKS,
    approximate,
    find_directions,
    lost_by_chance,
    lost_shares,
)
from reproduction.studies.textbook.lowdim import cluster_digits, judge_style, load_zeros_and_ones
from reproduction.studies.textbook.plan import (
    CLASSIFIED,
    COMPARED,
    COMPLETION,
    ELBOW,
    FILMS,
    MEMORY,
    NEXT,
    NGRAMS,
    RATINGS,
    SEEDING,
    STYLE,
    USES,
)
from reproduction.studies.textbook.ratings import (
    ALONE,
    BOTH,
    TASTES,
)
from reproduction.studies.textbook.ratings import (
    PLAIN as FACTORS,
)
from reproduction.studies.textbook.sentences import USES as PAIRS_OF_USES
from reproduction.verdicts.cases import at_least, make_case

PLAIN = "interpolated"  # the smoothing by which orders are compared
DIFFERENT_IMAGES = 36  # images, a tenth: two starts that differ by more lead to different clusters
LONG_ORDER = 4  # words of an n-gram whose histories have three
SHARE_OF_COPIES = 0.01  # share of sentences from which on copies are no accident
TIMES_AS_SHARP = 2.0  # times as sharp as any bend of data without groups: an elbow
SHARE_OF_SPLITS = 0.05  # share of starts that may have split a group
SHARE_OF_MISTAKES = 0.05  # share of held-out images of two digits that may be named wrongly
RANK_OF_EIGHTH = 8  # rank: an eighth of the dimensions of the digits
SETS_OF_PLAYERS = 20
TIMES_AS_OFTEN = 10  # Hamilton's UPON against Madison's, in example 7.2.1
SHARE_UNSEEN = 0.999  # of the pairs of words, printed as 99.96 % of all Shakespeare's
SAMPLING_TOLERANCE = 0.05  # relative: samplings whose errors differ by less come to the same


def check_cases(root, scores, inputs):
    """Yield the cases of the study's claims."""
    rng = np.random.default_rng(root)
    for chapter in (
        exact.check_clusters,
        exact.check_subspaces,
        exact.check_ngrams,
        exact.check_completion,
    ):
        yield from chapter(rng)
    yield from check_digits(root)
    yield from check_style(root, scores[STYLE])
    yield from check_orders(scores[NGRAMS])
    yield from check_memory(scores[MEMORY])
    yield from check_biases(scores[COMPLETION])
    more = np.random.default_rng(spawn_seed(root, "examples"))
    for chapter in (exact.check_means, exact.check_perplexities, exact.check_factors):
        yield from chapter(more)
    yield from check_vectors(np.random.default_rng(spawn_seed(root, "vectors")))
    yield from check_elbow(scores[ELBOW])
    yield from check_seeding(scores[SEEDING])
    yield from check_classified(scores[CLASSIFIED])
    yield from check_compared(scores[COMPARED])
    yield from check_next(scores[NEXT])
    yield from check_ratings(scores[RATINGS])
    yield from check_uses(scores[USES])
    yield from check_players(root)
    yield from check_films(root, scores[FILMS])


def check_digits(root):
    """Compare the images, and those that are in the wrong cluster, with the textbook's."""
    images, _, digits = load_zeros_and_ones()
    best, every = cluster_digits(root)
    yield make_case("k-digits", "images: off 360", abs(len(images) - 360), 0)
    wrong = int((best != digits).sum())
    yield make_case(
        "k-digits", "misclassified by the best of 20 runs: difference from 2", abs(wrong - 2), 0
    )
    yield at_least(
        "k-starts", "20 runs: most misclassified minus fewest", np.ptp(every), DIFFERENT_IMAGES
    )
    yield make_case("k-pixels", "the largest pixel", images.max(), 15)


def check_orders(scores):
    """Ask of each order up to three that it be better than the one before."""
    part = scores[(scores["method"] == PLAIN)] if len(scores) else scores
    part = part[part["n"] == part["n"].max()] if len(part) else part
    for order in (2, 3) if len(part) else ():
        if {order - 1, order} <= set(part["order"]):
            _, low, _ = compare_orders(part, order, order - 1)
            case = f"low end of what order {order} gains, nats per word"
            yield at_least("n-order", case, low, 1e-6)


def check_style(root, scores):
    """Ask whether function words distinguish authors, and whether UPON by itself does."""
    planes = scores[scores["x"].notna()] if len(scores) else scores
    for name, part in planes.groupby("corpus") if len(planes) else ():
        part = part[part["set"] != "other"] if "set" in part else part
        points, labels = part[["x", "y"]].to_numpy(), part["name"].to_numpy(dtype=str)
        right, by_chance = judge_style(points, labels, root)
        case = f"{name}: fraction of blocks placed rightly"
        yield at_least(f"s-{name.lower()}", case, right, by_chance)
        largest = part["name"].value_counts(normalize=True).iloc[0]
        yield at_least(f"s-{name.lower()}", f"{case}; the largest has", right, largest)
    others = planes[planes["set"] == "other"] if "set" in planes else planes[:0]
    if len(others):
        basis = planes[planes["set"] == "plane"]
        means = basis.groupby("name")[["x", "y"]].mean()
        distances = np.linalg.norm(
            others[["x", "y"]].to_numpy()[:, None] - means.to_numpy()[None], axis=2
        )
        nearest = means.index.to_numpy()[distances.argmin(axis=1)]
        case = f"{len(others)} blocks of comedies: fraction nearest to their author's other blocks"
        yield at_least("ours-others", case, np.mean(nearest == others["name"].to_numpy()), 1)
    upon = scores[(scores["corpus"] == "upon") & (scores["set"] == "Bibles")] if len(scores) else {}
    if len(upon):
        found = [student_interval(part["share"]) for _, part in upon.groupby("name")]
        (_, _, high), (_, low, _) = min(found), max(found)
        case = (
            "UPON in translations of Genesis: low end of the most, over the high end of the least"
        )
        yield at_least("ours-upon", case, low / high if high else np.inf, TIMES_AS_OFTEN)


def check_memory(scores):
    """Ask how much n-grams of each text remember, and whether it rises with the order."""
    for name, part in scores.groupby("corpus") if len(scores) else ():
        table = part.set_index("order").sort_index()
        steps = list(zip(table.index, table.index[1:], strict=False))
        if LONG_ORDER in table.index:
            case = f"{name}: fraction of histories of three words with one continuation"
            yield at_least("n-memory", case, table["single"][LONG_ORDER], 0.5)
        for low, high in steps:
            case = f"{name}: fraction of 4-grams found in the training text: order {low}, "
            case += f"against {high}"
            yield make_case("n-found", case, table["found"][low], table["found"][high])
        if LONG_ORDER in table.index:
            case = f"{name}: fraction of sentences of order 4 that are in the training text"
            yield at_least("n-copied", case, table["copied"][LONG_ORDER], SHARE_OF_COPIES)
            for low, high in steps:
                case = f"{name}: fraction of sentences that are copies: order {low}, against {high}"
                yield make_case("n-copied", case, table["copied"][low], table["copied"][high])
            case = f"{name}: fraction of distinct 4-grams seen once"
            yield at_least("n-once", case, table["once"][LONG_ORDER], 0.5)
            case = f"{name}: fraction of pairs never seen, against that of 4-grams"
            yield make_case("ours-unseen", case, table["unseen"][2], table["unseen"][LONG_ORDER])
            case = f"{name}: fraction of pairs never seen"
            yield at_least("ours-unseen", case, table["unseen"][2], SHARE_UNSEEN)


def check_biases(scores):
    """Ask of each rank that biases lower the error of held-out entries, paired by trial."""
    if not len(scores):
        return
    by_biases = scores[scores["rank"] > 0].pivot(
        index=["rank", "trial"], columns="biases", values="rmse"
    )
    for rank, part in by_biases.groupby("rank"):
        for check, kind in ("m-bias-counts", "contexts"), ("m-bias-both", "both"):
            _, _, high = student_interval(part[kind] - part["none"])
            case = f"high end of the change of RMSE by biases, {len(part)} trials"
            yield make_case(check, case, high, 0, rank=int(rank))


def check_vectors(rng):
    """Ask how much of the digits low ranks lose, and whether each image gains with the rank."""
    images, _ = load_all_digits()
    mean, directions = find_directions(images)
    lost = np.array(
        [lost_shares(images, approximate(images, mean, directions, rank)) for rank in RANKS]
    )
    step = np.diff(lost, axis=0).max()
    case = f"each image: largest step of its loss as the rank rises from {RANKS[0]} to {RANKS[-1]}"
    yield make_case("p-images", case, step, 0)
    directions = np.linalg.svd(images, full_matrices=False)[2]
    best = lost_shares(
        images, approximate(images, np.zeros(images.shape[1]), directions, RANK_OF_EIGHTH)
    )
    half = lost_by_chance(images, rng)[RANK_OF_EIGHTH] / 2
    case = f"rank {RANK_OF_EIGHTH} of {images.shape[1]}: lost, "
    case += "against half of a random subspace's loss"
    yield make_case("p-small", case, best.mean(), half)


def check_elbow(scores):
    """Ask whether the cost bends where there are groups, at their number, and nowhere else."""
    if not len(scores):
        return
    bends = {}
    for name, part in scores.sort_values("k").groupby("corpus"):
        found = [find_elbow(trial["cost"].to_numpy()) for _, trial in part.groupby("trial")]
        places, sharp = np.array(found).T
        bends[name] = student_interval(sharp)
        if name == "four groups":
            case = "four groups: fraction of trials with the sharpest bend at four"
            yield at_least("k-elbow", case, np.mean(places == LONG_ORDER), 1)
    _, low, _ = bends.pop("four groups")
    for name, (_, _, high) in bends.items():
        case = f"twice the high end of the sharpest bend of {name}, against the low end of groups"
        yield make_case("k-elbow", case, TIMES_AS_SHARP * high, low)


def check_seeding(scores):
    """Ask whether k-means++ ends lower than random points, and what these split."""
    for name, part in scores.groupby("corpus") if len(scores) else ():
        costs = part.pivot(index="seed", columns="start", values="cost")
        costs /= costs.min(axis=None)
        _, low, _ = student_interval(costs["random points"] - costs["k-means++"])
        check = "k-plus-plus" if name != "digits 0 to 9" else "k-plus-digits"
        case = f"{name}: low end of what k-means++ saves, as a fraction of the lowest cost"
        yield at_least(check, case, low, 1e-6)
        near = (costs <= 1 + COST_TOLERANCE).mean()
        case = (
            f"{name}: fraction of runs within 1 % of the lowest: random points, against k-means++"
        )
        yield make_case(check, case, near["random points"], near["k-means++"])
        if check == "k-plus-plus":
            case = f"{name}: fraction of random initialisations more than 1 % above the lowest"
            yield at_least("k-split", case, 1 - near["random points"], SHARE_OF_SPLITS)


def check_classified(scores):
    """Ask whether two clusters name held-out images of two digits."""
    part = scores[scores["corpus"] == "0 and 1"] if len(scores) else scores
    if len(part):
        _, low, _ = student_interval(part["right"])
        case = f"{len(part)} splits: high end of the fraction misclassified"
        yield make_case("k-classify", case, 1 - low, SHARE_OF_MISTAKES)


def check_compared(scores):
    """Ask of each order above one that it prefers sentences to their spoilt forms.

    Too few sentences have no interval, and are no case.
    """
    known = scores.dropna(subset=["low"]) if "low" in scores else scores[:0]
    for row in known.itertuples():
        if row.order > 1:
            case = f"{row.kind}: low end of the fraction preferred, order {row.order}"
            yield at_least("n-prefers", case, row.low, 0.5)


def check_next(scores):
    """Ask whether each order gives more to the words that the highest one gives most to."""
    drawn = scores[scores["low"].notna()] if "low" in scores else scores[:0]
    for name, part in drawn.groupby("corpus") if len(drawn) else ():
        part = part.set_index("order").sort_index()
        for low, high in zip(part.index, part.index[1:], strict=False):
            case = f"{name}, mean probability of generated words: high end of order {low}, "
            case += f"low end of {high}"
            yield make_case("n-next", case, part["high"][low], part["low"][high])
    bars = scores[scores["word"].notna()] if "word" in scores else scores[:0]
    for history, part in bars.groupby("history") if len(bars) else ():
        table = part.pivot(index="word", columns="order", values="probability").fillna(0)
        word = table.loc[table[table.columns.max()].idxmax()]
        for low, high in zip(table.columns, table.columns[1:], strict=False):
            case = f"“{history}”: probability of the word of order 4 at order {low}, against {high}"
            yield make_case("n-next", case, word[low], word[high])


def check_uses(scores):
    """Ask of each use of section 8.1 that the better sentence have the larger probability."""
    for use, part in scores.groupby("use", sort=False) if len(scores) else ():
        if use in PAIRS_OF_USES:
            nats = part.set_index("sentence")["nats"]
            better, worse = PAIRS_OF_USES[use]
            case = f"{use}: log probability of “{worse}”, against “{better}”"
            yield make_case("n-uses", case, nats[worse], nats[better])


def check_players(root):
    """Ask of players like those of figure 6.1 for the one line, and for the two clusters."""
    lines, right = [], []
    for trial in range(SETS_OF_PLAYERS):
        rng = np.random.default_rng(spawn_seed(root, "players", trial))
        points, is_man = make_players(rng)
        lines.append(np.corrcoef(points.T)[0, 1])
        right.append(np.mean(split_players(points, rng) == is_man))
    sets = f"{SETS_OF_PLAYERS} sets of players"
    yield at_least(
        "k-line", f"{sets}: low end of the correlation", student_interval(np.array(lines))[1], 0.9
    )
    _, low, _ = student_interval(np.array(right))
    yield at_least("k-line", f"{sets}: low end of the fraction in the right cluster", low, 0.9)
    scaled = (points - points.mean(axis=0)) / points.std(axis=0)
    apart = np.linalg.norm(scaled[:, None] - scaled, axis=2)
    same = is_man[:, None] == is_man
    within, between = (
        np.where(same, apart, 0).max(axis=1),
        np.where(same, np.inf, apart).min(axis=1),
    )
    case = "players who are nearer to one of the other group than to all of their own, a fraction"
    yield at_least("k-attempt", case, np.mean(within > between), 0.5)


def check_films(root, scores):
    """Ask whether films of a kind lie together in the plane of their vectors."""
    if len(scores):
        points, kinds = scores[["x", "y"]].to_numpy(), scores["kind"].to_numpy(dtype=str)
        right, by_chance = judge_style(points, kinds, root)
        yield at_least("m-map", "fraction of films nearest to their kind", right, by_chance)


def check_ratings(scores):
    """Ask what factors, biases and samplings do to the error of held-out ratings."""
    for name, part in scores.groupby("corpus") if len(scores) else ():
        rmse = part.pivot(index="trial", columns="kind", values="rmse")
        for check, kind, other in (
            ("m-factors", BOTH, ALONE),
            ("m-bias", "factors, biases of rows", FACTORS),
            ("m-bias-ratings", BOTH, FACTORS),
            ("m-factors", FACTORS, "mean"),
        ):
            _, _, high = student_interval(rmse[kind] - rmse[other])
            case = f"{name}: high end of the RMSE of {kind} minus that of {other}"
            yield make_case(check, case, high, 0)
        for kind in ("both, by columns", "both, by rows"):
            off = abs(rmse[kind].mean() / rmse[BOTH].mean() - 1)
            yield make_case(
                "m-sampling",
                f"{name}, {kind}: relative to entries, off one",
                off,
                SAMPLING_TOLERANCE,
            )
        if name == "synthetic ratings":
            _, low, _ = student_interval(part["same"].dropna())
            case = f"{name}: low end of the fraction whose most similar user has the same tastes"
            yield at_least("m-similar-users", case, low, 2 / TASTES)
