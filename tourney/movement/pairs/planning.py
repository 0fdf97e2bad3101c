"""The movement of a stage of pairs, planned from the settings of an event file and the number of pairs."""

import enum
import functools
from dataclasses import dataclass
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.mitchell import OddPair, advise_switched_rounds, plan_mitchell
from tourney.movement.pairs.movement import Movement, make_barometer, seat_phantom

MITCHELL: Final = "mitchell"
HOWELL: Final = "howell"
OWN: Final = "movement"
"""The format whose movement an organiser brings."""


class Phantom(enum.StrEnum):
    """Which pair is missing when there is an odd number of them."""

    NORTH_SOUTH = "north-south"
    EAST_WEST = "east-west"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementSettings:
    """What an event file says about the movement of a stage of pairs."""

    rounds: int | None = None
    arrow_switch: bool | tuple[int, ...] = False
    """The rounds with an arrow switch; True for those that are advised."""
    phantom: Phantom | None = None
    is_barometer: bool = False
    own: Movement | None = None
    """The organiser's own movement, for the format that has one."""
    winners: int | None = None
    """How many lists there should be; None for as many as the movement has."""


@functools.lru_cache(maxsize=64)
def plan_movement(name: str, settings: MovementSettings, pairs: int) -> Movement:
    """Return the movement of a stage for so many pairs, in the format of that name.

    Raises:
        ConfigError: there is none with these settings.
    """
    if name == MITCHELL:
        movement = _plan_mitchell(settings, pairs)
    elif name == HOWELL:
        movement = plan_howell(
            pairs,
            rounds=settings.rounds,
            has_phantom=settings.phantom is not None,
            is_barometer=settings.is_barometer,
        )
    else:
        movement = _plan_own(settings, pairs)
    if settings.winners == 1 and movement.has_two_winners:
        raise ConfigError(
            "North-South and East-West are never compared in it, so there is no common list: play some rounds with "
            "an arrow_switch, or leave out winners = 1"
        )
    if settings.winners == 2 and not movement.has_two_winners:
        raise ConfigError("pairs play in both directions, so there is one list of all: leave out winners = 2")
    return movement


def switched_rounds(settings: MovementSettings, pairs: int) -> tuple[int, ...]:
    """Return the rounds of a Mitchell in which the pairs of each table exchange directions."""
    if not isinstance(settings.arrow_switch, bool):
        return settings.arrow_switch
    tables = (pairs + 1) // 2
    rounds = tables if settings.rounds is None else settings.rounds
    return tuple(sorted(advise_switched_rounds(tables, rounds))) if settings.arrow_switch else ()


def _plan_mitchell(settings: MovementSettings, pairs: int) -> Movement:
    return plan_mitchell(
        pairs,
        rounds=settings.rounds,
        switched=switched_rounds(settings, pairs),
        odd_pair=_ODD_PAIRS[settings.phantom],
        is_barometer=settings.is_barometer,
    )


_ODD_PAIRS: Final = {
    None: None,
    Phantom.NORTH_SOUTH: OddPair.PHANTOM_NS,
    Phantom.EAST_WEST: OddPair.PHANTOM_EW,
}


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
