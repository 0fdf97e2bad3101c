"""Trying a program before the event: numbered steps at every seat, each with the clauses it stands for."""
