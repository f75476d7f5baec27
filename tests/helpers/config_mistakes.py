"""A valid configuration, and mistakes to plant in it, each with the line that it must give."""

from condprob import METHODS

IDS = list(METHODS)
VALID = """\
results: results
seed: 7
strict: false
allow_other_hashes: false
corpora:
  mine:
    source: file
    path: mine.txt
    tokenizer: letters
    train: 100
    test: half
  king-james:
    source: nltk
    package: genesis
    files: [english-kjv.txt]
    tokenizer: whitespace
    words: 1000
    train: 600
    test: 400
methods:
  ad: {method: ad, discount: 0.75}
  kn: {method: kn, discount: estimated}
  ad-lr: {method: ad-lr, iterations: 200}
  ad-lr-20: {method: ad-lr, rank: 20}
exhibits:
  curve:
    kind: risk-curve
    k_values: [50, 100]
    rank_values: [3, 5]
    n_values: [10, 20]
    rows: uniform
    trials: 2
    methods: [ad, ad-lr, ad-lr-20]
  table:
    kind: table
    corpora: [mine, king-james]
    methods: [ad, kn, ad-lr]
    rank: 5
    seeds: 2
  learning:
    kind: learning-curve
    corpora: [mine]
    n_values: [20, 40]
    test: last
    test_words: 30
    baseline: kn
    methods: [kn, ad-lr-20]
    seeds: 2
    y_range: [-0.4, 0]
  ranks:
    kind: rank-selection
    corpora: [mine]
    rank_values: [2, 4]
    methods: [ad-lr]
    seeds: 2
    y_ranges: {mine: [5.6, 5.8]}
"""

