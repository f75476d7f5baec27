"""Find the tagged corpus, and cut its blocks: studies.structured.orders.read_blocks."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.structured.orders import cut_blocks, describe_block, save_block

    params, (numbers, given) = snakemake.params, snakemake.params.cut
    how = params.corpus, params.entry, given, numbers, params.allow_other_hashes
    blocks, why = have_or_tell(lambda: cut_blocks(*how), params.strict)
    for number, path in zip(numbers, snakemake.output.blocks, strict=True):
        save_block(path, blocks and blocks[number])
    told = {number: describe_block(*block) for number, block in (blocks or {}).items()}
    write_receipt(snakemake.output.receipt, why or {"blocks": told}, params.at_hand)
