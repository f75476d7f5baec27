"""Brown's punctuation goes back to its words."""

import pytest

from reproduction.corpora.words import TOKENIZERS

reattached = TOKENIZERS["reattached"]


@pytest.mark.parametrize(
    ("apart", "together"),
    [
        ("Birds sing , and fish ; they swim .", "Birds sing, and fish; they swim."),
        ("Who ? Me ! Look :", "Who? Me! Look:"),
        # Double quotes: opening to the next word, closing to the previous, in any nesting with
        # punctuation.
        ("He said `` no '' .", "He said ``no''."),
        ("`` Yes , '' she said", "``Yes,'' she said"),
        ("`` `` Deep '' '' .", "````Deep''''."),
        # A word that ends in a full stop takes no second one, but takes anything else.
        ("at Acme Ltd. .", "at Acme Ltd."),
        ("so . . . then", "so. then"),
        ("is it Acme Ltd. ? Yes", "is it Acme Ltd.? Yes"),
        ("so ? ? then", "so?? then"),
        ("`` Acme Ltd. '' .", "``Acme Ltd.''."),
        # Brackets go, and what follows them is glued to what came before them.
        ("a tree ( an oak ) , [ old ] { tall }", "a tree an oak, old tall"),
        # Words of their own: dashes, lone apostrophes, anything unknown.
        ("so -- ' yes ' -- & no", "so -- ' yes ' -- & no"),
        ("so -- , yes", "so --, yes"),
        # Only tokens count, not parts of words.
        ("the (old) .5 :-) a.b", "the (old) .5 :-) a.b"),
        # An opening quote keeps waiting for its word; punctuation still goes to the word before.
        ("the end `` . Then", "the end. ``Then"),
        # Nothing to be glued to.
        (", first", ", first"),
        ("last ``", "last ``"),
        ("", ""),
    ],
)
def test_reattached(apart, together):
    assert reattached(apart) == together.split()
