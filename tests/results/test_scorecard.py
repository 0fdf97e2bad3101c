"""Scorecards: what is shown, what counts, and what it adds up to."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.event_director import EventDirector
from tests.support.played_event import CLOSED, PlayedEvent, draw_event, draw_half_played, event_text
from tourney.protocol.session.records import RulingKind
from tourney.results.scorecard import FinishedCards, load_scorecard, make_scorecard
from tourney.scoring.assigned import parse_assigned
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.results.matches import load_board_results, save_match_score
from tourney.store.results.secrecy import load_hidden_boards

FOUR_BOARDS = """
    match 1 board 1: 4S N 10, 4S N 9
    match 1 board 2: 3NT W 9, Pass
    match 1 board 3: 1NT S 7, 1NT S 7
    match 1 board 4: 6HX S 11, 6H S 12
"""
"""Worked out by hand: differences of 470, -400, 0 and -1630 points are 10, -9, 0 and -17 IMPs."""

IMPS = "$ match EVENT 1 --json | boards: imps imps_away"
TOTALS = "$ match EVENT 1 --json | : imps_home imps_away vp_home vp_away"
SHOWN = "$ rounds EVENT --json | rounds.matches: boards_over imps_home imps_away"


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Alpha, at home, sits North-South in the open room; boards 1 to 4: vulnerable none, NS, EW, all."""
    return draw_event(tmp_path, event_text("Alpha", "Beta", boards=4))


def test_a_match_worked_out_by_hand(played: PlayedEvent) -> None:
    # 16 IMPs over 4 boards: 10 + 10 * (1 - t**1.6) / (1 - t**3) with t the golden ratio less one.
    converse(
        played,
        f"""
        {FOUR_BOARDS}
        {IMPS} -> 10 -10 -> -9 9 -> 0 0 -> -17 17
        {TOTALS} -> 10 26 2.97 17.03
        """,
    )


def test_imps_add_up_as_boards_come_in_and_victory_points_wait_for_the_last(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        match 1 board 1: 4S N 10, 4S N 9
        1-open board 4: Pass
        {SHOWN} -> 1 10 0
        {TOTALS} -> 10 0 - -
        """,
    )


def test_the_home_team_is_scored_where_it_sits_not_where_it_sits_by_custom(played: PlayedEvent) -> None:
    converse(played, FOUR_BOARDS)
    match = played.match(1)
    turned = tuple(replace(table, ns_team=table.ew_team, ew_team=table.ns_team) for table in match.tables)
    results = load_board_results(played.database, match)
    scale = played.file.scales[1]
    card = make_scorecard(replace(match, tables=turned), played.boards(1), results, [], scale, None)
    assert [board.imps for board in card.boards] == [-10, 9, 0, 17]
    assert card.totals[:2] == (26, 10)


def test_a_stored_score_stands_whatever_the_scale_says_today(played: PlayedEvent) -> None:
    converse(played, FOUR_BOARDS)
    stored = MatchScore(4, 10, 26, VpHundredths(500), VpHundredths(1500))
    save_match_score(played.database, played.match(1), stored)
    converse(played, f"{TOTALS} -> 10 26 5.00 15.00")


def test_without_a_scale_a_match_that_is_over_has_imps_and_no_score(played: PlayedEvent) -> None:
    converse(played, FOUR_BOARDS)
    card = load_scorecard(played.database, played.event, played.match(1), None)
    assert (*card.totals[:2], card.score) == (10, 26, None)


# Boards and matches that were not won at the table. Victory points: WBF continuous scale of 2013 for 4 boards, as
# published.


def test_a_board_forfeited_in_one_room_is_three_imps_whatever_the_other_room_made(played: PlayedEvent) -> None:
    # Beta sits East-West in the open room. 7000 points to Alpha in the closed one, were they counted.
    converse(
        played,
        f"""
        1-open board 1: E forfeits
        {SHOWN} -> 0 - -
        1-closed board 1: 7NTXX N 0
        {SHOWN} -> 1 3 0
        $ match EVENT 1 --json | boards[board=1]: imps imps_away open closed.contract closed.score
            -> 3 -3 - 7NTXX -7000
        $ match EVENT 1 --json | boards.0.forfeits -> room=open team=Beta reason=stall: East owed a call for 300 s
        """,
    )


def test_a_board_forfeited_while_the_other_room_plays_it_is_hidden_with_its_ruling(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open board 1: E forfeits
        1-closed board 1: 2 calls
        $ match EVENT 1 --json | boards.0.forfeits -> nothing
        $ match EVENT 1 --json | rulings -> nothing
        {TOTALS} -> - - - -
        """,
    )


