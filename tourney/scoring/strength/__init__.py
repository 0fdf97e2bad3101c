"""Strength of programs: by how many IMPs a board one is better than another, and how surely.

The unit is the IMPs that one side won on a board over both rooms, which are called its swings here.
"""
