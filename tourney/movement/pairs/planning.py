"""The movement of a pairs stage, planned from the settings of an event file and the number of pairs."""

import enum
import functools
from dataclasses import dataclass
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.mitchell import Phantom, advise_switched_rounds, plan_mitchell
from tourney.movement.pairs.movement import (
    Movement,
    join_sections,
    make_barometer,
    repeat_sessions,
    seat_phantom,
)

MITCHELL: Final = "mitchell"
HOWELL: Final = "howell"
OWN: Final = "movement"
"""The format whose movement an organiser brings."""
INDIVIDUAL: Final = "individual"
"""The format in which players change partners."""


class CompareWithin(enum.StrEnum):
    """Which results on a board are compared with each other, where several sections play it."""

    FIELD = "field"
    """All of them; there is one ranking."""
    SECTION = "section"
    """Those of one section; each is ranked by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementSettings:
    """What an event file says about the movement of a pairs stage."""

    rounds: int | None = None
    arrow_switch: bool | tuple[int, ...] = False
    """The rounds with an arrow switch; True for those that are advised."""
    phantom: Phantom | None = None
    is_barometer: bool = False
    own: Movement | None = None
    """The organiser's own movement, for the format that has one."""
    sections: int = 1
    """How many movements are played side by side on the same boards."""
    compare_within: CompareWithin = CompareWithin.FIELD
    sessions: int = 1
    """How often the movement is played, each time with new boards."""


@functools.lru_cache(maxsize=64)
def plan_movement(name: str, settings: MovementSettings, pairs: int) -> Movement:
    """Return the movement of a stage for so many pairs, in the format of that name.

    Raises:
        ConfigError: there is none with these settings.
    """
    sizes = _section_sizes(name, settings, pairs)
    try:
        sections = [_plan_section(name, settings, size) for size in sizes]
    except ConfigError as error:
        if len(sizes) == 1:
            raise
        raise ConfigError(f"sections of {' and '.join(map(str, sizes))} pairs: {error}") from None
    movement = sections[0] if len(sections) == 1 else join_sections(sections)
    return movement if settings.sessions == 1 else repeat_sessions(movement, settings.sessions)


def _section_sizes(name: str, settings: MovementSettings, pairs: int) -> list[int]:
    """Return how many pairs each section has, the larger sections first.

    They differ by one pair at most, or by a table where there is no phantom to complete a table.
    """
    unit = 2 if name != OWN and settings.phantom is None and pairs % 2 == 0 else 1
    whole, more = divmod(pairs // unit, settings.sections)
    return [unit * (whole + (number < more)) for number in range(settings.sections)]


def deal_into_sections(movement: Movement, pairs: int) -> list[int]:
    """Return the seeds of so many pairs by number in the movement: back and forth into sections that have room."""
    room = [section.pairs for section in movement.sections] or [pairs]
    dealt: list[list[int]] = [[] for _ in room]
    order = [*range(len(room)), *reversed(range(len(room)))]
    place = 0
    for seed in range(1, pairs + 1):
        while len(dealt[order[place % len(order)]]) >= room[order[place % len(order)]]:
            place += 1
        dealt[order[place % len(order)]].append(seed)
        place += 1
    return [seed for section in dealt for seed in section]


def _plan_section(name: str, settings: MovementSettings, pairs: int) -> Movement:
    if name == MITCHELL:
        return plan_mitchell(
            pairs,
            rounds=settings.rounds,
            switched=switched_rounds(settings, pairs),
            phantom=settings.phantom,
            is_barometer=settings.is_barometer,
        )
    if name == HOWELL:
        return plan_howell(
            pairs,
            rounds=settings.rounds,
            has_phantom=settings.phantom is not None,
            is_barometer=settings.is_barometer,
        )
    return _plan_own(settings, pairs)


def switched_rounds(settings: MovementSettings, pairs: int) -> tuple[int, ...]:
    """Return the rounds of a Mitchell in which the pairs of each table exchange directions."""
    if not isinstance(settings.arrow_switch, bool):
        return settings.arrow_switch
    tables = pairs // 2 if settings.phantom is Phantom.ROVER else (pairs + 1) // 2
    rounds = tables if settings.rounds is None else settings.rounds
    return tuple(sorted(advise_switched_rounds(tables, rounds))) if settings.arrow_switch else ()


def _plan_own(settings: MovementSettings, pairs: int) -> Movement:
    own = settings.own
    if own is None:
        raise ConfigError("the format has a movement of the organiser's own: name its file by `movement`")
    if pairs == own.pairs - 1 and settings.phantom is not None:
        own = seat_phantom(own.rows, own.pairs, own.name)
    if pairs != own.pairs:
        hint = ", or one less with a phantom" if settings.phantom is None else ""
        raise ConfigError(f"{own.name} is a movement for {own.pairs} pairs{hint}, got {pairs}")
    if settings.rounds is not None:
        if settings.rounds > own.rounds:
            raise ConfigError(f"{own.name} has {own.rounds} rounds, got {settings.rounds}")
        own = Movement(own.name, tuple(row for row in own.rows if row.round <= settings.rounds))
    return make_barometer(own) if settings.is_barometer else own
