"""Frozen, then tried: this project's estimator on texts that nobody had looked at."""
