"""This project's own estimator compared with others, on models and on the paper's texts: `snakemake
-j8 beyond`. Most of its scores are those of score_models and score_corpus. Its evaluation on fresh
texts and tables is a workflow of its own: benchmarks/py_lr.

1. score_constants  what each constant of PY-LR is worth on {corpus}

REQUIRED INPUTS: results/corpora/{corpus}.npz
OUTPUTS: results/beyond/scores/beyond-constants/{corpus}.csv
"""

from reproduction.studies.beyond import plan as beyond

BEYOND = section_of(config, "beyond")
CONSTANTS = BEYOND["constants"]
OWN = list_exhibits(BEYOND["exhibits"], CORPORA)
EXHIBITS |= OWN
OF_CONSTANTS = [corpus for corpus in CONSTANTS["corpora"] if corpus in CORPORA]
CONSTANT, SCORES_OF_CONSTANTS = beyond.constants_of(CONSTANTS, OF_CONSTANTS)
STUDIES["beyond"] = make_study(
    "beyond",
    "beyond",
    ({beyond.CONSTANTS: CONSTANT} if OF_CONSTANTS else {}) | OWN,
    list_scores("beyond", OWN, config["methods"]) | {beyond.CONSTANTS: SCORES_OF_CONSTANTS},
    corpora=corpora_of(BEYOND["exhibits"]) | {beyond.CONSTANTS: CONSTANTS["corpora"]},
    receipts={beyond.CONSTANTS: [f"results/corpora/{corpus}.json" for corpus in OF_CONSTANTS]},
    has_checks=False,
)


rule score_constants:
    input:
        words=rules.split_corpus.output.words,
        kernels=kernels(["py-lr"]),
    output:
        scores="results/beyond/scores/beyond-constants/{corpus}.csv",
    log:
        "results/logs/beyond/score_constants/{corpus}.log",
    benchmark:
        "results/benchmarks/beyond/score_constants/{corpus}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings={key: CONSTANTS[key] for key in ("words", "seeds", "options")},
        changes={name: each["others"] for name, each in CONSTANTS["values"].items()},
        code=code_version("studies/beyond/scripts/score_constants.py", ["py-lr"]),
    message:
        "beyond: constants of PY-LR on {wildcards.corpus}"
    script:
        "scripts/score_constants.py"