@pytest.mark.parametrize("assigned", [("Alpha",), ("Alpha", "Beta")])
def test_a_board_forfeited_in_one_room_counts_when_both_teams_have_an_assigned_score_in_the_other(
    played: PlayedEvent, assigned: tuple[str, ...]
) -> None:
    converse(played, "rule 1-open board 1 board-forfeit Beta")
    EventDirector(played).assign(played.table(1, CLOSED), 1, [parse_assigned("Pass")], assigned)
    converse(played, f"{IMPS} -> {'3 -3' if len(assigned) == 2 else '- -'} -> ...")


@pytest.mark.parametrize(
    "other",
    [
        "1-closed board 1: E forfeits",  # Alpha
        "rule 1-open board 1 board-forfeit Alpha: North too\n1-closed board 1: 4S N 10",
    ],
    ids=["in the other room", "in the same room"],
)
def test_a_board_that_both_teams_have_forfeited_costs_each_three_imps(played: PlayedEvent, other: str) -> None:
    # Board 2: 620 to -100, both vulnerable North-South: 12 IMPs.
    converse(
        played,
        f"""
        1-open board 1: E forfeits
        {other}
        match 1 board 2: 4S N 10, 4S N 9
        {IMPS} -> -3 -3 -> 12 -12 -> ...
        $ match EVENT 1 --json | : imps_home imps_away -> 12 0
        """,
    )
    card = load_scorecard(played.database, played.event, played.match(1), None)
    assert card.totals.margins == (12 - 3, -12 - 3)


def test_a_finished_match_with_a_board_forfeited_by_both_is_worth_less_than_twenty(played: PlayedEvent) -> None:
    # Beta's margin is 26 - 3 = 23, which is worth 18.76; Alpha's, -9 and -17 and -3, leaves 0.15.
    converse(
        played,
        f"""
        match 1 board 1: E forfeits, E forfeits
        match 1 board 2: 3NT W 9, Pass
        match 1 board 3: Pass, Pass
        match 1 board 4: 6HX S 11, 6H S 12
        {TOTALS} margin_home margin_away -> 0 26 0.15 18.76 -29 23
        """,
    )


