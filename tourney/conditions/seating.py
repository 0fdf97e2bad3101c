"""Conditions of contest: boards of a match, its segments, and who sits where."""

from collections.abc import Iterator
from typing import Final

from tourney.bridge import Side
from tourney.conditions.phase import Phase
from tourney.conditions.text import Block, Grid, count, paragraph
from tourney.config import EventConfig, OpenRoomSide, StageFormat
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.seating import SeatsRule, seat_segments

CUSTOM: Final = (
    "The home team, the one that is named first, sits North-South in the open room and East-West in the closed room."
)
"""Where no stage says otherwise."""

_CYCLE: Final = 4
"""Segments after which the seats are as they were in the first."""

_SHOWN: Final = 3
"""So many segments with the same seats are named."""

_SIDES: Final = {Side.NS: "North-South", Side.EW: "East-West"}


def boards_sentence(phase: Phase) -> str:
    """How many boards a match has, in which segments, and how many a team plays."""
    stage = phase.stage
    boards = count(stage.boards_per_match, "board", "boards")
    if stage.segments > 1:
        boards += f" in {stage.segments} segments of {stage.boards_per_match // stage.segments}"
    each = _each_plays(phase)
    where = "in all" if phase.is_only else "in this stage"
    return f"A match is played over {boards}" + (f", so each team plays {each} {where}." if each else ".")


def _each_plays(phase: Phase) -> str | None:
    """Boards of each team; None where that hangs on results or on who it is."""
    boards, stage = phase.stage.boards_per_match, phase.stage
    if stage.format.is_round_robin:
        most = [boards * (len(group) - 1) * stage.format.cycles for group in phase.groups]
        return " or ".join(map(str, sorted(set(most))))
    if stage.format is StageFormat.SWISS and phase.teams % 2 == 0 and not phase.late:
        return str(boards * phase.rounds)
    return None


def seats_blocks(phase: Phase) -> Iterator[Block]:
    """Who sits where, where that is not the custom alone."""
    stage = phase.stage
    if not phase.seats_change:
        if stage.segments > 1:
            yield paragraph("Nobody changes seats between segments.")
        return
    rights = stage.seats is SeatsRule.RIGHTS
    yield paragraph(
        "The first pair of the home team, the one that is named first, always sits in the open room, its second pair "
        "in the closed room, where the teams sit the other way round against the away team's other pair.",
        "By turns the teams choose in which direction they sit in the open room, the home team first."
        if rights
        else "Directions and opponents change between segments.",
        "Each time that extra boards are played they count as one more segment." if stage.extra else None,
    )
    segments = stage.segments + (EXTRA_TIMES if stage.extra else 0)
    rows = []
    for i, seats in enumerate(seat_segments(min(segments, _CYCLE), stage.seats), 1):
        numbers = list(range(i, segments + 1, _CYCLE))
        named = ", ".join(map(str, numbers[:_SHOWN])) + (", ..." if len(numbers) > _SHOWN else "")
        direction = f"as the {'home' if i % 2 else 'away'} team chooses" if rights else _SIDES[seats.home_open]
        rows.append((named, direction, "first" if seats.away_pair_open == 1 else "second"))
    yield Grid("The open room", ("Segment", "The home team sits", "The away team's pair"), tuple(rows))


def open_room_grid(config: EventConfig) -> Grid | None:
    """How each team sits when it chooses; None where nobody ever does."""
    if all(stage.seats is not SeatsRule.RIGHTS for stage in config.stage):
        return None
    return Grid(
        "How each team sits in the open room when it chooses",
        ("Team", "Direction"),
        tuple((team.name, _SIDES[(team.open_room or OpenRoomSide.NORTH_SOUTH).side]) for team in config.team),
    )
