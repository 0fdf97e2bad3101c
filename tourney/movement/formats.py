"""The formats of a stage: its number of rounds, the settings it takes, and its pairings.

A format is an object, found by its name in an event file. What it needs to know of the results (the order of a Swiss,
the winners of a knockout) is passed in by the kind of contest that uses it (`tourney.contest`). Teams are identified
by their numbers in the draw.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final, Literal, Protocol

from tourney.errors import ConfigError
from tourney.movement.gauntlet import plan_gauntlet
from tourney.movement.groups import deal_into_groups, group_letter
from tourney.movement.knockout import bracket_size, knockout_round, knockout_rounds
from tourney.movement.pairs.movement import Movement, MovementRow
from tourney.movement.pairs.planning import (
    HOWELL,
    MITCHELL,
    OWN,
    CompareWithin,
    MovementSettings,
    plan_movement,
)
from tourney.movement.pairs.several_teams import AMERICAN_WHIST, NEW_ENGLAND_RELAY, plan_several_teams
from tourney.movement.round_robin import Pairing, plan_round_robin
from tourney.movement.swiss import pair_swiss
from tourney.scoring import BOARD_A_MATCH
from tourney.scoring.chicago import ChicagoScoring
from tourney.scoring.games import GameKind
from tourney.scoring.victory_points import VpHundredths

_NO_VP: Final = VpHundredths(0)


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
        """What is said about the movement of a stage of pairs."""

    @property
    def matches(self) -> int:
        """Number of matches that a duel is divided into."""


class StageFormat(ABC):
    """The system that pairs the teams of a stage. Its flags say which settings of an event file apply to it."""

    name: str
    """Its name in an event file."""
    title: str
    """The name of a stage for which the event file gives none."""
    is_round_robin: bool = False
    """Whether it is a round robin, which may have groups."""
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
    takes_rounds: bool = False
    """Whether the event file may give the number of rounds."""
    takes_extra_boards: bool = False
    takes_third_place: bool = False
    takes_head: bool = False
    """Whether the event file may name the team that meets all others (`against_all`)."""
    takes_late_teams: bool = False
    tables_per_match: int = 2
    """The number of tables that a match has at once."""
    is_of_pairs: bool = False
    """Whether pairs play a movement: a match is one table in one round, compared with others on the same boards."""
    plays_halves_apart: bool = False
    """Whether the two rooms of a match are played in different rounds: the open room in round `n` of a stage, and the
    closed room in the `n`-th from its end. The match belongs to the latter, for there it is decided."""
    is_duel: bool = False
    """Whether the same two teams meet in all matches, which are parts of one long match."""
    game: GameKind | None = None
    """The game of a match that is played at one table; None for a match of two teams in two rooms."""
    scorings: tuple[str, ...] = ("imps", BOARD_A_MATCH)
    """The words that an event file may give as `scoring`, the usual one first; none if there is but one way."""

    @property
    def takes_game(self) -> bool:
        """Whether a game of one table can be played in its matches."""
        return self.game is None and not self.has_movement and not self.is_duel

    @property
    def entrant(self) -> str:
        """What meets in it: a `team`, or at pairs and games of one table a `pair`."""
        return "pair" if self.is_of_pairs or self.game is not None else "team"

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
        return find_format, (self.name,)  # one object a format, in every process

    @property
    def has_movement(self) -> bool:
        """Whether entrants play a movement, with the boards of a round in sets that go from table to table."""
        return self.is_of_pairs or self.plays_halves_apart

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

        At pairs, `sections` says how many of them are ranked by themselves.
        """
        return group_letter(group - 1)

    @abstractmethod
    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        """Return the number of rounds of a stage with that many teams; 0 if they are too few for it."""

    @abstractmethod
    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        """Return the number of matches in each round if nobody leaves the event.

        Args:
            settings: those of the stage.
            teams: how many the stage is for.
            late: the first round of each team that enters late; without any, every round has matches for all teams.
        """

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

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        """Return the rows of the movement that so many entrants play; none if the format has no movement.

        Raises:
            ConfigError: it has none for so many.
        """
        return ()

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        """Return the largest number of matches that can be played at the same time."""
        return teams // 2

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        """Return the number of teams not knocked out at the end of the stage; None if everybody is ranked."""
        return None

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        """Return why that many teams cannot play the stage, as a sentence; None if they can."""
        if settings.groups > teams // 2:
            return f"groups: each has at least 2 teams, {teams} make at most {teams // 2}, got {settings.groups}"
        return None


