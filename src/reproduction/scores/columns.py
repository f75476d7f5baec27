"""The one schema of all scores.

A job that sweeps options, or readings, has a further column for each. A value that a row does not
have is empty, and a column that is empty throughout is not read. `writing` writes such files and
`reading` reads them: an edit of the one makes nothing again that rests only on the other.
"""

# The text and its reading, or the size of the model; pairs have order 2.
PLACE = ("corpus", "setting", "k", "rank", "n", "order")
# A fit, and a stretch of test text, or a trial; ``part`` marks rows that choose settings.
FIT = ("method", "trial", "seed", "block", "part")
# The result: the loss of so many pairs, nats in all; or the KL risk of a model, nats.
VALUES = ("pairs", "loss", "kl_risk", "converged")
# Of a model that chooses settings, or stops by a certificate.
OF_MODEL = ("chosen_penalty", "chosen_decay", "parameters", "gap", "steps")
COLUMNS = (*PLACE, *FIT, *VALUES, *OF_MODEL)
# Stretches of a test text whose losses are kept apart, for block bootstraps: rows of a fit.
BLOCKS = 50
PAIRS = 2  # the order of a model of pairs
HELD_OUT = "held-out"  # the part of rows that are no scores of test words
ORACLE = "oracle"  # the method of rows of `trials.oracle_risk`, and the key of an exhibit
ALL = "all"  # collections, corpora, or texts, together, in tables
