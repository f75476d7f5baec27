"""The tables of the paper's kinds of exhibits, each made from its scores."""

from reproduction.exhibits.tables import tabulate_cells, tabulate_text, tabulate_trials
from reproduction.studies.near_optimal.lead import tabulate_lead
from reproduction.studies.near_optimal.rounding import tabulate_rounding
from reproduction.studies.near_optimal.training_texts import tabulate_training_texts


def tabulate_parts(given):
    """Return the table of `lead.tabulate_lead`, of each AD-LR against each Kneser-Ney."""
    ours = list(dict.fromkeys(ours for ours, _ in given.entry["pairs"]))
    competitors = list(dict.fromkeys(other for _, other in given.entry["pairs"]))
    return tabulate_lead(given.scores, ours, competitors)


TABULATE = {
    "lead": tabulate_parts,
    "lead-by-size": tabulate_parts,
    "training-texts": lambda given: tabulate_training_texts(given.scores, given.entry["pairs"]),
    "rounding": lambda given: tabulate_rounding(given.scores),
    "risk-curve": tabulate_trials,
    "risk-map": tabulate_trials,
    "table": tabulate_cells,
    "learning-curve": tabulate_text,
    "rank-selection": tabulate_text,
}
