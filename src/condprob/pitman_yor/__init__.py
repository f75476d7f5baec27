"""PY-LR: Pitman-Yor rows around a mean of low-rank bases."""
