"""Estimators published since the paper, on its models and on texts."""
