"""Each seat of a table has its wire: tables where Blue Chip and another language sit together."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.support.plain_wire import PlainPlayer, PlainWire, as_blue_chip
from tests.support.protocol_players import Script, ScriptedPlayer, made, on_record, rig_for, script_from_seed
from tests.support.table_invariants import check_session
from tourney.bridge import SEATS, Seat, board_from_seed
from tourney.protocol.bluechip import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say
from tourney.protocol.session.effects import Effect, Send
from tourney.testing.table_rig import TableRig

BOARDS = 100
BOARDS_A_SESSION = 25


class BlueChipPlayer:
    """The same as `PlainPlayer` in the words of Blue Chip."""

    def __init__(self, seat: Seat, team: str, scripts: dict[int, Script]) -> None:
        self.has_left = False
        self._core = PlayerCore(seat, team)
        self._strategy = ScriptedPlayer(scripts)

    def start(self) -> list[str]:
        return self._react(self._core.start())

    def receive(self, line: str) -> list[str]:
        return self._react(self._core.receive_line(line.encode()))

    def _react(self, effects: list[PlayerEffect]) -> list[str]:
        said: list[str] = []
        for effect in effects:
            match effect:
                case Say():
                    said.append(effect.line)
                case AskCall():
                    decision = self._strategy.choose_call(effect.view)
                    said += self._react(self._core.make_call(decision.call, decision.alert, asked=effect))
                case AskCard():
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    said += self._react(self._core.make_card(effect.hand, card, asked=effect))
                case Leave():
                    assert effect.reason is None, effect.reason
                    self.has_left = True
        return said


def play_mixed(scripts: list[Script], plain: frozenset[Seat], order: Random) -> TableRig:
    """Play the scripts with the plain language at some seats; which player is heard next is drawn from `order`."""
    rig = rig_for(scripts)
    by_number = {script.board.number: script for script in scripts}
    players: dict[Seat, PlainPlayer | BlueChipPlayer] = {}
    to_say: dict[Seat, list[str]] = {}
    for seat in SEATS:
        team = rig.core.settings.team(seat.side)
        rig.seats[seat] = rig.connect(wire=PlainWire() if seat in plain else None)
        players[seat] = PlainPlayer(seat, team, by_number) if seat in plain else BlueChipPlayer(seat, team, by_number)
        to_say[seat] = players[seat].start()
    while not all(player.has_left for player in players.values()):
        for seat in SEATS:
            for line in rig.take(seat):
                to_say[seat] += players[seat].receive(line)
        ready = [seat for seat in SEATS if to_say[seat]]
        if ready:
            seat = order.choice(ready)
            rig.now_ms += 1
            for line in rig.say(seat, to_say[seat].pop(0)):
                to_say[seat] += players[seat].receive(line)
        elif not all(player.has_left for player in players.values()):
            assert rig.timers, "the players wait for ever"
            rig.wait(min(rig.timers.values()) - rig.now_ms)
    refused = [player.refusals for player in players.values() if isinstance(player, PlainPlayer) and player.refusals]
    assert refused == []
    return rig


def in_words_of_blue_chip(rig: TableRig, plain: frozenset[Seat]) -> list[Effect]:
    """What a table did, the lines of the plain seats translated."""
    seats = {rig.seats[seat].connection: seat for seat in plain}
    log: list[Effect] = []
    for effect in rig.log:
        if isinstance(effect, Send) and effect.connection in seats:
            line = as_blue_chip(effect.line, seats[effect.connection])
            if line is not None:
                log.append(effect._replace(line=line))
        else:
            log.append(effect)
    return log


def scripts_of(session: int) -> list[Script]:
    """Boards of a session; texts end with a full stop, as Blue Chip's player closes them."""
    first = session * BOARDS_A_SESSION + 1
    made_up = [script_from_seed(board_from_seed(7, "mixed", n), 7) for n in range(first, first + BOARDS_A_SESSION)]
    return [
        replace(script, alerts=tuple(f"{text.removesuffix('.')}." if text else "" for text in script.alerts))
        for script in made_up
    ]


@pytest.mark.parametrize("session", range(BOARDS // BOARDS_A_SESSION))
def test_100_random_boards_go_on_record_alike_whatever_each_seat_speaks(session: int) -> None:
    scripts = scripts_of(session)
    for speaks_plain in product((False, True), repeat=4):
        plain = frozenset(seat for seat, is_plain in zip(SEATS, speaks_plain, strict=True) if is_plain)
        rig = play_mixed(scripts, plain, Random(session))
        assert rig.ended == [None]
        assert on_record(rig) == made(scripts)
        untold = check_session(in_words_of_blue_chip(rig, plain), rig.core.settings.boards)
        assert set(untold.values()) == {0}


def test_table_whose_four_seats_push_needs_no_request() -> None:
    rig = play_mixed(scripts_of(0)[:2], frozenset(SEATS), Random(1))
    lines = {effect.line.partition(" ")[0] for effect in rig.log if isinstance(effect, Send)}
    assert lines == {"SEATED", "TEAMS", "BOARD", "HAND", "CALLED", "PLAYED", "TURN", "OVER", "END"}


def test_player_that_acts_before_its_turn_is_refused_in_its_own_words() -> None:
    rig = rig_for(scripts_of(0)[:1])
    peers = [rig.connect(wire=PlainWire()) for _ in SEATS]
    for seat, peer in zip(SEATS, peers, strict=True):
        rig.say(peer, f"JOIN {seat.letter} {rig.core.settings.team(seat.side)}")
    for peer in peers:
        rig.say(peer, "READY")
    second = peers[Seat.EAST]
    second.take()
    assert rig.say(second, "CALL 1NT") == ["NO it is North's turn to call"]
    assert rig.say(second, "BID 1NT") == ["NO BID is no word of this language"]
