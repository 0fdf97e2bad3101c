"""Tools for the tests of tourney and of bridge programs. Nothing else in tourney imports this package.

`TableRig` is a table without a socket: a test gives it lines and time, and reads what the table answers. It is
imported only when it is used, so that the players of this package start as fast as real ones.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tourney.protocol.session.table import TableSettings
    from tourney.testing.players import calling_view, play_boards, playing_view
    from tourney.testing.table_rig import Peer, TableRig, play_out

_MODULES: Final = {
    "Peer": "tourney.testing.table_rig",
    "TableRig": "tourney.testing.table_rig",
    "TableSettings": "tourney.protocol.session.table",
    "calling_view": "tourney.testing.players",
    "play_boards": "tourney.testing.players",
    "play_out": "tourney.testing.table_rig",
    "playing_view": "tourney.testing.players",
}

__all__ = ["Peer", "TableRig", "TableSettings", "calling_view", "play_boards", "play_out", "playing_view"]


def __getattr__(name: str) -> Any:  # PEP 562; type checkers read the imports above
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
