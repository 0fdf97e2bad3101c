"""The pages of an event of several stages: groups, a knockout in segments with carry-over, rounds to be drawn."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.exports import export_site
from tests.support.html_pages import OF_KNOCKOUTS, Page, Table, read_site
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.two_events import CUP_TEAMS, draw_next_round, play_cup, play_cup_groups, win
from tests.support.web_conversation import check_pages
from tourney.bridge import Side
from tourney.movement.seating import seat_match
from tourney.store.draw.writer import add_segment


def export(played: PlayedEvent, folder: Path) -> dict[str, Page]:
    folder.mkdir(exist_ok=True)
    played.reload()
    export_site(played, folder)
    return read_site(folder)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    """The first semi-final is over, the second has half of its boards."""
    folder = tmp_path_factory.mktemp("begun")
    played = play_cup_groups(folder)
    win(played, 7, "Ants")
    win(played, 8, "Dogs", boards=2)
    played.score()
    return export(played, folder / "out")


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """Ants beat Dogs in the final and Bees beat Cats in the match for third place, as they did in the groups."""
    return play_cup(tmp_path_factory.mktemp("over"))


@pytest.fixture(scope="module")
def over(cup: PlayedEvent) -> dict[str, Page]:
    return export(cup, cup.path.parent / "out")


def body(table: Table) -> list[list[str]]:
    """Its rows without the caption and one row of headings."""
    return table.rows[2:]


# How they are built


def test_the_classes_of_knockouts_are_used_by_their_pages(over: dict[str, Page]) -> None:
    assert over["index.html"].classes >= OF_KNOCKOUTS


def test_names_of_stages_are_shown_and_never_marked_up(over: dict[str, Page]) -> None:
    check_pages(
        over,
        "index round-001 entrant-001 crosstable match-001/index match-001/board-01 -> has Groups & <more>",
    )


# The front page


def test_the_front_page_has_the_ranking_of_the_event_then_the_stages_with_the_newest_on_top(
    over: dict[str, Page],
) -> None:
    ranking, group_a, *_ = over["index.html"].tables
    assert ranking.rows[0] == ["10 of 10 matches scored"]
    assert ranking.rows[1][-2:] == ["Stage", "Result"]
    assert "place 1" in [row[-1] for row in body(ranking)]
    assert group_a.rows[1][-2:] == ["VP", "Form"]
    assert [len(row[-1].split()) for row in body(group_a)] == [2, 2, 2], "matches of the group, none of the knockout"
    check_pages(over, "index -> has Ranking 10 of 10...Cup Round 4...more> Group A...Group B")


def test_a_knockout_is_a_list_of_rounds_with_results_that_include_what_was_carried_over(
    cup: PlayedEvent, over: dict[str, Page]
) -> None:
    final = cup.match(9)
    assert (final.carry_home, final.carry_away) == (550, 0)  # a quarter of 10 and 12 IMPs
    check_pages(
        over,
        """
        index
            -> has Round 4: semi-finals Match 7 Ants 44 Cats 0 4 of 4 boards Match 8 Bees 0 Dogs 44 4 of 4 boards
            -> has Round 5: final Match 9 Ants 49.5 Dogs 0 5.5 - 0 carried over 4 of 4 boards Match 10,
            -> has Match 10, for third place Bees 5.5 Cats 44 5.5 - 0 carried over
        """,
    )
    assert over["index.html"].source.count("through") == 4  # the winners


def test_a_round_to_come_is_to_be_drawn_and_has_no_page(begun: dict[str, Page]) -> None:
    assert begun["index.html"].tables[0].rows[0] == ["6 of 8 matches scored, 1 round to be drawn"]
    check_pages(
        begun,
        """
        index
            -> has Match 8 Bees 0 Dogs 22 2 of 4 boards Round 5 To be drawn
            -> has Round 5, Cup to be drawn
            -> has Round 4, Cup: semi-finals 0 of 2 matches scored
        """,
    )
    assert "round-005.html" not in begun


def test_matches_stand_in_the_order_of_the_bracket_and_byes_among_them(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*CUP_TEAMS, boards=1, stage='format = "knockout"'))
    page = export(played, tmp_path / "out")["index.html"]
    assert "Round 1: quarter-finals Ants bye Match 1 Dogs - Eels - 0 of 1 board Bees bye Match 2 Cats" in page.text
    assert [row[0] for row in body(page.tables[0])] == ["1-6"] * 6
    assert page.tables[0].rows[1][-2:] == ["+/-", "Form"]  # no VP
    assert "crosstable.html" not in page.links


def test_the_match_for_third_place_stands_below_the_final_whoever_plays_in_it(tmp_path: Path) -> None:
    stage = 'format = "knockout"\nthird_place = true'
    played = draw_event(tmp_path, event_text(*CUP_TEAMS[:4], boards=1, stage=stage))
    win(played, 1, "Dogs")
    win(played, 2, "Cats")
    draw_next_round(played)
    text = "Round 2: final Match 3 Cats - Dogs - 0 of 1 board Match 4, for third place Ants - Bees"
    check_pages(export(played, tmp_path / "out"), f"index -> has {text}")


# Rounds, teams, cross-tables


def test_every_group_has_its_own_crosstable_and_a_knockout_has_none(over: dict[str, Page]) -> None:
    page = over["crosstable.html"]
    assert [[row[1] for row in body(table)] for table in page.tables] == [
        ["Ants", "Dogs", "Eels"],
        ["Bees", "Cats", "Frogs"],
    ]
    assert page.tables[1].rows[1] == ["No", "Team", "2", "3", "6", "Awarded", "VP", "Rank"]
    # Two teams of a group meet again in the final, which is no match of the group.
    assert "match-009/index.html" not in page.links


# Matches and boards


def test_a_match_in_segments_says_who_sat_where_in_each_and_what_it_brought(over: dict[str, Page]) -> None:
    table = over["match-009/index.html"].tables[0]
    sums = [row[0:1] + row[11:13] for row in table.rows if row[0].startswith("Segment")]
    assert sums == [["Segment 1", "22", "0"], ["Segment 2", "22", "0"]]
    check_pages(
        over,
        """
        match-009/index
            -> has Segment 1, open room, finished; Ants (pair 1) North-South 0:02.0, Dogs (pair 1) East-West 0:00.4
            -> has Segment 1, closed room, finished; Dogs (pair 2) North-South
            -> has Segment 2, open room, finished; Dogs (pair 2) North-South 0:02.0, Ants (pair 1) East-West 0:00.4
            -> has Segment 2, closed room, finished; Ants (pair 2) North-South
        """,
    )


def test_a_board_shows_who_sat_where_when_it_was_played(cup: PlayedEvent, over: dict[str, Page]) -> None:
    for number in (1, 2, 3, 4):
        page = over[f"match-009/board-{number:02}.html"]
        for table in cup.match(9).tables_at(number - 1).values():
            ns, ew = (f"{table.team(side)}, pair {table.pair(side)}" for side in Side)
            assert f"N-S {ns} E-W {ew}" in page.text
        assert f"Board {number}, segment {1 if number < 3 else 2}" in page.text


def test_extra_boards_are_a_segment_of_their_own(tmp_path: Path) -> None:
    stage = 'format = "knockout"\nextra_boards = 1'
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1, stage=stage))
    converse(played, "match 1 board 1: Pass, Pass")
    extra = seat_match("Ants", "Bees", segment=2, first=1, boards=1)
    add_segment(played.database, played.event, played.match(1), extra, BEGINS_AT_MS)
    pages = export(played, tmp_path / "out")
    table = pages["match-001/index.html"].tables[0]
    assert ["Segment 1", "0", "0"] in [row[0:1] + row[11:13] for row in table.rows]
    check_pages(pages, "match-001/index -> has Extra boards, open room, waiting; -> has after 1 of 2 boards")
