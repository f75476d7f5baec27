"""Write the page of a scope: the function that its study names."""

from reproduction.jobs import logged

with logged(snakemake):
    from condprob.io import write_text
    from reproduction.page.material import read_material
    from reproduction.study import load_function

    params = snakemake.params
    material = read_material(params.scope, params.config, snakemake.input, params.over)
    page = load_function(params.scope["page"])(material)
    write_text(snakemake.output.page, page)
