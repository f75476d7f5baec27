"""PY-LR: Pitman-Yor rows around a mean of low-rank matrices, whose tables are sampled."""
