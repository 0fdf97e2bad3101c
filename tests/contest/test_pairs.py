"""The contest of pairs: draw, boards, ranking, rulings and standings, on record without a socket."""

import csv
import io
import random
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.pairs_standings import recompute_standings
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.config import parse_event_file
from tourney.config.toml import EventFileError
from tourney.coordinator.director import Director, Grounds
from tourney.coordinator.draw.drawing import ensure_drawn
from tourney.errors import ConfigError
from tourney.event.file import load_event_file
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.movement_csv import format_movement
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.report.movements import load_movement_rows
from tourney.results.standings import Standings, load_standings
from tourney.scoring.assigned import parse_all_assigned
from tourney.store.results.secrecy import load_hidden_boards

CONTRACTS = ("3NT N", "4S S", "2H E", "5DX W", "Pass", "1NT N", "6C E", "4H W")


def pairs_text(number: int, stage: str, more: str = "") -> str:
    """Return an event file with so many pairs, named A, B, C, ..."""
    sections = "".join(f'[[pair]]\nname = "{chr(64 + n)}"\n' for n in range(1, number + 1))
    return f'[event]\nname = "Pairs"\n{sections}[[stage]]\n{stage}\n[deals]\nseed = 1\n{more}'


def draw_pairs(folder: Path, number: int, stage: str) -> PlayedEvent:
    return draw_event(folder, pairs_text(number, stage))


def play_rounds(played: PlayedEvent, last: int | None = None, seed: int = 1) -> None:
    """Put a result by chance on record for every board of the rounds up to `last`, and score the matches."""
    for match in played.event.matches:
        if last is None or match.round <= last:
            for board in played.boards(match.number):
                chance = random.Random(f"{seed}/{match.number}/{board.number}")
                contract = chance.choice(CONTRACTS)
                played.record(match.number, Room.OPEN, board.number, contract, chance.randint(5, 12))
    played.score()


def standings(played: PlayedEvent, rounds: int | None = None) -> Standings:
    return load_standings(played.database, played.reload(), played.file.ranking_rules, rounds)


def problems(number: int, stage: str) -> list[str]:
    with pytest.raises(EventFileError) as caught:
        parse_event_file(pairs_text(number, stage), "event.toml")
    return list(caught.value.problems)


# The draw


