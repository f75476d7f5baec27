"""Brown in sentences, and Brown with its tags.

The sentences are cut as Bengio et al. (2003) cut them: the first 800,000 words train, the next
200,000 stop models that learn by steps, the rest is tested; words that the training part has three
times or less are one symbol. A smaller run has every so many-th file and as many words in
proportion: the genres follow each other in the same way. Of the tags twelve parts of speech are
kept, besides the fifteen genres.
"""

import re

import numpy as np

from reproduction.corpora.blocks import list_words, number_sentences, save_block
from reproduction.corpora.sources import read_source, tagged_sentences
from reproduction.studies.textbook.texts import GENRES

# Brown's tags without their endings: parts of speech as in Petrov, Das and McDonald (2012),
# whose own table is not at hand.
# READING: "ap" (many, last, other) are determiners, "ql" (very) adverbs, "to" a particle, "ex"
# (there) a pronoun, possessive pronouns are pronouns; "be", "do", "have" and modals are verbs.
PARTS_OF_SPEECH = {
    "NOUN": "nn nn$ nns nns$ np np$ nps nps$ nr nr$ nrs",
    "VERB": "vb vbd vbg vbn vbz be bed bedz beg bem ben ber bez do dod doz hv hvd hvg hvn hvz md",
    "ADJ": "jj jj$ jjr jjs jjt",
    "ADV": "rb rb$ rbr rbt rn ql qlp wql wrb",
    "PRON": "pn pn$ pp$ pp$$ ppl ppls ppo pps ppss ex wp$ wpo wps",
    "DET": "at ap ap$ abl abn abx dt dt$ dti dts dtx wdt",
    "ADP": "in",
    "NUM": "cd cd$ od",
    "CONJ": "cc cs",
    "PRT": "rp to *",
    "X": "uh nil",
    "PUNCT": ". , : ( ) -- `` '' '",
}
NAMES = tuple(PARTS_OF_SPEECH)
PART_OF_TAG = {tag: part for part, tags in PARTS_OF_SPEECH.items() for tag in tags.split()}


def find_brown(corpora, section, allow_other_hashes=False):
    """Return training, test and stopping sentences, and the words by their numbers.

    Parameters
    ----------
    corpora : mapping
        The config's entry of Brown, whose package has tags.
    section : mapping
        ``every`` so many-th file, ``least``; and ``train`` and ``stop``, shares of the
        words.
    allow_other_hashes : bool

    Returns
    -------
    block : (condprob.Sentences, condprob.Sentences, condprob.Sentences)
        Word 0 stands for those seen less than ``least`` times in the first.
    labels : list of str
    """
    ((name, entry),) = corpora.items()
    source = read_source(name, entry, allow_other_hashes=allow_other_hashes)
    chosen = source.contents[:: section["every"]]
    sentences = [
        [word for word, _ in sentence] for raw in chosen for sentence in tagged_sentences(raw)
    ]
    ends = np.cumsum([len(sentence) for sentence in sentences])
    shares = np.array([section["train"], section["train"] + section["stop"]])
    first, second = np.searchsorted(ends, shares * ends[-1])
    train, stop, test = sentences[:first], sentences[first:second], sentences[second:]
    train_block, stop_block = number_sentences(train, stop, section["least"])
    _, test_block = number_sentences(train, test, section["least"])
    return (train_block, test_block, stop_block), list_words(train, section["least"])


def save_texts(words, labels, found):
    """Write the result of `find_brown` to two files."""
    block, names = found
    save_block(words, block)
    with open(labels, "wb") as file:
        np.savez(file, labels=np.array(names, dtype=str))


def part_of(tag):
    """Return the part of speech of one of Brown's tags.

    Of a contraction it is that of its first word, and titles, headlines, cited and foreign words
    are what they are elsewhere. A ``*`` behind a verb is its "not".
    """
    tag = re.sub(r"(-(tl|hl|nc))+$", "", tag.lower().removeprefix("fw-")).split("+")[0]
    return PART_OF_TAG[tag if tag == "*" else tag.removesuffix("*")]


def find_tagged(corpora, section, allow_other_hashes=False):
    """Return the tokens of Brown as arrays.

    Parameters
    ----------
    corpora : mapping
        The config's entry of Brown, whose package has tags.
    section : mapping
        ``every`` so many-th file.
    allow_other_hashes : bool

    Returns
    -------
    dict of str to numpy.ndarray
        ``labels`` of the words; ``word`` and ``tag`` of each token; the ``sentence`` and the
        ``document`` (file) it stands in; the ``genre`` of each file.
    """
    ((name, entry),) = corpora.items()
    source = read_source(name, entry, allow_other_hashes=allow_other_hashes)
    of_files = [genre for genre, size in GENRES.items() for _ in range(size)]
    contents = list(zip(source.contents, of_files, strict=False))[:: section["every"]]
    number, places, word, tag, sentence, file = {}, {}, [], [], [], []
    for place, (content, _) in enumerate(contents):
        for tokens in tagged_sentences(content):
            last = sentence[-1] + 1 if sentence else 0
            for letters, its_tag in tokens:
                if its_tag not in places:
                    places[its_tag] = NAMES.index(part_of(its_tag))
                word.append(number.setdefault(letters, len(number)))
                tag.append(places[its_tag])
                sentence.append(last)
                file.append(place)
    found = {"word": word, "tag": tag, "sentence": sentence, "document": file}
    found = {key: np.array(values, dtype=np.int32) for key, values in found.items()}
    return found | {"labels": np.array(list(number)), "genre": np.array([g for _, g in contents])}


def save_tagged(path, found):
    """Write the result of `find_tagged` to a file."""
    with open(path, "wb") as file:
        np.savez_compressed(file, **found)


def take_tokens(tokens, files, number):
    """Return the places of whole sentences from the starts of files, as many from each.

    Parameters
    ----------
    tokens : mapping
        See `find_tagged`.
    files : numpy.ndarray of int
    number : int
        Tokens in all, about: each file gives the sentences that begin in its share of them.
    """
    share, sentence = -(-number // files.size), tokens["sentence"]
    first = np.searchsorted(tokens["document"], files)
    after = np.searchsorted(tokens["document"], files, side="right")
    ends = np.searchsorted(sentence, sentence[np.minimum(first + share, after) - 1], side="right")
    return np.concatenate([np.arange(*pair) for pair in zip(first, ends, strict=True)])
