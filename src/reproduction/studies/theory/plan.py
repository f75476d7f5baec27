"""The plan of `theory`: rates, descents, restarts, quantisation and deviations, on drawn models."""

from reproduction.study import Exhibit, Job, Scope, Theory, read_words, section_of

STUDY = "theory"
_HERE = f"reproduction.studies.{STUDY}"
ADD_HALF, ADD_HALF_LR, AD_LR, ORACLE = "add-half", "add-half-lr", "ad-lr", "oracle"
RATES, LEMMA_5, DESCENT, RESTARTS = "rates", "lemma-5", "descent", "restarts"
QUANTISATION, DEVIATION = "quantisation", "deviation"
EXHIBITS = read_words(__file__)["exhibits"]


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    jobs = {job.name: job for job in _plan_jobs(section)}
    of_rates = tuple(name for name in jobs if name.startswith(RATES))
    receipt = f"corpora/{section[DESCENT]['corpus']}.json"
    figures = f"{_HERE}.figures"
    shown = {RATES: of_rates, LEMMA_5: of_rates}
    exhibits = [
        Exhibit(
            name,
            {"kind": name, "methods": ()} | words,
            shown.get(name, (name,)),
            f"{figures}:tabulate_{name.replace('-', '_')}",
            f"{figures}:draw_{name.replace('-', '_')}",
            (receipt,) if name == DESCENT else (),
        )
        for name, words in EXHIBITS.items()
    ]
    scope = Scope(
        STUDY,
        STUDY,
        "The paper's theory",
        "Do the rates, the descent and the bounds that the paper proves show on drawn models, and "
        "how far are the constants from what is measured?",
        jobs,
        {exhibit.name: exhibit for exhibit in exhibits},
        corpora=(section[DESCENT]["corpus"],),
        theory=Theory(f"{_HERE}.checks:check_cases", exhibits=tuple(EXHIBITS)),
        agreement="edged",
        unsteady=(AD_LR, DESCENT, *(f"theory-ad-lr-{end}" for end in ("rest", "cycle", "drift"))),
        takes="about 3 minutes",
    )
    return [scope]


def _plan_jobs(section):
    fits = {key: section[key] for key in ("starts", "iterations")}
    for name, sweep in section[RATES].items():
        yield Job(
            f"{RATES}/{name}", f"{_HERE}.rates:score_sweep", _methods(ADD_HALF, ADD_HALF_LR),
            {"sweep": name} | sweep | fits, columns=("floor", "risk_printed", "risk_counts",
            "premise"), about=f"Theory: KL risks {name}",
        )  # fmt: skip
    descent = section[DESCENT]
    yield Job(
        DESCENT, f"{_HERE}.descent:score_descent", _methods(ADD_HALF_LR, AD_LR), descent,
        {"words": f"corpora/{descent['corpus']}.npz"},
        ("start", "iteration", "objective", "slope", "moved", "recurs", "drifts"),
        about="Theory: fits along their iterations",
    )  # fmt: skip
    yield Job(
        RESTARTS, f"{_HERE}.descent:score_restarts", _methods(ADD_HALF_LR),
        section[RESTARTS] | {"iterations": section["iterations"]}, columns=("start", "objective"),
        about="Theory: many starts on the same pairs",
    )  # fmt: skip
    yield Job(
        QUANTISATION, f"{_HERE}.rates:score_quantisation", {}, section[QUANTISATION],
        columns=("levels", "case", "entry", "risk_moved", "least"), about="Theory: Lemma 7",
    )  # fmt: skip
    yield Job(
        DEVIATION, f"{_HERE}.rates:score_deviation", {}, section[DEVIATION],
        columns=("levels", "deviation", "delta", "epsilon"), about="Theory: Theorem 8",
    )  # fmt: skip


def _methods(*ids):
    """Return entries of methods: they are the paper's, with no option but rank and iterations."""
    return {id: {"method": id} for id in ids}
