"""Nelakanti, Archambeau, Mairal, Bach and Bouchard (EMNLP 2013)."""
