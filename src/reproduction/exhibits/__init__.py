"""From scores to tidy tables, figures and tables in print."""

SYNTHETIC = ("risk-curve", "risk-map")  # kinds that rest on models with a known truth
