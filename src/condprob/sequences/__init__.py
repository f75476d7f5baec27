"""Histories of any length: sentences, and models that read more than one word back."""
