"""Score one part of the textbook."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.textbook.clusters import classify_file, elbow_file, seeding_file
    from reproduction.studies.textbook.lowdim import place_file, place_plays_file
    from reproduction.studies.textbook.ngrams import complete_file, remember_file
    from reproduction.studies.textbook.ratings import map_films_file, rate_file
    from reproduction.studies.textbook.sentences import compare_file, next_file, use_file

    given, params = snakemake.input, snakemake.params
    seed, methods, settings = params.seed, params.methods, params.settings
    scorers = {
        "memory": lambda: remember_file(seed, given.words, given.style, methods, settings),
        "memory-plays": lambda: remember_file(seed, given.words, given.style, methods, settings),
        "completion": lambda: complete_file(seed, given.words, settings),
        "style": lambda: place_file(given.style),
        "style-plays": lambda: place_plays_file(given.style, given.plays, settings["corpus"]),
        "elbow": lambda: elbow_file(seed, settings),
        "seeding": lambda: seeding_file(seed, settings),
        "classified": lambda: classify_file(seed, settings),
        "compared": lambda: compare_file(seed, given.words, methods, settings),
        "uses": lambda: use_file(given.words, given.style, methods, settings),
        "next": lambda: next_file(seed, given.words, given.style, settings),
        "next-plays": lambda: next_file(seed, given.words, given.style, settings),
        "ratings": lambda: rate_file(seed, settings),
        "films": lambda: map_films_file(seed),
    }
    write_scores(snakemake.output.scores, scorers[snakemake.wildcards.part]())
