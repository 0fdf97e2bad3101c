"""Tables for the tests of the wire, at the moments where the tests begin.

Board 1 is dealt by North. In `in_play` North is declarer in 1NT, so that East leads, South is dummy and West is
third hand.
"""

from collections.abc import Sequence
from typing import Any

from tests.support.table_rig import Peer, TableRig
from tourney.bridge import SEATS, Board, Seat, parse_deal
from tourney.protocol.session.table import TableSettings

NORTH, EAST, SOUTH, WEST = SEATS

STRIPES = parse_deal("N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765")
"""Each hand 4-3-3-3, with the four top cards of one suit."""

VOIDS = parse_deal("N:AK7.QJ..T9876543 QJT.AKT.AKQ.AKQJ 98652.9876.JT98. 43.5432.765432.2")
"""North is void in diamonds, South in clubs."""

DUMMY = "Dummy's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8."
"""The line that shows South's hand of `STRIPES` when South is dummy."""


def board(number: int = 1) -> Board:
    return Board.numbered(number, STRIPES)


def table(boards: Sequence[Board] = (), *, hold_clocks: bool = False, **settings: Any) -> TableRig:
    """Nobody has connected yet. Without `boards` there is one, board 1."""
    names = {"ns_team": "Alpha", "ew_team": "Beta"} | settings
    return TableRig(TableSettings(boards=tuple(boards) or (board(),), **names), hold_clocks=hold_clocks)


def seated(boards: Sequence[Board] = (), **settings: Any) -> TableRig:
    """Four have logged on, with version 18."""
    rig = table(boards, **settings)
    rig.seat_all()
    for seat in SEATS:
        rig.take(seat)
    return rig


def at_start_of_board(boards: Sequence[Board] = (), **settings: Any) -> TableRig:
    """`Start of board` has been sent."""
    rig = seated(boards, **settings)
    rig.all_say("ready for teams", "ready to start")
    return rig


def in_auction(boards: Sequence[Board] = (), version: dict[Seat, int] | None = None, **settings: Any) -> TableRig:
    """The cards are dealt and the dealer may call."""
    rig = table(boards, **settings)
    rig.seat_all(version)
    rig.start_board()
    return rig


def in_play(boards: Sequence[Board] = (), **settings: Any) -> TableRig:
    """North plays 1NT; East has been asked to lead. Tricks follow each other without a pause."""
    rig = in_auction(boards, **({"trick_pause_ms": 0} | settings))
    rig.converse("all hear N: bids 1NT\nall hear E S W: passes")
    rig.clear()
    return rig


def after_the_lead(**settings: Any) -> TableRig:
    """East has led the ten of spades; all have been told about it, and those who may see dummy have seen it."""
    rig = in_play(**settings)
    rig.play_card(EAST, "TS")
    rig.all_say("ready for dummy", seats=(NORTH, EAST, WEST))
    rig.clear()
    return rig


def log_on(rig: TableRig, team: str, seat: str, peer: Peer | None = None) -> tuple[Peer, list[str]]:
    """A new connection logs on, and what it is told."""
    peer = peer or rig.connect()
    return peer, rig.send_line(peer, f'Connecting "{team}" as {seat} using protocol version 18')
