"""Every defensible reading of what the paper leaves open, and a replication on new text."""
