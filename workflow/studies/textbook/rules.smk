"""The textbook's systems at work: `snakemake -j8 textbook`.

1. read_textbook   sentences of Brown; function words of its genres and of two Bibles
2. score_ngrams    perplexity of one smoothing at every order, trained on so many {words}, or all
3. score_textbook  memory, completion, style, elbow, seeding, classified, compared, next, ratings

REQUIRED INPUTS: Brown and Genesis of NLTK
OUTPUTS: results/textbook/words.npz, style.npz, scores/ngrams/{method}-{words}.csv, scores/{part}.csv
"""

from reproduction.studies.textbook import plan as textbook

TEXTBOOK = section_of(config, "textbook")
TEXTS_OF_TEXTBOOK = [TEXTBOOK["corpus"], *TEXTBOOK["bibles"]]
HAS_TEXTBOOK = TEXTS.has(
    "textbook-texts",
    "results/textbook/receipt.json",
    all(is_at_hand(config["corpora"][name]) for name in TEXTS_OF_TEXTBOOK),
)
STUDIES["textbook"] = make_study(
    "textbook",
    "textbook",
    textbook.list_exhibits(TEXTBOOK, HAS_TEXTBOOK),
    textbook.list_scores(TEXTBOOK),
    corpora=dict.fromkeys(textbook.OF_TEXTS, ["textbook-texts"]),
    receipts=dict.fromkeys(textbook.OF_TEXTS, ["results/textbook/receipt.json"]),
    fitted=("mle", "laplace", "interpolated", "mf-sgd"),
    checked=textbook.JUDGED,
)


rule read_textbook:
    output:
        words="results/textbook/words.npz",
        style="results/textbook/style.npz",
        receipt="results/textbook/receipt.json",
    log:
        "results/logs/textbook/read_textbook.log",
    benchmark:
        "results/benchmarks/textbook/read_textbook.tsv"
    localrule: True
    resources:
        mem_mb=1500,
    params:
        corpora={name: config["corpora"][name] for name in TEXTS_OF_TEXTBOOK},
        settings={key: TEXTBOOK[key] for key in textbook.SETTINGS_OF_TEXTS if key in TEXTBOOK},
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/textbook/scripts/read_textbook.py"),
    message:
        "textbook: reading its texts"
    script:
        "scripts/read_textbook.py"


rule score_ngrams:
    input:
        words=rules.read_textbook.output.words,
    output:
        scores="results/textbook/scores/ngrams/{method}-{words}.csv",
    log:
        "results/logs/textbook/score_ngrams/{method}-{words}.log",
    benchmark:
        "results/benchmarks/textbook/score_ngrams/{method}-{words}.tsv"
    wildcard_constraints:
        words="all|[0-9]+",
    resources:
        mem_mb=3000,
    params:
        seed=config["seed"],
        methods=lambda w: without_style(choose_methods(config, [w.method])),
        orders=TEXTBOOK["orders"],
        code=lambda w: code_version(
            "studies/textbook/scripts/score_ngrams.py", ids_of(choose_methods(config, [w.method]))
        ),
    message:
        "textbook: n-grams by {wildcards.method}, {wildcards.words} words"
    script:
        "scripts/score_ngrams.py"


rule score_textbook:
    input:
        words=lambda w: rules.read_textbook.output.words if w.part in textbook.OF_TEXTS else [],
        style=lambda w: rules.read_textbook.output.style if w.part in textbook.OF_TEXTS else [],
        kernels=kernels(["mf-sgd"]),
    output:
        scores="results/textbook/scores/{part}.csv",
    log:
        "results/logs/textbook/score_textbook/{part}.log",
    benchmark:
        "results/benchmarks/textbook/score_textbook/{part}.tsv"
    wildcard_constraints:
        part="[a-z]+",
    resources:
        mem_mb=3000,
    params:
        seed=config["seed"],
        methods=lambda w: textbook.methods_of(TEXTBOOK, config, w.part),
        settings=lambda w: textbook.settings_of(TEXTBOOK, w.part),
        code=lambda w: code_version(
            "studies/textbook/scripts/score_textbook.py",
            ids_of(textbook.methods_of(TEXTBOOK, config, w.part)),
        ),
    message:
        "textbook: {wildcards.part}"
    script:
        "scripts/score_textbook.py"
