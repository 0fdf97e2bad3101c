"""Settings of the whole suite."""

from hypothesis import settings

# A busy machine is no failure: examples have no time limit of their own, tests have pytest's.
settings.register_profile("tourney", deadline=None)
settings.load_profile("tourney")
