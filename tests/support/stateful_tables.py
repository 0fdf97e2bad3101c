"""Tables where seats speak the stateful-server protocol, beside others in the words of Blue Chip."""

from collections.abc import Sequence

from tests.support.protocol_players import Script, ScriptedPlayer
from tests.support.table_rig import StrategyPlayer, TableRig
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.stateful.player import ForgetfulPlayer


def blue_chip_player(rig: TableRig, seat: Seat, strategy: Strategy) -> StrategyPlayer:
    return StrategyPlayer(PlayerCore(seat, rig.core.state.settings.team(seat.side)), strategy)


def forgetful_player(rig: TableRig, seat: Seat, strategy: Strategy) -> StrategyPlayer:
    return StrategyPlayer(ForgetfulPlayer(rig.core.state.settings.team(seat.side)), strategy)


def seat_stateful(rig: TableRig, extensions: str = "", seats: Sequence[Seat] = SEATS) -> None:
    """Seat four players that speak the stateful-server protocol; the board begins with the last."""
    for seat in seats:
        rig.seats[seat] = peer = rig.connect_stateful()
        if extensions:
            rig.send_line(peer, f"X-HELLO {extensions}")
        rig.send_line(peer, f"HELLO {rig.core.state.settings.team(seat.side)}")
        rig.send_line(peer, f"JOIN-M g1 {seat.letter}")


def scripted(scripts: Sequence[Script]) -> ScriptedPlayer:
    return ScriptedPlayer({script.board.number: script for script in scripts})
