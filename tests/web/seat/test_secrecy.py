"""What four people in browsers see of one table: every page is searched for what its seat may not know."""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.support.protocol_players import Script, script_from_seed
from tests.support.table_rig import TableRig, play_to_end
from tests.web.seat.test_seat import cards_on
from tourney.bridge import SEATS, Board, BoardInPlay, Card, Seat, board_from_seed
from tourney.client.session import PlaySession, SeatAddress
from tourney.protocol.session.records import BoardEnded, CardPlayed
from tourney.protocol.session.table import TableSettings
from tourney.web.forms import render_page
from tourney.web.seat.page import seat_page
from tourney.web.seat.seats import BrowserSeat


class BrowserPlayer:
    """A person in a browser that follows a script; each page that it is shown is given to `see`."""

    def __init__(self, name: str, seat: Seat, script: Script, see: Callable[[Seat, str], None]) -> None:
        self._seat = seat
        self._script = script
        self._see = see
        self._session = PlaySession(name, SeatAddress(game="g1", seat=seat))
        self._browser = BrowserSeat("key", self._session, "here", 0.0)

    def start(self) -> list[str]:
        return self._session.open_connection()

    def receive(self, line: str) -> list[str]:
        said = self._session.receive_line(line.encode())
        self._browser.hear(0.0)
        shown = {
            "event_name": "Club",
            "needs_phrase": False,
            "has_boards": True,
            **seat_page(self._browser, "word", None),
        }
        self._see(self._seat, bytes(render_page("tourney.web.seat", "table-seat.html", shown).body).decode())
        return said + self._act()

    def _act(self) -> list[str]:
        view = self._session.view
        if not view.is_my_turn:
            return []
        if view.in_auction:
            number = len(view.calls)
            return self._session.receive_typed(f"{self._script.calls[number]}!{self._script.alerts[number]}")
        lying = view.trick.cards if view.trick is not None and not view.trick.is_complete else ()
        _, card = self._script.cards[4 * len(view.winners) + len(lying)]
        return self._session.receive_typed(card.pbn)


def script_of(board: Board, seed: int) -> Script:
    """A board in which every call is alerted by a text of its own."""
    script = script_from_seed(board, seed)
    return replace(script, alerts=tuple(f"canary{number}." for number in range(len(script.calls))))


def play_board(script: Script, see: Callable[[TableRig, Seat, str], None]) -> TableRig:
    """Let four people in browsers play the board of a script."""
    rig = TableRig(TableSettings("Alpha", "Beta", (script.board,), trick_pause_ms=0))
    players = {}
    for seat in SEATS:
        rig.seats[seat] = rig.connect_stateful()
        team = rig.core.state.settings.team(seat.side)
        players[seat] = BrowserPlayer(team, seat, script, lambda who, page: see(rig, who, page))
    play_to_end(rig, dict(players), Random(1))
    assert len(rig.of_kind(BoardEnded)) == 1
    return rig


def known_cards(rig: TableRig, board: Board, seat: Seat, dummy: Seat | None) -> set[str]:
    """The cards that a seat may see now: its own, those played, and after the lead dummy's."""
    played = [record.card for record in rig.of_kind(CardPlayed)]
    cards: set[Card] = {*board.deal[seat].cards, *played}
    if played and dummy is not None:
        cards |= set(board.deal[dummy].cards)
    return {card.pbn for card in cards}


@pytest.mark.parametrize("seed", range(2))
def test_no_page_has_a_card_that_its_seat_may_not_see_yet_nor_what_its_partner_has_explained(seed: int) -> None:
    board = board_from_seed(seed, "secrecy", seed + 1)
    script = script_of(board, seed)
    in_play = BoardInPlay(board)
    for call in script.calls:
        in_play.add_call(call)
    dummy = in_play.contract.declarer.partner if in_play.contract is not None else None
    explained: dict[Seat, set[int]] = {seat: set() for seat in SEATS}

    def check(rig: TableRig, seat: Seat, page: str) -> None:
        assert cards_on(page) <= known_cards(rig, board, seat, dummy)
        explained[seat] |= {int(number) for number in re.findall(r"canary(\d+)\.", page)}

    play_board(script, check)
    for seat in SEATS:
        numbers = range(len(script.calls))
        assert explained[seat] == {number for number in numbers if board.dealer.plus(number) is not seat.partner}
