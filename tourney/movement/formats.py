"""The formats of a stage: how many rounds its teams play, what it may be set to, and who meets whom in it.

A format is an object, found by the name that an event file says. What it needs of the results (the order of a Swiss,
the winners of a knockout) is handed in by the kind of contest that uses it (`tourney.contest`). Teams are their
numbers in the draw.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, Literal, Protocol

from tourney.errors import ConfigError
from tourney.movement.gauntlet import plan_gauntlet
from tourney.movement.groups import deal_into_groups
from tourney.movement.knockout import bracket_size, knockout_round, knockout_rounds
from tourney.movement.round_robin import Pairing, plan_round_robin
from tourney.movement.swiss import pair_swiss
from tourney.scoring.victory_points import VpHundredths

_NO_VP: Final = VpHundredths(0)


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """A team, by its number in the draw, in a stage."""

    team: int
    group: int = 1
    rank: int = 0
    """In its group of the stage before; 0 in the first stage."""
    from_round: int = 1
    """The round of the stage from which it plays."""
    carry_vp: VpHundredths = _NO_VP
    """What it brings along from the stage before."""


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """Who meets whom in a round of a stage; the match for third place comes last."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    has_third_place: bool = False


class StageSettings(Protocol):
    """What a format reads of a stage of an event file."""

    @property
    def groups(self) -> int:
        """Round robins side by side."""

    @property
    def rounds(self) -> int | None:
        """As the file says; None where the format has a number of its own."""

    @property
    def third_place(self) -> bool:
        """Whether the beaten semi-finalists meet."""


class StageFormat(ABC):
    """Who meets whom in a stage. Its flags say which settings of an event file are meant for it."""

    name: str
    """What an event file says."""
    title: str
    """What a stage is called that has no name of its own."""
    is_round_robin: bool = False
    """Whether everybody meets everybody: it may be cut into groups, and early leavers can be forgotten."""
    cycles: Literal[1, 2] = 1
    """How often everybody meets everybody in a round robin."""
    is_knockout: bool = False
    """Whether who wins a match goes on: what counts are IMPs, carry-over included."""
    is_drawn_by_round: bool = False
    """Whether a round is drawn when the results of those before it are in."""
    by_average: bool = False
    """Whether teams are ranked by what they made a match, because they do not play equally often."""
    default_extra_boards: int = 0
    """How many a level match gets, where the event file says nothing else."""
    needs_rounds: bool = False
    """Whether the event file has to say how many rounds there are."""
    takes_rounds: bool = False
    """Whether it may say so."""
    takes_extra_boards: bool = False
    takes_third_place: bool = False
    takes_head: bool = False
    """Whether the event file may name the team that meets all others (`against_all`)."""
    takes_late_teams: bool = False
    tables_per_match: int = 2

    ROUND_ROBIN: ClassVar["StageFormat"]
    DOUBLE_ROUND_ROBIN: ClassVar["StageFormat"]
    SWISS: ClassVar["StageFormat"]
    KNOCKOUT: ClassVar["StageFormat"]
    GAUNTLET: ClassVar["StageFormat"]
    MATCH: ClassVar["StageFormat"]

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return find_format, (self.name,)  # one object a format, in every process

    @property
    def with_article(self) -> str:
        """`a swiss`, for sentences."""
        return f"a{'n' if self.name[0] in 'aeiou' else ''} {self.name}"

    @abstractmethod
    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        """How many rounds a stage has that so many teams come to; 0 where they are too few for it."""

    @abstractmethod
    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        """How many matches each round has when nobody leaves the event.

        Args:
            settings: those of the stage.
            teams: how many it is for.
            late: the rounds from which teams play that come late; left out, every round has matches for all teams.
        """

    @abstractmethod
    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """The rounds that can be drawn when the stage begins: all, or the first alone where it is drawn by round.

        Args:
            settings: those of the stage.
            teams: how many it is meant for; fewer come when teams have left the event.
            entries: those that come, in the order of their seeds.
            head: the team that meets all others, where the event file names one.
        """

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        """How many matches can be played side by side."""
        return teams // 2

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        """How many teams are still in when it is over; None where everybody is ranked."""
        return None

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        """Why so many teams cannot play the stage, as a sentence; None when they can."""
        if settings.groups > teams // 2:
            return f"groups: each has at least 2 teams, {teams} make at most {teams // 2}, got {settings.groups}"
        return None


