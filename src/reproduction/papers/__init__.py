"""What is said of one paper each: its numbers, claims, readings, errata, theory."""
