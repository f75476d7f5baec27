"""What a fit of PY-LR does not learn.

docs/py-lr-evaluation.md has the price of each: what the training halves of texts lose where it is
halved or doubled (exhibit `beyond-constants`). Options of the method are listed with them there.
"""

# The model.
DISCOUNT = 0.5  # ``d`` of Pitman-Yor classes
RATIO_OF_RANKS = 1.6  # from one number of classes to the next
# Distinct pairs from which on each rank has one chain and the smaller half of the ranks has none,
# and one part is held out at random.
MANY = 20_000

# A chain.
SWEEPS = 175.0  # times the root of the tokens of a distinct pair: many tokens of a pair mix slowly
MOST_SWEEPS = 7.5e4  # over the root of all tokens
BURN_IN = 0.5  # share of the sweeps that is not kept; in half of it the strength does not move
EVERY = 4  # sweeps from one step of tables and constants, and from one kept sample, to the next
MOST_STRENGTH = 1e6  # the largest ``theta``: each token has a table; the smallest is one over it
CUSTOMERS = 200  # of a pair, at most: of more tokens, several are one customer
BRIEF = (
    0.5  # share of the sweeps that first fits to a part of the pairs have; half with light effort
)

# Weights and shares.
LIKE_TOKENS = 10.0  # pseudo-tokens of weights: of chains, of a table, and of each bin
LIKE_PAIRS = 200.0  # pseudo-pairs of (10), and of the weights of a sequence, whose pairs depend
BINS = (1, 4, 16, 64, 256, 1024)  # contexts seen less often than each have shares of their own
HELD_OUT = 0.2  # of the pairs
FOLDS = 3  # parts of so many pairs that are held out at random, one after the other
OF_END = 0.75  # share of the evidence of a sequence that its end has: what comes next is like it
