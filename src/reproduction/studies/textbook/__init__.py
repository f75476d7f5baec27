"""A textbook's chapters on clusters, low dimensions, n-grams and matrix completion."""
