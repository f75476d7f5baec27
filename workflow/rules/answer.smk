"""Why AD-LR wins in Table 1, how sure that is, and the abstract that says so.

1. score_lead             losses on seen and unseen words, by method: the fits of Table 1 or figure 2
2. score_training_texts   the halves of a corpus exchanged, and every stretch of Brown
3. score_rounding_models  fits of figure 1 whose start is moved by one rounding error
4. score_rounding_corpus  the same on the texts of Table 1
5. write_abstract         claim, evidence, verdicts, confidence, and the cell behind each number

REQUIRED INPUTS: results/corpora/{corpus}.npz, results/near_optimal/models, claims and tables
OUTPUTS: results/near_optimal/answer, results/near_optimal/abstract.csv
"""


rule score_lead:
    input:
        words=rules.split_corpus.output.words,
        kernels=kernels(["kn", "ad-lr"]),
    output:
        scores="results/near_optimal/answer/lead/{exhibit}/{corpus}.csv",
    log:
        "results/logs/near_optimal/score_lead/{exhibit}-{corpus}.log",
    benchmark:
        "results/benchmarks/near_optimal/score_lead/{exhibit}-{corpus}.tsv"
    resources:
        mem_mb=700,
    params:
        seed=config["seed"],
        sizes=lambda w: sizes_of(EXHIBITS[w.exhibit]),
        methods=lambda w: without_style(choose_methods(config, ANSWER["lead"]["methods"])),
        code=code_version("scripts/score_lead.py", ["kn", "ad-lr"], "near_optimal", "lead"),
    message:
        "Where AD-LR's lead lies: {wildcards.exhibit}, {wildcards.corpus}"
    script:
        "../scripts/score_lead.py"


rule score_training_texts:
    input:
        words=rules.split_corpus.output.words,
        whole=lambda w: [
            f"results/corpora/{whole}.npz"
            for corpus, whole in ANSWER["training-texts"]["whole"].items()
            if corpus == w.corpus and whole in CORPORA
        ],
        kernels=kernels(["kn", "ad-lr"]),
    output:
        scores="results/near_optimal/answer/training-texts/{corpus}.csv",
    log:
        "results/logs/near_optimal/score_training_texts/{corpus}.log",
    benchmark:
        "results/benchmarks/near_optimal/score_training_texts/{corpus}.tsv"
    resources:
        mem_mb=700,
    params:
        seed=config["seed"],
        entry=lambda w: without_style_of(ANSWER["training-texts"]),
        methods=lambda w: without_style(choose_methods(config, ANSWER["training-texts"]["methods"])),
        code=code_version(
            "scripts/score_training_texts.py", ["kn", "ad-lr"], "near_optimal", "training_texts"
        ),
    message:
        "Table 1 on other training texts: {wildcards.corpus}"
    script:
        "../scripts/score_training_texts.py"


rule score_rounding_models:
    input:
        models="results/near_optimal/models/{exhibit}/k{k}-m{m}.npz",
        kernels=kernels(["ad-lr"]),
    output:
        scores="results/near_optimal/answer/rounding/{exhibit}/k{k}-m{m}.csv",
    log:
        "results/logs/near_optimal/score_rounding_models/{exhibit}-k{k}-m{m}.log",
    benchmark:
        "results/benchmarks/near_optimal/score_rounding_models/{exhibit}-k{k}-m{m}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        n_values=lambda w: EXHIBITS[w.exhibit]["n_values"],
        trials=lambda w: min(ANSWER["rounding"]["trials"], EXHIBITS[w.exhibit]["trials"]),
        methods=lambda w: without_style(choose_methods(config, ANSWER["rounding"]["methods"])),
        code=code_version("scripts/score_rounding_models.py", ["ad-lr"], "near_optimal", "rounding"),
    message:
        "What one rounding error moves: {wildcards.exhibit}"
    script:
        "../scripts/score_rounding_models.py"


rule score_rounding_corpus:
    input:
        words=rules.split_corpus.output.words,
        kernels=kernels(["ad-lr"]),
    output:
        scores="results/near_optimal/answer/rounding/{exhibit}/{corpus}.csv",
    log:
        "results/logs/near_optimal/score_rounding_corpus/{exhibit}-{corpus}.log",
    benchmark:
        "results/benchmarks/near_optimal/score_rounding_corpus/{exhibit}-{corpus}.tsv"
    resources:
        mem_mb=700,
    params:
        seed=config["seed"],
        entry=lambda w: without_style_of(ANSWER["rounding"]),
        methods=lambda w: without_style(choose_methods(config, ANSWER["rounding"]["methods"])),
        code=code_version("scripts/score_rounding_corpus.py", ["ad-lr"], "near_optimal", "rounding"),
    message:
        "What one rounding error moves: {wildcards.corpus}"
    script:
        "../scripts/score_rounding_corpus.py"


rule write_abstract:
    input:
        words=f"{SRC}/studies/near_optimal/words.toml",
        settings="results/near_optimal/claims-settings.csv",
        tables=STUDIES["near_optimal"].files("csv"),
        theory=STUDIES["near_optimal"].cases,
    output:
        abstract="results/near_optimal/abstract.csv",
    log:
        "results/logs/near_optimal/write_abstract.log",
    localrule: True
    resources:
        mem_mb=300,
    params:
        code=code_version("scripts/write_abstract.py", study="near_optimal", module="abstract"),
    message:
        "near_optimal: the structured abstract"
    script:
        "../scripts/write_abstract.py"
