"""The machinery of every fit, whatever it computes.

`jit` has the flags of compiled functions, and small functions that they share. `threads` divides
work among threads. `progress` runs a fit in chunks; with `checkpoints` an interrupted fit goes on.
"""
