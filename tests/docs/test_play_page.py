"""What the page for people who play shows is what they see."""

import re
from pathlib import Path

from tests.client.test_game_view import view_of
from tests.client.test_screen import IN_PLAY, picture, session_after
from tests.client.test_typed import AUCTION, CLOSED
from tourney.client.game_view import GameView
from tourney.client.typed import parse_typed
from tourney.errors import RuleError

PAGE = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")


def test_the_picture_on_the_page_is_drawn_so() -> None:
    (shown,) = [
        text for text in re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if "You," in text
    ]
    assert shown.splitlines() == [line.rstrip() for line in picture(session_after(*IN_PLAY), 72).splitlines()]


TURNS = [
    view_of(*AUCTION, "AUCOPEN S -"),
    view_of(*AUCTION, "AUCOPEN S 1C"),
    view_of(*AUCTION, "AUCOPEN S 1S,DOUBLE"),
    view_of(*CLOSED, "TRICK S -"),
    view_of(*CLOSED, "HAND AS,9H,8H", "TRICK S -"),
]
"""Moments at which something may be typed."""


def is_read(text: str, view: GameView) -> bool:
    try:
        parse_typed(text, view)
    except RuleError:
        return False
    return True


def test_everything_that_the_page_says_can_be_typed_is_read() -> None:
    rows = PAGE.partition("| type | for |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    typed = [text for row in rows for text in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert len(typed) >= 18
    assert [text for text in typed if not any(is_read(text, view) for view in TURNS)] == []
