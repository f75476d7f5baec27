"""Settings of the whole suite."""

from hypothesis import settings

# The same examples on every run and machine, and no failure because a machine was busy.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")
