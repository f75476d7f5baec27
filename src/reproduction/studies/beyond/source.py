"""What this project says of its own estimator, as verdicts and page take it."""

from reproduction.studies.beyond.claims import CLAIMS
from reproduction.studies.near_optimal.printed import STATED, find_printed
from reproduction.verdicts.criteria import FAILED, PARTLY, REPRODUCED
from reproduction.verdicts.source import DEFAULT, read_source


def say_headline(verdicts):
    """Say how many of this project's claims are reproduced."""
    own = verdicts[verdicts["setting"] == DEFAULT]["verdict"]
    tested = own[own.isin([REPRODUCED, PARTLY, FAILED])]
    return f"Of this project's {len(tested)} claims, {(tested == REPRODUCED).sum()} are reproduced."


SOURCE = read_source(
    __file__,
    claims=CLAIMS,
    stated=STATED,
    headline=say_headline,
    find_printed=find_printed,
)
