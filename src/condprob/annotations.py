"""Names for the types of arguments that occur again and again."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import sparray, spmatrix

Seed = int | np.random.SeedSequence | np.random.Generator  # whatever numpy makes a generator of
Sparse = sparray | spmatrix  # both families of scipy's
Conditions = ArrayLike | Sequence[Sequence[int]]  # contexts of a matrix, or histories
