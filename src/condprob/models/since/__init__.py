"""Estimators of low-rank and of single distributions that were published since 2016."""
