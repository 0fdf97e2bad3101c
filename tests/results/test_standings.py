"""Standings and cross-tables from the stored scores."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event as sqlalchemy_event

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.movement.ranking import RankingRules, StandingRow
from tourney.movement.tie_breaks import TieBreak
from tourney.protocol.session.records import RulingKind
from tourney.results.scorecard import load_scorecard
from tourney.results.standings import Standings, load_standings
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.results.matches import load_match_scores, save_match_score
from tourney.views import crosstable
from tourney.views.crosstable import CrosstableReport
from tourney.views.ranking import folded_ties
from tourney.views.standings import StandingsReport

USUAL = RankingRules()


def standings_document(table: Standings, *, is_explained: bool = False) -> Any:  # JSON
    return StandingsReport(table, None, Path(), is_partial=False, is_explained=is_explained).document()


def ranking(played: PlayedEvent, rules: RankingRules = USUAL, rounds: int | None = None) -> Standings:
    return load_standings(played.database, played.event, {1: rules}, rounds)


def rows_by_team(played: PlayedEvent, rules: RankingRules = USUAL) -> dict[str, StandingRow]:
    return {row.team: row for row in ranking(played, rules).rows}


def ties_of(table: Standings) -> list[str]:
    folded = folded_ties(table)
    return list(folded.lines) if folded is not None else []


def store_score(
    played: PlayedEvent, number: int, imps: tuple[int, int], vp: tuple[int, int], lost: tuple[int, int] = (0, 0)
) -> None:
    score = MatchScore(2, *imps, VpHundredths(vp[0]), VpHundredths(vp[1]), *lost)
    save_match_score(played.database, played.match(number), score, 0)


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """The draw: 1 Ants - Dogs, 2 Bees - Cats; 3 Dogs - Cats, 4 Ants - Bees; 5 Bees - Dogs, 6 Cats - Ants."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs"))
    assert [(match.home, match.away) for match in played.event.matches] == [
        ("Ants", "Dogs"),
        ("Bees", "Cats"),
        ("Dogs", "Cats"),
        ("Ants", "Bees"),
        ("Bees", "Dogs"),
        ("Cats", "Ants"),
    ]
    return played


def play_two_rounds(played: PlayedEvent) -> None:
    store_score(played, 1, (20, 5), (1500, 500))
    store_score(played, 2, (3, 3), (1000, 1000))
    store_score(played, 4, (0, 30), (123, 1877))


def test_standings_worked_out_by_hand(played: PlayedEvent) -> None:
    play_two_rounds(played)
    table = ranking(played)
    assert (table.rounds, table.matches, table.matches_over) == (3, 6, 3)
    document = standings_document(table)
    assert (document["event"], document["final"]) == ("Test Cup", None)
    keys = (
        "rank",
        "team",
        "played",
        "won",
        "drawn",
        "lost",
        "imps_for",
        "imps_against",
        "vp",
        "withdrawn",
        "rulings",
    )
    assert [tuple(row[key] for key in keys) for row in document["standings"]] == [
        (1, "Bees", 2, 1, 1, 0, 33, 3, "28.77", False, []),
        (2, "Ants", 2, 1, 0, 1, 20, 35, "16.23", False, []),
        (3, "Cats", 1, 0, 1, 0, 3, 3, "10.00", False, []),
        (4, "Dogs", 1, 0, 0, 1, 5, 20, "5.00", False, []),
    ]


def test_standings_after_a_round_leave_later_rounds_out(played: PlayedEvent) -> None:
    play_two_rounds(played)
    table = ranking(played, rounds=1)
    assert (table.rounds, table.matches, table.matches_over) == (1, 2, 2)
    assert [(row.rank, row.team, row.vp) for row in table.rows] == [
        (1, "Ants", 1500),
        (2, "Bees", 1000),
        (2, "Cats", 1000),
        (4, "Dogs", 500),
    ]


def test_standings_read_no_boards(played: PlayedEvent) -> None:
    play_two_rounds(played)
    scored = load_match_scores(played.database, played.event.id)
    played.leave_aside(*(match.number for match in played.event.matches if match.number not in scored))
    statements: list[str] = []
    engine = played.database._pool.engine
    sqlalchemy_event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    ranking(played)
    read = [" ".join(statement.split()) for statement in statements if statement != "BEGIN"]
    assert [statement.partition(" FROM ")[2].partition(" ")[0] for statement in read] == [
        "events",  # none has boards to play any more
        "matches",
        "rulings",
        "finalisations",
    ]


