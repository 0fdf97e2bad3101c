"""What a seed brings: how many hosts and boards, what the network is like, what goes wrong and when."""

from dataclasses import dataclass
from random import Random

from tests.sim.network import Weather
from tests.sim.players import Character, Flaw
from tests.sim.store import Failure, Outage
from tourney.config import PortPlan

SECOND_US = 1_000_000
FOR_EVER_US = 10**12
EARLY_US = SECOND_US // 2
"""Until when most events still go on: two boards that are passed out take a fifth of a second."""

_FINE = Weather()
_WEATHERS = (
    _FINE,
    Weather(delay_us_max=0),
    Weather(delay_us_max=20_000),
    Weather(split_share=0.3, lag_share=0.02),
    Weather(split_share=0.9, lag_share=0.1, lag_us_max=50_000),
    Weather(delay_us_max=5000, split_share=0.1, cut_share=0.003),
    Weather(lost_share=0.001),
)


@dataclass(frozen=True, slots=True)
class Freeze:
    """The host stands still from a moment on, for a while; its tables may be given to another meanwhile."""

    at_us: int
    lasts_us: int
    gives_up_after_us: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """An event of two teams and one match, and its faults."""

    seed: int
    boards: int
    rooms: int
    hosts: int
    passing: bool
    """Every player passes: a board is over in a moment, and what is around it comes to the fore."""
    profile: str
    weather: Weather
    deaths: tuple[int | None, ...]
    """At which effect each host dies that is started; those after the last do not."""
    freeze: Freeze | None
    outages: tuple[Outage, ...]
    characters: dict[tuple[int, int], tuple[Character, ...]]
    """By room and seat: of the first programs started there; those after the last are flawless."""
    strangers_us: tuple[int, ...]
    """When somebody connects who sends garbage."""
    skews_ms: tuple[int, ...]
    """How far the clock of each host is from the time, one machine after the other."""
    port_plan: PortPlan
    pauses_us: tuple[tuple[int, int], ...]
    """When the director has a table pause, and go on."""
    kicks_us: tuple[int, ...]
    """When the director sends somebody away."""
    stops_us: tuple[int, ...]
    """When the hosts are told to stop, as with Ctrl-C; the event is run again at once."""

    @property
    def is_hopeless(self) -> bool:
        """Whether the store stays away."""
        return any(outage.lasts_us == FOR_EVER_US for outage in self.outages)


def plan_of(seed: int) -> Plan:
    """The plan of a seed, the same everywhere."""
    chance = Random(f"{seed}|plan")
    rooms = chance.choice((1, 1, 2))
    passing = chance.random() < 0.6
    hosts = chance.choice((1, 2)) if rooms == 2 else 1
    troubled = chance.random() >= 0.1
    return Plan(
        seed=seed,
        boards=2 if passing else 1,
        rooms=rooms,
        hosts=hosts,
        passing=passing,
        profile=chance.choice(("tourney", "tourney", "default")),
        weather=chance.choice(_WEATHERS) if troubled else _FINE,
        deaths=_deaths(chance) if troubled else (),
        freeze=_freeze(chance) if troubled and chance.random() < 0.15 else None,
        outages=(_outage(chance),) if troubled and chance.random() < 0.2 else (),
        characters={
            (room, seat): tuple(_character(chance) for _ in range(chance.choice((1, 1, 2))))
            for room in range(rooms)
            for seat in range(4)
            if troubled and chance.random() < 0.12
        },
        strangers_us=_moments(chance, (0, 0, 3)),
        skews_ms=tuple(chance.choice((0, 0, -4000, 4000)) for _ in range(3)),
        port_plan=chance.choice((PortPlan.PER_TABLE, PortPlan.PER_TABLE, PortPlan.PER_SEAT)),
        pauses_us=tuple(_pause(chance) for _ in range(chance.choice((0, 0, 1, 2)) if troubled else 0)),
        kicks_us=_moments(chance, (0, 0, 0, 1, 3) if troubled else (0,)),
        stops_us=_moments(chance, (0, 0, 0, 0, 0, 0, 1, 2) if troubled else (0,)),
    )


def _pause(chance: Random) -> tuple[int, int]:
    at_us = chance.randint(0, EARLY_US)
    return at_us, at_us + chance.randint(0, SECOND_US)


def _moments(chance: Random, counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(chance.randint(0, EARLY_US) for _ in range(chance.choice(counts)))


def _deaths(chance: Random) -> tuple[int | None, ...]:
    return tuple(
        chance.randint(1, chance.choice((20, 200, 900))) if chance.random() < share else None
        for share in (0.5, 0.4, 0.2)
    )


def _freeze(chance: Random) -> Freeze:
    lasts_us = chance.randint(SECOND_US // 10, 2 * SECOND_US)
    stolen = chance.random() < 0.7
    return Freeze(chance.randint(0, EARLY_US), lasts_us, chance.randint(0, lasts_us) if stolen else None)


def _outage(chance: Random) -> Outage:
    lasts_us = chance.choice((0, chance.randint(0, SECOND_US), chance.randint(0, 3 * SECOND_US), FOR_EVER_US))
    return Outage(chance.randint(1, 200), lasts_us, chance.choice(list(Failure)))


def _character(chance: Random) -> Character:
    return Character(chance.choice(list(Flaw)), chance.choice((0, chance.randint(0, 5), chance.randint(5, 120))))
