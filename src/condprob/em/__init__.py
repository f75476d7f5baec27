"""Expectation-maximisation with the smoothing inside: the one hot loop of the library."""
