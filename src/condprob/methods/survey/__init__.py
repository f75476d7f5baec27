"""The methods of a survey: LSA, PLSA, SDR, structural learning, a neural model."""
