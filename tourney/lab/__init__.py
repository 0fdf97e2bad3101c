"""Comparing programs: duels of two versions, played until it is known which is better."""
