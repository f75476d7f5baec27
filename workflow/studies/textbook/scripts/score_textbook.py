"""Score one part of the textbook."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.textbook.clusters import classify_file, elbow_file, seeding_file
    from reproduction.studies.textbook.lowdim import place_file, place_plays_file
    from reproduction.studies.textbook.ngrams import complete_file, remember_file
    from reproduction.studies.textbook.ratings import map_films_file, rate_file
    from reproduction.studies.textbook.sentences import compare_file, next_file, use_file

    scorers = {
        "memory": remember_file,
        "memory-plays": remember_file,
        "completion": complete_file,
        "style": place_file,
        "style-plays": place_plays_file,
        "elbow": elbow_file,
        "seeding": seeding_file,
        "classified": classify_file,
        "compared": compare_file,
        "uses": use_file,
        "next": next_file,
        "next-plays": next_file,
        "ratings": rate_file,
        "films": map_films_file,
    }
    params, given = snakemake.params, snakemake.input
    inputs = dict(given.items())
    score = scorers[snakemake.wildcards.part]
    write_scores(
        snakemake.output.scores, score(params.seed, inputs, params.methods, params.settings)
    )
