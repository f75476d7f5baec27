"""Every defensible reading of what a paper leaves open, and new texts."""
