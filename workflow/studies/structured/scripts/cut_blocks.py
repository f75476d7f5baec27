"""Find the tagged corpus, and cut its blocks: studies.structured.orders.read_blocks."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.corpora.sources import CorpusUnavailable
    from reproduction.studies.structured.orders import number_sentences, read_blocks, save_block

    params = snakemake.params
    (numbers, given), blocks, receipt = params.cut, {}, {}
    how = params.corpus, params.entry, given, max(numbers), params.allow_other_hashes
    try:
        found = read_blocks(*how)
    except CorpusUnavailable as error:
        if params.strict:
            raise
        receipt = {"reason": error.reason, "remedy": error.remedy}
    else:
        blocks = {n: number_sentences(*found[n - 1], given["least"]) for n in numbers}
    for number, path in zip(numbers, snakemake.output.blocks, strict=True):
        save_block(path, blocks.get(number))
    write_receipt(snakemake.output.receipt, receipt, params.at_hand)
