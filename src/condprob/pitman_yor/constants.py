"""What a fit of PY-LR does not learn.

docs/py-lr.md has the price of each: what the training halves of texts lose where it is halved or
doubled (exhibit `beyond-constants`). Options of the method are beside them there.
"""

# The model.
DISCOUNT = 0.5  # ``d`` of Pitman-Yor classes
RATIO_OF_RANKS = 1.6  # from one number of classes to the next
MANY = 50_000  # distinct pairs from which on each rank has one chain, and one part is held out

# A chain.
SWEEPS = 250.0  # times the root of the tokens of a distinct pair: many tokens of a pair mix slowly
MOST_SWEEPS = 1e5  # over the root of all tokens
BURN_IN = 0.5  # share of the sweeps that is not kept; in half of it the strength does not move
EVERY = 4  # sweeps from one step of tables and constants, and from one kept sample, to the next
MOST_STRENGTH = 1e6  # the largest ``theta``: each token has a table; the smallest is one over it
CUSTOMERS = 200  # of a pair, at most: of more tokens, several are one customer

# Weights and shares.
LIKE_TOKENS = 10.0  # pseudo-tokens of the weights that tokens tell
LIKE_PAIRS = 100.0  # pseudo-pairs of bins, and of weights that a text's pairs tell: these depend
BINS = (1, 4, 16, 64, 256, 1024)  # contexts seen less often than each have shares of their own
FOLDS = 5  # one part of so many is held out: of a text its end, of counts as many drawn ones