def rows_of(table: CrosstableReport) -> list[tuple[str, int | None, int | None, list[tuple[str, int | None]]]]:
    return [
        (row.team, row.rank, row.vp, [(cell.opponent, cell.figures.vp) for cell in row.matches]) for row in table.rows
    ]


def test_a_cross_table_has_each_match_from_both_sides_in_the_order_of_the_draw(played: PlayedEvent) -> None:
    play_two_rounds(played)
    table = crosstable.load(played.drawn)
    assert rows_of(table) == [
        ("Ants", 2, 1623, [("Dogs", 1500), ("Bees", 123), ("Cats", None)]),
        ("Bees", 1, 2877, [("Cats", 1000), ("Ants", 1877), ("Dogs", None)]),
        ("Cats", 3, 1000, [("Bees", 1000), ("Dogs", None), ("Ants", None)]),
        ("Dogs", 4, 500, [("Ants", 500), ("Cats", None), ("Bees", None)]),
    ]


# Tie-breaks


def play_to_a_tie(played: PlayedEvent) -> None:
    """All matches are over; Ants have won 15 to 5 against Bees and have 30, as Bees have; Ants are behind on IMPs.

    Ants 10 + 15 + 5, Bees 10 + 5 + 15, Cats 10 + 10 + 15 = 35, Dogs 10 + 10 + 5 = 25.
    """
    store_score(played, 1, (0, 0), (1000, 1000))  # Ants - Dogs
    store_score(played, 2, (9, 0), (1000, 1000))  # Bees - Cats
    store_score(played, 3, (0, 0), (1000, 1000))  # Dogs - Cats
    store_score(played, 4, (8, 0), (1500, 500))  # Ants - Bees
    store_score(played, 5, (8, 0), (1500, 500))  # Bees - Dogs
    store_score(played, 6, (8, 0), (1500, 500))  # Cats - Ants


def test_a_criterion_that_could_not_be_asked_is_explained_by_its_reason(played: PlayedEvent) -> None:
    store_score(played, 1, (0, 0), (1000, 1000))
    table = ranking(played, RankingRules((TieBreak.HEAD_TO_HEAD_VP, TieBreak.LOT)))
    tied, others = standings_document(table, is_explained=True)["explained"]
    reason = "lots are drawn when all matches are over"
    level = {"Ants": "10.00", "Dogs": "10.00"}
    assert tied["steps"] == [
        {
            "order": [["Ants", "Dogs"]],
            "asked": [
                {"criterion": "head-to-head-vp", "figures": level, "reason": None},
                {"criterion": "lot", "figures": None, "reason": reason},
            ],
        }
    ]
    assert ties_of(table) == [
        f"10.00 VP: Ants, Dogs share their rank: head-to-head-vp level at 10.00, lot does not say ({reason})",
        "0.00 VP: Bees, Cats share their rank: head-to-head-vp does not say (they have not met), "
        f"lot does not say ({reason})",
    ]
    assert (others["rank"], others["vp"]) == (3, "0.00")


def test_lots_are_drawn_from_the_seed_of_the_event_once_the_matches_that_count_are_over(played: PlayedEvent) -> None:
    play_to_a_tie(played)
    lots = (TieBreak.LOT,)
    # The seed is 1: SHA-256 of 1/Bees begins with 9bb7, of 1/Ants with f1ce.
    table = ranking(played, RankingRules(lots))
    assert [(row.rank, row.team) for row in table.rows] == [(1, "Cats"), (2, "Bees"), (3, "Ants"), (4, "Dogs")]
    save_match_score(played.database, played.match(6), None, 0)
    (tie,) = ranking(played, RankingRules(lots)).ties
    assert tie.teams == ("Ants", "Dogs")
    assert tie.steps[0].results[0].reason == "lots are drawn when all matches are over"
    first = ranking(played, RankingRules(lots), rounds=1)
    assert [row.rank for row in first.rows] == [1, 2, 3, 4]


def test_boards_are_read_when_a_tie_break_asks_for_them(tmp_path: Path) -> None:
    """9 IMPs and a board for each: 400 for Ants on the first one, 420 for Bees on the second."""
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    played.record(1, OPEN, 1, "3NT N", 9)
    played.record(1, CLOSED, 1, "Pass")
    played.record(1, OPEN, 2, "4S W", 10)
    played.record(1, CLOSED, 2, "Pass")
    played.score()
    by_imps = ranking(played, RankingRules((TieBreak.IMP_DIFFERENCE,)))
    assert [(row.rank, row.team, row.imps_for) for row in by_imps.rows] == [(1, "Ants", 9), (1, "Bees", 9)]
    by_points = ranking(played, RankingRules((TieBreak.TOTAL_POINTS_QUOTIENT,)))
    assert [(row.rank, row.team) for row in by_points.rows] == [(1, "Bees"), (2, "Ants")]
    by_boards = ranking(played, RankingRules((TieBreak.BOARDS_WON,)))
    assert [row.rank for row in by_boards.rows] == [1, 1]
    assert ties_of(by_boards) == ["10.00 VP: Ants, Bees share their rank: boards-won level at 1"]


