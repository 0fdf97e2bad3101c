"""People at games of several deals and at Minibridge: the score, the points announced, the choice of a contract."""

from random import Random

import pytest

from tests.protocol.stateful.test_games import CHICAGO, MINIBRIDGE, NORTH_DECLARES, game_rig, scores_told
from tests.support.table_rig import TablePlayer, TableRig, play_to_end
from tests.support.terminal import answer, is_turn
from tests.support.typing_player import TypingPlayer, news_of
from tourney.bridge import SEATS, Board, Seat
from tourney.client.session import PlaySession, SeatAddress
from tourney.protocol.session.records import BoardEnded
from tourney.protocol.stateful.messages import format_message
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
