"""What a seed brings: how many hosts and boards, what the network is like, what goes wrong and when."""

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from tests.sim.loop import SimulatedLoop
from tests.sim.network import Conditions
from tests.sim.players import FLAWLESS, Character, Flaw
from tests.sim.store import Failure, MemoryStore, Outage
from tourney.config import Durability, PortPlan
from tourney.event.file import EventFile

SECOND_US = 1_000_000
FOR_EVER_US = 10**12
EARLY_US = SECOND_US // 2
"""Until when most events still go on: two boards that are passed out take a fifth of a second."""

_FINE = Conditions()
CONDITIONS = (
    _FINE,
    Conditions(delay_us_max=0),
    Conditions(delay_us_max=20_000),
    Conditions(split_share=0.3, lag_share=0.02),
    Conditions(split_share=0.9, lag_share=0.1, lag_us_max=50_000),
    Conditions(delay_us_max=5000, split_share=0.1, cut_share=0.003),
    Conditions(lost_share=0.001),
)


class Shape(enum.Enum):
    """Kinds of events; the value is the stage, but for its boards, and how many teams there are."""

    MATCH = "", 2
    SEGMENTS = "segments = 2", 2
    ROUND_ROBIN = "", 3
    SWISS = 'format = "swiss"\nrounds = 2', 3
    KNOCKOUT = 'format = "knockout"\nextra_boards = 1', 3
    STARTS = 'format = "double-round-robin"\nstarts = [2026-09-21T14:13:20.4Z, 2026-09-21T14:13:20.9Z]', 2
    """Rounds that start at a time."""
    RUBBER = 'format = "rubber"\ndeals = 2', 3
    CHICAGO = 'format = "chicago"', 3
    """Its deals depend on results: those that are passed out are dealt again, until none is left."""
    PAIRS = 'format = "howell"\nboards_per_round = 1', 4
    HALVES = 'format = "american-whist"\nboards_per_round = 1', 3
    """The rooms of a match are played in different rounds."""

    @property
    def has_own_length(self) -> bool:
        """Whether the length of a match is not said in boards."""
        return self in (*_AT_ONE_TABLE, Shape.HALVES)


_AT_ONE_TABLE = (Shape.RUBBER, Shape.CHICAGO, Shape.PAIRS)
_AT_ONE_TABLE_SHARE = 0.1
_HALVES_SHARE = 0.04

_SHAPES = (
    *(Shape.MATCH,) * 20,
    Shape.SEGMENTS,
    Shape.ROUND_ROBIN,
    Shape.SWISS,
    Shape.KNOCKOUT,
    Shape.STARTS,
)


@dataclass(frozen=True, slots=True)
class Freeze:
    """A process stands still from a moment on, for a while."""

    at_us: int
    lasts_us: int
    is_shown: bool = True
    """Whether others on its machine see it, as after SIGSTOP; in a call of the system that hangs they do not."""


@dataclass(frozen=True, slots=True)
class PowerCut:
    """Every process dies, and what the disk does not have is lost, or a part of it."""

    after: int
    """Transactions before it."""
    unsynced: int
    """It waits until so many transactions have been written that the disk may not have, if hosts write such."""


