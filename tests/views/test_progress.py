"""What reports say before anything is played, while an event goes on, and where figures do not count."""

from pathlib import Path

import pytest
from sqlalchemy import update

from tests.support.commands import printed, run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.two_events import draw_next_round, win
from tourney.runtime import clock
from tourney.store.models import Event

CUP = 'format = "knockout"\nthird_place = true'
TEAMS = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs", "Gnus", "Hens")


def shown(name: str, played: PlayedEvent, *words: str) -> str:
    return printed(run(name, played.path, *words))


RANKS = "$ standings EVENT -> ... -> Rank Team ..."


def wins(played: PlayedEvent, side: str, *numbers: str) -> None:
    """The home teams of matches win, or the away teams; what can be drawn then is."""
    for number in map(int, numbers):
        win(played, number, getattr(played.match(number), side))
    draw_next_round(played)


@pytest.mark.parametrize(
    "report", ["standings EVENT", "match EVENT 1", "swings EVENT", "butler EVENT", "times EVENT"]
)
def test_reports_of_an_event_in_which_nothing_is_played_say_how_to_begin(tmp_path: Path, report: str) -> None:
    played = draw_event(tmp_path)
    converse(played, f"$ {report} -> ... -> not begun: `tourney run EVENT`")
    with played.database.write() as connection:
        connection.execute(update(Event).values(run_holder="{}", run_beat_at_ms=clock.wall_ms()))
    converse(played, f"$ {report} -> ... -> not begun: no board is being played yet")
    assert "not begun" not in shown("standings", played, "--csv")


def test_nobody_has_a_rank_before_the_first_score(tmp_path: Path) -> None:
    converse(draw_event(tmp_path), f"{RANKS} -> - Alpha ... -> - Beta ... -> ...")


def test_teams_in_a_knockout_have_the_places_that_they_may_still_come_to(tmp_path: Path) -> None:
    first = " -> 5= ..." * 4
    converse(
        draw_event(tmp_path, event_text(*TEAMS, stage=CUP, deals='seed = 1\nshared = "match"')),
        f"""
        {RANKS} {" -> 1-8 ..." * 8} -> ...
        wins home 1
        {RANKS} -> 1-4 Ants ... {" -> 1-8 ..." * 6} -> 5-8 Hens ... -> ...
        wins home 2 3 4
        {RANKS} {" -> 1-4 ..." * 4} {first} -> ...
        wins home 5 6
        {RANKS} -> 1-2 ... -> 1-2 ... -> 3-4 ... -> 3-4 ... {first} -> ...
        wins away 8
        {RANKS} -> 1-2 ... -> 1-2 ... -> 3 ... -> 4 ... {first} -> ...
        wins away 7
        {RANKS} -> 1 ... -> 2 ... -> 3 ... -> 4 ... {first} -> ...
        """,
        wins=wins,
    )


def test_victory_points_are_not_shown_where_they_do_not_count(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*TEAMS, stage=CUP))
    win(played, 1, "Ants")
    played.score()
    for name, words in (("standings", []), ("rounds", []), ("match", ["1"])):
        assert "VP" not in shown(name, played, *words)


def test_a_board_that_is_played_again_has_a_footnote(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    said = "Board 2 is played again: the first result does not count"
    converse(
        played,
        f"""
        match 1 board 1 is played
        1-closed board 2 is played
        rule 1-open board 2 board-replay: a fouled board
        $ match EVENT 1 -> ... -> {said} -> ...
        1-open board 2 is played
        """,
    )
    assert said not in shown("match", played, "1")


def test_a_board_that_somebody_else_has_to_play_has_a_footnote(tmp_path: Path) -> None:
    said = "Boards 1-2 are not shown: somebody still has these hands to play, here or in another event"
    converse(
        draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs")),
        f"match 1 is played\n$ match EVENT 1 -> ... -> {said} -> ...",
    )
