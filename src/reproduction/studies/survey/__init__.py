"""A survey of dimension reduction for language: LSA, PLSA, SDR, neural and structural models."""
