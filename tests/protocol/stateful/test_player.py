"""The reference player of the stateful protocol: it keeps nothing, and plays as the other does."""

from random import Random

import pytest

from tests.support.protocol_players import on_record
from tests.support.stateful_tables import blue_chip_player
from tests.support.table_rig import StrategyPlayer, TablePlayer, TableRig, play_to_end
from tests.support.wire_players import only
from tourney.bots import strategy_of
from tourney.bridge import DOUBLE, PASS, SEATS, Bid, Card, Seat, Side, Strain, Suit, board_from_seed
from tourney.errors import ProtocolError, RuleError
from tourney.protocol.lines import Overlong
from tourney.protocol.player import AskCall, AskCard, Leave, SendLine
from tourney.protocol.session.table import TableSettings
from tourney.protocol.stateful.player import ForgetfulPlayer

TURN = b"X-TURN N 7 N BOTH AS,KS,QS,JS,10S,9S,8S,7S,6S,5S,4S,3S,2S - - -"


class NewForEachLine(StrategyPlayer):
    """A program that is another one for every line, at the same connection."""

    def receive(self, line: str) -> list[str]:
        assert isinstance(self.core, ForgetfulPlayer)
        self.core = ForgetfulPlayer(self.core.team)
        return super().receive(line)


@pytest.mark.clause("SS-26")
@pytest.mark.parametrize("style", ["basic", "random"])
def test_a_player_that_is_a_new_one_for_every_line_makes_the_calls_and_cards_of_the_other(style: str) -> None:
    boards = tuple(board_from_seed(11, "players", number) for number in range(1, 17))

    def played(player: type[StrategyPlayer] | None) -> list[tuple[object, ...]]:
        rig = TableRig(TableSettings("Alpha", "Beta", boards, trick_pause_ms=0))
        players: dict[Seat, TablePlayer] = {}
        for seat in SEATS:
            strategy = strategy_of(style, 5 + seat)
            if player is None:
                rig.seats[seat], players[seat] = rig.connect(), blue_chip_player(rig, seat, strategy)
            else:
                team = rig.core.state.settings.team(seat.side)
                rig.seats[seat] = rig.connect_stateful(seat)
                players[seat] = player(ForgetfulPlayer(team), strategy)
        play_to_end(rig, players, Random(2))
        return [entry[:4] for entry in on_record(rig)]

    assert played(NewForEachLine) == played(None)


def test_an_owner_that_wants_to_know_is_told_the_time_that_is_left() -> None:
    told: list[tuple[Side, int | None]] = []
    player = ForgetfulPlayer("Alpha", note_time=lambda side, left_ms: told.append((side, left_ms)))
    assert player.start()[0] == SendLine("X-HELLO TURN,TIME,PING,END,STATE,CLAIM,UNDO")
    for line in (b"X-TIME NS 12345 20000", b"X-TIME EW 200 -"):
        assert player.receive_line(line) == []
    assert told == [(Side.NS, 20_000), (Side.EW, None)]
    assert ForgetfulPlayer("Alpha").receive_line(line) == []


def test_it_answers_a_question_only_with_that_question_and_within_the_rules() -> None:
    player = ForgetfulPlayer("Alpha")
    asked = only(AskCall, player.receive_line(TURN))
    assert player.make_call(PASS, asked=asked) == [SendLine("BID PASS")]
    seven = Bid(7, Strain.SPADES)
    assert player.make_call(seven, "all of them", asked=asked) == [
        SendLine('X-ALERT N "all of them"'),
        SendLine("BID 7S"),
    ]
    dummy = b"AH,KH,QH,JH,10H,9H,8H,7H,6H,5H,4H,3H,2H"
    again = only(AskCard, player.receive_line(TURN.replace(b"- - -", b"1C,PASS,PASS,PASS " + dummy + b" 2C")))
    with pytest.raises(RuleError):
        player.make_card(again.hand, Card(Suit.SPADES, 2), asked=again)
    with pytest.raises(RuleError):
        player.make_call(DOUBLE, asked=asked)
    with pytest.raises(ProtocolError):
        player.make_call(PASS)


@pytest.mark.parametrize(
    "line",
    [
        b"X-TURN N 7 N BOTH AS,KS - - -",
        TURN.replace(b"- - -", b"- - AS"),
        TURN.replace(b"- - -", b"1C,1C - -"),
        TURN.replace(b"- - -", b"PASS,PASS,PASS,PASS - -"),
        b"HAND 1Z",
        b"\x07",
    ],
)
def test_what_no_server_can_mean_ends_the_session_with_the_line(line: bytes) -> None:
    left = only(Leave, ForgetfulPlayer("Alpha").receive_line(line))
    assert left.reason is not None
    assert "which cannot be" in left.reason


def test_it_leaves_at_the_end_and_says_why_otherwise() -> None:
    player = ForgetfulPlayer("Alpha")
    assert player.receive_line(b'X-END "the event is over"') == [Leave(None)]
    assert player.receive_close() == [Leave("the table closed the connection without X-END")]
    assert player.receive_line(Overlong(8192)) == [Leave("the table sent a line of more than 8192 bytes")]
    assert player.receive_line(b"X-PING 7") == [SendLine("X-PONG 7")]
    assert player.receive_line(b"NAK no") == []
    assert player.needs_no_answer(b"NAK no")
    assert player.needs_no_answer(b"WEATHER fine")
    assert not player.needs_no_answer(b"HAND AS")
