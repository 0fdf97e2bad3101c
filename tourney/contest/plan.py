"""The plan of a stage before anybody is seated: what its contest reads of the event file, and who meets whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tourney.bridge import Board, Side, board_from_seed
from tourney.contest.draw import EntryInfo
from tourney.movement.carry_over import CarryOver
from tourney.movement.groups import deal_into_groups
from tourney.movement.pairs.planning import MovementSettings
from tourney.movement.seating import SeatsRule, SharedDeals

if TYPE_CHECKING:
    from tourney.contest.kind import Contest

Sides: TypeAlias = tuple[str, str]
"""The home and the away side of a match, by name."""


KeyProblem: TypeAlias = tuple[str, str]
"""What is wrong with a setting: its key, and a sentence."""


class StageSettings(Protocol):
    """The settings of a stage of an event file that its contest reads."""

    format: "Contest"
    groups: int
    """Number of round robins played side by side."""
    rounds: int | None
    """Number of rounds in the event file; None if the contest determines it."""
    third_place: bool
    """Whether the beaten semi-finalists play for third place."""
    matches: int
    """Number of matches that a duel is divided into."""
    boards_per_match: int
    vp_scale: str
    scoring: str | None
    """The word for how boards are scored, if the event file has one."""
    segments: int
    """Number of parts of a match, each with the same number of boards."""
    seats: SeatsRule

    @property
    def scoring_in_use(self) -> str:
        """That of `scoring`, or else the usual one."""

    @property
    def movement_settings(self) -> MovementSettings:
        """What is said about the movement of a pairs stage."""


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """The pairings of a round of a stage; the match for third place comes last."""

    pairings: tuple[Sides, ...]
    byes: tuple[str, ...] = ()
    has_third_place: bool = False
    sets: tuple[int, ...] = ()
    """The number of the board set of each pairing, from 1, where a movement says so; otherwise empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """A stage as the event file describes it, before any of it is drawn."""

    number: int
    settings: StageSettings
    size: int
    """Number of entrants the stage is planned for; fewer take part if some have withdrawn."""
    shared: SharedDeals
    open_rooms: Mapping[str, Side]
    """The directions that entrants take in the open room when they have the choice, by name."""
    carry_over: CarryOver | None


@dataclass(frozen=True, slots=True)
class BoardSetPlan:
    """A set of boards by name, and how it is dealt from a seed; sets with the same cards are dealt alike."""

    name: str
    cards: str = ""
    """The name under which it is dealt, if not its own."""
    first: int = 1
    """The number of its first board there."""
    step: int = 1

    @property
    def source(self) -> tuple[str, int]:
        """Where its cards come from."""
        return self.cards or self.name, self.first

    def deal(self, seed: str, boards: int) -> tuple[Board, ...]:
        """Deal so many boards."""
        numbers = range(self.first, self.first + self.step * boards, self.step)
        return tuple(board_from_seed(seed, self.cards or self.name, number) for number in numbers)


def deal_entries(entries: Sequence[EntryInfo], groups: int) -> tuple[EntryInfo, ...]:
    """Deal the entries, given in the order of their seeds, into the groups of a stage."""
    groups = min(groups, len(entries) // 2)  # fewer take part if teams have left the event
    if groups <= 1:
        return tuple(entries)
    seeds = deal_into_groups(range(1, len(entries) + 1), groups)
    group_of = {seed: group for group, members in enumerate(seeds, 1) for seed in members}
    return tuple(replace(entry, group=group_of[seed]) for seed, entry in enumerate(entries, 1))
