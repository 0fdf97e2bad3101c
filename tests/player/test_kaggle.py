"""Agent functions of Kaggle's `bridge_arena` as players."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the extra env is not installed")

from tests.player.test_encoders import OPENSPIEL, Position, positions
from tests.support.golden_figures import GOLDEN
from tourney.bridge import (
    Board,
    DoubleDummyTable,
    Seat,
    Side,
    Vulnerability,
    board_from_seed,
    format_deal,
    parse_call,
    parse_deal,
)
from tourney.errors import PlayerError
from tourney.lab import play
from tourney.player import View, load_player
from tourney.player.agents import make_agent
from tourney.player.kaggle import observe
from tourney.testing import calling_view

STORED = GOLDEN / "kaggle.json"
"""Positions with the words of open_spiel 2.0.2 for the seat in turn."""


def auctions(seed: int, boards: int) -> Iterator[Position]:
    return (each for each in positions(seed, boards) if each.play().in_auction)


def asked(position: Position) -> View:
    """What the seat knows that is asked."""
    turn = position.play().turn
    assert turn is not None
    return View(position.view(turn), turn)


def words(position: Position) -> str:
    """What OpenSpiel says to the player that is asked."""
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    board, dealer = position.board, position.board.dealer
    of_game = {
        "use_double_dummy_result": False,
        "dealer": int(dealer),
        "dealer_vul": board.vulnerability.includes(dealer.side),
        "non_dealer_vul": board.vulnerability.includes(dealer.side.other),
    }
    state = pyspiel.load_game("bridge", of_game).new_initial_state()
    for number in range(52):
        state.apply_action(OPENSPIEL.number(board.deal[Seat(number % 4)].cards[number // 4]))
    for text in position.made:
        state.apply_action(OPENSPIEL.number(parse_call(text)))
    found: str = state.observation_string(state.current_player())
    assert observe(asked(position))["legalActions"] == state.legal_actions()
    assert observe(asked(position))["legalActionStrings"] == [
        state.action_to_string(state.current_player(), action) for action in state.legal_actions()
    ]
    return found


def document(view: View) -> Any:
    return json.loads(observe(view)["observationString"])


@pytest.mark.campaign
def test_words_and_legal_actions_are_those_of_open_spiel() -> None:
    seed = random.randrange(2**32)
    for position in auctions(seed, 1500):
        assert document(asked(position))["raw_observation"] == words(position), (seed, position)


def stored() -> Iterator[tuple[Position, str]]:
    for deal, dealer, vulnerability, made, said in json.loads(STORED.read_text(encoding="utf-8")):
        board = Board(1, Seat.from_letter(dealer), Vulnerability(vulnerability), parse_deal(deal))
        yield Position(board, made.split()), said


def test_words_are_those_that_open_spiel_has_said() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        rows = [
            [
                *(format_deal(each.board.deal), each.board.dealer.letter, each.board.vulnerability.value),
                *(" ".join(each.made), words(each)),
            ]
            for each in auctions(2, 100)
        ]
        STORED.write_text(json.dumps(rows, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    for position, said in stored():
        assert document(asked(position))["raw_observation"] == said


def test_the_document_says_who_sits_where_and_what_was_called() -> None:
    view = calling_view("AK97.K32.QT3.AK7", "Pass 1C X", dealer="E")
    found, seen = observe(view), document(view)
    assert (found["playerId"], found["currentPlayer"], view.seat) == (0, 0, Seat.NORTH)
    assert [
        (call["table_position"], call["player_id"], call["call"], call["action"]) for call in seen["auction"]
    ] == [
        ("E", 2, "Pass", 52),
        ("S", 1, "1♣", 55),
        ("W", 3, "Dbl", 53),
    ]
    assert (seen["phase"], seen["contract"]["declarer_table_position"], seen["contract"]["doubled"]) == (
        "auction",
        "S",
        "X",
    )
    assert seen["table_seating"] == {"0": "N", "1": "S", "2": "E", "3": "W"}
    assert (seen["your_partner_player_id"], seen["partner_table_position"], seen["opponent_player_ids"]) == (
        1,
        "S",
        [2, 3],
    )


AGENTS = """
import json

def agent(observation, configuration):
    seen = json.loads(observation["observationString"])
    assert observation["playerId"] == seen["your_player_id"] and configuration["includeLegalActions"]
    return {"submission": observation["legalActions"][0]}

def bare(observation, configuration):
    return 52
"""


def test_a_function_in_a_module_plays_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    players = {"NS": "my_agent:agent@kaggle", "EW": "random"}
    makes = DoubleDummyTable.parse("789a6" * 4)
    deals = [replace(board_from_seed(3, "1.1", number), makes=makes) for number in (1, 2)]
    boards = play(deals, players, rooms=2, auctions=True)
    assert {result.end for result in boards} <= {"played", "passed-out"}
    assert "where no cards are played" in play(1, players, seed=3)[0].reason
    mine = [made.call for result in boards for made in result.calls if made.seat.side is Side.NS]
    assert mine
    with pytest.raises(PlayerError, match=r'bare returns {"submission": action}, an action 52 to 89, got 52'):
        load_player("my_agent:bare@kaggle", tmp_path)().call(calling_view("AK97.K32.QT3.AK7", "Pass 1C"))
    for given in ({"submission": 51}, {"submission": 90}, {"submission": "52"}, {}, None):
        agent = make_agent(lambda *_, given=given: given, "mine", "kaggle")()
        with pytest.raises(PlayerError, match=r"^mine returns"):
            agent.call(calling_view("AK97.K32.QT3.AK7", "Pass 1C"))
