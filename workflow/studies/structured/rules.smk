"""The rule of the second paper beyond those of every study.

count_work  the values that a proximal step visits: in the first block, and the growth in all
"""

from reproduction.studies.structured.plan import BLOCKS
from reproduction.study import section_of

STRUCTURED = section_of(config, "structured")


if STRUCTURED:

    rule count_work:
        input:
            modules("structured/count_work", "ll-treeinf", "ll-l2"),
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
