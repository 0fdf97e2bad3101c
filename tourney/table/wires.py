"""The wire language of a table's ports: the one place where tables choose it."""

from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.session.wire import WireFactory

TABLE_WIRE: WireFactory = BlueChipWire
"""The language that a program connecting to a table's port is expected to speak."""
