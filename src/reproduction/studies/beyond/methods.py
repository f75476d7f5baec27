"""The rivals of PY-LR, which the library does not know by itself: see `reproduction.methods`."""

from condprob import Method, register

_HERE = "reproduction.studies.beyond.rivals"
register(
    Method(
        "kn-ad-lr-bins", f"{_HERE}.kn_ad_lr:KneserNeyWithMeanOfLowRank", "KN with AD-LR, by bins"
    )
)
register(Method("gibbs-rows", f"{_HERE}.gibbs_rows:GibbsRows", "Gibbs in rows"))
