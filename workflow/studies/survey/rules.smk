"""The models of a survey of dimension reduction next to all others: `snakemake -j8 survey`.

1. read_brown        Brown in sentences: to train on, to test on, to stop by
2. read_tagged       Brown with its tags
3. score_comparison  every method on a text: {corpus}, {vocabulary}; those that take long, {speed}
4. score_risk        every method on synthetic models, {n} pairs
5. score_table       perplexity of a {model} of Table 1
6. place_words       words on a map
7. score_tagging     parts of speech from {n} labelled words
8. score_genres      genres of documents
9. score_retrieval   retrieval of documents

REQUIRED INPUTS: results/corpora/{corpus}.npz; Brown of NLTK, with its tags
OUTPUTS: results/survey/brown.npz, labels.npz, tagged.npz, scores/{exhibit}/...csv
"""

from reproduction.studies.survey import plan as survey

SURVEY = section_of(config, "survey")
HAS_BROWN = "table" in SURVEY and TEXTS.has(
    "survey-brown",
    "results/survey/receipt.json",
    is_at_hand(config["corpora"][SURVEY["table"]["corpus"]]),
)
HAS_TAGGED = "tagging" in SURVEY and TEXTS.has(
    "survey-tagged",
    "results/survey/tagged.json",
    is_at_hand(config["corpora"][SURVEY["tagging"]["corpus"]]),
)
STUDIES["survey"] = survey.make_target(SURVEY, CORPORA, HAS_BROWN, HAS_TAGGED)


rule read_brown:
    output:
        words="results/survey/brown.npz",
        labels="results/survey/labels.npz",
        receipt="results/survey/receipt.json",
    log:
        "results/logs/survey/read_brown.log",
    benchmark:
        "results/benchmarks/survey/read_brown.tsv"
    localrule: True
    resources:
        mem_mb=1500,
    params:
        corpora=lambda w: {name: config["corpora"][name] for name in [SURVEY["table"]["corpus"]]},
        settings=lambda w: {
            key: SURVEY["table"][key] for key in ("every", "train", "stop", "least")
        },
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/survey/scripts/read_brown.py"),
    message:
        "survey: reading Brown"
    script:
        "scripts/read_brown.py"


rule read_tagged:
    output:
        tagged="results/survey/tagged.npz",
        receipt="results/survey/tagged.json",
    log:
        "results/logs/survey/read_tagged.log",
    benchmark:
        "results/benchmarks/survey/read_tagged.tsv"
    localrule: True
    resources:
        mem_mb=1500,
    params:
        corpora=lambda w: {name: config["corpora"][name] for name in [SURVEY["tagging"]["corpus"]]},
        settings=lambda w: {"every": SURVEY["tagging"]["every"]},
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/survey/scripts/read_tagged.py"),
    message:
        "survey: reading Brown with its tags"
    script:
        "scripts/read_tagged.py"


rule score_comparison:
    input:
        words=rules.split_corpus.output.words,
        kernels=lambda w: kernels(ids_of(survey.compared(SURVEY, config, w))),
    output:
        scores="results/survey/scores/methods/{corpus}-{vocabulary}{speed}.csv",
    log:
        "results/logs/survey/score_comparison/{corpus}-{vocabulary}{speed}.log",
    benchmark:
        "results/benchmarks/survey/score_comparison/{corpus}-{vocabulary}{speed}.tsv"
    wildcard_constraints:
        vocabulary="text|train",
        speed="(-slow)?",
    resources:
        mem_mb=1500,
    params:
        seed=config["seed"],
        methods=lambda w: survey.compared(SURVEY, config, w),
        settings=lambda w: {
            key: survey.settings_of_text(SURVEY["comparison"], w.corpus, w.speed)[key]
            for key in ("ranks", "seeds")
        },
        code=lambda w: code_version(
            "studies/survey/scripts/score_comparison.py",
            ids_of(survey.compared(SURVEY, config, w)),
        ),
    message:
        "survey: every method on {wildcards.corpus}, {wildcards.vocabulary}{wildcards.speed}"
    script:
        "scripts/score_comparison.py"


