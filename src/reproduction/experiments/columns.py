"""The columns of score files; an exhibit that sweeps options has a further one for each."""

TRIAL_COLUMNS = ("k", "rank", "n", "trial", "method", "kl_risk", "converged")
TEXT_COLUMNS = ("corpus", "n", "rank", "method", "seed", "block", "pairs", "loss", "converged")
