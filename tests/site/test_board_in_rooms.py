"""A board in both rooms: where they part, and the tricks that declarer could still make."""

from types import SimpleNamespace
from typing import Any

import pytest

from tourney.bridge import Contract, Seat, Strain, parse_card
from tourney.movement.seating import Room
from tourney.results.played import AnalysedPlay, CostlyCard
from tourney.site.pages.board import chart_tricks, first_difference

FOUR_SPADES = Contract(4, Strain.SPADES, 0, Seat.SOUTH)


def view(
    room: Room, cards: str, contract: Contract | None = FOUR_SPADES, analysis: AnalysedPlay | None = None
) -> Any:
    """What the pages know of a room, as far as it matters here."""
    played = [SimpleNamespace(card=card) for card in cards.split()]
    return SimpleNamespace(room=room, record=SimpleNamespace(cards=played), contract=contract, analysis=analysis)


@pytest.mark.parametrize(
    ("closed", "contract", "number"),
    [
        ("H2 H3 HK HA S2", FOUR_SPADES, 5),
        ("C2 H3 HK HA S4", FOUR_SPADES, 1),
        ("H2 H3 HK", FOUR_SPADES, None),
        ("H2 H3 HK HA S2", Contract(5, Strain.SPADES, 0, Seat.SOUTH), None),
    ],
)
def test_rooms_part_at_the_first_card_that_differs_if_the_contract_is_the_same(
    closed: str, contract: Contract, number: int | None
) -> None:
    rooms = [view(Room.OPEN, "H2 H3 HK HA S4"), view(Room.CLOSED, closed, contract)]
    assert first_difference(rooms) == number
    assert first_difference(rooms[:1]) is None


def test_declarers_tricks_fall_by_cards_of_the_own_side_and_rise_by_those_of_the_defence() -> None:
    costs = (CostlyCard(2, Seat.NORTH, parse_card("3C"), 1), CostlyCard(5, Seat.WEST, parse_card("6C"), 2))
    analysis = AnalysedPlay(Room.OPEN, possible=10, made=11, costs=costs)
    [chart] = chart_tricks([view(Room.OPEN, "C2 C3 C4 C5 C6 C7", analysis=analysis)])
    heights = [float(point.partition(",")[2]) for point in chart.lines[0].points.split()]
    ten, nine, eleven = heights[0], heights[2], heights[-1]
    assert heights == [ten, ten, nine, nine, eleven, eleven]
    assert eleven < ten < nine
    assert chart.lines[0].name == "At the table 11"
    assert chart_tricks([view(Room.OPEN, "C2")]) == []
