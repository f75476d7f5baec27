"""The tables of the paper's kinds of exhibits, each made from its scores."""

from reproduction.exhibits.tables import tabulate_cells, tabulate_text, tabulate_trials

TABULATE = {
    "risk-curve": tabulate_trials,
    "risk-map": tabulate_trials,
    "table": tabulate_cells,
    "learning-curve": tabulate_text,
    "rank-selection": tabulate_text,
}
