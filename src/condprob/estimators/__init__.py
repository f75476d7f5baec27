"""From counts to a matrix: one module for each family of methods, and their catalogue."""
