"""The parts of the survey: what each says and makes. Nothing here is heavy to import."""
