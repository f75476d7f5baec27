"""The second paper, structured penalties for language models, on blocks of Brown: `snakemake -j8
structured`.

1. read_blocks      blocks of Brown in sentences
2. score_block      perplexity of a model of an order on a block
3. count_work       the values that a proximal step visits: in the first block, and the growth in all
4. time_steps       Table 1: values and seconds of a step in all blocks, and the memory of positivity
5. compare_solvers  Algorithm 1 next to FISTA, on the first words of the first block

REQUIRED INPUTS: Brown of NLTK, with its tags
OUTPUTS: results/structured/blocks/{number}.npz, scores/{block}-{model}-{order}.csv, work.csv,
         steps.csv, memory.csv, solvers.csv, and their cases
"""

from reproduction.studies.structured import plan as structured

STRUCTURED = section_of(config, "structured")
TAGGED_TEXT = config["corpora"][STRUCTURED["corpus"]]
BLOCKS = [f"results/structured/blocks/{number}.npz" for number in STRUCTURED["blocks"]]
HAS_BLOCKS = TEXTS.has(
    "structured-blocks", "results/structured/blocks/receipt.json", is_at_hand(TAGGED_TEXT)
)
STUDIES["structured"] = make_study(
    "structured",
    "structured",
    structured.list_exhibits(STRUCTURED, HAS_BLOCKS),
    structured.list_scores(STRUCTURED) if HAS_BLOCKS else {},
    corpora=dict.fromkeys(structured.ORDER[1:], ["structured-blocks"]),
    receipts=dict.fromkeys(structured.ORDER[1:], ["results/structured/blocks/receipt.json"]),
    tables=structured.TABLES,
    given=structured.GIVEN if HAS_BLOCKS else {},
    checked=["figure-2"],
)


rule read_blocks:
    output:
        blocks=BLOCKS,
        receipt="results/structured/blocks/receipt.json",
    log:
        "results/logs/structured/read_blocks.log",
    benchmark:
        "results/benchmarks/structured/read_blocks.tsv"
    localrule: True
    resources:
        mem_mb=900,
    params:
        corpora={STRUCTURED["corpus"]: TAGGED_TEXT},
        settings={key: STRUCTURED[key] for key in structured.SETTINGS_OF_TEXTS}
        | {"numbers": STRUCTURED["blocks"]},
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/structured/scripts/read_blocks.py"),
    message:
        "structured: cutting blocks of a tagged corpus"
    script:
        "scripts/read_blocks.py"


rule score_block:
    input:
        block="results/structured/blocks/{block}.npz",
        kernels=lambda w: kernels(ids_of(choose_methods(config, [w.model]))),
    output:
        scores="results/structured/scores/{block}-{model}-{order}.csv",
    log:
        "results/logs/structured/score_block/{block}-{model}-{order}.log",
    benchmark:
        "results/benchmarks/structured/score_block/{block}-{model}-{order}.tsv"
    wildcard_constraints:
        block="[0-9]+",
        order="[0-9]+",
    resources:
        mem_mb=1500,
    params:
        methods=lambda w: without_style(choose_methods(config, [w.model])),
        settings={key: STRUCTURED[key] for key in structured.SETTINGS_OF_FITS},
        code=lambda w: code_version(
            "studies/structured/scripts/score_block.py", ids_of(choose_methods(config, [w.model]))
        ),
    message:
        "structured: {wildcards.model} of order {wildcards.order}, block {wildcards.block}"
    script:
        "scripts/score_block.py"


rule count_work:
    input:
        kernels=kernels(["ll-treeinf"]),
        blocks=BLOCKS,
    output:
        work="results/structured/work.csv",
        cases="results/structured/work-cases.csv",
    log:
        "results/logs/structured/count_work.log",
    benchmark:
        "results/benchmarks/structured/count_work.tsv"
    resources:
        mem_mb=1500,
    params:
        settings={key: STRUCTURED[key] for key in ("orders", "sizes", "penalty")},
        code=code_version("studies/structured/scripts/count_work.py", ["ll-treeinf", "ll-l2"]),
    message:
        "structured: the values that each proximal step visits"
    script:
        "scripts/count_work.py"


rule time_steps:
    input:
        kernels=kernels(["ll-treeinf"]),
        blocks=BLOCKS,
    output:
        steps="results/structured/steps.csv",
        memory="results/structured/memory.csv",
        cases="results/structured/growth-cases.csv",
    log:
        "results/logs/structured/time_steps.log",
    benchmark:
        "results/benchmarks/structured/time_steps.tsv"
    resources:
        mem_mb=1500,
    params:
        settings={key: STRUCTURED[key] for key in ("orders", "sizes", "penalty")},
        code=code_version("studies/structured/scripts/time_steps.py", ["ll-treeinf", "ll-l2"]),
    message:
        "structured: Table 1, the work and the memory of each penalty"
    script:
        "scripts/time_steps.py"


rule compare_solvers:
    input:
        kernels=kernels(["ll-treeinf"]),
        block=BLOCKS[0],
    output:
        solvers="results/structured/solvers.csv",
        cases="results/structured/solvers-cases.csv",
    log:
        "results/logs/structured/compare_solvers.log",
    benchmark:
        "results/benchmarks/structured/compare_solvers.tsv"
    resources:
        mem_mb=1000,
    params:
        seed=config["seed"],
        settings={**STRUCTURED["solvers"], "least": STRUCTURED["least"]},
        code=code_version("studies/structured/scripts/compare_solvers.py", ["ll-treeinf", "ll-l2"]),
    message:
        "structured: Algorithm 1 beside FISTA"
    script:
        "scripts/compare_solvers.py"