class _RoundRobin(StageFormat):
    """A round robin: all teams meet once, or twice with home and away exchanged; groups play side by side."""

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
        """Return all rounds, with the groups side by side; a smaller group has no match in the last rounds."""
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
    """A Swiss: in each round, teams that are close in the standings meet."""

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
    """A knockout: the loser of a match is out. A single match is its last round."""

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
        """Draw the round after those whose `winners` are given; `seeded` are the teams in order of seed."""
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
    """A gauntlet: one team meets all others, which do not meet each other."""

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
        # If teams have left the event, fewer rounds than planned are needed; the remaining ones are empty.
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


class _Duel(StageFormat):
    """A duel: two teams play many matches side by side, each with boards of its own."""

    name = "duel"
    title = "Duel"
    is_duel = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        return [settings.matches]

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        if len(entries) < 2:
            return [RoundDraw(())]
        first, second = (entry.team for entry in entries[:2])
        return [RoundDraw(((first, second),) * settings.matches)]

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        return settings.matches

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        return f"teams: a duel has 2 teams, got {teams}" if teams != 2 else super().size_problem(settings, teams)


class PairsFormat(StageFormat):
    """A movement of pairs: a Mitchell, a Howell, or the organiser's own."""

    is_of_pairs = True
    takes_rounds = True
    tables_per_match = 1
    scorings = ("matchpoints", "cross-imps", "butler")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title

    def count_groups(self, settings: StageSettings, teams: int) -> int:
        """Return how many lists there are: of each section that is ranked by itself, one or one of each direction."""
        movement = self._movement_or_none(settings, teams)
        if movement is None:
            return 1
        is_by_section = settings.movement_settings.compare_within is CompareWithin.SECTION
        sections = max(1, len(movement.sections)) if is_by_section else 1
        return sections * (2 if movement.has_two_winners else 1)

    def group_name(self, group: int, groups: int, sections: int = 1) -> str:
        """Return the direction of a list, its section, or both."""
        section, direction = divmod(group - 1, groups // sections)
        words = [f"section {group_letter(section)}"] if sections > 1 else []
        words += [("North-South", "East-West")[direction]] if groups > sections else []
        return " ".join(words)

    def movement(self, settings: StageSettings, pairs: int) -> Movement:
        """Return the movement for so many pairs.

        Raises:
            ConfigError: there is none.
        """
        return plan_movement(self.name, settings.movement_settings, pairs)

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        return self.movement(settings, teams).rows

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        movement = self._movement_or_none(settings, teams)
        return movement.rounds if movement is not None else 0

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        movement = self._movement_or_none(settings, teams)
        if movement is None:
            return []
        return [sum(row.is_played for row in rows) for rows in movement.by_round.values()]

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """Return all rounds; entries are numbered in their order, and numbers that are left over are phantoms."""
        numbers = dict(enumerate((entry.team for entry in entries), 1))
        drawn = []
        for rows in self.movement(settings, teams).by_round.values():
            pairings, byes, sets = [], [], []
            for row in rows:
                seated = [numbers[pair] for pair in row.pairs if pair in numbers]
                if row.board_set is not None and len(seated) == 2:
                    pairings.append((seated[0], seated[1]))
                    sets.append(row.board_set)
                else:
                    byes += seated
            drawn.append(RoundDraw(tuple(pairings), tuple(byes), sets=tuple(sets)))
        return drawn

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        if self.name == OWN and settings.movement_settings.own is None:
            return None  # what names the file has been looked at elsewhere
        try:
            self.movement(settings, teams)
        except ConfigError as error:
            return f"format: {error}"
        return None

    def _movement_or_none(self, settings: StageSettings, teams: int) -> Movement | None:
        """Return the movement, or None where `size_problem` says why there is none."""
        try:
            return self.movement(settings, teams)
        except ConfigError:
            return None


class SeveralTeamsFormat(StageFormat):
    """A movement in which all teams meet in one session, each with a pair in either direction.

    In every round a table is half of a match: one team's North-South against another's East-West.
    """

    takes_rounds = True
    tables_per_match = 1
    plays_halves_apart = True
    scorings = (BOARD_A_MATCH, "imps")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        return plan_several_teams(self.name, teams, settings.rounds)

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or teams - 1

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        if self.size_problem(settings, teams) is not None:
            return []
        entries = [PlannedEntry(number) for number in range(1, teams + 1)]
        return [len(drawn.pairings) for drawn in self.draw_first(settings, teams, entries)]

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """Return the matches that each round decides; the home team is the one that sits North-South earlier.

        Entries are numbered in their order. A number that is left over, because a team has left the event, is a bye
        for its opponents.
        """
        numbers = dict(enumerate((entry.team for entry in entries), 1))
        rows = self.movement_rows(settings, teams)
        rounds = self.count_rounds(settings, teams)
        drawn = [RoundDraw(())] * rounds
        for row in rows:
            # The earlier half; halfway, where both are played in one round, the one with the lower North-South.
            assert row.ns is not None
            assert row.ew is not None
            assert row.board_set is not None
            last = rounds + 1 - row.round
            if row.round > last or (row.round == last and row.ns > row.ew):
                continue
            seated = [numbers[team] for team in (row.ns, row.ew) if team in numbers]
            before = drawn[last - 1]
            drawn[last - 1] = (
                RoundDraw((*before.pairings, (seated[0], seated[1])), before.byes, sets=(*before.sets, row.board_set))
                if len(seated) == 2
                else replace(before, byes=(*before.byes, *seated))
            )
        return drawn

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        return teams

    def size_problem(self, settings: StageSettings, teams: int) -> str | None:
        for key, rounds in (("format", None), ("rounds", settings.rounds)):
            try:
                plan_several_teams(self.name, teams, rounds)
            except ConfigError as error:
                return f"{key}: {error}"
        return super().size_problem(settings, teams)


StageFormat.ROUND_ROBIN = _RoundRobin("round-robin", cycles=1)
StageFormat.DOUBLE_ROUND_ROBIN = _RoundRobin("double-round-robin", cycles=2)
StageFormat.SWISS = _Swiss()
StageFormat.KNOCKOUT = _Knockout("knockout", "Knockout")
StageFormat.GAUNTLET = _Gauntlet()
StageFormat.MATCH = _Match("match", "Match")
StageFormat.DUEL = _Duel()

_formats: Final[dict[str, StageFormat]] = {
    each.name: each
    for each in (
        StageFormat.ROUND_ROBIN,
        StageFormat.DOUBLE_ROUND_ROBIN,
        StageFormat.SWISS,
        StageFormat.KNOCKOUT,
        StageFormat.GAUNTLET,
        StageFormat.MATCH,
        StageFormat.DUEL,
        PairsFormat(MITCHELL, "Mitchell"),
        PairsFormat(HOWELL, "Howell"),
        PairsFormat(OWN, "Pairs"),
        SeveralTeamsFormat(AMERICAN_WHIST, "American Whist"),
        SeveralTeamsFormat(NEW_ENGLAND_RELAY, "New England Relay"),
    )
}


def _play(game: GameKind, played_in: StageFormat) -> StageFormat:
    """Return a format whose matches are of a game at one table."""
    played = object.__new__(type(played_in))  # `copy` would find the format itself, as unpickling does
    vars(played).update(vars(played_in))
    played.name = game_format_name(game, played_in.name)
    played.title = _GAME_TITLES[game]
    played.game = game
    played.tables_per_match = 1
    played.scorings = tuple(each.value.lower() for each in ChicagoScoring) if game is GameKind.CHICAGO else ()
    # Every match has its own boards, which are dealt for the teams that are there at the beginning.
    played.takes_late_teams = played.takes_extra_boards = False
    played.default_extra_boards = 0
    return played


def game_format_name(game: str, pairing: str) -> str:
    """Return the name of a format in which matches are of a game: `rubber` for a round robin, `rubber swiss`."""
    return str(game) if pairing == StageFormat.ROUND_ROBIN.name else f"{game} {pairing}"


_GAME_TITLES: Final = {GameKind.RUBBER: "Rubber bridge", GameKind.CHICAGO: "Chicago"}

_formats.update(
    {
        played.name: played
        for game in GameKind
        for played in [_play(game, each) for each in _formats.values() if each.takes_game]
    }
)

FORMATS: Final[Mapping[str, StageFormat]] = MappingProxyType(_formats)
"""Every format by its name, in the order in which messages list them."""


def formats_by_word() -> dict[str, StageFormat]:
    """Return the formats that have a word of their own in an event file; others need `game` as well."""
    return {name: each for name, each in FORMATS.items() if " " not in name}


def add_format(added: StageFormat) -> None:
    """Make a format available to event files; `tourney.contest.register` calls it for the contest that uses it."""
    _formats[added.name] = added


def remove_format(name: str) -> None:
    """Undo `add_format`."""
    del _formats[name]


def find_format(name: str) -> StageFormat:
    """Return the format with a name.

    Raises:
        ConfigError: no format has that name.
    """
    if name not in _formats:
        raise ConfigError(f"a stage is one of {', '.join(formats_by_word())}, got {name!r}")
    return _formats[name]


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
