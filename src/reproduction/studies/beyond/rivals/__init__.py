"""Methods that a sceptic would put beside PY-LR, which `studies.beyond.methods` registers."""
