"""Movements of pairs: Mitchell, Howell, an organiser's own, and of the pairs of several teams.

A movement says who meets whom at which table in each round, and which set of boards they play. Nothing physical
moves when programs play: a board is data, and every table can have its own copy, so tables may share a set.
"""
