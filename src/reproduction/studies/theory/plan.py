"""The plan of `theory`: the paper's theorems, and our own intervals, on drawn models."""

from reproduction.study import Job, Theory, make_exhibit, make_scope, section_of

STUDY = "theory"
_HERE = f"reproduction.studies.{STUDY}"
_OF_PAPER = "reproduction.studies.near_optimal"  # where the same is computed at small sizes
ADD_HALF, ADD_HALF_LR, AD_LR, ORACLE = "add-half", "add-half-lr", "ad-lr", "oracle"
RATES, LEMMA_5, DESCENT, RESTARTS = "rates", "lemma-5", "descent", "restarts"
QUANTISATION, DEVIATION = "quantisation", "deviation"
COMPLEXITY = "complexity"
INTERVALS, POSTERIOR = "intervals", "posterior"
EXHIBITS = (
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


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    jobs = list(_plan_jobs(section))
    of_rates = [job for job in jobs if job.name.startswith(RATES)]
    shown = {job.name: [job] for job in jobs} | {RATES: of_rates, LEMMA_5: of_rates}
    for name in (COMPLEXITY, POSTERIOR):
        shown[name] = [job for job in jobs if job.name.startswith(f"{name}/")]
    receipt = f"corpora/{section[DESCENT]['corpus']}.json"
    exhibits = [
        make_exhibit(
            __file__,
            name,
            shown[name],
            (receipt,) if name == DESCENT else (),
        )
        for name in EXHIBITS
    ]
    scope = make_scope(
        __file__,
        STUDY,
        jobs,
        exhibits,
        corpora=(section[DESCENT]["corpus"],),
        theory=Theory(f"{_HERE}.checks:check_cases", exhibits=EXHIBITS),
        unsteady=(AD_LR, DESCENT, *(f"theory-ad-lr-{end}" for end in ("rest", "cycle", "drift"))),
    )
    return [scope]


def _plan_jobs(section):
    fits = {key: section[key] for key in ("starts", "iterations")}
    for name, sweep in section[RATES].items():
        yield Job(
            f"{RATES}/{name}",
            f"{_OF_PAPER}.rates:score_sweep",
            _methods(ADD_HALF, ADD_HALF_LR),
            {"sweep": name} | sweep | fits,
            columns=("floor", "risk_printed", "risk_counts", "premise"),
            about=f"Theory: KL risks {name}",
        )
    for name, columns in (("needed", ("case",)), ("worst", ("case", "searched"))):
        yield Job(
            f"{COMPLEXITY}/{name}",
            f"{_HERE}.complexity:score_{name}",
            _methods(ADD_HALF_LR),
            {"starts": section["starts"]} | section[COMPLEXITY][name],
            columns=columns,
            about=f"Theory: sample complexity, {name}",
        )
    descent = section[DESCENT]
    yield Job(
        DESCENT,
        f"{_HERE}.descent:score_descent",
        _methods(ADD_HALF_LR, AD_LR),
        descent,
        {"words": f"corpora/{descent['corpus']}.npz"},
        ("start", "iteration", "objective", "slope", "moved", "recurs", "drifts"),
        about="Theory: fits along their iterations",
    )
    yield Job(
        RESTARTS,
        f"{_HERE}.descent:score_restarts",
        _methods(ADD_HALF_LR),
        section[RESTARTS] | {"iterations": section["iterations"]},
        columns=("start", "objective"),
        about="Theory: many starts on the same pairs",
    )
    yield Job(
        QUANTISATION,
        f"{_OF_PAPER}.quantisation:score_quantisation",
        {},
        section[QUANTISATION],
        columns=("levels", "case", "entry", "risk_moved", "least"),
        about="Theory: Lemma 7",
    )
    yield Job(
        DEVIATION,
        f"{_OF_PAPER}.deviation:score_deviation",
        {},
        section[DEVIATION],
        columns=("levels", "deviation", "delta", "epsilon"),
        about="Theory: Theorem 8",
    )
    covered = ("data", "size", "quantity", "held", "warned", "draws")
    yield Job(
        INTERVALS,
        f"{_HERE}.coverage:score_intervals",
        {},
        section[INTERVALS],
        columns=covered,
        about="Theory: coverage of intervals",
    )
    for pairs in section[POSTERIOR]["pairs"]:
        yield Job(
            f"{POSTERIOR}/{pairs}",
            f"{_HERE}.coverage:score_posterior",
            {},
            section[POSTERIOR] | {"pairs": pairs},
            columns=covered,
            about=f"Theory: coverage of a posterior, {pairs} pairs a context",
        )


def _methods(*ids):
    """Return entries of methods: they are the paper's, with no option but rank and iterations."""
    return {id: {"method": id} for id in ids}
