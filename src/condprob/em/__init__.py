"""Expectation-maximisation with the smoothing inside: the one hot loop of the library.

`problem` says what is factorised, `starts` from which factors, `run` for how long. `loop` is the
algorithm, `threads` the same on several threads; both call `kernels`, on what `state` names.
`checkpoints` lets an interrupted fit go on. `simd` is what the kernels need below the level of
Python.
"""
