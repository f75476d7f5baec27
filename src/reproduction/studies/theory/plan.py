"""What the rules look up of the theory: its exhibits, the files and the settings of its scores."""

from reproduction.study import make_entry

ADD_HALF, ADD_HALF_LR, AD_LR, ORACLE = "add-half", "add-half-lr", "ad-lr", "oracle"
RATES, LEMMA_5, DESCENT, RESTARTS = "rates", "lemma-5", "descent", "restarts"
QUANTISATION, DEVIATION = "quantisation", "deviation"
COMPLEXITY = "complexity"
INTERVALS, POSTERIOR = "intervals", "posterior"
ORDER = (
    RATES,
    COMPLEXITY,
    LEMMA_5,
    DESCENT,
    RESTARTS,
    QUANTISATION,
    DEVIATION,
    INTERVALS,
    POSTERIOR,
)
PARTS = (RESTARTS, QUANTISATION, DEVIATION, INTERVALS)  # each one file of scores


def list_exhibits():
    """Return the entries of the exhibits, each with the methods that it shows."""
    shown = {RATES: (ADD_HALF, ADD_HALF_LR), COMPLEXITY: (ADD_HALF_LR,)}
    shown[DESCENT] = (ADD_HALF_LR, AD_LR)
    return {name: make_entry("theory", name, methods=shown.get(name, ())) for name in ORDER}


def list_scores(section):
    """Return the files of scores behind each exhibit."""
    folder = "results/theory/scores"
    rates = [f"{folder}/{RATES}/{sweep}.csv" for sweep in section[RATES]]
    pairs = section[POSTERIOR]["pairs"]
    return {part: [f"{folder}/{part}.csv"] for part in (*PARTS, DESCENT)} | {
        RATES: rates,
        LEMMA_5: rates,
        COMPLEXITY: [f"{folder}/{COMPLEXITY}/{part}.csv" for part in ("needed", "worst")],
        POSTERIOR: [f"{folder}/{POSTERIOR}/{number}.csv" for number in pairs],
    }


def settings_of(section, part):
    """Return the settings of a part's scores, with those that parts share where they count."""
    if part == RESTARTS:
        return section[RESTARTS] | {"iterations": section["iterations"]}
    return section[part]
