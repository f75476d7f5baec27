"""What the second paper has beyond the rules of every study.

1. cut_blocks  find or fetch the tagged corpus, cut it into blocks, number its words
2. count_work  what each proximal step visits: in the first block, and how it grows in all
"""

from reproduction.studies.structured.plan import BLOCKS, LARGE, blocks_of, how_to_cut
from reproduction.study import section_of

STRUCTURED = section_of(config, "structured")
TAGGED = config["corpora"].get(STRUCTURED.get("corpus"))


if STRUCTURED:

    localrules:
        cut_blocks,
        cut_large,

    rule cut_blocks:
        input:
            modules("structured/cut_blocks"),
        output:
            blocks=under(f"structured/{BLOCKS}/{block}.npz" for block in blocks_of(STRUCTURED)),
            receipt=results(f"structured/{BLOCKS}/receipt.json"),
        log:
            results(f"logs/cut_blocks/{BLOCKS}.log"),
        benchmark:
            results(f"benchmarks/cut_blocks/structured/{BLOCKS}.tsv")
        resources:
            mem_mb=900,
        params:
            **how_to_cut(config, BLOCKS),
            at_hand=lambda wildcards: at_hand(f"structured/{BLOCKS}/receipt.json", TAGGED),
            strict=config["strict"],
        message:
            "Structured penalties: cutting blocks of a tagged corpus"
        script:
            "scripts/cut_blocks.py"

    if LARGE in STRUCTURED:

        use rule cut_blocks as cut_large with:
            output:
                blocks=under([f"structured/{LARGE}/1.npz"]),
                receipt=results(f"structured/{LARGE}/receipt.json"),
            log:
                results(f"logs/cut_blocks/{LARGE}.log"),
            benchmark:
                results(f"benchmarks/cut_blocks/million/{LARGE}.tsv")
            params:
                **how_to_cut(config, LARGE),
                at_hand=lambda wildcards: at_hand(f"structured/{LARGE}/receipt.json", TAGGED),
                strict=True,

    rule count_work:
        input:
            modules("structured/count_work", "ll-treeinf", "ll-l2"),
            kernels=kernels_of(["ll-treeinf"]),
            blocks=rules.cut_blocks.output.blocks,
        output:
            work=results("structured/work.csv"),
            cases=results("structured/work-cases.csv"),
        log:
            results("logs/count_work.log"),
        benchmark:
            results("benchmarks/count_work/structured.tsv")
        resources:
            mem_mb=1500,
        params:
            settings={key: STRUCTURED[key] for key in ("orders", "sizes", "penalty")},
        message:
            "Structured penalties: what each proximal step visits"
        script:
            "scripts/count_work.py"
