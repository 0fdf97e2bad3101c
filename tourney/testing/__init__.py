"""Tools for the tests of tourney and of bridge programs. Nothing else in tourney imports this package.

`TableRig` is a table without a socket: a test gives it lines and time, and reads what the table answers.
"""

from tourney.protocol.session.table import TableSettings
from tourney.testing.players import calling_view, play_boards, playing_view
from tourney.testing.table_rig import Peer, TableRig

__all__ = ["Peer", "TableRig", "TableSettings", "calling_view", "play_boards", "playing_view"]
