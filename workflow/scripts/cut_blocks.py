"""Find the tagged corpus, and cut its blocks: experiments.orders.read_blocks."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.corpora.sources import CorpusUnavailable
    from reproduction.experiments.orders import number_sentences, read_blocks, save_block

    params = snakemake.params
    given, blocks, receipt = params.settings, {}, {}
    try:
        found = read_blocks(params.corpus, params.entry, given, params.allow_other_hashes)
    except CorpusUnavailable as error:
        if params.strict:
            raise
        receipt = {"reason": error.reason, "remedy": error.remedy}
    else:
        blocks = {n: number_sentences(*found[n - 1], given["least"]) for n in params.numbers}
    for number, path in zip(params.numbers, snakemake.output.blocks, strict=True):
        save_block(path, blocks.get(number))
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
