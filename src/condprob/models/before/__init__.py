"""PY-LR as it was before its tables were sampled, and what rivals use of it."""
