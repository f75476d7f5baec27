"""Texts: found or fetched, checked, cut into words, split."""
