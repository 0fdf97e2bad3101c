"""PBN of pairs events: scored again it gives the standings exactly, and people's programs read it."""

import random
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.support.exports import games_of
from tests.support.pairs_events import (
    draw_pairs_event,
    export_pairs,
    leave_by_chance,
    pairs_standings,
    play_by_chance,
    rule_by_chance,
)
from tests.support.pbn import parse_games
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, once
from tourney.coordinator.draw import draw_next
from tourney.errors import FormatError
from tourney.formats.file_kinds import decode_text
from tourney.results.standings import Standings
from tourney.scorefile.kinds import is_field
from tourney.scorefile.pairs import FieldReport, score_pairs
from tourney.scorefile.records import read_files

_Row: TypeAlias = tuple[int | None, str, int, Fraction, Fraction | None]
"""Rank, number, boards, points and level of a pair."""

HOWELL = 'format = "howell"\nboards_per_round = 2'


def rankings_of(played: PlayedEvent, standings: Standings) -> list[list[_Row]]:
    numbers = {team.name: str(team.number) for team in played.event.teams}
    rankings = []
    for field in standings.fields or (standings,):
        rows = []
        for row in field.rows:
            figures = row.pairs
            assert figures is not None
            rank = row.rank if figures.level is not None else None
            rows.append((rank, numbers[row.team], figures.boards, figures.points, figures.level))
        rankings.append(rows)
    return rankings


def rankings_in(scored: FieldReport) -> list[list[_Row]]:
    return [
        [
            (each.rank, each.pair.lstrip("AB"), each.figures.boards, each.figures.points, each.figures.level)
            for each in ranking.pairs
        ]
        for ranking in scored.rankings
    ]


def assert_same_standings(played: PlayedEvent, path: Path) -> None:
    expected = rankings_of(played, pairs_standings(played))
    found = rankings_in(score_pairs(read_files([(path.name, path.read_bytes())])))
    assert [sorted(ranking, key=str) for ranking in found] == [sorted(ranking, key=str) for ranking in expected]


@pytest.fixture
@once
def howell(tmp_path: Path) -> PlayedEvent:
    """Eight pairs whose tables have all played."""
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    play_by_chance(played)
    return played


@pytest.mark.parametrize(
    ("number", "stage", "scoring"),
    [
        *(
            (number, stage, scoring)
            for scoring in ("matchpoints", "cross-imps", "butler")
            for number, stage in (
                (8, HOWELL),
                (7, 'format = "howell"\nphantom = true'),
                (8, 'format = "mitchell"\nboards_per_round = 2'),
                (10, 'format = "mitchell"\narrow_switch = true\nties = ["own-meeting", "boards-won"]'),
            )
        ),
        (12, 'format = "mitchell"\nsections = 2', "matchpoints"),
        (8, 'format = "howell"\nsections = 2', "matchpoints"),
        (4, 'format = "howell"\nsessions = 2', "matchpoints"),
    ],
)
def test_an_exported_event_has_its_standings_again_when_it_is_scored(
    tmp_path: Path, number: int, stage: str, scoring: str
) -> None:
    played = draw_pairs_event(tmp_path, number, f'{stage}\nscoring = "{scoring}"')
    play_by_chance(played)
    assert_same_standings(played, export_pairs(played, "pbn", tmp_path / "out")[-1])
    rule_by_chance(played, random.Random(f"{number}/{scoring}"))
    assert_same_standings(played, export_pairs(played, "pbn", tmp_path / "ruled")[-1])


