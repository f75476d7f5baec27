"""Seeds that come from names, never from the order of jobs or of a list.

So all methods of a trial see the same counts, and a value added to a sweep changes no other number.
"""

from functools import cache
from hashlib import sha256

import numpy as np


def spawn_seed(root, *names):
    """Return the `numpy.random.SeedSequence` that belongs to these names and numbers.

    Texts are hashed by SHA-256. Spawn keys, unlike entropy lists, do not collide when one is
    another with trailing zeros.
    """
    words = [_word_of(name) if isinstance(name, str) else int(name) for name in names]
    return np.random.SeedSequence(root, spawn_key=words)


@cache
def _word_of(name):
    return int.from_bytes(sha256(name.encode()).digest()[:4])
