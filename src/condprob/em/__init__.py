"""Expectation-maximisation with the smoothing inside: the one hot loop of the library.

`problem` says what is factorised, `starts` from which factors. `run` is the loop: it starts, and in
each iteration passes over the pairs, smooths, records the objective, and stops once that has
settled. What an iteration does is said by an engine: `expectation` is EM, of the passes in
`kernels`; `leave_one_out` leaves one token of each pair out, of those in `left_out_pass`. `state`
is what both share.
"""
