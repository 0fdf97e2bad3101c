"""Shipped on purpose: what tests of tourney and of other programs need. Nothing of tourney imports it."""
