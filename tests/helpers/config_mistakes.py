"""A valid configuration, and the table of mistakes to plant in it."""

from pathlib import Path

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

# Of each mistake two lines: the text to replace => the text in its place, where ⏎ ends a line; and
# the line of error, of which … stands for a part that depends on the machine or on the methods.
_TABLE = Path(__file__).parents[1] / "reproduction" / "config" / "mistakes.txt"
_LINES = _TABLE.read_text(encoding="utf-8").splitlines()
MISTAKES = [
    (*change.replace("⏎", "\n").split(" => "), message)
    for change, message in zip(_LINES[::2], _LINES[1::2], strict=True)
]
