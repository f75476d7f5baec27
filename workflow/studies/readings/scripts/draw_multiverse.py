"""Draw the specification curves and the ranking of the choices: studies.readings.plots."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    import matplotlib as mpl
    import pandas as pd

    from reproduction.exhibits.looks import STYLE, save_figure
    from reproduction.studies.readings.plots import draw_curves, draw_effects
    from reproduction.studies.readings.tables import read_universes

    universes = read_universes(snakemake.input.universes)
    shares = pd.read_csv(snakemake.input.shares)
    effects = pd.read_csv(snakemake.input.effects)
    order = {"tokenizer": snakemake.params.tokenizers} | snakemake.params.axes
    for png, svg in zip(snakemake.output.png, snakemake.output.svg, strict=True):
        claim = Path(png).stem
        with mpl.rc_context(STYLE):
            if claim == "effects":
                figure = draw_effects(effects, titled=snakemake.params.titled)
            else:
                figure = draw_curves(universes, shares, claim, order, snakemake.params.titled)
        save_figure(figure, png, svg)
