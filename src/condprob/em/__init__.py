"""Expectation-maximisation with the smoothing inside: the one hot loop of the library.

`problem` says what is factorised, `starts` from which factors, `loop` runs the iterations of
`kernels`, or of `threads` on several threads; `simd` is what the kernels need below Python.
"""
