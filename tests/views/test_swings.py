"""The biggest swings, from boards on record."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Bid
from tourney.movement.seating import Room
from tourney.output.layout import layout_table
from tourney.output.tables import TextTable
from tourney.scoring.strength.estimate import standard_error
from tourney.store.results.matches import load_board_records
from tourney.views.swings import Swings, load

ROWS = "--json | rows: match board imps"


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Two matches of three boards each: 10, 0 and -10 IMPs, then 1, 10 and an unfinished board."""
    played = draw_event(
        tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", boards=3, deals='seed = 1\nshared = "match"')
    )
    converse(
        played,
        """
        match 1 board 1: 4S N 10, 4S N 9
        match 1 board 2: 4S N 10, 4S N 10
        match 1 board 3: 4S N 9, 4S N 10
        match 2 board 1: 4S N 11, 4S N 10
        match 2 board 2: 4S N 10, 4S N 8
        2-open board 3: 7NT N 13
        """,
    )
    return played


def test_the_biggest_swings_come_first_and_equal_ones_in_the_order_of_the_event(played: PlayedEvent) -> None:
    converse(
        played,
        """
        $ swings EVENT --json | : boards swings adjusted -> 5 4 0
        $ swings EVENT --json | rows: match board imps winner open.tricks closed.tricks
            -> 2 2 13 Beta 10 8
            -> 1 1 10 Alpha 10 9
            -> 1 3 -10 Delta 9 10
            -> 2 1 1 Beta 11 10
        """,
    )


def test_swings_of_one_match_or_one_round(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ swings EVENT --match 1 {ROWS} -> 1 1 10 -> 1 3 -10
        $ swings EVENT --round 2 {ROWS} -> nothing
        $ swings EVENT --round 1 {ROWS} -> 2 2 13 -> 1 1 10 -> 1 3 -10 -> 2 1 1
        """,
    )


def test_a_board_whose_score_a_ruling_has_changed_is_no_swing(played: PlayedEvent) -> None:
    converse(
        played,
        """
        3-closed board 1: 7NT N 13
        3-open board 1: E forfeits
        $ swings EVENT --json | : swings adjusted -> 4 1
        """,
    )


# Of a duel


def find(played: PlayedEvent, top: int = 10) -> Swings:
    return load(played.drawn, least=1, top=top)


@pytest.fixture
@once
def duel(tmp_path: Path) -> PlayedEvent:
    """Two matches of six boards with auctions at random; the last board of the second is still played in one room."""
    played = draw_event(tmp_path, event_text("New", "Old", boards=6, stage='format = "duel"\nmatches = 2'))
    *over, last = (board.number for board in played.boards(2))
    played.play(1)
    played.play(2, boards=over)
    played.play(2, [OPEN], boards=[last])
    return played


def test_each_kind_of_group_has_every_board_of_a_duel_once(duel: PlayedEvent) -> None:
    found = find(duel, top=20)
    swings = [swing.imps for swing in found.rows]
    for kind in ("opening hand", "higher contract", "doubled", "slam", "both sides bid", "declarer"):
        groups = [group for group in found.groups if group.by == kind]
        assert sum(group.boards for group in groups) == found.boards == 11
        assert sum(group.imps for group in groups) == sum(swings)
        assert sum(group.imps_a_board for group in groups) == pytest.approx(sum(swings) / 11)


def test_groups_are_those_of_the_auctions_on_record(duel: PlayedEvent) -> None:
    found = find(duel, top=20)
    of_board = {(each.match.number, each.board.number): each for each in found.rows}
    competitive, doubled = dict.fromkeys(range(3), 0), [0] * 11
    played = [(match, board.number) for match in (1, 2) for board in duel.boards(match)][:-1]
    for place, (match, number) in enumerate(played):
        records = [
            each for each in load_board_records(duel.database, duel.match(match)) if each.board.number == number
        ]
        both = [{call.seat.side for call in each.calls if isinstance(call.call, Bid)} for each in records]
        competitive[sum(len(sides) == 2 for sides in both)] += 1
        results = [(each, each.result.result.contract) for each in records if each.result is not None]
        teams = {
            each.table.team(contract.declarer.side) for each, contract in results if contract and contract.doubled
        }
        swing = of_board.get((match, number))
        if swing is not None:
            assert {room: [str(call) for call in calls] for room, calls in swing.calls.items()} == {
                each.room: [str(call.call) for call in each.calls] for each in records
            }
            doubled[place] = swing.imps if teams == {"New"} else 0
    groups = {(group.by, group.group): group for group in found.groups}
    for rooms, boards in competitive.items():
        group = groups.get(("both sides bid", "in 1 room" if rooms == 1 else f"in {rooms} rooms"))
        assert (group.boards if group is not None else 0) == boards
    assert groups["doubled", "New"].imps == sum(doubled)
    assert groups["doubled", "New"].error == pytest.approx(standard_error(doubled, range(11)))


def test_the_biggest_swings_of_a_duel_have_both_auctions_side_by_side(duel: PlayedEvent) -> None:
    found = find(duel, top=1)
    (swing,) = found.rows
    *_, hands, table = found.text()
    assert f"Match {swing.match.number}, board {swing.board.number}: {swing.size} IMPs to {swing.winner}; " in str(
        hands
    )
    assert isinstance(table, TextTable)
    lines = layout_table(table, None, "")
    assert lines[0].split() == ["West", "North", "East", "South"] * 2
    calls = [str(call) for calls in swing.calls.values() for call in calls]
    assert sorted(" ".join(lines[1:]).split()) == sorted(calls)
    document = found.document()["rows"][0]
    assert document["calls"] == {room.value: [str(call) for call in swing.calls[room]] for room in Room}


def test_nothing_is_told_of_a_board_that_a_room_has_still_to_play(duel: PlayedEvent) -> None:
    before, last = find(duel, top=20).document(), duel.boards(2)[-1].number
    assert all((row["match"], row["board"]) != (2, last) for row in before["rows"])
    duel.begin(2, CLOSED, last)
    assert find(duel, top=20).document() == before


def test_other_events_have_no_groups(played: PlayedEvent) -> None:
    found = find(played)
    assert (found.groups, {len(swing.calls) for swing in found.rows}) == ((), {0})
