"""The paper's last claim on text that it never saw: AD-LR against Kneser-Ney.

NLTK's Genesis in other languages and Brown's categories, by the readings of Table 1.
"""

from functools import partial

import numpy as np

from reproduction.corpora.corpus import word_pairs
from reproduction.corpora.sources import read_source
from reproduction.corpora.words import TOKENIZERS
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs

NAME = "replication"  # of the seeds


def read_text(name, entry, limit, allow_other_hashes=False, **where):
    """Return the words of a text: at most ``limit``, after those to ``skip``.

    The entry has ``package``, ``tokenizer`` and ``files``, perhaps ``sha256``, ``encoding`` and
    ``skip``, as in the config's ``replication``. All other arguments, and the errors, are those of
    `reproduction.corpora.sources.read_source`.
    """
    source = read_source(
        name,
        {"source": "nltk", **entry, "files": list_files(entry["files"])},
        allow_other_hashes=allow_other_hashes,
        **where,
    )
    words, skip = [], entry.get("skip", 0)
    for part in source.texts():
        words += TOKENIZERS[entry["tokenizer"]](part)
        if len(words) >= skip + limit:
            break
    return words[skip : skip + limit]


def read_collection(collection, words, allow_other_hashes):
    """Return the ``words``, at most, of each text of a collection, by name: see `read_text`."""
    common = {key: value for key, value in collection.items() if key != "texts"}
    return {
        name: read_text(name, common | entry, words, allow_other_hashes)
        for name, entry in collection["texts"].items()
    }


def list_files(files):
    """Return the files of a row such as ``ca01-ca44``, or a list as it is."""
    if not isinstance(files, str):
        return files
    first, last = files.split("-")
    return [f"{first[:-2]}{number:02d}" for number in range(int(first[-2:]), int(last[-2:]) + 1)]


def score_collection(root, collection, texts, methods, rank, seeds):
    """Fit every method to the first half of each text and score the second.

    ``texts`` is a file of `corpus.save_samples`. Of `columns.COLUMNS`, ``corpus`` is the collection
    and ``setting`` the text.
    """
    fits = Fits(methods, rank, seeds)
    with np.load(texts) as file:
        texts = dict(file)
    for name, ids in texts.items():
        k = int(ids.max()) + 1
        train, test = ids[: len(ids) // 2], ids[len(ids) // 2 :]
        place = {"corpus": collection, "setting": name, "k": k, "n": len(train)}
        start_of = partial(spawn_seed, root, NAME, name, len(train), rank)
        for row in score_pairs(start_of, word_pairs(train), word_pairs(test), k, fits):
            yield place | {"rank": rank} | row
