"""The paper's theorems as rates, and this project's intervals, on synthetic models:
`snakemake -j8 theory`.

1. score_rates       KL risk along a {sweep} of k, m or n, between the paper's bounds
2. score_complexity  the pairs that a risk takes, and the worst model that a search finds: {part}
3. score_descent     objective, gradient and step along the iterations of fits
4. score_posterior   how often the interval of a cell holds the truth, with so many {pairs} a context
5. score_theory      restarts, quantisation, deviation, intervals: {part}

REQUIRED INPUTS: a corpus, for the descent on a text
OUTPUTS: results/theory/scores/rates/{sweep}.csv, complexity/{part}.csv, descent.csv,
         posterior/{pairs}.csv, {part}.csv
"""

from reproduction.studies.theory import plan as theory

THEORY = section_of(config, "theory")
CORPUS_OF_DESCENT = THEORY["descent"]["corpus"]
HAS_DESCENT = CORPUS_OF_DESCENT in CORPORA
STUDIES["theory"] = make_study(
    "theory",
    "theory",
    theory.list_exhibits(),
    theory.list_scores(THEORY),
    corpora={"descent": [CORPUS_OF_DESCENT]},
    receipts={"descent": [f"results/corpora/{CORPUS_OF_DESCENT}.json"] if HAS_DESCENT else []},
    checked=theory.ORDER,
)


rule score_rates:
    input:
        kernels=kernels(["add-half-lr", "ad-lr"]),
    output:
        scores="results/theory/scores/rates/{sweep}.csv",
    log:
        "results/logs/theory/score_rates/{sweep}.log",
    benchmark:
        "results/benchmarks/theory/score_rates/{sweep}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings=lambda w: THEORY["rates"][w.sweep],
        fits={key: THEORY[key] for key in ("starts", "iterations")},
        code=code_version("studies/theory/scripts/score_rates.py", ["add-half-lr", "ad-lr"]),
    message:
        "theory: KL risk {wildcards.sweep}"
    script:
        "scripts/score_rates.py"


rule score_complexity:
    input:
        kernels=kernels(["add-half-lr", "ad-lr"]),
    output:
        scores="results/theory/scores/complexity/{part}.csv",
    log:
        "results/logs/theory/score_complexity/{part}.log",
    benchmark:
        "results/benchmarks/theory/score_complexity/{part}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings=lambda w: {"starts": THEORY["starts"]} | THEORY["complexity"][w.part],
        code=code_version("studies/theory/scripts/score_complexity.py", ["add-half-lr", "ad-lr"]),
    message:
        "theory: sample complexity, {wildcards.part}"
    script:
        "scripts/score_complexity.py"


rule score_descent:
    input:
        words=f"results/corpora/{CORPUS_OF_DESCENT}.npz" if HAS_DESCENT else [],
        kernels=kernels(["add-half-lr", "ad-lr"]),
    output:
        scores="results/theory/scores/descent.csv",
    log:
        "results/logs/theory/score_descent/descent.log",
    benchmark:
        "results/benchmarks/theory/score_descent/descent.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings=THEORY["descent"],
        code=code_version("studies/theory/scripts/score_descent.py", ["add-half-lr", "ad-lr"]),
    message:
        "theory: fits along their iterations"
    script:
        "scripts/score_descent.py"


rule score_posterior:
    output:
        scores="results/theory/scores/posterior/{pairs}.csv",
    log:
        "results/logs/theory/score_posterior/{pairs}.log",
    benchmark:
        "results/benchmarks/theory/score_posterior/{pairs}.tsv"
    wildcard_constraints:
        pairs="[0-9]+",
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings=THEORY["posterior"],
        code=code_version("studies/theory/scripts/score_posterior.py", ["py-lr"]),
    message:
        "theory: coverage of a posterior, {wildcards.pairs} pairs a context"
    script:
        "scripts/score_posterior.py"


rule score_theory:
    input:
        kernels=kernels(["add-half-lr", "ad-lr"]),
    output:
        scores="results/theory/scores/{part}.csv",
    log:
        "results/logs/theory/score_theory/{part}.log",
    benchmark:
        "results/benchmarks/theory/score_theory/{part}.tsv"
    wildcard_constraints:
        part="|".join(theory.PARTS),
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings=lambda w: theory.settings_of(THEORY, w.part),
        code=code_version("studies/theory/scripts/score_theory.py", ["add-half-lr", "ad-lr"]),
    message:
        "theory: {wildcards.part}"
    script:
        "scripts/score_theory.py"
