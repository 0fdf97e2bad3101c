"""What the page for people who play shows is what they see."""

import os
import re
from pathlib import Path

import pytest

from tests.client.test_game_view import DEALT, view_of
from tests.client.test_screen import IN_PLAY, picture, session_after
from tests.client.test_typed import AUCTION, CLOSED
from tests.support.by_hand import HandTyped, lobby_by_hand
from tourney.client.game_view import GameView
from tourney.client.typed import parse_typed
from tourney.errors import RuleError

PATH = Path(__file__).parents[2] / "docs" / "play.md"
PAGE = PATH.read_text(encoding="utf-8")
SESSION = re.compile(r"(?<=^```text\n)> .*?(?=^```$)", re.MULTILINE | re.DOTALL)
"""The blocks in which a board is begun by hand."""


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
    view_of(*DEALT, "HAND AS,9H,8H,7H,6H,5H,4H,3H,2H,AD,KD,QD,JD", *CLOSED[6:], "TRICK S -"),
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


def type_block(block: str, hand: HandTyped) -> str:
    """A block of the page with what really comes after each line that is typed."""
    lines = []
    for line in block.splitlines():
        if line.startswith("> "):
            lines += [line, *(f"< {received}" for received in hand.type(line.removeprefix("> ")))]
    return "".join(f"{line}\n" for line in lines)


def seated_in_any_order(block: str) -> list[str]:
    """The lines of a block, `JOINED` once each: the bots sit down in any order while the table opens."""
    lines = block.splitlines()
    seated = sorted({line for line in lines if line.startswith("< JOINED")})
    return seated + [line for line in lines if not line.startswith("< JOINED")]


@pytest.mark.clause("SS-11")
def test_the_tricks_that_are_played_by_hand_on_the_page_go_so_in_a_lobby(tmp_path: Path) -> None:
    """`UPDATE_GOLDEN=1` writes what comes into the page, below the lines that are typed there."""
    with lobby_by_hand(tmp_path) as hand:
        real = SESSION.sub(lambda block: type_block(block[0], hand), PAGE)
        view = hand.session.view
    if os.environ.get("UPDATE_GOLDEN"):
        PATH.write_text(real, encoding="utf-8")
    assert list(map(seated_in_any_order, SESSION.findall(real))) == list(
        map(seated_in_any_order, SESSION.findall(PAGE))
    )
    assert len(view.winners) == 1
