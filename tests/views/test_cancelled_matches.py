"""Matches that do not count because a team left early: no report, page or document gives them victory points."""

from pathlib import Path

from tests.support.event_conversation import converse
from tests.support.played_event import draw_event, event_text


def test_rounds_and_scorecards_say_cancelled_and_give_no_victory_points(tmp_path: Path) -> None:
    """Dogs leave after one of three matches, which is match 1."""
    converse(
        draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs")),
        """
        round 1 -> Ants - Dogs -> Bees - Cats
        match 1 is played
        match 2 is played
        scored
        Jane rules withdrawal Dogs: gone home
        $ rounds EVENT --json | rounds.0.matches.0: vp_home vp_away cancelled -> - - yes
        $ rounds EVENT --json | rounds.0.matches.1.vp_home -> 5.04
        $ match EVENT 1 --json | : vp_home vp_away cancelled -> - - yes
        $ rounds EVENT Ants Dogs --json | rounds.matches: vp_home vp_away cancelled -> - - yes
        $ rounds EVENT -> ... -> ...cancelled: a team has left... -> ...
        $ match EVENT 1 -> ... -> Cancelled: a team left... -> ...
        """,
    )
