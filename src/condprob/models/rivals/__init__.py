"""Methods that a sceptic would put beside PY-LR."""
