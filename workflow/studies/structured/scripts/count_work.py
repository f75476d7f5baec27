"""Count the values that each proximal step visits: studies.structured.work."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.corpora.blocks import read_block
    from reproduction.studies.structured import work
    from reproduction.verdicts.cases import COLUMNS

    given = snakemake.params.settings
    texts = [read_block(block)[0] for block in snakemake.input.blocks]
    train = texts[0]
    rows = [*work.count_work("block", train, given["orders"], given["sizes"], given["penalty"])]
    small = work.shorten(train, work.WORDS_OF_DENSE_TEXT, work.LEAST_TIMES_SEEN)
    cases = [
        *work.check_work(rows, train.n, train.k),
        *work.check_sublinear(work.pivots_by_order(texts, given["orders"]), given["orders"]),
        *work.check_positivity(small, small.k, given["penalty"]),
    ]
    write_rows(snakemake.output.work, work.WORK_COLUMNS, rows)
    write_rows(snakemake.output.cases, COLUMNS, cases)
