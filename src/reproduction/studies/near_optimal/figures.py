"""The figures of the paper's kinds of exhibits, each plotted from its table."""

from reproduction.exhibits.maps import draw_risk_map
from reproduction.exhibits.plots import (
    draw_learning_curves,
    draw_rank_selection,
    draw_risk_curves,
    draw_table,
)
from reproduction.studies.near_optimal.answer_figures import (
    draw_lead,
    draw_lead_by_size,
    draw_rounding,
    draw_training_texts,
)

DRAW = {
    "lead": draw_lead,
    "lead-by-size": draw_lead_by_size,
    "training-texts": draw_training_texts,
    "rounding": draw_rounding,
    "risk-curve": draw_risk_curves,
    "risk-map": draw_risk_map,
    "table": draw_table,
    "learning-curve": draw_learning_curves,
    "rank-selection": draw_rank_selection,
}
