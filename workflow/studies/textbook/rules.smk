"""The textbook's systems at work: `snakemake -j8 textbook`.

1. read_textbook   sentences of Brown; function words of its genres and of two Bibles
2. read_plays      sentences and function words of Shakespeare's plays
3. score_ngrams    perplexity of one smoothing at every order, trained on so many {words}, or all
4. score_textbook  memory, completion, style, elbow, seeding, classified, compared, uses, next,
                   ratings, films; and memory, style and next of the plays

REQUIRED INPUTS: Brown, Genesis and Shakespeare of NLTK
OUTPUTS: results/textbook/words.npz, style.npz, plays.npz, plays-style.npz,
         scores/ngrams/{method}-{words}.csv, scores/{part}.csv
"""

from reproduction.studies.textbook import plan as textbook

TEXTBOOK = section_of(config, "textbook")
TEXTS_OF_TEXTBOOK = [TEXTBOOK["corpus"], *TEXTBOOK["bibles"]]
RECEIPTS_OF_TEXTBOOK = {
    textbook.TEXTS: "results/textbook/receipt.json",
    textbook.PLAYS: "results/textbook/plays-receipt.json",
}
THERE_OF_TEXTBOOK = [
    text
    for text, names in ((textbook.TEXTS, TEXTS_OF_TEXTBOOK), (textbook.PLAYS, [TEXTBOOK["plays"]]))
    if TEXTS.has(
        text,
        RECEIPTS_OF_TEXTBOOK[text],
        all(is_at_hand(config["corpora"][name]) for name in names),
    )
]
STUDIES["textbook"] = make_study(
    "textbook",
    "textbook",
    textbook.list_exhibits(TEXTBOOK, THERE_OF_TEXTBOOK),
    textbook.list_scores(TEXTBOOK, THERE_OF_TEXTBOOK),
    corpora={exhibit: list(texts) for exhibit, texts in textbook.NEEDS.items()},
    receipts={
        exhibit: [RECEIPTS_OF_TEXTBOOK[text] for text in texts if text in THERE_OF_TEXTBOOK]
        for exhibit, texts in textbook.NEEDS.items()
    },
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


rule read_plays:
    output:
        words="results/textbook/plays.npz",
        style="results/textbook/plays-style.npz",
        receipt="results/textbook/plays-receipt.json",
    log:
        "results/logs/textbook/read_plays.log",
    benchmark:
        "results/benchmarks/textbook/read_plays.tsv"
    localrule: True
    resources:
        mem_mb=1000,
    params:
        corpus=TEXTBOOK["plays"],
        entry=config["corpora"][TEXTBOOK["plays"]],
        block=TEXTBOOK["block"],
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/textbook/scripts/read_plays.py"),
    message:
        "textbook: reading its plays"
    script:
        "scripts/read_plays.py"


def texts_of_part(wildcards):
    """Return the sentences and the function words that a part of the scores reads, by name."""
    part, _, plays = wildcards.part.partition("-")
    if part not in textbook.OF_TEXTS:
        return {}
    texts, of_plays = rules.read_textbook.output, rules.read_plays.output
    if part == textbook.STYLE and plays:
        return {"style": texts.style, "plays": of_plays.style}
    read = of_plays if plays else texts
    return {"words": read.words, "style": read.style}


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
        unpack(texts_of_part),
        kernels=kernels(["mf-sgd"]),
    output:
        scores="results/textbook/scores/{part}.csv",
    log:
        "results/logs/textbook/score_textbook/{part}.log",
    benchmark:
        "results/benchmarks/textbook/score_textbook/{part}.tsv"
    wildcard_constraints:
        part="[a-z]+|[a-z]+-plays",
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
