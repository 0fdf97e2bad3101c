"""The interface of a format: its number of rounds, the settings it takes, and its pairings."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final, Literal, Protocol

from tourney.errors import ConfigError
from tourney.movement.groups import deal_into_groups, group_letter
from tourney.movement.pairs.movement import Movement, MovementRow
from tourney.movement.pairs.planning import MovementSettings
from tourney.movement.round_robin import Pairing
from tourney.scoring import BOARD_A_MATCH
from tourney.scoring.games import GameKind
from tourney.scoring.victory_points import VpHundredths

_NO_VP: Final = VpHundredths(0)


class ContestKind(enum.Enum):
    """The kinds of contest, by what is compared: each has a class in `tourney.contest`, and a model of its keys."""

    TEAMS = "teams"
    DUEL = "duel"
    SEVERAL_TEAMS = "several teams"
    PAIRS = "pairs"
    INDIVIDUAL = "individual"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """A team in a stage, identified by its number in the draw."""

    team: int
    group: int = 1
    rank: int = 0
    """Its rank in its group of the previous stage; 0 in the first stage."""
    from_round: int = 1
    """The first round of the stage that it plays."""
    carry_vp: VpHundredths = _NO_VP
    """Its carry-over from the previous stage."""


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """The pairings of a round of a stage; the match for third place comes last."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    has_third_place: bool = False
    sets: tuple[int, ...] = ()
    """The number of the board set of each pairing, from 1, where a movement says so; otherwise empty."""


class StageSettings(Protocol):
    """The settings of a stage of an event file that a format reads."""

    @property
    def groups(self) -> int:
        """Number of round robins played side by side."""

    @property
    def rounds(self) -> int | None:
        """Number of rounds in the event file; None if the format determines it."""

    @property
    def third_place(self) -> bool:
        """Whether the beaten semi-finalists play for third place."""

    @property
    def movement_settings(self) -> MovementSettings:
        """What is said about the movement of a pairs stage."""

    @property
    def matches(self) -> int:
        """Number of matches that a duel is divided into."""


