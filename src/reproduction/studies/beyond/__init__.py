"""Beyond the paper: this project's own estimator against all others."""
