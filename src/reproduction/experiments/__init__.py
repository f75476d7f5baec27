"""Fits and their scores: on synthetic models and on text."""
