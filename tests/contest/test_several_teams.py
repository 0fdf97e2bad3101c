"""A whole field of teams in one session: American Whist and New England Relay, on record without a socket."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.board_a_match_standings import recompute_points
from tests.support.golden_figures import golden_movement
from tests.support.played_event import PlayedEvent, draw_event
from tourney.cli.main import cli
from tourney.config import EventConfig, parse_event_file
from tourney.config.toml import EventFileError
from tourney.movement.pairs.movement import MovementRow
from tourney.movement.pairs.several_teams import plan_several_teams
from tourney.movement.seating import Room
from tourney.results.standings import Standings, load_standings

NAMES = ("Ants", "Bees", "Cats", "Dogs", "Elks", "Frogs", "Goats", "Hares", "Ibises")
WHIST, RELAY = 'format = "american-whist"\n', 'format = "new-england-relay"\n'


def teams_text(number: int, stage: str, more: str = "") -> str:
    sections = "".join(f'[[team]]\nname = "{name}"\n' for name in NAMES[:number])
    return f'[event]\nname = "Session"\n{sections}[[stage]]\n{stage}\n{more}\n[deals]\nseed = 1\n'


def draw_teams(folder: Path, number: int, stage: str, more: str = "") -> PlayedEvent:
    folder.mkdir(exist_ok=True)
    return draw_event(folder, teams_text(number, stage, more))


def problems(number: int, stage: str, more: str = "") -> list[str]:
    with pytest.raises(EventFileError) as caught:
        parse_event_file(teams_text(number, stage, more), "event.toml")
    return list(caught.value.problems)


def config_of(number: int, stage: str, more: str = "") -> EventConfig:
    return parse_event_file(teams_text(number, stage, more), "event.toml")


def drawn_rows(played: PlayedEvent, boards_per_round: int) -> list[MovementRow]:
    """What the rounds of the draw play, as rows of a movement: sets by the numbers of their boards."""
    numbers = {team.name: team.number for team in played.event.teams}
    rows = []
    for round_ in played.event.rounds:
        for table, sitting in enumerate(round_.sittings, 1):
            boards = [board.number for board in played.boards(sitting.match.number)]
            assert boards == list(range(boards[0], boards[0] + boards_per_round))
            (seats,) = sitting.tables
            assert (seats.ns_pair, seats.ew_pair) == (1, 2)
            ns, ew = numbers[seats.ns_team], numbers[seats.ew_team]
            rows.append(MovementRow(round_.number, table, ns, ew, (boards[0] - 1) // boards_per_round + 1))
    return rows


def play_rounds(played: PlayedEvent, first: int = 1, last: int | None = None) -> None:
    """Play the halves of matches of rounds, at random, and score what is finished."""
    for round_ in played.event.rounds[first - 1 : last]:
        for sitting in round_.sittings:
            played.play(sitting.match.number, sitting.rooms)
    played.score()


def standings(played: PlayedEvent, rounds: int | None = None) -> Standings:
    return load_standings(played.database, played.reload(), played.file.ranking_rules, rounds)


def command(played: PlayedEvent, name: str, *words: str) -> str:
    result = CliRunner().invoke(cli, [name, str(played.path), *words])
    assert result.exit_code == 0, result.output
    return result.output


# The draw


@pytest.mark.parametrize(
    ("number", "stage", "golden"),
    [(5, WHIST, "teams_05_american_whist"), (6, RELAY, "teams_06_new_england_relay")],
)
def test_rounds_are_those_of_the_published_movement(tmp_path: Path, number: int, stage: str, golden: str) -> None:
    (published,) = golden_movement(golden).values()
    played = draw_teams(tmp_path, number, f"{stage}boards_per_round = 3")
    assert drawn_rows(played, 3) == published
    printed = csv.reader(io.StringIO(command(played, "schedule", "--csv")))
    assert next(printed) == ["round", "table", "ns", "ew", "set"]
    assert [list(map(int, row)) for row in printed] == [
        [row.round, row.table, row.ns, row.ew, row.board_set] for row in published
    ]


@pytest.mark.parametrize(("number", "stage"), [(3, WHIST), (7, WHIST), (9, WHIST), (4, RELAY), (8, RELAY)])
def test_every_match_has_its_two_halves_and_belongs_to_the_round_of_the_later_one(
    tmp_path: Path, number: int, stage: str
) -> None:
    played = draw_teams(tmp_path, number, stage)
    seen: dict[tuple[int, Room], int] = {}
    for round_ in played.event.rounds:
        assert len({team for sitting in round_.sittings for team in sitting.teams[:1]}) == number
        assert len({team for sitting in round_.sittings for team in sitting.teams[1:]}) == number
        for sitting in round_.sittings:
            (room,) = sitting.rooms
            assert seen.setdefault((sitting.match.number, room), round_.number) == round_.number
    for match in played.event.matches:
        assert match.round == seen[match.number, Room.CLOSED] >= seen[match.number, Room.OPEN]
        assert played.event.played_in(match, Room.OPEN) == seen[match.number, Room.OPEN]
        assert match.tables_at(0)[Room.OPEN].ns_team == match.home
        assert match.tables_at(0)[Room.CLOSED].ns_team == match.away
    assert len(seen) == number * (number - 1)


@pytest.mark.parametrize(
    ("number", "stage", "rounds", "kept"),
    [(7, WHIST, 4, (1, 2, 5, 6)), (7, WHIST, 2, (1, 6)), (6, RELAY, 2, (1, 5)), (6, RELAY, 3, (1, 3, 5))],
)
def test_fewer_rounds_are_as_many_of_the_first_as_of_the_last(
    tmp_path: Path, number: int, stage: str, rounds: int, kept: tuple[int, ...]
) -> None:
    played = draw_teams(tmp_path, number, f"{stage}rounds = {rounds}")
    whole = plan_several_teams("american-whist" if stage == WHIST else "new-england-relay", number)
    expected = [(kept.index(row.round) + 1, row.ns, row.ew, row.board_set) for row in whole if row.round in kept]
    assert [(row.round, row.ns, row.ew, row.board_set) for row in drawn_rows(played, 2)] == expected
    play_rounds(played)
    assert all(row.played == rounds for row in standings(played).rows)


@pytest.mark.parametrize(
    ("number", "stage", "said"),
    [
        (
            6,
            WHIST,
            "stage 1, format: american-whist is for an odd number of teams, got 6; an even one plays "
            "'new-england-relay'",
        ),
        (
            7,
            RELAY,
            "stage 1, format: new-england-relay is for an even number of teams, got 7; an odd one plays "
            "'american-whist'",
        ),
        (2, RELAY, "stage 1, format: a New England Relay has an even number of teams, at least 4, got 2"),
        (
            7,
            f"{WHIST}rounds = 3",
            "stage 1, rounds: each match is played in two rounds, so that 7 teams play an even number of them, got 3",
        ),
        (7, f"{WHIST}rounds = 8", "stage 1, rounds: 7 teams have met after 6 rounds, got 8"),
        (
            5,
            f"{WHIST}boards_per_match = 3",
            "stage 1: boards_per_match: in a movement of several teams `boards_per_round` says how many boards a "
            "table plays, leave it out",
        ),
        (
            5,
            f"{WHIST}segments = 2",
            "stage 1, segments: in an american-whist the movement says who sits where, leave it out",
        ),
        (5, f"{WHIST}groups = 2", "stage 1, groups: they are for round robins, an american-whist has 1, got 2"),
        (
            5,
            f'{WHIST}arrow_switch = true\nscoring = "matchpoints"',
            "stage 1, scoring: an american-whist has board-a-match, imps, got 'matchpoints'",
        ),
        (
            5,
            f'{WHIST}game = "chicago"',
            "stage 1: game: it is for matches of two entrants, not for an american-whist, got 'chicago'",
        ),
        (
            5,
            f'{WHIST}[tables]\nport_plan = "per-pair"',
            "tables, port_plan: 'per-pair' is for events of pairs, stage 'American Whist' is an american-whist",
        ),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(number: int, stage: str, said: str) -> None:
    assert said in problems(number, stage)


def test_the_usual_scoring_is_board_a_match_by_points_and_imps_have_victory_points() -> None:
    usual = config_of(5, WHIST).stage[0]
    assert (usual.scoring, usual.vp_scale, usual.boards_per_match) == ("board-a-match", "points", 2)
    imps = config_of(5, f'{WHIST}scoring = "imps"').stage[0]
    assert (imps.board_scale.unit, imps.vp_scale) == ("IMPs", "wbf-continuous")


# Results


@pytest.mark.parametrize(("number", "stage"), [(5, WHIST), (7, f"{WHIST}rounds = 4"), (6, RELAY)])
def test_standings_are_the_points_of_all_boards_recomputed(tmp_path: Path, number: int, stage: str) -> None:
    played = draw_teams(tmp_path, number, stage)
    play_rounds(played)
    rows = json.loads(command(played, "standings", "--json"))["standings"]
    expected = recompute_points(played.database.file)
    assert {row["team"]: Fraction(row["vp"]) for row in rows} == expected
    # The average of a session is half of its boards.
    assert sum(expected.values()) / number == Fraction(2 * len(played.event.rounds), 2)
    assert command(played, "verify").endswith("0 findings\n")


def test_imps_are_compared_over_the_two_halves(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 3, f'{WHIST}scoring = "imps"\nboards_per_round = 1')
    for match in played.event.matches:
        (board,) = played.boards(match.number)
        played.record(match.number, Room.OPEN, board.number, "1NT N", 9)  # 150
        played.record(match.number, Room.CLOSED, board.number, "1NT N", 7)  # 90
    played.score()
    assert {(line["imps_home"], line["imps_away"]) for line in match_lines(played)} == {(2, 0)}


def match_lines(played: PlayedEvent) -> list[dict[str, object]]:
    rounds = json.loads(command(played, "rounds", "--json"))["rounds"]
    return [line for round_ in rounds for line in round_["matches"]]


def test_a_match_counts_when_its_second_half_is_in(tmp_path: Path) -> None:
    played = draw_teams(tmp_path, 5, WHIST)
    play_rounds(played, 1, 2)
    assert all(row.played == 0 for row in standings(played).rows)
    assert {line["state"] for line in match_lines(played)} == {"stopped"}
    play_rounds(played, 3, 3)
    assert all(row.played == 2 for row in standings(played).rows)
    play_rounds(played, 4)
    assert all(row.played == 2 for row in standings(played, 3).rows)
    assert all(row.played == 4 for row in standings(played, 4).rows)


def shown_boards(played: PlayedEvent) -> set[tuple[int, int]]:
    """Match and number of the boards of which scorecards show a result at any table."""
    cards = {
        match.number: json.loads(command(played, "match", str(match.number), "--json"))
        for match in played.event.matches
    }
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