class _RoundRobin(StageFormat):
    """Everybody meets everybody once, or twice with home and away exchanged; groups play side by side."""

    is_round_robin = True

    def __init__(self, name: str, cycles: Literal[1, 2]) -> None:
        self.name = name
        self.title = "Round robin"
        self.cycles = cycles

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        largest = -(-teams // settings.groups)
        return len(plan_round_robin(largest, cycles=self.cycles)) if largest > 1 else 0

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        entries = deal_entries([PlannedEntry(number) for number in range(1, teams + 1)], settings.groups)
        return [len(drawn.pairings) for drawn in self.draw_first(settings, teams, entries)]

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """All rounds of all groups side by side; a smaller group has no match in the last rounds."""
        rounds = [RoundDraw(())] * self.count_rounds(settings, teams)
        for group in range(1, settings.groups + 1):
            members = [entry.team for entry in entries if entry.group == group]
            if len(members) < 2:
                continue  # the others have left the event
            for index, round_ in enumerate(plan_round_robin(len(members), cycles=self.cycles)):
                pairings = tuple((members[home - 1], members[away - 1]) for home, away in round_.pairings)
                bye = () if round_.bye is None else (members[round_.bye - 1],)
                before = rounds[index]
                rounds[index] = RoundDraw(before.pairings + pairings, before.byes + bye)
        return rounds


class _Swiss(StageFormat):
    """In each round teams meet that stand near each other."""

    name = "swiss"
    title = "Swiss"
    is_drawn_by_round = True
    needs_rounds = takes_rounds = True
    takes_late_teams = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or 0

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        rounds = range(1, self.count_rounds(settings, teams) + 1)
        return [(teams - sum(enters > number for enters in late)) // 2 for number in rounds]

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        if len(entries) < 2:
            return [RoundDraw(())]
        first = pair_swiss([entry.team for entry in entries if entry.from_round == 1], ())
        return [RoundDraw(first.pairings, () if first.bye is None else (first.bye,))]

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        most, rounds = teams - 1 + teams % 2, settings.rounds
        if rounds is not None and rounds > most:
            twice = "meets another twice" if teams % 2 == 0 else "sits out or meets another twice"
            return f"rounds: {teams} teams play at most {most} rounds before somebody {twice}, got {rounds}"
        return super().size_problem(settings, teams)


class KnockoutFormat(StageFormat):
    """Who loses a match is out. A single match is the last round of one."""

    is_knockout = True
    takes_extra_boards = True

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        return [self.draw_round(settings, teams, [entry.team for entry in entries], ())]

    def draw_round(
        self, settings: StageSettings, teams: int, seeded: Sequence[int], winners: Sequence[Sequence[int]]
    ) -> RoundDraw:
        """The round after those of which `winners` are given; `seeded` are the teams in the order of their seeds."""
        if len(seeded) < 2:
            return RoundDraw((), tuple(seeded))
        seeds = {team: seed for seed, team in enumerate(seeded, 1)}
        won = [[seeds[team] for team in round_] for round_ in winners]
        made = knockout_round(list(seeds.values()), bracket_size(teams), won, third_place=settings.third_place)
        pairings = tuple((seeded[home - 1], seeded[away - 1]) for home, away in made.pairings)
        return RoundDraw(pairings, tuple(seeded[seed - 1] for seed in made.byes), made.has_third_place)

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        winners: list[list[int]] = []
        counts = []
        for _ in range(self.count_rounds(settings, teams)):
            drawn = self.draw_round(settings, teams, range(1, teams + 1), winners)
            counts.append(len(drawn.pairings))
            winners.append([home for home, _ in drawn.pairings])
        return counts


class _Knockout(KnockoutFormat):
    default_extra_boards = 4
    is_drawn_by_round = True
    takes_rounds = takes_third_place = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or (knockout_rounds(teams) if teams > 1 else 0)

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        left = teams
        for _ in range(self.count_rounds(settings, teams)):
            # With byes the first round brings the field to a power of two.
            left = 1 << max(0, (left - 1).bit_length() - 1)
        return left

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        rounds = settings.rounds
        if rounds is not None and rounds > knockout_rounds(teams):
            return f"rounds: a knockout of {teams} teams has at most {knockout_rounds(teams)}, got {rounds}"
        return super().size_problem(settings, teams)


class _Match(KnockoutFormat):
    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        return 1

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        return f"teams: a match has 2 teams, got {teams}" if teams != 2 else super().size_problem(settings, teams)


class _Gauntlet(StageFormat):
    """One team meets all others, which do not meet each other."""

    name = "gauntlet"
    title = "Gauntlet"
    by_average = True
    takes_rounds = takes_head = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or teams - 1

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        rounds = self.count_rounds(settings, teams)
        return [teams - 1] if rounds == 1 else [1] * rounds

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        planned = self.count_rounds(settings, teams)
        if len(entries) < 2:
            return [RoundDraw(())] * planned
        members = [entry.team for entry in entries]
        # Where teams have left the event, fewer rounds than planned are needed; those to spare are empty.
        rounds = 1 if planned == 1 else len(members) - 1
        drawn = [RoundDraw(pairings) for pairings in plan_gauntlet(members, head or members[0], rounds)]
        return drawn + [RoundDraw(())] * (planned - len(drawn))

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        return teams - 1 if settings.rounds == 1 else super().most_at_once(settings, teams)

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        rounds = settings.rounds
        if rounds not in (None, 1, teams - 1):
            return f"rounds: a gauntlet of {teams} teams has {teams - 1}, or 1 with all its matches, got {rounds}"
        return super().size_problem(settings, teams)


StageFormat.ROUND_ROBIN = _RoundRobin("round-robin", cycles=1)
StageFormat.DOUBLE_ROUND_ROBIN = _RoundRobin("double-round-robin", cycles=2)
StageFormat.SWISS = _Swiss()
StageFormat.KNOCKOUT = _Knockout("knockout", "Knockout")
StageFormat.GAUNTLET = _Gauntlet()
StageFormat.MATCH = _Match("match", "Match")

_formats: Final[dict[str, StageFormat]] = {
    each.name: each
    for each in (
        StageFormat.ROUND_ROBIN,
        StageFormat.DOUBLE_ROUND_ROBIN,
        StageFormat.SWISS,
        StageFormat.KNOCKOUT,
        StageFormat.GAUNTLET,
        StageFormat.MATCH,
    )
}

FORMATS: Final[Mapping[str, StageFormat]] = MappingProxyType(_formats)
"""Every format by its name, in the order in which messages list them."""


def add_format(added: StageFormat) -> None:
    """Let event files name one more format; `tourney.contest.register` does it for the contest that is played so."""
    _formats[added.name] = added


def remove_format(name: str) -> None:
    """Undo `add_format`."""
    del _formats[name]


def find_format(name: str) -> StageFormat:
    """The format of that name.

    Raises:
        ConfigError: there is none.
    """
    if name not in _formats:
        raise ConfigError(f"a stage is one of {', '.join(_formats)}, got {name!r}")
    return _formats[name]


def deal_entries(entries: Sequence[PlannedEntry], groups: int) -> tuple[PlannedEntry, ...]:
    """The entries, in the order of their seeds, dealt into the groups of a stage."""
    groups = min(groups, len(entries) // 2)  # fewer come when teams have left the event
    if groups <= 1:
        return tuple(entries)
    seeds = deal_into_groups(range(1, len(entries) + 1), groups)
    group_of = {seed: group for group, members in enumerate(seeds, 1) for seed in members}
    return tuple(
        PlannedEntry(e.team, group_of[seed], e.rank, e.from_round, e.carry_vp) for seed, e in enumerate(entries, 1)
    )
