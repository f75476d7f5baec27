"""From scores to tidy tables, figures and printed tables."""