# Rulings


def store_forfeit(played: PlayedEvent) -> None:
    """Match 1, Ants - Dogs: Dogs forfeit. Match 4, Ants - Bees: 20 to 10, Ants are fined 6 IMPs."""
    played.rule(1, "Dogs", RulingKind.MATCH_FORFEIT, "never came", law="BC-48")
    save_match_score(played.database, played.match(1), MatchScore(0, 0, 0, VpHundredths(1200), VpHundredths(0)), 0)
    played.rule(4, "Ants", RulingKind.PENALTY_IMPS, "slow", amount=6)
    store_score(played, 4, (14, 10), (1200, 700), lost=(6, 0))


def test_a_forfeited_match_is_lost_and_won_without_an_imp(played: PlayedEvent) -> None:
    store_forfeit(played)
    rows = rows_by_team(played)
    assert (rows["Dogs"].lost, rows["Dogs"].vp, rows["Dogs"].imps_against) == (1, 0, 0)
    assert (rows["Ants"].won, rows["Ants"].vp) == (2, 2400)


def test_a_board_that_both_forfeited_is_a_loss_of_each_to_nobody(played: PlayedEvent) -> None:
    for team, room in (("Ants", OPEN), ("Dogs", CLOSED)):
        played.rule(1, team, RulingKind.BOARD_FORFEIT, room=room, board=1)
    played.rule(1, "Ants", RulingKind.BOARD_FORFEIT, room=OPEN, board=2)
    # Board 1: -3 to each. Board 2: 3 to Dogs.
    store_score(played, 1, (-3, 0), (700, 1000), lost=(3, 3))
    whole = played.event.seen_whole()
    rows = {row.team: row for row in load_standings(played.database, whole, {1: USUAL}).rows}
    assert (rows["Ants"].imps_for, rows["Ants"].imps_against) == (-3, 3)
    assert (rows["Dogs"].imps_for, rows["Dogs"].imps_against) == (0, 0)
    assert (rows["Ants"].lost, rows["Dogs"].won) == (1, 1)


def test_the_boards_of_a_match_forfeited_without_a_score_of_its_own_cost_nobody_anything(played: PlayedEvent) -> None:
    for team, room in (("Ants", OPEN), ("Dogs", CLOSED)):
        played.rule(1, team, RulingKind.BOARD_FORFEIT, room=room, board=1)
    store_forfeit(played)
    rows = rows_by_team(played)
    assert (rows["Dogs"].imps_for, rows["Dogs"].imps_against) == (0, 0)


def test_standings_name_the_rulings_that_count_against_each_team(played: PlayedEvent) -> None:
    store_forfeit(played)
    played.rule(4, "Bees", RulingKind.WARNING, "slow")
    played.withdraw(played.rule(4, "Bees", RulingKind.PENALTY_VP, "rude", amount=100))
    played.rule(5, "Bees", RulingKind.PENALTY_VP, "in a match that is not over", amount=100)
    table = ranking(played)
    assert {row["team"]: row["rulings"] for row in standings_document(table)["standings"]} == {
        "Ants": [{"match": 4, "kind": "penalty-imps", "amount": 6, "reason": "slow"}],
        "Bees": [],
        "Cats": [],
        "Dogs": [{"match": 1, "kind": "match-forfeit", "amount": None, "reason": "never came"}],
    }


def test_standings_after_a_round_have_the_rulings_of_these_rounds_and_withdrawals(played: PlayedEvent) -> None:
    store_forfeit(played)
    played.rule(None, "Cats", RulingKind.WITHDRAWAL, "gone home")
    table = ranking(played, rounds=1)
    assert [ruling.team for ruling in table.rulings] == ["Dogs", "Cats"]


