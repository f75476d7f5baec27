"""Fits and their scores: what runs in a job, and which jobs an exhibit needs."""
