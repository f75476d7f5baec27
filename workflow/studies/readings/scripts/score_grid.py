"""Fit AD-LR and Kneser-Ney under every reading of a corpus, a tokenizer and a split."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.readings.grid import score_readings
    from reproduction.studies.readings.texts import read_text

    w, params = snakemake.wildcards, snakemake.params
    text = w.corpus, w.tokenizer, w.split
    read = read_text(*text[:2], params.entry, params.grid["words"], params.allow_other_hashes)
    rows = score_readings(params.seed, text, read, params.grid)
    write_scores(snakemake.output.scores, rows)
