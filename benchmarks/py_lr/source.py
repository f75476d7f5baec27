"""What this project says of its own estimator here, as verdicts take it."""

from py_lr.claims import CLAIMS
from reproduction.studies.near_optimal.printed import STATED
from reproduction.verdicts.source import Setting, Source

SOURCE = Source(
    title="PY-LR on fresh data",
    byline="",
    link="",
    claims=CLAIMS,
    # The paper does not say where AD-LR starts: by default here from clusters.
    other_settings=(Setting("AD-LR from random starts", {"ad-lr": "ad-lr-random"}),),
    stated=STATED,
    is_paper=False,
)
