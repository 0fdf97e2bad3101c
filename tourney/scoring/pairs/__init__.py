"""Scores of pairs: a result is compared with all others on its board, at matchpoints or in IMPs.

All figures are exact fractions; they are rounded where they are shown and nowhere else.
"""
