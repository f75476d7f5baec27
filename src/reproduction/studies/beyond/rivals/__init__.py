"""Methods that a sceptic would compare with PY-LR, which `studies.beyond.methods` registers."""
