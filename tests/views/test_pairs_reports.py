"""Reports of a pairs event: travellers, the card of a pair, the recapitulation, the standings.

The small field is worked out by hand: a Mitchell of three tables, a board a round, with an artificial score on board
3 and a penalty. The top is 4. On board 3 two results are left of three, by Neuberg's formula (M + 1) * 3 / 2 - 1: 3.5
and 0.5. A has won 6 of 8 on its other boards, so its average plus is 75 percent; E has won half, so its average minus
is 40.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.contest.test_pairs import draw_pairs, pairs_text
from tests.support.commands import run
from tests.support.document_schemas import schema_at_pairs
from tests.support.event_conversation import converse
from tests.support.golden_documents import closed_schema
from tests.support.pairs_events import play_by_chance
from tests.support.pairs_standings import recompute_travellers
from tests.support.played_event import OPEN, PlayedEvent, draw_event, once
from tourney.protocol.session.records import RulingKind
from tourney.views.registry import REPORTS

SMALL = 'format = "mitchell"\nboards_per_round = 1'
PLAYED = {1: ("3NT N", 10), 6: ("3NT N", 9), 8: ("3NT N", 8), 3: ("3NT N", 9), 5: ("3NT N", 10)}
"""The contracts of boards 1 and 3 by match; on board 2 everybody has 4S made."""


@once
def small_field(folder: Path, more: str = "") -> PlayedEvent:
    played = draw_pairs(folder, 6, SMALL + more)
    for match in played.event.matches:
        contract, tricks = PLAYED.get(match.number, ("4S S", 10))
        if match.number != 7:
            played.record(match.number, OPEN, played.boards(match.number)[0].number, contract, tricks)
    played.rule(7, "A", RulingKind.ADJUSTED_SCORE, "fouled", board=3, amount=3, law="Law 12C2", author="Jane")
    played.rule(7, "E", RulingKind.ADJUSTED_SCORE, "fouled", board=3, amount=-3, law="Law 12C2", author="Jane")
    converse(played, "Jane rules 9 penalty-vp C 2500: late\nscored")
    return played


def printed(played: PlayedEvent, name: str, *more: str) -> str:
    done = run(name, played.path, *more)
    assert done.exit_code == 0, done.output
    return done.output


def document(played: PlayedEvent, name: str, *more: str) -> Any:
    """The document of a report, which keeps to its schema."""
    found = json.loads(printed(played, name, *more, "--json"))
    schema = closed_schema(schema_at_pairs(REPORTS[name]))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(found)] == []
    return found


# Travellers


def test_fewer_results_and_artificial_scores_are_marked_as_such(tmp_path: Path) -> None:
    converse(
        small_field(tmp_path),
        """
        $ boards EVENT 3
            -> ...
            -> ...Top 4, for fewer results than other boards have (Neuberg)...
            -> ...
            -> 3 1 A E no result - - A+ A- * 3.00 1.60 75.00 40.00
            -> ...
            -> ...round 3, table 1, board 3: A: average plus...
            -> ...
        $ boards EVENT 3 --json | boards: top results_compared neuberg -> 4 2 yes
        $ boards EVENT 3 --json | boards.results: ns ew score ns_points ew_points ns_percentage ew_percentage
            -> B D 430 3.5 0.5 87.5 12.5
            -> C F 400 0.5 3.5 12.5 87.5
            -> A E - 3.0 1.6 75.0 40.0
        $ boards EVENT 3 --json | boards.results.2: adjusted_ns adjusted_ew -> A+ A-
        """,
    )


def test_a_board_that_a_table_still_has_to_play_is_in_no_report(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    play_by_chance(played, last=6)
    converse(
        played,
        """
        $ boards EVENT --json | boards: board -> 1 -> 5 -> 6
        $ pair EVENT A --json | stages.results: board -> 5 -> 1 -> 6
        $ pair EVENT A --json | stages: boards -> 3
        $ pair EVENT A --json | stages.rounds: round boards -> 1 1 -> 2 0 -> 3 0 -> 4 0 -> 5 1 -> 6 1 -> 7 0
        $ boards EVENT 2 -> ... -> Tables have still to play what was asked for -> ...
        $ boards EVENT 2 --json | boards -> nothing
        """,
    )


def test_a_board_that_another_event_has_to_play_is_in_no_report(tmp_path: Path) -> None:
    text = pairs_text(4, 'format = "howell"\nboards_per_round = 1').replace(
        "[event]\n", '[event]\ndatabase = "sqlite:///../both.db"\n'
    )
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    played = draw_event(tmp_path / "one", text)
    play_by_chance(played)
    other = draw_event(tmp_path / "other", text.replace('name = "Pairs"', 'name = "Other"'))
    shown = "$ boards EVENT --json | boards: board"
    converse(played, f"{shown} -> nothing\n$ pair EVENT A --json | stages.results -> nothing")
    for report in (("pair", "A"), ("boards",)):
        assert "3NT" not in printed(played, *report)
    play_by_chance(other)
    converse(played, f"{shown} -> 1 -> 2 -> 3")


# The card of a pair


def test_a_card_shows_artificial_scores_and_penalties(tmp_path: Path) -> None:
    converse(
        small_field(tmp_path),
        """
        $ pair EVENT A -> ... -> ...A+ *... -> ...
        $ pair EVENT C
            -> ...
            -> ...3.50 of 12 matchpoints, 29.17 %...
            -> ...
            -> On the boards 4.50, less penalties 1.00: 3.50
            -> ...
            -> ...penalty of 25 % of a top: late...
            -> ...
        $ pair EVENT C --json | stages: rank direction boards total available percentage penalties
            -> 3 NS 3 3.5 12 29.17 1.0
        $ pair EVENT C --json | stages.rounds: percentage -> 12.5 -> 50.0 -> 50.0
        """,
    )


def test_a_pair_is_named_by_its_name_or_number_and_an_unknown_one_is_refused_in_a_sentence(tmp_path: Path) -> None:
    converse(
        small_field(tmp_path),
        """
        $ pair EVENT 6 --json | pair -> F
        $ pair EVENT f --json | pair -> F
        $ pair EVENT 7 -> refused 2: pairs of 'Pairs' are numbered 1..6, got 7
        $ pair EVENT Fa -> refused 2: pairs of 'Pairs' are A, B, C, D, E, F, got 'Fa'; did you mean 'A' or 'F'?
        """,
    )


# The recapitulation


# Standings


def test_reports_of_pairs_speak_of_pairs_and_name_no_room(tmp_path: Path) -> None:
    played = small_field(tmp_path)
    converse(played, "rule 1-open board 1 board-forfeit A: late\nscored")
    texts = [printed(played, name) for name in ("times", "opening-leads", "rulings", "standings")]
    texts.append(printed(played, "rulings", "--incidents"))
    assert all("Pair" in text for text in texts[:3])
    for text in texts:
        assert "Team" not in text
        assert "open" not in text.lower().replace("opening lead", "")
        assert "Room" not in text
    assert "* match 1, board 1: A: board forfeited: late" in texts[3]


def test_an_invitation_of_a_pair_names_no_room_and_no_team(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 5, 'format = "howell"\nboards_per_round = 1\nphantom = true')
    text = printed(played, "invite", "A")
    assert "Room" not in text
    assert " your pair sits out." in text


def test_a_pair_that_sits_both_ways_is_one_pair_of_the_butler_ranking(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nscoring = "butler"')
    play_by_chance(played)
    found = document(played, "butler")["pairs"]
    assert {row["side"] for row in found} == {None}
    ranked = document(played, "standings")["standings"]
    assert {row["pair"]: (row["rank"], row["imps"]) for row in found} == {
        row["pair"]: (row["rank"], row["total"]) for row in ranked
    }


# All of them against a script that knows nothing of tourney


@pytest.mark.parametrize("scoring", ["matchpoints", "cross-imps", "butler"])
@pytest.mark.parametrize(("number", "stage"), [(8, 'format = "howell"'), (8, 'format = "mitchell"\nrounds = 3')])
def test_reports_are_those_of_an_independent_script(tmp_path: Path, number: int, stage: str, scoring: str) -> None:
    played = draw_pairs(tmp_path, number, f'{stage}\nscoring = "{scoring}"')
    play_by_chance(played)
    expected = recompute_travellers(played.database.file, scoring)
    found = {
        (board["board"], result["ns"], result["ew"]): (result["score"], result["ns_points"], result["ew_points"])
        for board in document(played, "boards")["boards"]
        for result in board["results"]
    }
    assert found == {
        key: (score, pytest.approx(float(ns), abs=0.0051), pytest.approx(float(ew), abs=0.0051))
        for key, (score, ns, ew) in expected.items()
    }
    for row in document(played, "crosstable")["pairs"]:
        name = row["pair"]
        own = [(ns if key[1] == name else ew) for key, (_, ns, ew) in expected.items() if name in key[1:]]
        assert row["boards"] == len(own)
        assert row["total"] == pytest.approx(float(sum(own)), abs=0.0051)
        (card,) = document(played, "pair", name)["stages"]
        level = row["percentage"] if scoring == "matchpoints" else row["imps_per_board"]
        assert card["results"][-1]["running"] == level
        assert sum(result["points"] for result in card["results"]) == pytest.approx(float(sum(own)), abs=0.1)


# How standings came about


@once
def flat_field(folder: Path, ties: str) -> PlayedEvent:
    """Four pairs that are average on every board but one: A and B beat C and D, so two and two are tied."""
    played = draw_pairs(folder, 4, f'format = "howell"\nboards_per_round = 1\nties = {ties}')
    for match in played.event.matches:
        ahead = {"A", "B"} & {match.home}
        tricks = 10 if ahead and {match.home, match.away} & {"C", "D"} else 9
        played.record(match.number, OPEN, played.boards(match.number)[0].number, "3NT N", tricks)
    played.score()
    return played


def test_ties_are_explained_by_the_criterion_that_broke_them(tmp_path: Path) -> None:
    played = flat_field(tmp_path, '["own-meeting", "lot"]')
    found = document(played, "standings", "--explain")
    assert found["tie_breaks"] == ["own-meeting", "lot"]
    assert [row["rank"] for row in found["standings"]] == [1, 2, 3, 4]
    for tie in found["explained"]:
        asked = tie["steps"][-1]["asked"]
        assert {each["criterion"] for each in asked} <= {"own-meeting", "lot"}
        assert all(each["figures"] for each in asked)
    text = printed(played, "standings", "--explain")
    assert " % before" not in text
    assert " before " in text


def test_a_tie_that_nothing_breaks_is_said_to_be_shared(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 4, 'format = "howell"\nboards_per_round = 1\nties = ["boards-won"]')
    for match in played.event.matches:
        played.record(match.number, OPEN, played.boards(match.number)[0].number, "3NT N", 9)
    converse(
        played,
        """
        scored
        $ standings EVENT --explain
            -> ...
            -> 1= A ... -> 1= B ... -> 1= C ... -> 1= D ...
            -> ...
            -> ...50.00 %: A, B, C, D share their rank: boards-won level at 1.5...
            -> ...
        """,
    )