def test_a_howell_is_drawn_as_published_with_boards_numbered_through_the_stage(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 3')
    movement = plan_howell(8)
    names = {number: chr(64 + number) for number in range(1, 9)}
    drawn = [
        (match.round, match.home, match.away, [board.number for board in played.boards(match.number)])
        for match in played.event.matches
    ]
    assert drawn == [
        (row.round, names[row.ns], names[row.ew], [3 * (row.board_set - 1) + n for n in (1, 2, 3)])
        for row in movement.rows
        if row.ns is not None and row.ew is not None and row.board_set is not None
    ]


def test_pairs_sit_out_with_a_phantom(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 5, 'format = "mitchell"\nphantom = true')
    assert [len(round_.matches) for round_ in played.event.rounds] == [2, 2, 2]
    assert sorted(team for round_ in played.event.rounds for team in round_.byes) == ["A", "B", "C"]


def test_an_own_movement_is_printed_row_for_row(tmp_path: Path) -> None:
    text = format_movement(plan_howell(6))
    (tmp_path / "own.csv").write_text(text, encoding="utf-8")
    path = tmp_path / "event.toml"
    path.write_text(pairs_text(6, 'format = "movement"\nmovement = "own.csv"'), encoding="utf-8")
    table = load_movement_rows(load_event_file(path).config)
    assert table is not None
    out = io.StringIO()
    writer = csv.DictWriter(out, table.columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(table.rows)
    assert out.getvalue() == text


def test_a_movement_that_seats_a_pair_twice_is_named(tmp_path: Path) -> None:
    rows = "round,table,ns,ew,set\n1,1,1,2,1\n1,2,1,3,2\n1,3,4,,\n"
    (tmp_path / "own.csv").write_text(rows, encoding="utf-8")
    path = tmp_path / "event.toml"
    path.write_text(pairs_text(4, 'format = "movement"\nmovement = "own.csv"'), encoding="utf-8")
    with pytest.raises(EventFileError) as caught:
        load_event_file(path)
    assert caught.value.problems == [
        "stage 1, movement: own.csv: pair 1 is seated twice in round 1, at table 1 and at table 2"
    ]


@pytest.mark.parametrize(
    ("number", "stage", "said"),
    [
        (3, 'format = "howell"', "stage 1, format: a Howell has 4 to 128 pairs, got 3"),
        (2, 'format = "mitchell"', "stage 1, format: a Mitchell has at least 2 tables, that is 4 pairs, got 2 pairs"),
        (
            7,
            'format = "mitchell"',
            "stage 1, format: a Mitchell has an even number of pairs, or a phantom that meets each in turn, got 7",
        ),
        (
            8,
            'format = "howell"\nscoring = "imps"',
            "stage 1, scoring: a howell has matchpoints, cross-imps, butler, got 'imps'",
        ),
        (8, 'scoring = "butler"', "stage 1, scoring: a round-robin has imps, board-a-match, got 'butler'"),
        (
            8,
            'format = "howell"\narrow_switch = true',
            "stage 1, arrow_switch: it is for a mitchell, in a howell directions are as they are",
        ),
        (
            8,
            'format = "mitchell"\nwinners = 1',
            "stage 1, format: North-South and East-West are never compared in it, so there is no common list: play "
            "some rounds with an arrow_switch, or leave out winners = 1",
        ),
        (
            8,
            "barometer = true",
            "stage 1, barometer: it is for pairs, in a mitchell, a howell or a movement, not for a",
        ),
        (8, 'format = "howell"\nsegments = 2', "stage 1, segments: it is for matches of teams, not for a howell"),
        (8, 'format = "movement"', "stage 1, movement: a stage with a movement of its own names the file of it"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(number: int, stage: str, said: str) -> None:
    (found,) = problems(number, stage)
    assert found.startswith(said)


def test_pairs_and_teams_in_one_event_are_refused() -> None:
    text = pairs_text(4, 'format = "howell"') + '[[team]]\nname = "T"\n'
    with pytest.raises(EventFileError, match="an event has \\[\\[team\\]\\] or \\[\\[pair\\]\\] sections, not both"):
        parse_event_file(text, "event.toml")


# Standings


@pytest.mark.parametrize("scoring", ["matchpoints", "cross-imps", "butler"])
@pytest.mark.parametrize(
    ("number", "stage"),
    [
        (8, 'format = "howell"'),
        (7, 'format = "howell"\nphantom = true'),
        (10, 'format = "mitchell"\narrow_switch = true\nboards_per_round = 3'),
        (8, 'format = "mitchell"\nrounds = 3'),
        (9, 'format = "mitchell"\nphantom = "north-south"'),
        (8, 'format = "howell"\nbarometer = true'),
    ],
)
def test_standings_are_those_of_an_independent_script(tmp_path: Path, number: int, stage: str, scoring: str) -> None:
    played = draw_pairs(tmp_path, number, f'{stage}\nscoring = "{scoring}"')
    play_rounds(played)
    table = standings(played)
    fields = table.fields or (table,)
    assert len(fields) == (2 if 'format = "mitchell"' in stage and "switch" not in stage else 1)
    expected = recompute_standings(played.database.file, scoring, [[row.team for row in f.rows] for f in fields])
    for field, ranked in zip(fields, expected, strict=True):
        found = {row.team: (row.rank, row.pairs.level) for row in field.rows if row.pairs is not None}
        assert found == ranked


def test_standings_on_the_way_leave_out_boards_that_are_still_open(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"')
    play_rounds(played, last=4)
    movement = plan_howell(8)
    closed = [number for number in movement.by_set if movement.last_round_of(number) <= 4]
    figures = [row.pairs for row in standings(played).rows]
    assert sum(each.boards for each in figures if each is not None) == 2 * 8 * len(closed)


def test_a_board_is_hidden_until_its_last_table_has_played_it(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    play_rounds(played, last=4)
    movement = plan_howell(8)
    hidden = load_hidden_boards(played.database, played.event.id)
    told = {number for match in played.event.matches for number in hidden.of_match(match)}
    assert told == {number for number in movement.by_set if movement.last_round_of(number) > 4}


def test_nobody_has_a_percentage_before_a_board_is_finished_everywhere(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"')
    play_rounds(played, last=1)
    assert {row.pairs.level for row in standings(played).rows if row.pairs is not None} == {None}


# Rulings


def test_a_forfeited_board_is_average_minus_and_average_plus(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 4, 'format = "howell"\nboards_per_round = 1')
    play_rounds(played)
    match = played.match(1)
    played.rule(1, match.home, RulingKind.BOARD_FORFEIT, room=Room.OPEN, board=1)
    rows = {row.team: row.pairs for row in standings(played).rows}
    home, away = rows[match.home], rows[match.away]
    assert home is not None
    assert away is not None
    assert (home.boards, away.boards) == (3, 3)


def test_a_cancelled_board_counts_for_nobody_at_its_table(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    play_rounds(played)
    match = played.match(1)
    board = played.boards(1)[0].number
    grounds = Grounds("Jane", "fouled", None, BEGINS_AT_MS)
    Director(played.database, played.event, played.file.scales, grounds).cancel(match, board)
    boards = {row.team: row.pairs.boards for row in standings(played).rows if row.pairs is not None}
    assert boards == {team: 6 if team in match.teams else 7 for team in boards}


def test_rulings_of_the_director_are_scored_at_pairs(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 4, 'format = "howell"\nboards_per_round = 1')
    for match in played.event.matches:
        played.record(match.number, Room.OPEN, played.boards(match.number)[0].number, "3NT N", 9)
    played.score()
    director = Director(
        played.database, played.event, played.file.scales, Grounds("Jane", "fouled", None, BEGINS_AT_MS)
    )
    first, other = played.event.rounds[0].matches
    board = played.boards(1)[0].number
    # 60 % of a plus of 430 and 40 % of one of 400 against 400, on a top of 2.
    assigned = parse_all_assigned(["60: 3NT N 10", "40: 3NT N 9"])
    director.assign(played.table(1, Room.OPEN), board, assigned, first.teams)
    points = {row.team: row.pairs.points for row in standings(played).rows if row.pairs is not None}
    assert points[first.home] == 2 + Fraction(6, 10) * 2 + Fraction(4, 10)
    assert points[first.away] == 2 + Fraction(4, 10)
    assert points[other.home] + points[other.away] == 2 * 2 + 2
    director.adjust(played.match(3), played.boards(3)[0].number, {played.match(3).home: 3, played.match(3).away: -3})
    after = {row.team: row.pairs for row in standings(played).rows if row.pairs is not None}
    assert {figures.boards for figures in after.values()} == {3}


def test_a_match_forfeited_at_the_table_is_average_minus_and_average_plus(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    absent = played.match(1)
    played.rule(1, absent.home, RulingKind.MATCH_FORFEIT)
    for match in played.event.matches[1:]:
        played.record(match.number, Room.OPEN, played.boards(match.number)[0].number, "3NT N", 9)
    played.score()
    levels = {row.team: row.pairs for row in standings(played).rows if row.pairs is not None}
    # All others are average everywhere.
    assert levels[absent.home].level == Fraction(6 * 50 + 40, 7)
    assert levels[absent.away].level == Fraction(6 * 50 + 60, 7)


def test_a_penalty_takes_a_part_of_a_top(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    play_rounds(played)
    before = {row.team: row.pairs.points for row in standings(played).rows if row.pairs is not None}
    played.rule(1, played.match(1).home, RulingKind.PENALTY_VP, amount=2500)  # 25 percent of a top of 6
    after = {row.team: row.pairs.points for row in standings(played).rows if row.pairs is not None}
    assert {team: before[team] - after[team] for team in before if before[team] != after[team]} == {
        played.match(1).home: 1.5
    }


def test_a_pair_that_has_left_becomes_a_phantom(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    play_rounds(played, last=3)
    gone = played.match(1).home
    played.rule(None, gone, RulingKind.WITHDRAWAL)
    for match in played.event.matches:
        if match.round > 3 and gone in match.teams:
            played.rule(match.number, gone, RulingKind.MATCH_FORFEIT)
        elif match.round > 3:
            for board in played.boards(match.number):
                played.record(match.number, Room.OPEN, board.number, "3NT N", 5 + match.number % 7)
    played.score()
    rows = {row.team: row.pairs for row in standings(played).rows}
    met = [match for match in played.event.matches if match.round > 3 and gone in match.teams]
    opponents = {team for match in met for team in match.teams} - {gone}
    boards = {team: figures.boards for team, figures in rows.items() if figures is not None}
    assert boards == {team: 3 if team == gone else 6 if team in opponents else 7 for team in boards}


def test_a_changed_movement_does_not_fit_the_draw_of_an_event_in_play(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"')
    play_rounds(played, last=1)
    path = tmp_path / "event.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"howell"', '"howell"\nscoring = "butler"'))
    with pytest.raises(ConfigError, match="scoring of pairs was matchpoints when it was drawn, now it is butler"):
        ensure_drawn(load_event_file(path), played.database, 0)
