"""The wire languages of a table's connections: the one place where tables choose them."""

from tourney.protocol.bluechip.server import BlueChipWire, find_seat
from tourney.protocol.session.wire import WireFactory
from tourney.protocol.stateful.server import GameId, StatefulWire, game_id

TABLE_WIRE: WireFactory = BlueChipWire
"""The language that a program connecting to a table's port is expected to speak."""

__all__ = ["TABLE_WIRE", "GameId", "StatefulWire", "find_seat", "game_id"]
