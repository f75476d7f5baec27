"""The texts: sentences of Brown and of plays, and function words of genres, Bibles and plays."""

import re
from collections import Counter
from pathlib import Path

import numpy as np

from condprob.tokenizers import split_letters
from reproduction.corpora.blocks import list_words, number_sentences, save_block
from reproduction.corpora.sources import read_source, tagged_sentences

# Binongo's, in the textbook's Figure 7.4; words on both sides of a stroke count as one.
_WORDS = (
    "the and to a/an of in that/those it not as with but for at this/these so all on from one/ones",
    "up no out what then if there by who when into now down over back or well which how here",
    "just very where before upon about after more why some",
)
FUNCTION_WORDS = [word for line in _WORDS for word in line.split()]
# Files of Brown by their genres, in their order.
GENRES = dict(
    zip("ABCDEFGHJKLMNPR", (44, 27, 17, 17, 36, 48, 75, 30, 80, 29, 24, 6, 29, 29, 9), strict=True)
)
# A word of a play, with apostrophes and hyphens inside it, or a mark; the case is kept.
_WORD_OR_MARK = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|[.,;:?!]")
ENDS_OF_SENTENCES = set(".?!")
SHARE_TESTED = 0.1  # of the sentences of each file of Brown: its last ones


def find_texts(corpora, section, allow_other_hashes=False):
    """Return sentences, labels of words, and styles of blocks of the texts.

    Parameters
    ----------
    corpora : mapping
        Entries of the config: Brown's, which has tags, and both Bibles'.
    section : mapping
        The study's part of the config.
    allow_other_hashes : bool

    Returns
    -------
    block : (condprob.Sentences, condprob.Sentences)
        Training and test sentences over the words seen ``least`` times in the first.
    labels : list of str
        The words by their numbers.
    style : dict of str to list of numpy.ndarray
        By genre, and by Bible: frequencies of the function words in each block of so many words.
    """
    how = {"allow_other_hashes": allow_other_hashes}
    brown = read_source(section["corpus"], corpora[section["corpus"]], **how)
    files = [
        [[word for word, _ in sentence] for sentence in tagged_sentences(content)]
        for content in brown.contents[: section.get("files")]
    ]
    train, test = [], []
    for sentences in files:
        cut = round((1 - SHARE_TESTED) * len(sentences))
        train += sentences[:cut]
        test += sentences[cut:]
    block = number_sentences(train, test, section["least"])
    labels = list_words(train, section["least"])
    texts = read_genres(files)
    for bible in section["bibles"]:
        (text,) = read_source(bible, corpora[bible], **how).texts()
        texts[bible] = split_letters(text)
    style = {name: count_function_words(words, section["block"]) for name, words in texts.items()}
    return block, labels, {name: found for name, found in style.items() if len(found) > 1}


def find_plays(name, entry, size, allow_other_hashes=False):
    """Return the sentences of plays, their words by number, and the style of blocks of each play.

    A speech ends its last sentence. A block has ``size`` words of one play, which gives it its
    name: that of the file without its ending.
    """
    source = read_source(name, entry, allow_other_hashes=allow_other_hashes)
    texts = dict(zip(entry["files"], source.texts(), strict=True))
    sentences = [
        sentence
        for text in texts.values()
        for speech in text.splitlines()
        for sentence in cut_sentences(speech)
    ]
    block = number_sentences(sentences, [], 1)[:1]
    style = {
        Path(file).stem: count_function_words(split_letters(text), size)
        for file, text in texts.items()
    }
    return block, list_words(sentences, 1), style


def cut_sentences(speech):
    """Return the sentences of a speech: lists of words and of marks."""
    sentences = [[]]
    for word in _WORD_OR_MARK.findall(speech):
        sentences[-1].append(word)
        if word in ENDS_OF_SENTENCES:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def read_genres(files):
    """Return the words of each genre of Brown, in small letters."""
    genres = [genre for genre, size in GENRES.items() for _ in range(size)]
    texts = {}
    for genre, sentences in zip(genres, files, strict=False):
        words = [word.lower() for sentence in sentences for word in sentence]
        texts.setdefault(genre, []).extend(words)
    return texts


def count_function_words(words, size):
    """Return the share of each function word in each whole block of ``size`` words."""
    number = {w: i for i, both in enumerate(FUNCTION_WORDS) for w in both.split("/")}
    found = []
    for start in range(0, len(words) - size + 1, size):
        counts = Counter(number.get(word, -1) for word in words[start : start + size])
        found.append(np.array([counts[i] / size for i in range(len(FUNCTION_WORDS))]))
    return found


def save_texts(words, style, found):
    """Write the result of `find_texts`, or of `find_plays`, to two files."""
    block, labels, blocks = found
    save_block(words, block)
    rows = np.array([row for rows in blocks.values() for row in rows])
    rows = rows.reshape(-1, len(FUNCTION_WORDS))
    names = np.array([name for name, rows in blocks.items() for _ in rows], dtype=str)
    with open(style, "wb") as file:
        np.savez(file, rows=rows, names=names, labels=np.array(labels, dtype=str))