def test_the_running_score_has_what_one_team_alone_is_given(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {FOUR_BOARDS}
        rule 1 board 1 adjusted-score Alpha 3
        rule 1 penalty-imps Beta 2
        $ match EVENT 1 --json | : imps_home imps_away -> 3 24
        """,
    )
    card = load_scorecard(played.database, played.event, played.match(1), None)
    assert list(card.running_totals.values()) == [(300, 0), (300, 900), (300, 900), (300, 2600)]


def test_a_result_is_kept_beside_the_ruling_that_took_it_away(played: PlayedEvent) -> None:
    # 13 to 9 IMPs: a margin of 4 is worth 12.29 to 7.71.
    converse(
        played,
        f"""
        {FOUR_BOARDS}
        Jane rules 1-closed board 4 board-forfeit Beta: saw the hands
        $ match EVENT 1 --json | boards: imps -> 10 -> -9 -> 0 -> 3
        $ match EVENT 1 --json | boards.3: closed.score forfeits
            -> 1430 room=closed team=Beta reason=saw the hands
        {TOTALS} -> 13 9 12.29 7.71
        """,
    )


@pytest.mark.parametrize(
    ("ruling", "totals"),
    [
        ("penalty-imps Beta 5", "10 21 2.97 15.38"),
        ("penalty-vp Beta 50", "10 26 2.97 16.53"),
        ("match-forfeit Beta", "0 0 12.00 0.00"),
    ],
)
def test_a_ruling_that_was_withdrawn_does_not_count(played: PlayedEvent, ruling: str, totals: str) -> None:
    converse(
        played,
        f"""
        {FOUR_BOARDS}
        rule 1 {ruling}
        {TOTALS} -> {totals}
        ruling 1 is withdrawn
        {TOTALS} -> 10 26 2.97 17.03
        $ match EVENT 1 --json | rulings -> nothing
        """,
    )


def test_penalties_are_taken_off_one_team_and_a_warning_off_none(played: PlayedEvent) -> None:
    # 10 to 26: Beta's margin is 16 - 6 = 10 and worth 15.00, less 1.50; Alpha's loss by 16 stays at 2.97.
    converse(
        played,
        f"""
        {FOUR_BOARDS}
        rule 1 warning Alpha: slow
        rule 1 penalty-imps Beta 2: slow
        rule 1 penalty-imps Beta 4: slow again
        rule 1 penalty-vp Beta 150: rude
        {TOTALS} margin_away -> 10 20 2.97 13.50 10
        $ match EVENT 1 --json | rulings: kind -> warning -> penalty-imps -> penalty-imps -> penalty-vp
        """,
    )


def test_a_penalty_on_a_board_counts_from_when_the_board_does(played: PlayedEvent) -> None:
    converse(
        played,
        """
        1-open board 1: 4S N 10
        rule 1-open board 1 penalty-imps Alpha 2: slow
        $ match EVENT 1 --json | : imps_home rulings -> - none
        1-closed board 1: 4S N 9
        $ match EVENT 1 --json | : imps_home rulings.0.reason -> 8 slow
        """,
    )


def test_a_forfeited_match_is_over_at_once(played: PlayedEvent) -> None:
    # One board of four is not half of them: 12 of 20, whatever it was.
    converse(
        played,
        f"""
        match 1 board 1: 4S N 10, 4S N 9
        1-open board 2: 4S N 10
        rule 1 match-forfeit Beta: never came
        {TOTALS} -> 0 0 12.00 0.00
        $ match EVENT 1 --json | boards: open.score -> 420 -> - -> - -> -
        """,
    )


def test_a_match_forfeited_half_way_keeps_the_better_margin_of_the_other_team(played: PlayedEvent) -> None:
    # Board 1: 10 IMPs to Alpha.
    converse(
        played,
        f"""
        match 1 board 1: 4S N 10, 4S N 9
        match 1 board 3: 1NT S 7, 1NT S 7
        rule 1 match-forfeit Beta: went home
        {TOTALS} -> 10 0 15.00 0.00
        rule 1 match-forfeit Alpha: went home too
        {TOTALS} -> 0 0 0.00 0.00
        """,
    )


def test_kept_cards_of_finished_matches_are_what_is_loaded_anew(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    kept = FinishedCards()
    seen = []
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: played.play(2, boards=[2]),
        played.score,
        lambda: played.rule(1, played.match(1).home, RulingKind.PENALTY_IMPS, "late", amount=2),
        lambda: played.rule(2, "Ants", RulingKind.WARNING, "once", board=1),
    ]
    for step in steps:
        step()
        hidden = load_hidden_boards(played.database, played.event)
        cards = kept.load(played.database, played.event, played.drawn.scales, hidden)
        assert cards == FinishedCards().load(played.database, played.event, played.drawn.scales, hidden)
        seen.append(cards)
    assert seen[0][1] is seen[2][1]
    assert seen[2][2].score is not None
    assert [ruling.reason for ruling in seen[3][1].rulings] == ["late"]
