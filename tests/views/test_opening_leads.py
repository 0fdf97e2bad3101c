"""Opening leads: who led what against which contract, and what it cost where the play was solved."""

from pathlib import Path

import pytest

from tests.support.analysed import put_costs, put_worth
from tests.support.event_conversation import converse
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.views import opening_leads


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Match 1 is over, its board 1 solved in both rooms; board 1 of match 2 is over, board 2 in one room alone."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats"))
    played.play(1)
    put_worth(played, 1, 1)
    put_costs(played, 1, OPEN, 1, {1: 2, 3: 1})
    put_costs(played, 1, CLOSED, 1, {2: 1})
    converse(played, "match 2 board 1 is played\n2-open board 2 is played")
    put_costs(played, 2, OPEN, 2, {1: 1})
    played.score()
    return played


def test_a_lead_is_that_of_the_player_on_declarers_left_and_counts_for_his_team(played: PlayedEvent) -> None:
    found = list(opening_leads.load(played.drawn, match_number=1).leads)
    assert [(lead.board, lead.room) for lead in found] == [(1, OPEN), (1, CLOSED), (2, OPEN), (2, CLOSED)]
    for lead in found:
        assert lead.contract.leader is Seat((lead.contract.declarer + 1) % 4)
        assert lead.team == played.table(1, Room(lead.room), lead.board).team(lead.contract.leader.side)


def test_a_lead_costs_what_declarer_can_make_more_after_it_and_nothing_is_known_of_plays_not_solved(
    played: PlayedEvent,
) -> None:
    converse(
        played,
        """
        $ opening-leads EVENT --match 1 --json | leads: board room cost
            -> 1 open 2 -> 1 closed 0 -> 2 open - -> 2 closed -
        """,
    )
    assert [lead.cost for lead in opening_leads.load(played.drawn).costly] == [2]


def test_boards_without_a_lead_on_record_are_left_out(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path),
        """
        match 1 board 1: Pass, 4S N 10
        $ opening-leads EVENT --json | leads -> nothing
        $ opening-leads EVENT -> Test Cup: 0 opening leads, 0 of them solved -> ...
        """,
    )


def test_one_round_or_one_match_can_be_asked_for(played: PlayedEvent) -> None:
    match = played.match(2)
    converse(
        played,
        f"""
        $ opening-leads EVENT --round 1 --json | leads: match -> 1 -> 1 -> 1 -> 1
        $ opening-leads EVENT --match 2 --json | match -> 2
        $ opening-leads EVENT --match 2 --json | leads: match -> 2 -> 2
        $ opening-leads EVENT --match 2 --json | teams: team -> {match.home} -> {match.away}
        """,
    )
