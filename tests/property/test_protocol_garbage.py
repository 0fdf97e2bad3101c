"""Garbage at a table: whatever anybody sends at any moment, the boards come out as they were played (BC-03)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import Script, made, on_record, players_for, rig_for, seeds, sessions, words_of
from tests.support.table_invariants import check_session
from tests.support.table_rig import Peer, TableRig, play_out
from tests.support.wire_tables import in_auction
from tourney.bridge import CALLS, DECK, SEATS, Seat
from tourney.protocol.bluechip.player_lines import parse_player_line
from tourney.protocol.lines import Overlong
from tourney.protocol.session.intents import CallIntent, CardIntent, Ready
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.protocol.session.rules import TableRules

WORDS = words_of(
    "North East South West Dummy North's East's South's West's dummy's Santa's",
    "ready for to start teams deal cards card trick bid dummy lead plays bids passes doubles claims received",
    "Connecting as using protocol version 18 0 13 99 1NT 7NT 8C AS SA 10H Alert. Infos. Alert X XX . : - '",
    'Start of board End session Teams Timing Illegal accepts rejects "Alpha" "Gamma"',
)
NAMES = (*(seat.title for seat in SEATS), "dummy")


def soup(random: Random, *, words_max: int = 8) -> str:
    return " ".join(random.choices(WORDS, k=random.randrange(1, words_max)))


def any_ready(random: Random, seat: Seat) -> str:
    """A ready line of this seat, for anything."""
    whose = random.choice(NAMES)
    what = random.choice(
        (
            "to start",
            *("for teams", "for deal", "for cards", "for dummy", f"for {whose}'s bid"),
            f"for {whose}'s card to trick {random.randrange(15)}",
            f"for {whose}'s card to trick {random.randrange(15)}",
        )
    )
    return f"{seat.title} ready {what}"


def any_line(random: Random, seat: Seat) -> str | bytes | Overlong:
    """What a seat, or somebody who pretends to be it, might send."""
    match random.randrange(9):
        case 0:
            return random.randbytes(random.randrange(40))
        case 1:
            return Overlong(8192)
        case 2:
            return soup(random)
        case 3:
            return f"{seat.title} {soup(random)}"
        case 4:
            return f"{seat.title} bids {random.choice(CALLS)}"
        case 5:
            return f"{seat.title} {random.choice(('passes', 'doubles', 'redoubles'))} Alert. asking"
        case 6:
            return f"{random.choice((seat.title, *NAMES))} plays {random.choice(DECK)}"
        case 7:
            return (
                f'Connecting "{random.choice(("Alpha", "Beta", "Gamma"))}" as {soup(random, words_max=3)} using soup'
            )
        case _:
            return any_ready(random, seat)


def would_count(rig: TableRig, seat: Seat, line: str | bytes | Overlong) -> bool:
    """Whether a line from this seat is a move of the game: garbage it is not, whoever meant it."""
    session = rig.core.state.board
    if session is None or not isinstance(line, str):
        return False
    message, board = parse_player_line(line), session.state.in_play
    if board.is_over:
        return isinstance(message, Ready)  # "ready for deal" lets go of the board for its player
    if board.actor is not seat:
        return False
    if isinstance(message, CallIntent):
        return board.in_auction and board.auction.why_illegal(message.call) is None
    return isinstance(message, CardIntent) and message.card in session.state.legal_cards()


def slip_in(rig: TableRig, seat: Seat, line: str | bytes | Overlong) -> None:
    """Send a line on a player's connection behind its back: it gets its other lines, but no answer that refuses."""
    peer = rig.seats.get(seat)
    if peer is None or rig.core.state.seat_of(peer.number) is not seat or would_count(rig, seat, line):
        return
    waiting = peer.take()
    told = rig.send_line(peer, line)
    peer.lines = waiting + [text for text in told if not text.startswith(("Error", "Illegal"))]


class Vandal:
    """Before lines of the players, sends garbage from a stranger's connection and from theirs."""

    def __init__(self, rig: TableRig, random: Random, rate: float) -> None:
        self._rig = rig
        self._random = random
        self._rate = rate
        self._stranger: Peer | None = None

    def __call__(self, _: Seat) -> None:
        rig, random = self._rig, self._random
        while random.random() < self._rate:
            seat = random.choice(SEATS)
            if random.random() < 0.7:
                slip_in(rig, seat, any_line(random, seat))
                continue
            if self._stranger is None or self._stranger.closed:
                self._stranger = rig.connect()
            rig.send_line(self._stranger, any_line(random, seat))
            if random.random() < 0.1:
                rig.hang_up(self._stranger)
                self._stranger = None


