"""From a text to its words: every tokenizer maps one string to a list of strings.

All work on whole words or whole texts; none looks at single characters in Python, so that a
million words take a fraction of a second.
"""

import unicodedata

OPENING, CLOSING = "``", {",", ".", ";", ":", "?", "!", "''"}
BRACKETS = set("()[]{}")


def split_whitespace(text: str) -> list[str]:
    """Split at white space: punctuation stays attached to its word, case is kept."""
    return text.split()


def split_letters(text: str) -> list[str]:
    """Lower the case and return the maximal runs of letters.

    An accent written as a character of its own is first joined to its letter (NFC); one that has
    no joined form counts as part of the run. Digits, underscores and apostrophes separate.
    """
    text = unicodedata.normalize("NFC", text).lower()
    # One decision for each distinct character, and none for each position.
    other = (char for char in set(text) if unicodedata.category(char)[0] not in "LM")
    return text.translate(dict.fromkeys(map(ord, other), " ")).split()


def reattach(text: str) -> list[str]:
    """Glue punctuation back to the words of a text in which it stands apart, as in Brown.

    Closing punctuation and the closing double quote ('') go to the word before, the opening
    double quote (``) to the word after; round, square and curly brackets are dropped. A word that
    ends in a full stop takes no second one. Everything else, the dash (--) and a lone apostrophe
    among it, stays a word of its own.

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
# For the help of the command line; a test asks for a line of each.
TOKENIZERS_IN_SHORT = {
    "whitespace": "at white space",
    "letters": "runs of letters, in lower case",
    "reattached": "at white space, then marks that stand apart go to their words",
    "wordpunct": "words and punctuation apart, by NLTK",
}
