"""Tools for the tests of an author's player. Nothing else in tourney imports this package."""

from tourney.testing.players import calling_view, play_boards, playing_view

__all__ = ["calling_view", "play_boards", "playing_view"]
