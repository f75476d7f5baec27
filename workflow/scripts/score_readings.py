"""Score every method under every reading of one split: multiverse.grid.score_readings."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.corpora.receipts import read_receipt
    from reproduction.corpora.sources import read_source
    from reproduction.multiverse.grid import SCORE_COLUMNS, score_readings
    from reproduction.multiverse.texts import read_sentences, split_sizes

    corpus, tokenizer, split = snakemake.wildcards
    params, rows = snakemake.params, []
    if "reason" not in read_receipt(snakemake.input.receipt):
        source = read_source(corpus, params.entry, allow_other_hashes=params.allow_other_hashes)
        limit = min(params.grid["words"], params.entry.get("words", params.grid["words"]))
        words, sentences = read_sentences(source, params.entry, tokenizer, limit)
        sizes = split_sizes(params.entry, tokenizer, len(words))
        text = (corpus, tokenizer, split)
        rows = score_readings(params.root, text, words, sentences, sizes, params.grid)
    write_rows(snakemake.output.scores, SCORE_COLUMNS, rows)
