"""The paper's theory, as verdicts and page take it; its claims and words are in words.toml.

The claims are one list. Those of small size are judged with the paper's other claims
(`near_optimal`), those of large size by the target `theory`; eight are judged at both.
"""

from dataclasses import replace

from reproduction.study import read_words
from reproduction.verdicts.source import make_claim, read_source


def claims_of(size):
    """Return the claims that are judged at a size: ``small``, by default, or ``large``."""
    entries = read_words(__file__)["claims"]
    return tuple(
        make_claim({key: value for key, value in entry.items() if key != "sizes"})
        for entry in entries
        if size in entry.get("sizes", ["small"])
    )


_WHOLE = read_source(__file__, claims=claims_of("large"))
OTHER_SETTINGS = _WHOLE.other_settings  # of claims of either size
_IDS = {claim.id for claim in _WHOLE.claims}
_OF_LARGE = tuple(setting for setting in OTHER_SETTINGS if setting.instead.keys() & _IDS)
SOURCE = replace(_WHOLE, other_settings=_OF_LARGE)
