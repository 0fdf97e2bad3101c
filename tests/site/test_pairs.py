"""The pages of a pairs event: lists, travellers, cards, the recap; what is hidden, and no word of teams."""

import random
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.html_pages import AS_TYPED, Page, Table, read_site
from tests.support.pairs_events import draw_pairs_event, export_pairs, play_by_chance, rule_by_chance
from tests.support.played_event import PlayedEvent
from tourney.results.travellers import StageTravellers, load_travellers

RESULT = re.compile(r"[1-7].+ [NESW] (=|[-+]\d+)|Pass")
"""A contract, who played it and what came of it, in one."""

OF_TEAMS = re.compile(r"\bIMPs?\b|\bVPs?\b|victory|\bteams?\b|open room|closed room|\bmatch\b", re.IGNORECASE)
HOWELL = 'format = "howell"\nboards_per_round = 2\nties = ["boards-won"]'


@dataclass(frozen=True)
class Site:
    """An exported pairs event."""

    played: PlayedEvent
    pages: dict[str, Page]

    def page(self, name: str) -> Page:
        return self.pages[f"{name}.html"]

    @property
    def stage(self) -> StageTravellers:
        return load_travellers(self.played.drawn)[0]

    @property
    def numbers(self) -> dict[str, int]:
        return {team.name: team.number for team in self.played.event.teams}


def export(played: PlayedEvent, folder: Path) -> Site:
    export_pairs(played, "html", folder)
    return Site(played, read_site(folder))


def rows(table: Table) -> list[list[str]]:
    """Its rows without the caption and the headings."""
    return [[cell.translate(AS_TYPED) for cell in row] for row in table.rows[2:]]


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A Howell of eight pairs, with a ruling of every kind."""
    folder = tmp_path_factory.mktemp("over")
    played = draw_pairs_event(folder, 8, HOWELL)
    play_by_chance(played)
    rule_by_chance(played, random.Random(4))
    return export(played, folder / "out")


@pytest.fixture(scope="module")
def mitchell(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Seven pairs in a Mitchell with two winners and sit-outs, at cross-IMPs."""
    folder = tmp_path_factory.mktemp("mitchell")
    stage = 'format = "mitchell"\nphantom = true\nscoring = "cross-imps"'
    played = draw_pairs_event(folder, 7, stage)
    play_by_chance(played)
    return export(played, folder / "out")


def test_no_page_of_pairs_at_matchpoints_has_a_word_of_teams(over: Site) -> None:
    found = {
        name: words
        for name, page in over.pages.items()
        if name not in ("opening-leads.html", "conditions.html") and (words := OF_TEAMS.findall(page.text))
    }
    assert found == {}
    assert not [name for name, page in over.pages.items() if "open room" in page.source]
    assert not any(name.startswith("team") for name in over.pages)


def test_two_winners_have_a_list_each_and_no_common_one(mitchell: Site) -> None:
    page = mitchell.page("index")
    assert [len(rows(table)) for table in page.tables] == [4, 3]
    assert "These lists have not been compared with each other, and are ranked separately." in page.text
    assert page.text.index("North-South") < page.text.index("East-West")
    assert page.tables[0].rows[1] == ["Rank", "Pair", "Boards", "IMPs", "per board"]
    assert "Group" not in page.text


def test_rulings_on_a_board_stand_on_its_page_in_place_of_the_result(over: Site) -> None:
    pages = [over.page(f"board-{found.board.number:03}").text for found in over.stage.travellers]
    text = " ".join(pages).translate(AS_TYPED)
    for words in ("cancelled", "A+", "A-", "average plus", "Neuberg"):
        assert words in text, words
    assert re.search(r"assigned (Pass|\d+: |\d[CDHSN])", text)
    assert not re.search(r"\d:-?\d+/\d+:", text)


def test_who_sits_out_is_said_in_the_round_and_on_the_card(mitchell: Site) -> None:
    round_ = mitchell.played.event.rounds[0]
    (idle,) = round_.byes
    assert f"{idle} sits out" in mitchell.page("round-001").text
    assert ["1", "-", "sits out"] in [
        row[:3] for row in rows(mitchell.page(f"entrant-{mitchell.numbers[idle]:03}").tables[1])
    ]


def test_sections_that_are_ranked_apart_have_their_lists_by_name(tmp_path: Path) -> None:
    stage = 'format = "mitchell"\nsections = 2\ncompare_within = "section"\nboards_per_round = 1'
    played = draw_pairs_event(tmp_path, 8, stage)
    play_by_chance(played)
    site = export(played, tmp_path / "out")
    headings = re.findall(r"<h3[^>]*>([^<]*)</h3>", site.page("index").source)
    assert headings[:4] == [
        "Section A North-South",
        "Section A East-West",
        "Section B North-South",
        "Section B East-West",
    ]


def test_two_stages_of_pairs_have_their_boards_apart_and_show_what_is_carried_over(tmp_path: Path) -> None:
    first = 'format = "howell"\nname = "First"\nboards_per_round = 1'
    second = '[[stage]]\nformat = "howell"\nname = "Second"\nboards_per_round = 1\n[stage.carry_over]\nwon = "1/2"'
    played = draw_pairs_event(tmp_path, 4, f"{first}\n{second}")
    play_by_chance(played)
    site = export(played, tmp_path / "out")
    assert {"stage-1-board-001.html", "stage-1-board-003.html"} <= site.pages.keys()
    assert "board-001.html" not in site.pages


def test_pages_of_an_unfinished_event_lead_to_those_that_there_are_and_all_are_reached(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    play_by_chance(played, last=6)
    assert len(export(played, tmp_path / "out").pages) > 20