class StageFormat(ABC):
    """The system that pairs the entrants of a stage, and what an event file may say about it.

    It is the part of a kind of contest that is known before there is a result: the event file, the plan and the
    store need it, and lie below the rules of scoring and ranking. `tourney.contest.Contest`, the other part, holds
    its format and repeats nothing of it, so that any pairing goes with any way of scoring.
    """

    name: str
    """Its name in an event file."""
    title: str
    """The name of a stage for which the event file gives none."""
    kind: ContestKind = ContestKind.TEAMS
    """The kind of contest that it is a format of."""
    keys: frozenset[str] = frozenset()
    """The keys of its stage in an event file that are about the pairing, and that only some formats have."""
    is_round_robin: bool = False
    """Whether it is a round robin, in which everybody in a group meets everybody else."""
    cycles: Literal[1, 2] = 1
    """How many times each pair of teams meets in a round robin."""
    is_knockout: bool = False
    """Whether the winner of a match advances; matches are decided by IMPs, carry-over included."""
    is_drawn_by_round: bool = False
    """Whether each round is drawn only once the results of the earlier ones are known."""
    by_average: bool = False
    """Whether teams are ranked by their average per match, because they do not play equally often."""
    default_extra_boards: int = 0
    """Number of extra boards a tied match gets unless the event file sets it."""
    needs_rounds: bool = False
    """Whether the event file must give the number of rounds."""
    takes_late_teams: bool = False
    tables_per_match: int = 2
    """The number of tables that a match has at once."""
    group_word: str = "group"
    """What the entrants that are ranked together are called."""
    has_movement: bool = False
    """Whether entrants play a movement, with the boards of a round in sets that go from table to table."""
    changes_partners: bool = False
    """Whether entrants are players, who change partners from round to round."""
    is_lobby: bool = False
    """Whether its matches are made by the players, and come to it one by one while it is open."""
    game: GameKind | None = None
    """The game of a match that is played at one table; None for a match of two teams in two rooms."""
    scorings: tuple[str, ...] = ("imps", BOARD_A_MATCH)
    """The words that an event file may give as `scoring`, the usual one first; none if there is but one way."""

    @property
    def is_duel(self) -> bool:
        """Whether the same two teams meet in all matches, which are parts of one long match."""
        return self.kind is ContestKind.DUEL

    @property
    def plays_halves_apart(self) -> bool:
        """Whether the two rooms of a match are played in different rounds.

        The open room is played in round `n` of a stage, and the closed room in the `n`-th from its end. The match
        belongs to the latter, for there it is decided.
        """
        return self.kind is ContestKind.SEVERAL_TEAMS

    @property
    def takes_game(self) -> bool:
        """Whether a game of one table can be played in its matches."""
        return self.game is None and not self.has_movement and not self.is_duel

    ROUND_ROBIN: ClassVar["StageFormat"]
    DOUBLE_ROUND_ROBIN: ClassVar["StageFormat"]
    SWISS: ClassVar["StageFormat"]
    KNOCKOUT: ClassVar["StageFormat"]
    GAUNTLET: ClassVar["StageFormat"]
    MATCH: ClassVar["StageFormat"]
    DUEL: ClassVar["StageFormat"]

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        from tourney.movement.formats import find_format  # noqa: PLC0415 # it knows this class

        return find_format, (self.name,)  # one object a format, in every process

    @property
    def all_meet(self) -> bool:
        """Whether everybody meets everybody if all rounds are played; early leavers may be forgotten."""
        return self.is_round_robin or self.plays_halves_apart

    @property
    def with_article(self) -> str:
        """`a swiss`, for sentences."""
        return f"a{'n' if self.name[0] in 'aeiou' else ''} {self.name}"

    def count_groups(self, settings: StageSettings, teams: int) -> int:
        """Return the number of groups of a stage with that many teams, each of which is ranked by itself."""
        return settings.groups

    def group_name(self, group: int, groups: int, sections: int = 1) -> str:
        """Return the name of one of several groups, counted from 1: its letter.

        In pairs events, `sections` says how many of them are ranked by themselves.
        """
        return group_letter(group - 1)

    def group_title(self, group: int, groups: int, sections: int = 1) -> str:
        """Return the words for one of several groups: `group A`."""
        return f"{self.group_word} {self.group_name(group, groups, sections)}"

    @abstractmethod
    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        """Return the number of rounds of a stage with that many teams; 0 if they are too few for it."""

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        """Return the number of matches in each round if nobody leaves the event; none for a number it is not for.

        Args:
            settings: those of the stage.
            teams: how many the stage is for.
            late: the first round of each team that enters late; without any, every round has matches for all teams.
        """
        entries = deal_entries([PlannedEntry(number) for number in range(1, teams + 1)], settings.groups)
        try:
            return [len(drawn.pairings) for drawn in self.draw_first(settings, teams, entries)]
        except ConfigError:
            return []

    @abstractmethod
    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """Return the rounds that can be drawn when the stage begins: all, or only the first if it is drawn by round.

        Args:
            settings: those of the stage.
            teams: how many it is planned for; fewer take part if some have left the event.
            entries: the teams that take part, in the order of their seeds.
            head: the team that meets all others, if the event file names one.
        """

    @property
    def of_games(self) -> "StageFormat":
        """The format in which a game of one table is played: itself, but where it compares tables with each other."""
        return self

    def partnerships(self, entrants: int) -> tuple[Pairing, ...]:
        """Return the partnerships that entrants form where partners change, by number; none where they do not.

        A partnership is a side of a match. It is numbered after the entrants, in the order of this list.
        """
        return tuple(combinations(range(1, entrants + 1), 2)) if self.changes_partners else ()

    def movement(self, settings: StageSettings, entrants: int) -> Movement | None:
        """Return the movement in which so many entrants play against the field; None if they meet in matches.

        Raises:
            ConfigError: there is none for so many.
        """
        return None

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        """Return the rows of the movement that so many entrants play; none if the format has no movement.

        Raises:
            ConfigError: it has none for so many.
        """
        return ()

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        """Return the largest number of matches that can be played at the same time."""
        return teams // (4 if self.changes_partners else 2)

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        """Return the number of teams not knocked out at the end of the stage; None if everybody is ranked."""
        return None

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        """Return why that many teams cannot play the stage: the key and a sentence; None if they can."""
        if settings.groups > teams // 2:
            return "groups", f"each has at least 2 teams, {teams} make at most {teams // 2}, got {settings.groups}"
        return None


def deal_entries(entries: Sequence[PlannedEntry], groups: int) -> tuple[PlannedEntry, ...]:
    """Deal the entries, given in the order of their seeds, into the groups of a stage."""
    groups = min(groups, len(entries) // 2)  # fewer take part if teams have left the event
    if groups <= 1:
        return tuple(entries)
    seeds = deal_into_groups(range(1, len(entries) + 1), groups)
    group_of = {seed: group for group, members in enumerate(seeds, 1) for seed in members}
    return tuple(
        PlannedEntry(e.team, group_of[seed], e.rank, e.from_round, e.carry_vp) for seed, e in enumerate(entries, 1)
    )
