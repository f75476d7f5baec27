"""Fits and their scores: the functions that jobs run, and the plan of the jobs of an exhibit."""
