"""Write the page of a scope: reproduction.page.report.write_page."""

from reproduction.jobs import logged

with logged(snakemake):
    from condprob.files import write_text
    from reproduction.page.material import read_material
    from reproduction.page.report import write_page

    params = snakemake.params
    material = read_material(params.scope, params.config, snakemake.input, params.over)
    write_text(snakemake.output.page, write_page(material))
