"""Falahatgar, Ohannessian and Orlitsky (NIPS 2016)."""
