"""Every defensible reading of a paper where it leaves something open, and new texts."""
