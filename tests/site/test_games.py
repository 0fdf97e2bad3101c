"""The pages of rubber bridge and Chicago: score sheets as players draw them, and no word of two rooms."""

import re
from pathlib import Path

import pytest

from tests.support.game_events import draw_game, play_game
from tests.support.html_pages import Page, read_site
from tests.support.pairs_events import export_pairs
from tests.support.played_event import PlayedEvent
from tests.support.web_conversation import check_pages

OF_TWO_ROOMS = re.compile(r"\bIMPs?\b|\bVPs?\b|victory|open room|closed room|both rooms", re.IGNORECASE)


def export(played: PlayedEvent, folder: Path) -> dict[str, Page]:
    played.score()
    export_pairs(played, "html", folder)
    return read_site(folder)


def test_no_page_of_rubber_bridge_has_a_word_of_two_rooms(tmp_path: Path) -> None:
    played = draw_game(tmp_path, 'format = "rubber"', "Ants", "Bees", "Cats")
    play_game(played)
    pages = export(played, tmp_path / "out")
    check_pages(pages, "match-001/index -> has Rubber 1, won by")
    del pages["conditions.html"]  # tells what programs are called in the protocol, too
    found = {name: words for name, page in pages.items() if (words := OF_TWO_ROOMS.findall(page.text))}
    assert found == {}
    assert not [name for name, page in pages.items() if "open room" in page.source]
    assert not [name for name, page in pages.items() if re.search(r"\b([Tt]eams?|Room)\b", page.text)]
    check_pages(pages, "index -> has 1 rubber a match\nmatch-001/board-01 -> has At the table")


@pytest.mark.parametrize(("scoring", "unit"), [("duplicate", "points"), ("russian", "IMPs")])
def test_a_game_without_a_line_has_its_deals_and_no_sheet(scoring: str, unit: str, tmp_path: Path) -> None:
    played = draw_game(tmp_path, f'format = "chicago"\nscoring = "{scoring}"')
    play_game(played)
    lacks = "lacks Points and what they are for"
    check_pages(export(played, tmp_path / "out"), f"match-001/index -> {lacks} -> has {unit}.")
