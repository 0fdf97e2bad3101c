"""Matches of which more than half of the boards were cancelled or not played, in events of every format."""

from functools import partial
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.results.load import load_results
from tourney.results.scorecard import load_scorecard
from tourney.scoring.victory_points import format_vp, vp_scale

AVERAGE_PLUS = format_vp(vp_scale("wbf-continuous", 8).split(12)[0])


def draw(folder: Path, stage: str = "", *teams: str) -> PlayedEvent:
    return draw_event(folder, event_text(*teams, boards=8, stage=stage))


def outcome(played: PlayedEvent) -> list[str]:
    """How many boards count in match 1, the margins of both teams, and whether the match is void."""
    match = played.match(1)
    card = load_scorecard(played.database, played.event, match, played.file.scales[match.stage])
    if card.score is None or card.finished is None:
        return ["no score"]
    home, away = card.score.totals.margins
    return [f"{card.score.boards} boards {home} {away}{' void' * card.finished.is_void}"]


tell = partial(converse, outcome=outcome)


@pytest.mark.parametrize("format_", ["round-robin", "swiss", "gauntlet", "knockout"])
def test_a_match_with_more_than_half_of_its_boards_cancelled_gives_both_average_plus_on_half(
    tmp_path: Path, format_: str
) -> None:
    tell(
        draw(tmp_path, f'format = "{format_}"\n{"rounds = 1" if format_ == "swiss" else ""}'),
        f"""
        rule 1 boards 1-5 board-cancelled: fouled
        match 1 boards 6-8: 4S N 10, 4S N 9
        outcome -> 0 boards 12 12 void
        $ match EVENT 1 --json | : lead {"" if format_ == "knockout" else "vp_home vp_away"}
            -> 0 {"" if format_ == "knockout" else f"{AVERAGE_PLUS} {AVERAGE_PLUS}"}
        scored
        $ standings EVENT --json | standings: played won lost imps_for imps_against -> 1 0 0 12 0 -> 1 0 0 12 0
        """,
    )


@pytest.mark.parametrize(
    ("stage", "script"),
    [
        ("", "rule 1 boards 1-4 board-cancelled\nmatch 1 boards 5-8: 4S N 10, 4S N 9\noutcome -> 4 boards 44 -44"),
        (
            "",
            """
            rule 1 boards 1-3 adjusted-score Alpha -3
            rule 1 boards 4-6 adjusted-score Alpha 0
            rule 1 boards 1-6 adjusted-score Beta 3
            match 1 boards 7-8: 4S N 10, 4S N 9
            outcome -> 0 boards -12 12 void
            """,
        ),
        (
            "",
            """
            match 1 boards 1-3: 4S N 10, 4S N 9
            rule 1 boards 1-3 adjusted-score Alpha -3
            rule 1 boards 1-3 adjusted-score Beta -3
            rule 1-open boards 4-8 board-forfeit Alpha
            rule 1-closed boards 4-8 board-forfeit Alpha
            outcome -> 8 boards -24 6
            """,
        ),
        ("", "outcome -> no score\nrule 1 boards 1-7 board-cancelled\noutcome -> no score"),
        (
            "",
            """
            rule 1 boards 1-8 board-cancelled
            rule 1 match-forfeit Beta
            outcome -> 0 boards 0 0
            $ match EVENT 1 --json | : vp_home vp_away -> 12.00 0.00
            """,
        ),
        (
            'void_matches = "as-played"',
            "rule 1 boards 1-7 board-cancelled\nmatch 1 board 8: 4S N 10, 4S N 9\noutcome -> 1 boards 10 -10",
        ),
        (
            "",
            """
            rule 1 boards 1-8 board-cancelled
            rule 1 penalty-imps Alpha 2
            outcome -> 0 boards 10 12 void
            $ match EVENT 1 --json | lead -> -2
            """,
        ),
    ],
    ids=[
        "half of the boards are enough",
        "who kept the boards from being played gets average minus",
        "boards that were played or forfeited are no reason, whatever they were adjusted to",
        "boards are to be played",
        "a forfeited match is forfeited",
        "as played counts what is left",
        "a fine is deducted from the averages",
    ],
)
def test_a_match_is_void_for_nothing_but_boards_that_nobody_played(tmp_path: Path, stage: str, script: str) -> None:
    tell(draw(tmp_path, stage), script)


def test_a_void_match_of_a_knockout_is_level_and_the_team_at_fault_is_out(tmp_path: Path) -> None:
    played = draw(tmp_path, 'format = "knockout"\nextra_boards = 0', "Ants", "Bees", "Cats", "Dogs")
    match = played.match(2)
    tell(
        played,
        f"""
        rule 1 boards 1-8 board-cancelled: fouled
        rule 2 boards 1-8 adjusted-score {match.home} -3
        rule 2 boards 1-8 adjusted-score {match.away} 3
        scored
        """,
    )
    finished = load_results(played.database, played.event, played.drawn.ranking_rules).finished
    assert [(finished[number].winner, finished[number].lead) for number in (1, 2)] == [
        ("Ants", 0),
        (match.away, -1200),
    ]
    tell(played, "drawn -> 2")
