"""Write the page of the second paper: reproduction.page.report.write_report."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.page.report import write_report
    from reproduction.papers.structured_penalties.claims import FIGURE_2
    from reproduction.papers.structured_penalties.paper import PAPER
    from reproduction.verdicts.evidence import Results

    given, params = snakemake.input, snakemake.params
    shown = ["n", "method", "mean", "low", "high", "sd", "seeds", "converged"]
    table = pd.read_csv(given.table)[shown].assign(corpus="brown", rank=0, note="")
    exhibit = {"kind": "learning-curve", "title": params.title, "methods": params.methods}
    page = write_report(
        PAPER,
        params.config | {"exhibits": {FIGURE_2: exhibit}},
        Results({}, {FIGURE_2: table}, {}, pd.read_csv(given.checks)),
        pd.read_csv(given.claims),
        pd.read_csv(given.readings),
        [given.figure],
        json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        params.made_by,
    )
    Path(snakemake.output.page).write_text(page, encoding="utf-8")