class Verb(enum.Enum):
    """What a director does, apart from orders to tables."""

    ADJUST = "adjusted score"
    ASSIGN = "assigned score"
    CANCEL = "cancelled board"
    FINE = "penalty"
    WARN = "warning"
    FORFEIT_BOARD = "forfeited board"
    FORFEIT_MATCH = "forfeited match"
    RETIRE = "withdrawn team"
    WITHDRAW = "withdrawn ruling"
    REPLAY = "replay"
    BACKUP = "backup"
    EDIT = "edit of the event file"
    EXTEND = "extended time"


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a director does."""

    at_us: int
    author: str
    verb: Verb


@dataclass(frozen=True, slots=True)
class Plan:
    """An event and its faults."""

    seed: int
    shape: Shape
    boards: int
    """Boards of a match, not counting extra ones."""
    hosts: int
    passing: bool
    """Every player passes: a board is over in a moment, and what is around it comes to the fore."""
    profile: str
    network: Conditions
    deaths: tuple[int | None, ...]
    """At which effect each host dies that is started; those after the last do not."""
    freeze: Freeze | None
    outages: tuple[Outage, ...]
    characters: dict[tuple[int, int], tuple[Character, ...]]
    """The first programs at each table, in the order of the draw, and seat; those after the last are `usual`."""
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
    """When the run is told to stop, as with Ctrl-C; the event is run again soon."""
    run_deaths: tuple[int | None, ...]
    """At which effect each run dies that is started; those after the last do not."""
    run_freeze: Freeze | None
    has_rival: bool
    """Whether somebody on another machine runs the event while the run stands still."""
    moves: bool
    """Whether the event is run on another machine once its first run has ended."""
    restart_us: int
    """How long nobody runs the event after a run has ended, at least."""
    run_skews_ms: tuple[int, ...]
    """How far the clocks of the runs are from the time, one after the other; less than a lease."""
    usual: Character = FLAWLESS
    """What the other programs are like, none of which has a flaw."""
    durability: Durability = Durability.FULL
    sync_us: int = 0
    """How long the disk takes to sync where hosts have a thread that waits for it; 0 where they wait themselves."""
    power_cut: PowerCut | None = None
    acts: tuple[Act, ...] = ()
    """What two directors do."""
    stateful: frozenset[int] = frozenset()
    """The teams whose programs speak the stateful-server protocol, by their place in the event file from 0."""

    @property
    def takes_back(self) -> bool:
        """Whether matches that were over may go on: a director has a board replayed, or withdraws a ruling."""
        return any(act.verb in (Verb.REPLAY, Verb.WITHDRAW) for act in self.acts)

    @property
    def has_limits(self) -> bool:
        """Whether the thinking time of a board and of a match is limited, by more than anybody uses."""
        return any(act.verb is Verb.EXTEND for act in self.acts)

    @property
    def is_hopeless(self) -> bool:
        """Whether the store stays away."""
        return any(outage.lasts_us == FOR_EVER_US for outage in self.outages)


@dataclass
class Part:
    """What the parts of a simulated event have in common."""

    plan: Plan
    loop: SimulatedLoop
    store: MemoryStore
    file: EventFile
    complain: Callable[[str], None]
    """Told what ought not to happen."""
    note: Callable[[str], None]
    """Told which faults have come to pass."""
    told: Callable[[str], None]
    """Told what runs and directors tell."""


_STATEFUL_SHARE = 0.2
_DIRECTED_SHARE = 0.35
_AUTHORS = ("Ada", "Ben")
_EXTENDED_SHARE = 0.3
_VERBS = (
    *(verb for verb in Verb if verb is not Verb.EXTEND),
    *(Verb.REPLAY, Verb.WITHDRAW, Verb.ADJUST, Verb.CANCEL, Verb.EDIT) * 2,
)
"""Replays most of all: nothing else takes a result back."""


def plan_of(seed: int) -> Plan:
    """The plan of a seed, the same everywhere."""
    chance = Random(f"{seed}|plan")
    plan = _draw(seed, chance)
    plan = _move(plan, chance) if plan.moves else plan
    plan = _slow_down(plan, chance) if chance.random() < 0.1 else plan
    plan = _sit_at_one_table(plan, Random(f"{seed}|one table"))
    plan = _play_halves_apart(plan, Random(f"{seed}|halves"))
    plan = _cut_power(plan, Random(f"{seed}|power"))
    disk = Random(f"{seed}|disk")
    plan = replace(plan, sync_us=disk.choice((1000, 5000, 30_000)) if disk.random() < 0.4 else 0)
    plan = replace(plan, acts=_acts(Random(f"{seed}|directors")))
    if plan.acts:
        plan = replace(plan, acts=(*plan.acts, *_extensions(Random(f"{seed}|extensions"))))
    return replace(plan, stateful=_choose_wires(plan, Random(f"{seed}|wires")))


def _draw(seed: int, chance: Random) -> Plan:
    shape = chance.choice(_SHAPES)
    passing = shape is not Shape.MATCH or chance.random() < 0.8
    troubled = chance.random() >= 0.1
    return Plan(
        seed=seed,
        shape=shape,
        boards=2 if passing and shape in (Shape.MATCH, Shape.SEGMENTS) else 1,
        hosts=chance.choice((1, 2)),
        passing=passing,
        profile=chance.choice(("tourney", "tourney", "default")),
        network=chance.choice(CONDITIONS) if troubled else _FINE,
        deaths=_deaths(chance) if troubled else (),
        freeze=_freeze(chance) if troubled and chance.random() < 0.12 else None,
        outages=(_outage(chance),) if troubled and chance.random() < 0.25 else (),
        characters={
            (table, seat): tuple(_character(chance) for _ in range(chance.choice((1, 1, 2))))
            for table in range(2)
            for seat in range(4)
            if troubled and chance.random() < 0.08
        },
        strangers_us=_moments(chance, (0, 0, 3)),
        skews_ms=tuple(chance.choice((0, 0, -4000, 4000)) for _ in range(3)),
        port_plan=chance.choice((PortPlan.PER_TABLE, PortPlan.PER_TABLE, PortPlan.PER_SEAT)),
        pauses_us=tuple(_pause(chance) for _ in range(chance.choice((0, 0, 1, 2)) if troubled else 0)),
        kicks_us=_moments(chance, (0, 0, 0, 1, 3) if troubled else (0,)),
        stops_us=_moments(chance, (0, 0, 0, 0, 0, 0, 1, 2) if troubled else (0,)),
        run_deaths=_run_deaths(chance) if troubled else (),
        run_freeze=_freeze(chance) if troubled and chance.random() < 0.07 else None,
        has_rival=chance.random() < 0.7,
        moves=troubled and chance.random() < 0.06,
        restart_us=7 * SECOND_US if chance.random() < 0.05 else 0,
        run_skews_ms=tuple(chance.choice((0, 0, -900, 900)) for _ in range(3)),
    )


def _move(plan: Plan, chance: Random) -> Plan:
    """Have the first run killed and the tables paused until one on another machine may take over, which sees hosts
    that it cannot kill; one of them may stand still for so long that its tables are given to others."""
    later_us = chance.randint(3 * SECOND_US, 5 * SECOND_US)
    freeze = Freeze(chance.randint(SECOND_US, 4 * SECOND_US), chance.randint(0, 5 * SECOND_US))
    return replace(
        plan,
        run_deaths=(chance.randint(40, 100),),
        pauses_us=((0, later_us),) * 2,
        freeze=chance.choice((None, freeze)),
    )


def _slow_down(plan: Plan, chance: Random) -> Plan:
    """Have programs think and read nothing meanwhile, and one of them replaced by one that says something else: the
    board is begun again while others think."""
    place = chance.randrange(2), chance.randrange(4)
    fickle = Character(Flaw.FICKLE, chance.randint(5, 12))
    return replace(
        plan,
        profile="tourney",
        usual=Character(think_us_max=700_000, is_absorbed=True),
        characters={place: (fickle,)},
    )


def _sit_at_one_table(plan: Plan, chance: Random) -> Plan:
    """Have some events be of games or of pairs, each match at one table, with the same faults."""
    if chance.random() >= _AT_ONE_TABLE_SHARE:
        return plan
    passing = chance.random() < 0.6 or plan.usual != FLAWLESS  # slow programs would play for minutes
    return replace(plan, shape=chance.choice(_AT_ONE_TABLE), boards=1, passing=passing)


def _play_halves_apart(plan: Plan, chance: Random) -> Plan:
    """Have some events of one match be movements of several teams instead, with the same faults."""
    if plan.shape is not Shape.MATCH or chance.random() >= _HALVES_SHARE:
        return plan
    return replace(plan, shape=Shape.HALVES, boards=1, passing=True)


def _cut_power(plan: Plan, chance: Random) -> Plan:
    """Have hosts wait for the disk or not, and the power fail at some events."""
    plan = replace(plan, durability=chance.choice((Durability.PROCESS, Durability.PROCESS, Durability.FULL)))
    if chance.random() < 0.5:
        return plan
    after = chance.randint(10, chance.choice((40, 100, 250)))
    power_cut = PowerCut(after, chance.randint(1, 6)) if chance.random() < 0.3 else None
    return replace(plan, power_cut=power_cut)


def _acts(chance: Random) -> tuple[Act, ...]:
    """What directors do; at some events nothing, at some both do something at the same moment."""
    if chance.random() >= _DIRECTED_SHARE:
        return ()
    last_us = chance.choice((EARLY_US, 4 * EARLY_US, 10 * EARLY_US))
    acts = []
    for _ in range(chance.randint(1, 6)):
        at_us, author = chance.randint(0, last_us), chance.choice(_AUTHORS)
        acts.append(Act(at_us, author, chance.choice(_VERBS)))
        if chance.random() < 0.3:
            acts += (Act(at_us, other, chance.choice(_VERBS)) for other in _AUTHORS if other != author)
    return tuple(acts)


def _extensions(chance: Random) -> tuple[Act, ...]:
    """When directors extend the time of a board, a match or a round, at some of the events that they direct."""
    if chance.random() >= _EXTENDED_SHARE:
        return ()
    moments = [chance.randint(0, 4 * EARLY_US) for _ in range(chance.randint(2, 6))]
    return tuple(Act(at_us, chance.choice(_AUTHORS), Verb.EXTEND) for at_us in moments)


def _choose_wires(plan: Plan, chance: Random) -> frozenset[int]:
    """Have both wires at the tables of some events, and at a few the second alone."""
    if chance.random() >= _STATEFUL_SHARE:
        return frozenset()
    teams = plan.shape.value[1]
    return frozenset(range(teams)) if chance.random() < 0.2 else frozenset({chance.randrange(teams)})


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


def _run_deaths(chance: Random) -> tuple[int | None, ...]:
    return tuple(
        chance.randint(1, chance.choice((30, 100, 200))) if chance.random() < share else None
        for share in (0.2, 0.15, 0.1)
    )


def _freeze(chance: Random) -> Freeze:
    bounds_us = chance.choice(((SECOND_US // 10, SECOND_US), (2 * SECOND_US, 5 * SECOND_US)))
    return Freeze(chance.randint(0, EARLY_US), chance.randint(*bounds_us), chance.random() < 0.7)


def _outage(chance: Random) -> Outage:
    lasts_us = chance.choice((0, chance.randint(0, SECOND_US), chance.randint(0, 3 * SECOND_US), FOR_EVER_US))
    return Outage(chance.randint(1, 200), lasts_us, chance.choice(list(Failure)))


def _character(chance: Random) -> Character:
    return Character(
        chance.choice([flaw for flaw in Flaw if flaw is not Flaw.FICKLE]),
        chance.choice((0, chance.randint(0, 5), chance.randint(5, 120))),
    )
