"""What the paper proves, as claims that the scores of this study can bear out or refute.

Criteria were fixed before the first run, but for one: the slopes of the oracle were judged, too,
and are only told since, because Theorem 4 is about the worst model and not about drawn ones.
Statements on small cases are with the paper's other claims (`near_optimal.theory`).
"""

from reproduction.verdicts.source import Claim

_THEIRS = [
    ("theory-upper", "Theorem 3", "Where all P_ij > (km/n) log(2n+k), the minimiser of Eq. (3) has "
     "an expected risk of at most 3100 (km/n) log^2(2n+k)."),
    ("theory-lower", "Theorem 4", "No estimator has a worst-case risk below 0.06 km/n (cases can "
     "be consistent with it, no more)."),
    ("theory-slope-n", "Theorem 3", "The risk falls as 1/n: slope within 0.1 of -1."),
    ("theory-slope-k", "Theorem 3", "The risk grows as k: slope within 0.1 of 1."),
    ("theory-slope-rank", "Theorem 3", "The risk grows as m: slope within 0.1 of 1."),
    ("theory-lemma-5", "Lemma 5", "E[R_n(Q_n)] is at most k/n + (km/n) log(2n+k), with R_n as "
     "Eq. (2) is printed."),
    ("theory-descent", "Theorem 2", "Add-1/2-LR lowers Eq. (3) along its iterations."),
    ("theory-stationary", "Theorem 2", "Add-1/2-LR converges to a stationary point of Eq. (3): "
     "gradient below 1e-6 nats per pair at the last iteration."),
    ("theory-quantised-entry", "Lemma 7", "Quantising the rows of both factors moves an entry by "
     "at most 3/L."),
    ("theory-quantised-risk", "Lemma 7", "Where Q > eps and L > 6/eps, it moves the risk by at "
     "most 6/(L eps)."),
    ("theory-deviation", "Theorem 8", "The largest (R - R_n)/sqrt(R) over the quantised class "
     "exceeds tau with at most the printed probability."),
]  # fmt: skip
_OURS = [
    ("theory-ad-lr-rest", "Section 5", "AD-LR, of which the paper proves nothing, comes to rest: "
     "its last iteration moves it by less than 1e-6 nats per pair."),
    ("theory-quantised-ours", "Lemma 7", "With (m+4)/4 in the place of 3 the bound of Lemma 7 "
     "holds."),
]  # fmt: skip
CLAIMS = tuple(
    Claim(id, place, statement, "theory", "theorems", settings={"check": id}, by=by)
    for by, told in (("source", _THEIRS), ("us", _OURS))
    for id, place, statement in told
)
