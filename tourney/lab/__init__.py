"""Comparing programs: duels of two versions until it is known which is better, and leagues of many."""
