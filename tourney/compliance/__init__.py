"""Checks a program before the event: numbered steps at every seat, each with the clauses that it covers."""
