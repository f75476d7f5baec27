"""What a sceptic would put beside PY-LR: its rivals, each under the contract of every method."""