def test_a_board_that_some_tables_never_played_is_scored_to_the_same_number_of_results(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    leave_by_chance(played, last=3)
    path = export_pairs(played, "pbn", tmp_path / "out")[-1]
    assert_same_standings(played, path)
    assert {game["ResultsExpected"] for game in games_of(path)} == {"4"}


def test_an_unfinished_event_has_the_provisional_standings_and_no_hidden_board(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    play_by_chance(played, last=5)
    path = export_pairs(played, "pbn", tmp_path / "out")[-1]
    assert_same_standings(played, path)
    shown = {
        board.number
        for match in played.event.matches
        for board in played.boards(match.number)
        if all(other.round <= 5 for other in played.event.matches if other.board_set_id == match.board_set_id)
    }
    assert {int(game["Board"]) for game in games_of(path)} == shown
    assert 0 < len(shown) < 14


def test_the_games_of_a_board_follow_each_other_and_one_has_its_table(howell: PlayedEvent, tmp_path: Path) -> None:
    games = games_of(export_pairs(howell, "pbn", tmp_path / "out")[-1])
    assert [int(game["Board"]) for game in games] == [number for number in range(1, 15) for _ in range(4)]
    assert ["ScoreTable" in game for game in games] == [True, False, False, False] * 14
    assert ["TotalScoreTable" in game for game in games] == [True] + [False] * 55


def test_a_game_says_what_it_is_and_what_it_scored(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 4, 'format = "howell"\nboards_per_round = 1')
    for number, tricks in enumerate((9, 10, 9, 9, 9, 9), 1):
        played.record(number, played.match(1).tables[0].room, played.boards(number)[0].number, "3NT N", tricks)
    played.score()
    path = export_pairs(played, "pbn", tmp_path / "out")[-1]
    first = games_of(path)[0]
    wanted = ("Competition", "Scoring", "Round", "Table", "PairNS", "PairEW", "Score", "ScoreMP", "ScorePercentage")
    numbers = {team.name: str(team.number) for team in played.event.teams}
    home, away = played.match(1).teams
    assert [first[name] for name in wanted] == [
        *("Pairs", "MatchPoints", "1", "1", numbers[home], numbers[away]),
        *("NS 400", "NS 0.00 EW 2.00", "NS 0.00 EW 100.00"),
    ]
    assert not {"Room", "HomeTeam", "VisitTeam", "ScoreIMP"} & first.keys()
    table = parse_games(decode_text(path.read_bytes()), path.name)[0].tag("ScoreTable")
    assert table is not None
    columns = [column.partition("\\")[0] for column in table.value.split(";")]
    rows = [dict(zip(columns, row, strict=True)) for row in table.rows]
    assert [(row["Score_NS"], row["MP_NS"], row["Percentage_EW"]) for row in rows] == [
        ("430", "2.00", "0.00"),
        ("400", "0.00", "100.00"),
    ]


def test_the_file_of_one_table_has_the_score_tables_of_its_boards(howell: PlayedEvent, tmp_path: Path) -> None:
    (path,) = export_pairs(howell, "pbn", tmp_path / "out", match=3)
    games = games_of(path)
    assert [int(game["Board"]) for game in games] == [board.number for board in howell.boards(3)]
    assert all("ScoreTable" in game and "TotalScoreTable" not in game for game in games)


def test_boards_of_two_stages_with_the_same_numbers_are_no_field(howell: PlayedEvent, tmp_path: Path) -> None:
    data = export_pairs(howell, "pbn", tmp_path / "out")[-1].read_bytes()
    both = data + data.replace(b'[Stage "Howell"]', b'[Stage "Final"]')
    with pytest.raises(FormatError, match="board 1 is of 'Pairs, Final', on line 37 of 'Pairs, Howell'"):
        score_pairs(read_files([("both.pbn", both)]))


def test_each_stage_has_a_file_with_what_was_carried_over(tmp_path: Path) -> None:
    stages = f'name = "Qualifying"\n{HOWELL}\n[[stage]]\nname = "Final"\nformat = "howell"\nteams = 4\n'
    played = draw_pairs_event(tmp_path, 8, f"{stages}[stage.carry_over]\nwon = 0.5\n")
    play_by_chance(played)
    draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    played.reload()
    play_by_chance(played, first=8)
    paths = {path.name: path for path in export_pairs(played, "pbn", tmp_path / "out")}
    final = score_pairs(read_files([("stage-2.pbn", paths["stage-2.pbn"].read_bytes())]))
    rows = next(field for field in pairs_standings(played).fields if field.title == "Final").rows
    numbers = {team.name: str(team.number) for team in played.event.teams}
    ((_, _, ranking),) = final.rankings
    assert [(pair.rank, pair.pair) for pair in ranking] == [(row.rank, numbers[row.team]) for row in rows]
    assert any(pair.figures.carried for pair in ranking)
    with pytest.raises(FormatError, match="a field is scored from a file with one event and one stage"):
        score_pairs(read_files([("all.pbn", paths["all.pbn"].read_bytes())]))


@pytest.mark.parametrize("file_format", ["pbn", "lin"])
@pytest.mark.parametrize(
    "stage",
    [HOWELL, 'format = "mitchell"\nscoring = "cross-imps"', 'format = "mitchell"\narrow_switch = true'],
)
def test_all_files_of_an_export_together_are_scored_as_the_field_that_they_come_from(
    tmp_path: Path, file_format: str, stage: str
) -> None:
    played = draw_pairs_event(tmp_path, 8, stage)
    play_by_chance(played)
    paths = [path for path in export_pairs(played, file_format, tmp_path / "out") if "-boards" not in path.name]
    files = [(path.name, path.read_bytes()) for path in paths]
    assert is_field(read_files(files))
    found = [pair[2:] for ranking in rankings_in(score_pairs(read_files(files))) for pair in ranking]
    expected = [pair[2:] for ranking in rankings_of(played, pairs_standings(played)) for pair in ranking]
    assert sorted(found) == sorted(expected)
    played.database.close()
