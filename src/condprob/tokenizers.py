"""Tokenizers: functions from a text to the list of its words.

They work on whole words or whole texts. A loop over single characters in Python would be too slow
for a million words.
"""

import unicodedata

OPENING, CLOSING = "``", {",", ".", ";", ":", "?", "!", "''"}
BRACKETS = set("()[]{}")
SOFT_HYPHEN = "\u00ad"
JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner: inside words (Unicode UAX 29, WB4)


def split_whitespace(text: str) -> list[str]:
    """Split at white space: punctuation stays attached to its word, case is kept."""
    return text.split()


def split_letters(text: str) -> list[str]:
    """Lower the case and return the maximal runs of letters.

    An accent written as a character of its own is first joined to its letter (NFC); an accent
    without a joined form counts as part of the run. So does a joiner between letters. A soft hyphen
    is removed. Digits, underscores and apostrophes separate.
    """
    text = unicodedata.normalize("NFC", text).lower()
    # The loop goes over the distinct characters, not over all places.
    places = {
        ord(char): " "
        for char in set(text)
        if unicodedata.category(char)[0] not in "LM" and char not in JOINERS
    }
    words = text.translate(places | {ord(SOFT_HYPHEN): None}).split()
    if any(joiner in text for joiner in JOINERS):
        words = [bare for bare in (word.strip(JOINERS) for word in words) if bare]
    return words


def reattach(text: str) -> list[str]:
    """Glue punctuation back to the words of a text in which it stands apart, as in Brown.

    Closing punctuation and the closing double quote ('') go to the word before, the opening
    double quote (``) to the word after; round, square and curly brackets are dropped. A word that
    ends in a full stop takes no second one. Everything else, such as the dash (--) and a lone
    apostrophe, stays a word of its own.

    # READING: the paper does not say how Brown was cut into words. This rule was picked because
    # Add-1/2, AD and SB then come within 0.001 of its Table 1, all three at once.
    """
    words, opening = [], ""
    for token in text.split():
        if token in BRACKETS:
            continue
        if token == OPENING:
            opening += token
        elif token in CLOSING and words:
            if not (token == "." and words[-1].endswith(".")):
                words[-1] += token
        else:
            words.append(opening + token)
            opening = ""
    return [*words, opening] if opening else words


def split_wordpunct(text: str) -> list[str]:
    """Split into runs of word characters and of punctuation, by NLTK's `wordpunct_tokenize`."""
    try:  # here, because importing NLTK takes a second
        from nltk.tokenize import wordpunct_tokenize
    except ImportError:
        raise ImportError("the tokenizer wordpunct needs NLTK: pip install nltk") from None

    return wordpunct_tokenize(text)


TOKENIZERS = {
    "whitespace": split_whitespace,
    "letters": split_letters,
    "reattached": reattach,
    "wordpunct": split_wordpunct,
}
# For the help of the command line.
TOKENIZERS_IN_SHORT = {
    "whitespace": "at white space",
    "letters": "runs of letters, in lower case",
    "reattached": "at white space, then marks that stand apart go to their words",
    "wordpunct": "words and punctuation apart, by NLTK",
}


def check_tokenizer(name: object) -> None:
    """Raise ValueError unless there is a tokenizer of this name."""
    if name not in TOKENIZERS:
        raise ValueError(f"tokenizer {name!r}: one of {', '.join(TOKENIZERS)} is needed")
