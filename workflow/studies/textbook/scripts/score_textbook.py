"""Score one part of the textbook."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.textbook.clusters import classify_file, elbow_file, seeding_file
    from reproduction.studies.textbook.lowdim import place_file
    from reproduction.studies.textbook.ngrams import complete_file, remember_file
    from reproduction.studies.textbook.ratings import rate_file
    from reproduction.studies.textbook.sentences import compare_file, next_file

    scorers = {
        "memory": remember_file,
        "completion": complete_file,
        "style": place_file,
        "elbow": elbow_file,
        "seeding": seeding_file,
        "classified": classify_file,
        "compared": compare_file,
        "next": next_file,
        "ratings": rate_file,
    }
    params, given = snakemake.params, snakemake.input
    inputs = {"words": given.words, "style": given.style}
    score = scorers[snakemake.wildcards.part]
    write_scores(
        snakemake.output.scores, score(params.seed, inputs, params.methods, params.settings)
    )
