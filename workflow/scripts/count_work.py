"""Count what each proximal step visits: papers.structured_penalties.work."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.experiments.orders import number_sentences, read_blocks
    from reproduction.papers.structured_penalties import work

    given = snakemake.params.settings
    blocks = read_blocks(snakemake.params.entry, given, snakemake.params.allow_other_hashes)
    train, _ = number_sentences(*blocks[given["blocks"][0] - 1], given["least"])
    rows = work.count_work("block", train, given["orders"], given["sizes"], given["penalty"])
    table = pd.DataFrame(rows, columns=work.WORK_COLUMNS)
    table.to_csv(snakemake.output.work, index=False, float_format="%.10g")
    small = work.shorten(train, work.SMALL, work.FREQUENT)
    cases = [
        *work.check_work(table, train.n, train.k),
        *work.check_positivity(small, small.k, given["penalty"]),
    ]
    pd.DataFrame(cases).to_csv(snakemake.output.cases, index=False, float_format="%.10g")
