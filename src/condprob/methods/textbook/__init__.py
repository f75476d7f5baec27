"""The methods of a textbook: class bigrams, n-grams, interpolation, matrix completion."""
