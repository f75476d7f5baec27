"""The rules of the readings beyond those of every study.

1. tabulate_multiverse  one row for each universe; shares by claim, effects, the nearest
2. draw_multiverse      a specification curve for each claim, and the ranking of the choices
"""

from reproduction.studies.readings.axes import CLAIMS
from reproduction.studies.readings.plan import TABLES, grid_jobs
from reproduction.study import section_of

GRID = section_of(config, "readings")


if GRID:

    localrules:
        tabulate_multiverse,
        draw_multiverse,

    rule tabulate_multiverse:
        input:
            modules("readings/tabulate_multiverse"),
            scores=under(SCOPES["readings"].scores(grid_jobs(SCOPES["readings"]))),
            receipts=under(f"corpora/{corpus}.json" for corpus in GRID["tokenizers"]),
        output:
            **{name: results(f"readings/{name}.csv") for name in TABLES},
        log:
            results("logs/tabulate_multiverse/readings.log"),
        benchmark:
            results("benchmarks/tabulate_multiverse/readings.tsv")
        resources:
            mem_mb=400,
        params:
            axes=GRID["axes"],
        message:
            "Readings: tables of the multiverse"
        script:
            "scripts/tabulate_multiverse.py"

    rule draw_multiverse:
        input:
            modules("readings/draw_multiverse"),
            universes=rules.tabulate_multiverse.output.universes,
            shares=rules.tabulate_multiverse.output.shares,
            effects=rules.tabulate_multiverse.output.effects,
        output:
            png=under(f"readings/{figure}.png" for figure in (*CLAIMS, "effects")),
            svg=under(f"readings/{figure}.svg" for figure in (*CLAIMS, "effects")),
        log:
            results("logs/draw_multiverse/readings.log"),
        benchmark:
            results("benchmarks/draw_multiverse/readings.tsv")
        resources:
            mem_mb=500,
        params:
            axes=GRID["axes"],
            tokenizers=GRID["tokenizers"],
            titled=config.get("titles", True),
        message:
            "Readings: figures of the multiverse"
        script:
            "scripts/draw_multiverse.py"
