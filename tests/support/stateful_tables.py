"""Tables where seats speak the stateful-server protocol, beside others in the words of Blue Chip."""

from collections.abc import Sequence

from tests.support.protocol_players import Script, ScriptedPlayer
from tests.support.seed_client import SeedClient
from tests.support.table_rig import StrategyPlayer, TableRig
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.stateful.player import ForgetfulPlayer
from tourney.protocol.stateful.values import BID, CARD


def blue_chip_player(rig: TableRig, seat: Seat, strategy: Strategy) -> StrategyPlayer:
    return StrategyPlayer(PlayerCore(seat, rig.core.state.settings.team(seat.side)), strategy)


def forgetful_player(rig: TableRig, seat: Seat, strategy: Strategy) -> StrategyPlayer:
    return StrategyPlayer(ForgetfulPlayer(rig.core.state.settings.team(seat.side)), strategy)


def scripted_seed_client(name: str, scripts: Sequence[Script]) -> SeedClient:
    """A client from the source document that follows scripts; they are found by the cards dealt."""

    by_hand = {
        (seat.letter, frozenset(map(CARD.format, script.board.deal[seat].cards))): script
        for script in scripts
        for seat in SEATS
    }
    playing: list[Script] = []

    def find(client: SeedClient) -> None:
        held = client.position, frozenset(client.hand)
        playing[:] = [
            script for (position, dealt), script in by_hand.items() if position == held[0] and dealt >= held[1]
        ]

    def choose_bid(client: SeedClient) -> str:
        find(client)
        return BID.format(playing[0].calls[len(client.bids)])

    def choose_card(client: SeedClient, allowed: Sequence[str]) -> str:
        if not playing:
            find(client)  # the client is new to the board
        card = CARD.format(playing[0].cards[4 * len(client.tricks_won) + len(client.trick)][1])
        assert card in allowed
        return card

    return SeedClient(name, choose_bid, choose_card)


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
