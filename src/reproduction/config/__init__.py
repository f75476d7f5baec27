"""config.yaml: read, checked whole, its mistakes told in one line each."""
