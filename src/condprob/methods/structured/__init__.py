"""Log-linear models over all suffixes of a history: penalties, steps, gradient, solvers."""
