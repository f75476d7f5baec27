"""Write the page of a study."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    from reproduction.page.material import read_material
    from reproduction.page.report import write_page

    material = read_material(snakemake.input, snakemake.params)
    Path(snakemake.output.page).write_text(write_page(material), encoding="utf-8")
