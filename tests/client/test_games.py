"""People at games of several deals and at Minibridge, and at any board: what they are shown and may do."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocol.stateful.test_games import CHICAGO, MINIBRIDGE, NORTH_DECLARES, game_rig, scores_told
from tests.support.protocol_players import Script, made, on_record, rig_for, seeds, sessions
from tests.support.table_rig import TablePlayer, TableRig, play_to_end
from tests.support.terminal import answer, is_turn
from tests.support.typing_player import TypingPlayer, news_of
from tourney.bridge import SEATS, Board, Seat, Side
from tourney.client.game_view import GameView
from tourney.client.session import PlaySession, SeatAddress
from tourney.protocol.session.records import BoardEnded
from tourney.protocol.stateful.messages import format_message, parse_server_message
from tourney.scoring.games import GameSettings


class AnsweringPlayer(TypingPlayer):
    """Types an answer to every prompt: a pass, a part score in notrump, the first card that is offered."""

    def __init__(self, name: str, seat: Seat) -> None:
        super().__init__(name, seat, (), Random(1))

    def receive(self, line: str) -> list[str]:
        said = self.session.receive_line(line.encode())
        told = self.session.take_messages()
        self.told += told
        if told and is_turn(told[-1]):
            said += self.session.receive_typed(answer(told[-1]))
        return said


def play_game(game: GameSettings, boards: list[Board] | None = None) -> tuple[TableRig, dict[Seat, AnsweringPlayer]]:
    rig = game_rig(game, boards)
    people = {seat: AnsweringPlayer(rig.core.state.settings.team(seat.side), seat) for seat in SEATS}
    players: dict[Seat, TablePlayer] = dict(people)
    play_to_end(rig, players, Random(1))
    return rig, people


@pytest.mark.parametrize("game", [MINIBRIDGE, CHICAGO], ids=lambda game: game.kind.value)
def test_a_game_is_played_to_its_end_and_its_score_is_the_one_that_was_sent(game: GameSettings) -> None:
    rig, people = play_game(game)
    score = scores_told(rig)[-1].split()[1:]
    for seat in SEATS:
        shown = people[seat].session.view.score
        assert shown is not None
        assert format_message(shown).split()[1:] == score
        assert not [notice for notice in people[seat].told if "refused" in notice]


def test_at_minibridge_the_points_are_shown_and_declarer_chooses_with_dummy_in_sight() -> None:
    rig, people = play_game(MINIBRIDGE, [Board.numbered(number, NORTH_DECLARES) for number in range(1, 33)])
    south = people[Seat.SOUTH]
    before = south.told[: 1 + south.told.index("your contract: part score 1C 1D 1H 1S 1NT, game 3NT 4H 4S 5C 5D")]
    assert {"North has 10 points", "South has 15 points"} <= set(before)
    assert any(told.startswith("dummy") for told in before)
    assert "the contract is part score in NT by South" in south.told
    assert "East passes" not in south.told
    assert len(rig.of_kind(BoardEnded)) == 4


def test_a_contract_that_minibridge_does_not_have_is_refused() -> None:
    rig = game_rig(MINIBRIDGE, [Board.numbered(number, NORTH_DECLARES) for number in range(1, 33)])
    session = PlaySession("Alpha", SeatAddress(game="g1", seat=Seat.SOUTH))
    for seat in SEATS:
        lines = (
            session.open_connection()
            if seat is Seat.SOUTH
            else [
                f"HELLO {rig.core.state.settings.team(seat.side)}",
                f"JOIN-M g1 {seat.letter}",
            ]
        )
        for line in lines:
            rig.send_line(seat, line)
    for _ in range(3):
        for line in rig.take(Seat.SOUTH):
            session.receive_line(line.encode())
    assert session.receive_typed("2s") == []
    assert "2S is not a contract of Minibridge: part score 1C" in news_of(session)[-1]
    assert session.receive_typed("1s") == ["BID 1S"]


# What a person is shown and may do is what the rules say, however often the connection is lost


def view_of(*lines: str) -> GameView:
    """The view after lines of a server."""
    view = GameView()
    for line in lines:
        message = parse_server_message(line.encode())
        assert message is not None
        view = view.after(message)
    return view


@settings(max_examples=25, deadline=None)
@given(sessions(), seeds, st.sampled_from([0.0, 0.05]))
def test_four_people_play_what_they_type_and_only_legal_moves_are_taken(
    scripts: list[Script], seed: int, lost: float
) -> None:
    rig = rig_for(scripts, patience=10_000)
    choice = Random(seed)
    people = {seat: TypingPlayer(rig.core.state.settings.team(seat.side), seat, scripts, choice) for seat in SEATS}
    players: dict[Seat, TablePlayer] = dict(people)
    for seat in SEATS:
        rig.seats[seat] = rig.connect_stateful()

    def lose_one(_: Seat) -> None:
        if rig.core.state.board is not None and choice.random() < lost:
            unlucky = choice.choice(SEATS)
            rig.hang_up(unlucky)
            people[unlucky].session.lose_connection()
            rig.seats[unlucky] = peer = rig.connect_stateful()
            for line in people[unlucky].start():
                rig.send_line(peer, line)

    play_to_end(rig, players, choice, before_line=lose_one)

    assert on_record(rig) == [each if len(each) != 6 else (*each[:4], False, "") for each in made(scripts)]
    assert not [note for person in people.values() for note in person.told if "refused" in note]


DEALT = ("JOINED g1 S", "JOINED g1 W Beta", "JOINED g1 N Alpha", "JOINED g1 E Beta", "X-BOARD 7 S BOTH")
HAND = "HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C"


def test_at_minibridge_declarer_sees_dummy_and_names_a_part_score_or_a_game() -> None:
    view = view_of(*DEALT, HAND, "DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C", "AUCOPEN S -")

    assert (view.is_minibridge, view.declarer, view.dummy) == (True, Seat.SOUTH, Seat.NORTH)
    assert " ".join(map(str, view.legal_calls())) == "1C 1D 1H 1S 1NT 3NT 4H 4S 5C 5D"


def test_all_tricks_are_known_from_the_state_after_a_lost_connection() -> None:
    left = "AUCOPEN 0 1S,PASS,PASS,PASS", "AUCCLOSE S 1 0 NS", "X-DECLARER S", "TRICKSWON S,N"
    cards = "2D,3D,4D,KD,2C,3C,AC,4C,5H"
    dummy = "3D,2H,3H,4H,6H,3C,5C,6C,7C,8C,9C,10C,JC"
    state = f"X-STATE S 7 S BOTH {HAND[5:]} 1S,PASS,PASS,PASS {dummy} {cards}"
    view = view_of(*DEALT, "HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,3C", *left, state, "TRICK S 5H")
    assert view.trick is not None
    assert (view.trick.leader, view.last_trick is not None) == (Seat.NORTH, True)
    assert (view.tricks_won(Side.NS), view.tricks_won(Side.EW)) == (2, 0)
    assert len(view.held(Seat.NORTH)) == 11
