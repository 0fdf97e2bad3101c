"""The contest of pairs: draw, boards, ranking, rulings and standings, on record without a socket."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.pairs_events import leave_by_chance, play_by_chance
from tests.support.pairs_standings import recompute_standings
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event
from tourney.config import parse_event_file
from tourney.config.toml import EventFileError
from tourney.coordinator.draw import draw_next, ensure_drawn
from tourney.errors import ConfigError
from tourney.event.file import load_event_file
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.ranking import PairsFigures
from tourney.protocol.session.records import RulingKind
from tourney.results.standings import Standings, load_standings


def pairs_text(number: int, stage: str, more: str = "") -> str:
    """Return an event file with so many pairs, named A, B, C, ..."""
    sections = "".join(f'[[pair]]\nname = "{chr(64 + n)}"\n' for n in range(1, number + 1))
    return f'[event]\nname = "Pairs"\n{sections}[[stage]]\n{stage}\n[deals]\nseed = 1\n{more}'


def draw_pairs(folder: Path, number: int, stage: str) -> PlayedEvent:
    return draw_event(folder, pairs_text(number, stage))


HOWELL = 'format = "howell"\nboards_per_round = 1'


BOARDS, TOTALS, LEVELS = (
    f"$ standings EVENT --json | standings: pair {shown}" for shown in ("boards", "total", "percentage")
)


def standings(played: PlayedEvent, rounds: int | None = None) -> Standings:
    return load_standings(played.database, played.reload(), played.file.ranking_rules, rounds)


def figures_of(field: Standings) -> dict[str, PairsFigures]:
    return {row.team: row.pairs for row in field.rows if row.pairs is not None}


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
    play_by_chance(played)
    table = standings(played)
    assert len(table.fields) == (2 if 'format = "mitchell"' in stage and "switch" not in stage else 0)
    assert_as_recomputed(played, table, scoring)


def assert_as_recomputed(played: PlayedEvent, table: Standings, scoring: str = "matchpoints") -> None:
    """Compare the ranks and figures of every list with those of the script."""
    fields = table.fields or (table,)
    expected = recompute_standings(played.database.file, scoring, [[row.team for row in f.rows] for f in fields])
    for field, ranked in zip(fields, expected, strict=True):
        assert {row.team: (row.rank, row.pairs.level) for row in field.rows if row.pairs is not None} == ranked


def test_standings_on_the_way_leave_out_boards_that_are_still_open(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, HOWELL)
    play_by_chance(played, last=6)
    # All tables have finished boards 1, 5 and 6.
    converse(played, f"{BOARDS}{' -> ... 3' * 8}")


# Rulings


def level(played: PlayedEvent, *but: str) -> None:
    """Put the same result on record everywhere, `but` in some matches: every pair is average."""
    for match in played.event.matches:
        if str(match.number) not in but:
            for board in played.boards(match.number):
                played.record(match.number, OPEN, board.number, "3NT N", 9)
    played.score()


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(
            f"""
            level
            $ rule cancel EVENT 1 --match 1 --reason fouled
            {BOARDS} -> A 7 -> B 7 -> C 6 -> D 7 -> E 7 -> F 6 -> G 7 -> H 7
            """,
            id="a cancelled board counts for nobody at its table",
        ),
        pytest.param(
            f"""
            rule 1 match-forfeit C
            level 1
            {LEVELS} -> F 51.43 -> A 50.0 -> B 50.0 -> D 50.0 -> E 50.0 -> G 50.0 -> H 50.0 -> C 48.57
            """,
            id="a match forfeited at the table is average minus and average plus: of 7 boards 40 and 60",
        ),
        pytest.param(
            f"""
            level
            $ rule penalty EVENT 1 C 25 --percent --reason late
            {TOTALS} -> A 21.0 -> B 21.0 -> D 21.0 -> E 21.0 -> F 21.0 -> G 21.0 -> H 21.0 -> C 19.5
            """,
            id="a penalty takes a part of a top of 6",
        ),
        pytest.param(
            # North-South's scores are 420, 430, 430 and -50, those against East-West 450, 430, 430 and -50; nobody is
            # vulnerable. All other boards are 6 * 3 points.
            f"""
            16-open board 1: 3NT N 10
            19-open board 1: 3NT N 10
            22-open board 1: 1NT N 6
            level 16 19 22
            $ rule assign EVENT 1-open 1 '4S N 10' --team C --reason revoke
            $ rule assign EVENT 1-open 1 '4S N 11' --team F --reason revoke
            {TOTALS} -> G 24.0 -> B 23.0 -> H 23.0 -> A 21.0 -> D 21.0 -> C 20.0 -> E 18.0 -> F 18.0
            """,
            id="a split score is compared in a table for each side",
        ),
    ],
)
def test_a_ruling_counts_in_the_standings_of_pairs_that_are_level(tmp_path: Path, script: str) -> None:
    converse(draw_pairs(tmp_path, 8, HOWELL), script, level=level)


@pytest.mark.parametrize(("home", "away", "sign"), [("avg+", "avg-", 1), ("avg", "avg", 0), ("avg-", "avg+", -1)])
@pytest.mark.parametrize(
    ("scoring", "average", "plus"), [("matchpoints", 21, 0.6), ("cross-imps", 0, 3.0), ("butler", 0, 3.0)]
)
def test_average_plus_average_and_average_minus_of_each_side(
    tmp_path: Path, scoring: str, average: int, plus: float, home: str, away: str, sign: int
) -> None:
    # All others are average everywhere, also on this board, where three results are left of four.
    total = "$ standings EVENT --json | standings[pair={}]: total"
    converse(
        draw_pairs(tmp_path, 8, f'{HOWELL}\nscoring = "{scoring}"'),
        f"""
        level
        $ rule adjust EVENT 1 1 --award C={home} --award F={away} --reason fouled
        {total.format("C")} -> {average + sign * plus}
        {total.format("F")} -> {average - sign * plus}
        {total.format("D")} -> {average}.0
        """,
        level=level,
    )


def test_a_pair_that_has_left_becomes_a_phantom(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, HOWELL)
    assert leave_by_chance(played, last=3) == "C"
    # C was to meet E, G, B and D in the rounds after that.
    converse(played, f"{BOARDS} -> G 6 -> F 7 -> B 6 -> C 3 -> H 7 -> E 6 -> D 6 -> A 7")


def test_a_changed_movement_does_not_fit_the_draw_of_an_event_in_play(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"')
    play_by_chance(played, last=1)
    path = tmp_path / "event.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"howell"', '"howell"\nscoring = "butler"'))
    with pytest.raises(ConfigError, match="scoring was matchpoints when it was drawn, now it is butler"):
        ensure_drawn(load_event_file(path), played.database, 0)


# Several stages


def next_stage(played: PlayedEvent) -> None:
    """Draw the next stage, and play it."""
    first, *_ = draw_next(played.file, played.database, played.reload(), 0)
    played.reload()
    play_by_chance(played, first=first)


@pytest.mark.parametrize(
    ("carry_over", "share"),
    [
        ("won = 0.5", Fraction(1, 2)),
        ("won = 1", Fraction(1)),
        # 14 boards count in the qualifying, 6 in the final: White Book 2025, section 3.8.
        ("won = 0.5\nby_boards = true", Fraction(1, 2) * Fraction(14, 6)),
    ],
)
def test_the_best_play_a_final_with_a_share_of_their_percentage(
    tmp_path: Path, carry_over: str, share: Fraction
) -> None:
    final = f'[[stage]]\nname = "Final"\nformat = "howell"\nteams = 4\n[stage.carry_over]\n{carry_over}'
    played = draw_pairs(tmp_path, 8, f'format = "howell"\n{final}')
    play_by_chance(played)
    next_stage(played)
    table = standings(played)
    qualifying, last = table.fields
    best = [row.team for row in qualifying.rows[:4]]
    assert {row.team for row in last.rows} == set(best)
    assert [entry.team for entry in played.reload().stages[1].entries] == best
    before, now = figures_of(qualifying), figures_of(last)
    for pair, figures in now.items():
        level = before[pair].level
        assert level is not None
        assert figures.carried is not None
        assert abs(figures.carried - share * level) <= Fraction(1, 50)
        assert figures.result == (figures.level or 0) + figures.carried
    results = [now[row.team].result or Fraction() for row in last.rows]
    assert results == sorted(results, reverse=True)
    assert [row.team for row in table.rows] == [row.team for row in (*last.rows, *qualifying.rows[4:])]
    assert figures_of(table) == {**before, **now}


def test_from_two_directions_as_many_of_each_play_the_final(tmp_path: Path) -> None:
    final = '[[stage]]\nname = "Final"\nformat = "howell"\nteams = 4'
    played = draw_pairs(tmp_path, 8, f'format = "mitchell"\n{final}')
    play_by_chance(played)
    next_stage(played)
    north_south, east_west, last = standings(played).fields
    finalists = [entry.team for entry in played.reload().stages[1].entries]
    tops = [[row.team for row in field.rows[:2]] for field in (north_south, east_west)]
    assert finalists == [tops[0][0], tops[1][0], tops[0][1], tops[1][1]]
    assert {figures.carried for figures in figures_of(last).values()} == {None}


def test_the_first_pairs_of_teams_play_a_movement_after_their_matches(tmp_path: Path) -> None:
    teams = "".join(f'[[team]]\nname = "{name}"\n' for name in "ABCD")
    stages = (
        '[[stage]]\nname = "League"\nboards_per_match = 2\n[[stage]]\nname = "Pairs"\nformat = "howell"\n'
        "[stage.carry_over]\nby_rank = [6, 4, 2, 0]\n"
    )
    played = draw_event(tmp_path, f'[event]\nname = "Mixed"\n{teams}{stages}[deals]\nseed = 1\n')
    for match in played.event.matches:
        for board in played.boards(match.number):
            for room, tricks in ((OPEN, 9 + match.number % 3), (CLOSED, 9)):
                played.record(match.number, room, board.number, "3NT N", tricks)
    played.score()
    league = [row.team for row in standings(played).fields[0].rows]
    next_stage(played)
    last = standings(played).fields[1]
    assert [entry.team for entry in played.reload().stages[1].entries] == league
    carried = {team: figures.carried for team, figures in figures_of(last).items()}
    assert sorted(carried[team] or 0 for team in league) == [0, 2, 4, 6]
    assert carried[league[0]] == 6
    results = [figures.result or Fraction() for figures in figures_of(last).values()]
    assert results == sorted(results, reverse=True)


def test_who_is_missing_in_a_final_is_a_phantom(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 4, 'format = "howell"\n[[stage]]\nname = "Final"\nformat = "howell"')
    play_by_chance(played)
    converse(played, "rule withdrawal A")
    next_stage(played)
    final = played.reload().stages[1]
    assert [(len(round_.matches), len(round_.byes)) for round_ in final.rounds] == [(1, 1)] * 3
    assert {figures.boards for figures in figures_of(standings(played).fields[1]).values()} == {0}


# Sessions and sections


def test_sessions_go_on_with_rounds_and_boards_and_have_one_top(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nsessions = 2')
    assert len(played.event.rounds) == 14
    second = played.event.rounds[7]
    first = played.event.rounds[0]
    assert [match.teams for match in second.matches] == [match.teams for match in first.matches]
    numbers = [board.number for match in played.event.matches for board in played.boards(match.number)]
    assert sorted(set(numbers)) == list(range(1, 29))
    play_by_chance(played)
    table = standings(played)
    assert_as_recomputed(played, table)
    assert {figures.boards for figures in figures_of(table).values()} == {28}


def test_an_average_plus_depends_on_the_other_boards_of_its_session(tmp_path: Path) -> None:
    """A has won all boards of the first session, and is average in the second: 3 times 2 and 3 times 1."""
    played = draw_pairs(tmp_path, 4, f"{HOWELL}\nsessions = 2")
    of_a = [match for match in played.event.matches if "A" in match.teams]
    for match in of_a[:3]:
        played.record(
            match.number, OPEN, played.boards(match.number)[0].number, "3NT N", 12 if match.home == "A" else 5
        )
    level(played, *(str(match.number) for match in of_a[:3]))
    first, second = (f"{match.number} {played.boards(match.number)[0].number}" for match in (of_a[0], of_a[3]))
    total = "$ standings EVENT --json | standings[pair=A]: total"
    converse(
        played,
        f"""
        {total} -> 9.0
        # Its own percentage of the session is better.
        $ rule adjust EVENT {first} --award A=avg+ --reason fouled
        {total} -> 9.0
        $ rule adjust EVENT {second} --award A=avg+ --reason fouled
        {total} -> 9.2
        """,
    )


def test_sections_play_the_same_boards_and_are_compared_across_the_field(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 16, 'format = "howell"\nsections = 2\nboards_per_round = 1')
    (stage,) = played.event.stages
    # Dealt back and forth: the two sections are numbered on from each other.
    assert [entry.team for entry in stage.entries] == [*"ADEHILMP", *"BCFGJKNO"]
    assert [len(round_.matches) for round_ in played.event.rounds] == [8] * 7
    assert {frozenset(match.teams) <= set("ADEHILMP") for match in played.event.matches} == {True, False}
    play_by_chance(played)
    table = standings(played)
    assert not table.fields
    assert_as_recomputed(played, table)
    # Eight results on a board: a top of 14.
    assert {figures.available for figures in figures_of(table).values()} == {7 * 14}


def test_a_section_that_is_compared_by_itself_has_the_top_of_its_own_results(tmp_path: Path) -> None:
    stage = 'format = "howell"\nrounds = 7\nsections = 2\ncompare_within = "section"\nboards_per_round = 1'
    played = draw_pairs(tmp_path, 18, stage)
    play_by_chance(played)
    larger, smaller = standings(played).fields
    assert [larger.title, smaller.title] == ["Howell, section A", "Howell, section B"]
    assert (len(larger.rows), len(smaller.rows)) == (10, 8)
    # Four tables play every board of the full Howell for 8 pairs, up to five those of the Howell for 10.
    assert {figures.available for figures in figures_of(smaller).values()} == {7 * 6}
    assert {figures.available for figures in figures_of(larger).values()} == {7 * 8}
    home = smaller.rows[0].team
    match = next(match for match in played.event.matches if home in match.teams)
    before = figures_of(smaller)[home].points
    played.rule(match.number, home, RulingKind.PENALTY_VP, amount=5000)
    assert figures_of(standings(played).fields[1])[home].points == before - 3


def test_a_rover_takes_the_place_of_another_pair_in_each_round(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 13, 'format = "mitchell"\nphantom = "rover"')
    names = [entry.team for entry in played.event.stages[0].entries]
    seated = [{pair for match in round_.matches for pair in match.teams} for round_ in played.event.rounds]
    out = [sorted(set(names) - at_tables) for at_tables in seated]
    assert out == [[names[12]], *([names[table - 1]] for table in (1, 3, 5, 2, 4))]