class Repeater:
    """Sends what a player has said again, from its own connection: its last line, or any old one."""

    def __init__(self, rig: TableRig, random: Random) -> None:
        self._rig = rig
        self._random = random
        self._said: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
        self._say = rig.send_line
        rig.send_line = self._say_and_keep  # type: ignore[method-assign]

    def _say_and_keep(self, who: Peer | Seat, line: str | bytes | Overlong) -> list[str]:
        if isinstance(who, Seat) and isinstance(line, str):
            self._said[who].append(line)
        return self._say(who, line)

    def __call__(self, _: Seat) -> None:
        for seat, said in self._said.items():
            if said and self._random.random() < 0.25:
                slip_in(self._rig, seat, self._random.choice((said[-1], self._random.choice(said))))


@pytest.mark.clause("BC-03", "BC-11", "BC-20", "BC-21", "BC-34", "BC-51")
@given(scripts=sessions(), order=seeds, vandal=seeds, rate=st.sampled_from([0.05, 0.3, 0.6]))
@examples(20)
def test_garbage_from_anywhere_at_any_moment_changes_nothing_on_record(
    scripts: list[Script], order: int, vandal: int, rate: float
) -> None:
    rig = rig_for(scripts, patience=10**6)
    play_out(rig, players_for(scripts), Random(order), before_line=Vandal(rig, Random(vandal), rate))
    assert on_record(rig) == made(scripts)
    assert rig.ended == [None]
    check_session(rig.log, rig.core.state.settings.boards)


@pytest.mark.clause("BC-47", "BC-51")
@given(scripts=sessions(), order=seeds, repeats=seeds)
@examples(20)
def test_lines_that_come_again_at_once_or_much_later_change_nothing_on_record(
    scripts: list[Script], order: int, repeats: int
) -> None:
    rig = rig_for(scripts, patience=10**6)
    play_out(rig, players_for(scripts), Random(order), before_line=Repeater(rig, Random(repeats)))
    assert on_record(rig) == made(scripts)
    check_session(rig.log, rig.core.state.settings.boards)


@pytest.mark.clause("BC-16", "BC-31", "BC-51")
@given(talk=seeds)
@examples(20)
def test_players_that_ask_in_any_order_early_late_or_twice_are_told_everything_once_they_ask_for_it(
    talk: int,
) -> None:
    random = Random(talk)
    rig = in_auction(trick_pause_ms=0, bad_lines_max=10**6, rules=TableRules(irregularities_max=10**6))
    session = rig.core.state.board
    assert session is not None
    board = session.state.in_play
    while not board.is_over and len(rig.log) < 1000:
        seat = random.choice(SEATS)
        turn = board.turn
        assert turn is not None
        if board.actor is seat and board.in_auction:
            rig.send_line(
                seat, f"{seat.title} {random.choice(('passes', 'doubles', 'bids 1C', 'bids 2NT', 'bids 4H'))}"
            )
        elif board.actor is seat and board.play is not None:
            rig.send_line(seat, f"{turn.title} plays {random.choice(session.state.legal_cards())}")
        rig.send_line(seat, any_ready(random, seat))
    for seat in SEATS:
        for call in rig.of_kind(CallMade):
            rig.send_line(seat, f"{seat.title} ready for {call.seat.title}'s bid")
        for card in rig.of_kind(CardPlayed):
            rig.send_line(seat, f"{seat.title} ready for {card.seat.title}'s card to trick {card.seq // 4 + 1}")
    untold = check_session(rig.log, rig.core.state.settings.boards)
    assert untold == dict.fromkeys(SEATS, 0)


@pytest.mark.clause("BC-03")
@given(talk=seeds, lines=st.integers(1, 80))
@examples(20)
def test_no_line_makes_the_table_raise_though_it_closes_who_goes_on_with_them(talk: int, lines: int) -> None:
    random = Random(talk)
    rig = in_auction(trick_pause_ms=0, bad_lines_max=8)
    rig.connect()
    for _ in range(lines):
        peer = random.choice(list(rig.peers.values()))
        rig.send_line(peer, any_line(random, random.choice(SEATS)))
        rig.wait(random.choice((0, 100)))
    assert len(rig.ended) <= 1
    check_session(rig.log, rig.core.state.settings.boards)
