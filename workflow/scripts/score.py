"""Score one job of a study: the function that the job names (reproduction.study.Job)."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from pathlib import Path

    from reproduction.scores.columns import COLUMNS, complete_row
    from reproduction.study import load_function

    params, job = snakemake.params, snakemake.params.job
    inputs = {name: snakemake.input.get(name, []) for name in job["inputs"]}
    given = job["given"] | ({"checkpoint": params.checkpoint} if params.checkpoint else {})
    rows = load_function(job["scorer"])(params.root, inputs, job["methods"], given)
    columns = dict.fromkeys([*COLUMNS, *job["columns"]])
    write_rows(snakemake.output.scores, columns, map(complete_row, rows))
    if params.checkpoint:
        Path(params.checkpoint).unlink(missing_ok=True)
