"""The project's estimator, frozen, on texts that nobody had looked at."""
