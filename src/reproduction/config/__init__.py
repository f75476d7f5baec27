"""config.yaml is read and checked as a whole; each mistake is one line of error."""