def test_a_team_that_left_is_shown_as_withdrawn_until_that_is_withdrawn_itself(played: PlayedEvent) -> None:
    ruling = played.rule(None, "Cats", RulingKind.WITHDRAWAL, "gone home")
    rows = standings_document(ranking(played))["standings"]
    assert [row["team"] for row in rows if row["withdrawn"]] == ["Cats"]
    assert crosstable.load(played.drawn).document()["teams"][2]["withdrawn"] is True
    played.withdraw(ruling)
    rows = standings_document(ranking(played))["standings"]
    assert not any(row["withdrawn"] for row in rows)


def test_imps_of_standings_and_margins_of_scorecards_agree_whatever_was_ruled(tmp_path: Path) -> None:
    """Each team's difference is its own margin: what it won less what the other won, and its own losses."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    played.play(1, boards=[1, 2])
    played.forfeit(1, OPEN, 3, Seat.NORTH)
    played.forfeit(1, CLOSED, 3, Seat.NORTH)
    played.play(1, rooms=[OPEN], boards=[4])
    played.forfeit(1, CLOSED, 4, Seat.EAST)
    played.rule(1, "Bees", RulingKind.PENALTY_IMPS, amount=5)
    card = load_scorecard(played.database, played.event, played.match(1), played.file.scales[1])
    played.score()
    rows = rows_by_team(played)
    home, away = rows[card.match.home], rows[card.match.away]
    fined = {"Bees": 5}
    assert home.imps_for - home.imps_against == sum(board.imps or 0 for board in card.boards) - fined.get(
        home.team, 0
    )
    assert away.imps_for - away.imps_against == sum(b.imps_away or 0 for b in card.boards) - fined.get(away.team, 0)
    assert home.vp + away.vp < 2000


def test_a_bye_counts_once_its_round_is_over(tmp_path: Path) -> None:
    """Three teams: each sits out one round. Round 1 is Bees - Cats."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats"))
    assert [round_.byes for round_ in played.event.rounds] == [("Ants",), ("Cats",), ("Bees",)]
    rows = rows_by_team(played)
    assert [row.vp for row in rows.values()] == [0, 0, 0]
    store_score(played, 1, (7, 0), (1300, 700))
    rules = played.file.config.stage[0].ranking_rules(played.file.scales[1])
    rows = rows_by_team(played, rules)
    assert (rows["Ants"].vp, rows["Ants"].played, rows["Bees"].vp) == (1200, 0, 1300)


def test_a_team_that_leaves_early_takes_its_scores_with_it_unless_the_event_says_otherwise(
    played: PlayedEvent,
) -> None:
    """Dogs have played one of three matches when they leave; the second is forfeited by rule."""
    store_score(played, 1, (20, 0), (1700, 300))
    played.rule(None, "Dogs", RulingKind.WITHDRAWAL, "gone home", author="Jane", law="")
    played.rule(3, "Dogs", RulingKind.MATCH_FORFEIT, "Dogs has withdrawn", law="")
    save_match_score(played.database, played.match(3), MatchScore(0, 0, 0, VpHundredths(0), VpHundredths(1200)), 0)
    rows = rows_by_team(played)
    assert [(rows[team].played, rows[team].vp) for team in ("Ants", "Cats", "Dogs")] == [(0, 0), (0, 0), (0, 0)]
    kept = RankingRules(forgets_early_leavers=False)
    rows = rows_by_team(played, kept)
    assert [rows[team].vp for team in ("Ants", "Cats", "Dogs")] == [1700, 1200, 300]
    assert [rows[team].played for team in ("Ants", "Cats", "Dogs")] == [1, 1, 2]


@pytest.mark.parametrize(
    ("at_fault", "author", "vp"),
    [("Bees", "rule", 1200), ("Cats", "Jane", 1200), ("Cats", "rule", 0)],
    ids=["given a walkover", "forfeited by the director", "forfeited by leaving"],
)
def test_a_bye_counts_if_it_was_before_the_first_round_missed_by_leaving(
    at_fault: str, author: str, vp: int, tmp_path: Path
) -> None:
    """Round 1 is Bees - Cats, the Cats sit out round 2, Ants - Bees, and leave; round 3 is Ants - Cats."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats"))
    played.rule(1, at_fault, RulingKind.MATCH_FORFEIT, author=author)
    played.rule(3, "Cats", RulingKind.MATCH_FORFEIT)
    played.rule(None, "Cats", RulingKind.WITHDRAWAL, author="Jane")
    for number in (1, 2, 3):
        store_score(played, number, (0, 0), (0, 0))
    kept = RankingRules(bye_vp=VpHundredths(1200), forgets_early_leavers=False)
    rows = rows_by_team(played, kept)
    assert rows["Cats"].vp == vp
