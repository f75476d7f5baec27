"""Measure the work and the memory of each penalty: studies.structured.growth."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    import pandas as pd

    from reproduction.corpora.blocks import read_block
    from reproduction.studies.structured import growth, work
    from reproduction.verdicts.cases import COLUMNS

    given, out = snakemake.params.settings, snakemake.output
    texts = [read_block(block)[0] for block in snakemake.input.blocks]
    order = max(given["orders"])
    steps = [*growth.time_steps(texts, order, given["sizes"], given["penalty"])]
    memory = [*growth.measure_memory(texts, order)]
    small = work.shorten(texts[0], work.WORDS_OF_TINY_TEXT, work.LEAST_TIMES_IN_TINY_TEXT)
    cases = [
        *growth.check_steps(pd.DataFrame(steps)),
        *growth.check_memory(pd.DataFrame(memory)),
        *work.check_zeros(small, small.k, given["penalty"]),
        *growth.check_shared(small, order, given["penalty"]),
    ]
    write_rows(out.steps, growth.STEP_COLUMNS, steps)
    write_rows(out.memory, growth.MEMORY_COLUMNS, memory)
    write_rows(out.cases, COLUMNS, cases)