rule score_risk:
    input:
        kernels=lambda w: kernels(ids_of(survey.compared_on_models(SURVEY, config))),
    output:
        scores="results/survey/scores/risk/n{n}.csv",
    log:
        "results/logs/survey/score_risk/n{n}.log",
    benchmark:
        "results/benchmarks/survey/score_risk/n{n}.tsv"
    wildcard_constraints:
        n="[0-9]+",
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        methods=lambda w: survey.compared_on_models(SURVEY, config),
        settings=lambda w: SURVEY["comparison"]["models"],
        code=lambda w: code_version(
            "studies/survey/scripts/score_risk.py",
            ids_of(survey.compared_on_models(SURVEY, config)),
        ),
    message:
        "survey: every method on models, {wildcards.n} pairs"
    script:
        "scripts/score_risk.py"


rule score_table:
    input:
        words=rules.read_brown.output.words,
        kernels=lambda w: kernels(ids_of(survey.methods_in_table(SURVEY, config, w.model))),
    output:
        scores="results/survey/scores/table/{model}.csv",
    log:
        "results/logs/survey/score_table/{model}.log",
    benchmark:
        "results/benchmarks/survey/score_table/{model}.tsv"
    resources:
        mem_mb=2000,
    params:
        seed=config["seed"],
        methods=lambda w: survey.methods_in_table(SURVEY, config, w.model),
        of=lambda w: SURVEY["table"]["models"][w.model].get("of", "words"),
        orders=lambda w: SURVEY["table"]["models"][w.model]["orders"],
        # Not an output: what a killed job has of those is removed, and from this it goes on.
        checkpoint=lambda w, output: f"{output.scores}.checkpoint",
        code=lambda w: code_version(
            "studies/survey/scripts/score_table.py",
            ids_of(survey.methods_in_table(SURVEY, config, w.model)),
        ),
    message:
        "survey: Table 1, {wildcards.model}"
    script:
        "scripts/score_table.py"


rule place_words:
    input:
        words=rules.read_brown.output.words,
        labels=rules.read_brown.output.labels,
        kernels=lambda w: kernels(ids_of(survey.methods_on_map(SURVEY, config))),
    output:
        scores="results/survey/scores/words.csv",
    log:
        "results/logs/survey/place_words.log",
    benchmark:
        "results/benchmarks/survey/place_words.tsv"
    resources:
        mem_mb=1500,
    params:
        seed=config["seed"],
        methods=lambda w: survey.methods_on_map(SURVEY, config),
        settings=lambda w: SURVEY["words"],
        code=lambda w: code_version(
            "studies/survey/scripts/place_words.py",
            ids_of(survey.methods_on_map(SURVEY, config)),
        ),
    message:
        "survey: words on a map"
    script:
        "scripts/place_words.py"


rule score_tagging:
    input:
        tagged=rules.read_tagged.output.tagged,
    output:
        scores="results/survey/scores/tagging/{n}.csv",
    log:
        "results/logs/survey/score_tagging/{n}.log",
    benchmark:
        "results/benchmarks/survey/score_tagging/{n}.tsv"
    wildcard_constraints:
        n="[0-9]+",
    resources:
        mem_mb=4000,
    params:
        seed=config["seed"],
        settings=lambda w: {
            key: value
            for key, value in SURVEY["tagging"].items()
            if key not in ("sizes", "genres", "retrieval")
        },
        code=code_version("studies/survey/scripts/score_tagging.py"),
    message:
        "survey: parts of speech from {wildcards.n} labelled words"
    script:
        "scripts/score_tagging.py"


rule score_genres:
    input:
        tagged=rules.read_tagged.output.tagged,
    output:
        scores="results/survey/scores/genres.csv",
    log:
        "results/logs/survey/score_genres.log",
    benchmark:
        "results/benchmarks/survey/score_genres.tsv"
    resources:
        mem_mb=4000,
    params:
        seed=config["seed"],
        settings=lambda w: SURVEY["tagging"]["genres"],
        code=code_version("studies/survey/scripts/score_genres.py"),
    message:
        "survey: genres of documents from few labelled ones"
    script:
        "scripts/score_genres.py"


rule score_retrieval:
    input:
        tagged=rules.read_tagged.output.tagged,
    output:
        scores="results/survey/scores/retrieval.csv",
    log:
        "results/logs/survey/score_retrieval.log",
    benchmark:
        "results/benchmarks/survey/score_retrieval.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings=lambda w: SURVEY["tagging"]["retrieval"],
        code=code_version("studies/survey/scripts/score_retrieval.py"),
    message:
        "survey: retrieval of documents"
    script:
        "scripts/score_retrieval.py"
