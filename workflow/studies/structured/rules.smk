"""The rule of the second paper beyond those of every study.

count_work       the values that a proximal step visits: in the first block, and the growth in all
time_steps       Table 1: values and seconds of a step in all blocks, and the memory of positivity
compare_solvers  Algorithm 1 beside FISTA, on the first words of the first block
"""

from reproduction.studies.structured.plan import BLOCKS
from reproduction.study import section_of

STRUCTURED = section_of(config, "structured")


if STRUCTURED:

    rule count_work:
        input:
            code_of("structured/count_work", "ll-treeinf", "ll-l2"),
            kernels=kernels_of(["ll-treeinf"]),
            blocks=under(TEXTS["structured", BLOCKS].files),
        output:
            work=results("structured/work.csv"),
            cases=results("structured/work-cases.csv"),
        log:
            results("logs/count_work/structured.log"),
        benchmark:
            results("benchmarks/count_work/structured.tsv")
        resources:
            mem_mb=1500,
        params:
            settings={key: STRUCTURED[key] for key in ("orders", "sizes", "penalty")},
        message:
            "Structured penalties: the values that each proximal step visits"
        script:
            "scripts/count_work.py"

    rule time_steps:
        input:
            code_of("structured/time_steps", "ll-treeinf", "ll-l2"),
            kernels=kernels_of(["ll-treeinf"]),
            blocks=under(TEXTS["structured", BLOCKS].files),
        output:
            steps=results("structured/steps.csv"),
            memory=results("structured/memory.csv"),
            cases=results("structured/growth-cases.csv"),
        log:
            results("logs/time_steps/structured.log"),
        benchmark:
            results("benchmarks/time_steps/structured.tsv")
        resources:
            mem_mb=1500,
        params:
            settings={key: STRUCTURED[key] for key in ("orders", "sizes", "penalty")},
        message:
            "Structured penalties: Table 1, the work and the memory of each penalty"
        script:
            "scripts/time_steps.py"

    rule compare_solvers:
        input:
            code_of("structured/compare_solvers", "ll-treeinf", "ll-l2"),
            kernels=kernels_of(["ll-treeinf"]),
            block=under(TEXTS["structured", BLOCKS].files)[0],
        output:
            solvers=results("structured/solvers.csv"),
            cases=results("structured/solvers-cases.csv"),
        log:
            results("logs/compare_solvers/structured.log"),
        benchmark:
            results("benchmarks/compare_solvers/structured.tsv")
        resources:
            mem_mb=1000,
        params:
            root=config["seed"],
            settings={**STRUCTURED["solvers"], "least": STRUCTURED["least"]},
        message:
            "Structured penalties: Algorithm 1 beside FISTA"
        script:
            "scripts/compare_solvers.py"