# Text to replace, by what, the message, and how far below that text the line is that it names.
MISTAKES = {
    # ---------------------------------------------------------------- wrong types and values
    "zero": (
        "n_values: [10, 20]",
        "n_values: [10, 20, 0]",
        "exhibits.curve.n_values[2]: 0 is not allowed; must be an integer >= 1",
    ),
    "whole float": (
        "k_values: [50, 100]",
        "k_values: [50, 100.0]",
        "exhibits.curve.k_values[1]: 100.0 is not allowed; must be an integer >= 1",
    ),
    "number that YAML takes for text": (
        "train: 100",
        "train: 1e2",
        "corpora.mine.train: '1e2' is not allowed; must be an integer >= 2, or 'half' "
        "(it is text; the number is 100)",
    ),
    "true for one": (
        "trials: 2",
        "trials: true",
        "exhibits.curve.trials: true is not allowed; must be an integer >= 1",
    ),
    "one for true": (
        "strict: false",
        "strict: 1",
        "strict: 1 is not allowed; must be true or false",
    ),
    "nothing": (
        "seed: 7",
        "seed:",
        "seed: null is not allowed; must be an integer >= 0 and <= 18446744073709551615",
    ),
    "discount of one": (
        "discount: 0.75",
        "discount: 1",
        "methods.ad.discount: 1 is not allowed; must be a number > 0 and < 1",
    ),
    "discount that is no number": (
        "discount: 0.75",
        "discount: .nan",
        "methods.ad.discount: nan is not allowed; must be a number > 0 and < 1",
    ),
    "discount of Kneser-Ney": (
        "discount: estimated",
        "discount: estimate",
        "methods.kn.discount: 'estimate' is not allowed; must be a number > 0 and < 1, "
        "or 'estimated' or 'modified'",
    ),
    "infinity": (
        "y_range: [-0.4, 0]",
        "y_range: [-.inf, 0]",
        "exhibits.learning.y_range[0]: -inf is not allowed; must be a number",
    ),
    "choice": (
        "rows: uniform",
        "rows: unifrom",
        "exhibits.curve.rows: 'unifrom' is not allowed; must be 'uniform' or 'power-law'; "
        "did you mean 'uniform'?",
    ),
    "label of another": (
        "ad-lr-20: {method: ad-lr, rank: 20}",
        "ad-lr-20: {method: ad-lr, rank: 20, label: ad}",
        "exhibits.curve.methods[2]: 'ad-lr-20' has the label 'ad', as 'ad' has; must have another",
        9,
    ),
    "empty list": (
        "methods: [kn, ad-lr-20]",
        "methods: []",
        "exhibits.learning.methods: [] is not allowed; must be a list of at least one value, "
        "each text, not empty, in one line",
    ),
    "value twice": (
        "rank_values: [3, 5]",
        "rank_values: [3, 5, 3]",
        "exhibits.curve.rank_values[2]: 3 is given twice",
    ),
    "name that makes a bad file name": (
        "  curve:",
        "  my/curve:",
        "exhibits.my/curve: the name is not allowed; must be letters, digits and single hyphens, "
        "at most 100",
    ),
    "name that is too long for a file": (
        "  curve:",
        f"  {101 * 'a'}:",
        f"exhibits.{101 * 'a'}: the name is not allowed; must be letters, digits and single "
        "hyphens, at most 100",
    ),
    # ------------------------------------------------------------------------------ keys
    "unknown key": (
        "trials: 2",
        "trials: 2\n    trails: 3",
        "exhibits.curve.trails: unknown key; did you mean 'trials'? (allowed: kind, title, "
        "description, methods, x, y_scale, y_range, k_values, rank_values, n_values, rows, "
        "exponent, outcomes, concentration, trials, batch)",
        1,
    ),
    "option of another method": (
        "discount: estimated",
        "weight: 0.4",
        "methods.kn.weight: unknown key (allowed: method, label, discount, continuation, form, "
        "unseen)",
    ),
    "missing key": (
        "  curve:\n    kind: risk-curve\n",
        "  curve:\n",
        "exhibits.curve: 'kind' is missing; must be 'risk-curve', 'risk-map', 'table', "
        "'learning-curve' or 'rank-selection'",
    ),
    "missing files of a package": (
        "  king-james:\n    source: nltk\n    package: genesis\n    files: [english-kjv.txt]\n",
        "  king-james:\n    source: nltk\n    package: genesis\n",
        "corpora.king-james: 'files' is missing; must be a list of files of the package",
    ),
    "key twice": (
        "trials: 2",
        "trials: 2\n    trials: 3",
        "exhibits.curve.trials: given twice, first in line 32",
        1,
    ),
    "key that YAML does not take for text": (
        "  curve:",
        "  on:",
        "exhibits.on: the key is not text; put it in quotes",
    ),
    # -------------------------------------------------------------------- between values
    "unknown method": (
        "methods: [kn, ad-lr-20]",
        "methods: [kn, ad-rl]",
        "exhibits.learning.methods[1]: 'ad-rl' is not among the methods; did you mean 'ad-lr'? "
        "(there are: ad, kn, ad-lr, ad-lr-20)",
    ),
    "unknown method id": (
        "{method: ad, discount: 0.75}",
        "{method: AD}",
        f"methods.ad.method: 'AD' is not allowed; must be {', '.join(map(repr, IDS[:-1]))} or "
        f"{IDS[-1]!r}; did you mean 'ad'?",
    ),
    "value in a sweep": (
        "{method: ad, discount: 0.75}",
        "{method: ad, discount: [0.75, 2]}",
        "methods.ad.discount[1]: 2 is not allowed; must be a number > 0 and < 1",
    ),
    "value twice in a sweep": (
        "{method: ad, discount: 0.75}",
        "{method: ad, discount: [0.5, 0.5]}",
        "methods.ad.discount[1]: 0.5 is given twice",
    ),
    "x that nothing sweeps": (
        "trials: 2",
        "trials: 2\n    x: discount",
        "exhibits.curve.x: 'discount' is not allowed; must be one of n, k, rank (an option can be "
        "x where a method has a list of its values)",
        1,
    ),
    "baseline that is swept": (
        "kn: {method: kn, discount: estimated}",
        "kn: {method: kn, discount: [0.5, 0.75]}",
        "exhibits.learning.baseline: 'kn' sweeps discount; must be a single fit",
        24,
    ),
    "sweep beside ranks": (
        "{method: ad-lr, iterations: 200}",
        "{method: ad-lr, iterations: [100, 200]}",
        "exhibits.ranks.methods[0]: 'ad-lr' sweeps iterations; only its rank varies in a "
        "rank-selection",
        31,
    ),
    "unknown corpus": (
        "corpora: [mine, king-james]",
        "corpora: [mine, king-jams]",
        "exhibits.table.corpora[1]: 'king-jams' is not among the corpora; "
        "did you mean 'king-james'? (there are: mine, king-james)",
    ),
    "rank above k": (
        "rank_values: [3, 5]",
        "rank_values: [3, 60]",
        "exhibits.curve.rank_values[1]: 60 is not allowed; must be <= 50, the smallest of k_values",
    ),
    "rank of a method above k": (
        "k_values: [50, 100]",
        "k_values: [10, 100]",
        "exhibits.curve.methods[2]: 'ad-lr-20' has rank 20; must be <= 10, the smallest of "
        "k_values",
        5,
    ),
    "no rank": (
        "methods: [kn, ad-lr-20]",
        "methods: [kn, ad-lr]",
        "exhibits.learning.methods[1]: 'ad-lr' has no rank; must have one, or the exhibit a 'rank'",
    ),
    "rank that cannot vary": (
        "methods: [ad-lr]\n",
        "methods: [ad-lr-20]\n",
        "exhibits.ranks.methods[0]: 'ad-lr-20' has rank 20; must have none, for it to vary",
    ),
    "no rank to vary": (
        "methods: [ad-lr]\n",
        "methods: [kn]\n",
        "exhibits.ranks.methods[0]: 'kn' is not allowed; must be a low-rank method, for its rank "
        "to vary",
    ),
    "power law without exponent": (
        "rows: uniform",
        "rows: power-law",
        "exhibits.curve.rows: 'power-law' is not allowed without 'exponent', which is missing",
    ),
    "exponent without power law": (
        "rows: uniform",
        "rows: uniform\n    exponent: 2",
        "exhibits.curve.exponent: 2 is not allowed with rows: uniform; must be left out, or "
        "rows: power-law",
        1,
    ),
    "test words without need": (
        "test: last",
        "test: next",
        "exhibits.learning.test_words: 30 is not allowed with test: next; must be left out, or "
        "test: last",
        1,
    ),
    "baseline that is not shown": (
        "baseline: kn",
        "baseline: ad",
        "exhibits.learning.baseline: 'ad' is not among its exhibit's methods "
        "(there are: kn, ad-lr-20)",
    ),
    "axis upside down": (
        "y_range: [-0.4, 0]",
        "y_range: [0, -0.4]",
        "exhibits.learning.y_range: [0, -0.4] is not allowed; the first must be the lower",
    ),
    "log axis through zero": (
        "y_range: [-0.4, 0]",
        "y_scale: log\n    y_range: [-0.4, 0]",
        "exhibits.learning.y_range: [-0.4, 0] is not allowed; must be > 0 on a log scale",
        1,
    ),
    "axis of a corpus that is not shown": (
        "{mine: [5.6, 5.8]}",
        "{king-james: [5.6, 5.8]}",
        "exhibits.ranks.y_ranges.king-james: 'king-james' is not among its exhibit's corpora "
        "(there are: mine)",
    ),
    "names alike": (
        "  ranks:",
        "  Table:",
        "exhibits.Table: differs from 'table' in capitals alone",
    ),
    "name that Snakemake takes for a loop": (
        "  ranks:",
        f"  sweep-{'ab' * 20}:",
        f"exhibits.sweep-{'ab' * 20}: ends in 'ab' twenty times over; must be another name",
    ),
    "file that is not there": (
        "path: mine.txt",
        "path: yours.txt",
        "corpora.mine.path: 'yours.txt' is not a file",
    ),
    "encoding": (
        "path: mine.txt",
        "path: mine.txt\n    encoding: latin-11",
        "corpora.mine.encoding: 'latin-11' is no text encoding; did you mean 'latin-1'?",
        1,
    ),
    "split of too few words": (
        "words: 1000",
        "words: 999",
        "corpora.king-james.words: 999 is not allowed; must be >= train + test = 1000",
    ),
}
