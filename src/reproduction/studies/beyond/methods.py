"""The rivals of PY-LR, and itself with less: see `reproduction.methods`."""

from condprob.catalogue import register
from condprob.methods.record import Method

_HERE = "reproduction.studies.beyond"
for _method in (
    Method(
        "kn-ad-lr-bins",
        f"{_HERE}.rivals.kn_ad_lr:KneserNeyWithMeanOfLowRank",
        "KN with AD-LR, by bins",
    ),
    Method("gibbs-rows", f"{_HERE}.rivals.gibbs_rows:GibbsRows", "Gibbs in rows"),
    Method("py-lr-ablated", f"{_HERE}.ablation:AblatedPitmanYor", "PY-LR with less"),
):
    register(_method)
