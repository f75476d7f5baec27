"""Draw the specification curves and the ranking of the choices: condprob.multiverse.plots."""

from condprob.study.jobs import logged

with logged(snakemake.log[0]):
    import pandas as pd

    from condprob.multiverse.plots import draw_curves, draw_effects
    from condprob.multiverse.tables import read_universes
    from condprob.study.plots import save_figure

    universes = read_universes(snakemake.input.universes)
    claims = pd.read_csv(snakemake.input.claims)
    effects = pd.read_csv(snakemake.input.effects)
    order = {"tokenizer": snakemake.params.tokenizers} | snakemake.params.axes
    for place, name in enumerate(snakemake.params.figures):
        claim = name.removeprefix("multiverse-")
        if claim == "effects":
            figure = draw_effects(effects)
        else:
            figure = draw_curves(universes, claims, claim, order)
        save_figure(figure, *snakemake.output[2 * place : 2 * place + 2])
