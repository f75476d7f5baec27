"""What every hot loop needs, whatever it computes.

`jit` has the flags of compiled functions, `simd` what they need below the level of Python,
`threads` shares out work among threads, `progress` cuts a fit into chunks that can be interrupted,
and `checkpoints` lets an interrupted fit go on.
"""
