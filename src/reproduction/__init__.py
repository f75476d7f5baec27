"""The reproduction of papers: from raw data to figures, verdicts and a page."""
