"""The evaluation of PY-LR on texts and tables that nobody had looked at: see README.md."""
