"""A whole field of teams in one session: American Whist and New England Relay, on record without a socket."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.board_a_match_standings import recompute_points
from tests.support.commands import json_report, printed, run
from tests.support.event_conversation import converse
from tests.support.golden_figures import golden_movement
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event
from tourney.config import EventConfig, parse_event_file
from tourney.contest.draw import MatchInfo
from tourney.coordinator.draw import draw_next
from tourney.movement.pairs.movement import MovementRow
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.standings import Standings, load_standings

NAMES = ("Ants", "Bees", "Cats", "Dogs", "Elks", "Frogs", "Goats", "Hares", "Ibises")
WHIST, RELAY = 'format = "american-whist"\n', 'format = "new-england-relay"\n'


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def teams_text(number: int, stage: str, more: str = "") -> str:
    sections = "".join(f'[[team]]\nname = "{name}"\n' for name in NAMES[:number])
    return f'[event]\nname = "Session"\n{sections}[[stage]]\n{stage}\n{more}\n[deals]\nseed = 1\n'


def draw_teams(folder: Path, number: int, stage: str, more: str = "") -> PlayedEvent:
    folder.mkdir(exist_ok=True)
    return draw_event(folder, teams_text(number, stage, more))


def config_of(number: int, stage: str, more: str = "") -> EventConfig:
    return parse_event_file(teams_text(number, stage, more), "event.toml")


def drawn_rows(played: PlayedEvent, boards_per_round: int) -> list[MovementRow]:
    """What the rounds of the draw play, as rows of a movement: sets by the numbers of their boards."""
    numbers = {team.name: team.number for team in played.event.teams}
    rows = []
    for round_ in played.event.rounds:
        for table, assignment in enumerate(round_.assignments, 1):
            boards = [board.number for board in played.boards(assignment.match.number)]
            assert boards == list(range(boards[0], boards[0] + boards_per_round))
            (seats,) = assignment.tables
            assert (seats.ns_pair, seats.ew_pair) == (1, 2)
            ns, ew = numbers[seats.ns_team], numbers[seats.ew_team]
            rows.append(MovementRow(round_.number, table, ns, ew, (boards[0] - 1) // boards_per_round + 1))
    return rows


def play_rounds(played: PlayedEvent, first: int = 1, last: int | None = None) -> None:
    """Play the halves of matches of rounds, at random, and score what is finished."""
    for round_ in played.event.rounds[first - 1 : last]:
        for assignment in round_.assignments:
            played.play(assignment.match.number, assignment.rooms)
    played.score()


def standings(played: PlayedEvent, rounds: int | None = None) -> Standings:
    return load_standings(played.database, played.reload().seen_whole(), played.file.ranking_rules, rounds)


# The draw


@pytest.mark.parametrize(
    ("number", "stage", "golden"),
    [(5, WHIST, "teams_05_american_whist"), (6, RELAY, "teams_06_new_england_relay")],
)
def test_rounds_are_those_of_the_published_movement(tmp_path: Path, number: int, stage: str, golden: str) -> None:
    (published,) = golden_movement(golden).values()
    played = draw_teams(tmp_path, number, f"{stage}boards_per_round = 3")
    assert drawn_rows(played, 3) == published


@pytest.mark.parametrize(("number", "stage"), [(3, WHIST), (7, WHIST), (9, WHIST), (4, RELAY), (8, RELAY)])
def test_every_match_has_its_two_halves_and_belongs_to_the_round_of_the_later_one(
    tmp_path: Path, number: int, stage: str
) -> None:
    played = draw_teams(tmp_path, number, stage)
    seen: dict[tuple[int, Room], int] = {}
    for round_ in played.event.rounds:
        assert len({team for assignment in round_.assignments for team in assignment.teams[:1]}) == number
        assert len({team for assignment in round_.assignments for team in assignment.teams[1:]}) == number
        for assignment in round_.assignments:
            (room,) = assignment.rooms
            assert seen.setdefault((assignment.match.number, room), round_.number) == round_.number
    for match in played.event.matches:
        assert match.round == seen[match.number, CLOSED] >= seen[match.number, OPEN]
        assert played.event.played_in(match, OPEN) == seen[match.number, OPEN]
        assert match.tables_at(0)[OPEN].ns_team == match.home
        assert match.tables_at(0)[CLOSED].ns_team == match.away
    assert len(seen) == number * (number - 1)


def test_the_usual_scoring_is_board_a_match_by_points_and_imps_have_victory_points() -> None:
    usual = config_of(5, WHIST).stage[0]
    assert (usual.scoring, usual.vp_scale, usual.boards_per_match) == ("board-a-match", "points", 2)
    imps = config_of(5, f'{WHIST}scoring = "imps"').stage[0]
    assert (imps.board_scale.unit, imps.vp_scale) == ("IMPs", "wbf-continuous")


# How it is shown


def test_the_schedule_says_what_each_table_plays(tmp_path: Path) -> None:
    north = " -> ".join([*NAMES[:5]] * 4)
    converse(
        draw_teams(tmp_path, 5, WHIST),
        f"""
        $ schedule EVENT --json | rounds.0.tables.1: table match room ns ew boards -> 2 7 open Bees Dogs 3,4
        $ schedule EVENT --json | rounds.tables: ns -> {north}
        $ schedule EVENT --json | rounds.0.matches -> nothing
        $ schedule EVENT --json | rounds.1.matches -> nothing
        $ schedule EVENT -> ... -> 7 2 Bees 4 Dogs 3-4 Round 4 -> ...
        """,
    )


def test_a_round_says_which_matches_it_begins_and_its_page_who_sits_where(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 5, WHIST)
    play_rounds(played)
    converse(
        played,
        """
        $ rounds EVENT --json | rounds.0.halves -> 6 -> 7 -> 8 -> 9 -> 10
        $ rounds EVENT --json | rounds.1.halves -> 1 -> 2 -> 3 -> 4 -> 5
        $ rounds EVENT -> ... -> Round 1 -> First halves of matches 6, 7, 8, 9, 10 -> ...
        $ export EVENT --format html --out FOLDER/pages
        """,
    )
    page = (tmp_path / "pages" / "round-001.html").read_text(encoding="utf-8")
    assert page.count('href="match-') == 5
    assert page.count("<bdi>Round 4</bdi>") == 5
    assert "first halves of matches" in (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")


# Results


@pytest.mark.parametrize(("number", "stage"), [(5, WHIST), (7, f"{WHIST}rounds = 4"), (6, RELAY)])
def test_standings_are_the_points_of_all_boards_recomputed(tmp_path: Path, number: int, stage: str) -> None:
    played = draw_teams(tmp_path, number, stage)
    play_rounds(played)
    rows = json_report("standings", played.path)["standings"]
    expected = recompute_points(played.database.file)
    assert {row["team"]: Fraction(row["ranking_score"]) for row in rows} == expected
    # The average of a session is half of its boards.
    assert sum(expected.values()) / number == Fraction(2 * len(played.event.rounds), 2)
    converse(played, "$ verify EVENT -> ...0 findings")


def ahead_by_two(played: PlayedEvent) -> None:
    """Every match is won by 2 IMPs by its home team: 150 against 90."""
    for match in played.event.matches:
        for room, tricks in ((OPEN, 9), (CLOSED, 7)):
            played.record(match.number, room, played.boards(match.number)[0].number, "1NT N", tricks)
    played.score()


def test_imps_are_compared_over_the_two_halves(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 3, f'{WHIST}scoring = "imps"\nboards_per_round = 1')
    ahead_by_two(played)
    converse(played, "$ rounds EVENT --json | rounds.matches: imps_home imps_away -> 2 0 -> 2 0 -> 2 0")


def match_lines(played: PlayedEvent) -> list[dict[str, object]]:
    rounds = json_report("rounds", played.path)["rounds"]
    return [line for round_ in rounds for line in round_["matches"]]


def test_a_match_counts_when_its_second_half_is_in(tmp_path: Path) -> None:
    counted = "$ standings EVENT --director --json | standings: played"
    played = draw_teams(tmp_path, 5, WHIST)
    play_rounds(played, 1, 2)
    converse(
        played,
        f"""
        {counted} -> 0 -> 0 -> 0 -> 0 -> 0
        $ rounds EVENT --json | rounds.matches: state{" -> stopped" * 10}
        """,
    )
    play_rounds(played, 3, 3)
    converse(played, f"{counted} -> 2 -> 2 -> 2 -> 2 -> 2")
    play_rounds(played, 4)
    converse(
        played,
        f"""
        {counted.replace("EVENT", "EVENT --round 3")} -> 2 -> 2 -> 2 -> 2 -> 2
        {counted} -> 4 -> 4 -> 4 -> 4 -> 4
        """,
    )


def shown_boards(played: PlayedEvent) -> set[tuple[int, int]]:
    """Match and number of the boards of which scorecards show a result at any table."""
    cards = {match.number: json_report("match", played.path, str(match.number)) for match in played.event.matches}
    return {
        (number, board["board"])
        for number, card in cards.items()
        for board in card["boards"]
        if board["open"] is not None or board["closed"] is not None
    }


def test_a_board_is_hidden_until_the_last_table_has_played_it(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 5, WHIST)
    rows = drawn_rows(played, 2)
    for number in range(1, 5):
        play_rounds(played, number, number)
        to_come = {row.board_set for row in rows if row.round > number}
        shown = {(board - 1) // 2 + 1 for _, board in shown_boards(played)}
        assert shown == {row.board_set for row in rows} - to_come
    assert len(shown_boards(played)) == 2 * len(played.event.matches)


# Several stages

BAM_FINAL = (
    '[[stage]]\nname = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 4\nscoring = "board-a-match"\n'
)
IMPS_FINAL = '[[stage]]\nname = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 4\n'


def draw_final(played: PlayedEvent) -> MatchInfo:
    assert draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    return played.reload().matches[-1]


def test_the_final_of_a_session_has_half_of_the_margin_of_the_match_there(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 5, WHIST, f"{BAM_FINAL}[stage.carry_over]\nwon = 0.5\nlost = 0.5")
    play_rounds(played)
    best = [row.team for row in standings(played).rows[:2]]
    expected = recompute_points(played.database.file)
    assert sorted(expected.values(), reverse=True)[:2] == [expected[team] for team in best]
    final = draw_final(played)
    assert list(final.teams) == best
    met, _ = [line for line in match_lines(played) if {line["home"], line["away"]} == set(best)]
    margin = Fraction(str(met["points_home"])) - Fraction(str(met["points_away"]))
    assert margin
    carried = Fraction(final.carry_home - final.carry_away, 100)
    assert carried == (margin if met["home"] == final.home else -margin) / 2
    played.play(final.number)
    played.score()
    assert recompute_points(played.database.file, stage=2).keys() == set(best)
    line = match_lines(played)[-1]
    assert Fraction(str(line["points_home"])) == recompute_points(played.database.file, stage=2)[final.home]
    converse(played, "$ verify EVENT -> ...0 findings")


@pytest.mark.parametrize(
    ("first", "final", "unit"),
    [(WHIST, IMPS_FINAL, "IMPs"), (f'{WHIST}scoring = "imps"', BAM_FINAL, "points")],
    ids=["points first", "IMPs first"],
)
def test_imps_and_points_follow_each_other_with_amounts_by_rank(
    tmp_path: Path, first: str, final: str, unit: str
) -> None:
    played = draw_teams(tmp_path, 3, first, f"{final}[stage.carry_over]\nby_rank = [3, 1]\n")
    play_rounds(played)
    worth = {row.team: {1: 300, 2: 100}.get(row.rank, 0) for row in standings(played).rows}
    match = draw_final(played)
    carried = worth[match.home] - worth[match.away]
    assert (match.carry_home - match.carry_away, match.board_scale.unit) == (carried, unit)
    played.play(match.number)
    played.score()
    for report in ("standings", "crosstable", "rounds"):
        printed(run(report, played.path))
    converse(played, "$ verify EVENT -> ...0 findings")


def test_a_session_after_a_qualifying_stage_carries_points_and_sits_out_for_a_team_that_left(tmp_path: Path) -> None:
    second = f'[[stage]]\nname = "Session"\nteams = 5\n{WHIST}[stage.carry_over]\nwon = 1\n'
    played = draw_teams(tmp_path, 6, f'scoring = "board-a-match"\nboards_per_match = 2\nname = "First"\n{second}')
    play_rounds(played)
    before = {row.team: row.vp for row in standings(played).rows}
    gone = standings(played).rows[-1].team
    played.rule(None, gone, RulingKind.WITHDRAWAL, "ill")
    other = standings(played).rows[-2].team
    played.rule(None, other, RulingKind.WITHDRAWAL, "ill as well")
    assert draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS) == [6, 7, 8, 9]
    stage = played.reload().stages[1]
    assert {entry.team: entry.carry_vp for entry in stage.entries} == {
        team: vp for team, vp in before.items() if team not in (gone, other)
    }
    # Four teams in a movement for five: each sits out twice, once in either direction, which is one match.
    assert sorted(team for round_ in stage.rounds for team in round_.byes) == sorted(e.team for e in stage.entries)
    play_rounds(played, 6)
    rows = standings(played).fields[-1].rows
    assert {row.played for row in rows} == {3}
    own = recompute_points(played.database.file, stage=2)
    # A bye is 60 percent of the two points of a match.
    assert {row.team: Fraction(row.vp - before[row.team], 100) - Fraction("1.2") for row in rows} == own


# Rulings


def test_adjusted_boards_are_parts_of_a_board(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 3, f"{WHIST}boards_per_round = 1")
    ahead_by_two(played)
    match, (board,) = played.match(1), played.boards(1)
    awards = f"--award {match.home}=avg+ --award {match.away}=avg"
    told = f"{match.home} - {match.away} 0.6 - 0.5 points"
    converse(played, f"$ rule adjust EVENT 1 {board.number} {awards} --reason fouled -> ...{told}")
