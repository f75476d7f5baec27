"""From scores to tidy tables, figures and tables in print."""
