"""The formats in which entrants play a movement: pairs against the field, and all teams in one session."""

from collections.abc import Sequence
from dataclasses import replace

from tourney.errors import ConfigError
from tourney.movement.formats.stage_format import ContestKind, PlannedEntry, RoundDraw, StageFormat, StageSettings
from tourney.movement.groups import group_letter
from tourney.movement.pairs.individual import movement_of_partnerships, partnerships, plan_individual
from tourney.movement.pairs.movement import Movement, MovementRow
from tourney.movement.pairs.planning import HOWELL, INDIVIDUAL, MITCHELL, OWN, CompareWithin, plan_movement
from tourney.movement.pairs.several_teams import plan_several_teams
from tourney.movement.round_robin import Pairing
from tourney.scoring import BOARD_A_MATCH


class PairsFormat(StageFormat):
    """A movement of pairs: a Mitchell, a Howell, or the organiser's own."""

    kind = ContestKind.PAIRS
    keys = frozenset({"rounds"})
    has_movement = True
    group_word = "list"
    tables_per_match = 1
    scorings = ("matchpoints", "cross-imps", "butler")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title

    @property
    def with_article(self) -> str:
        """`a Howell`: Mitchell and Howell are names of persons."""
        return f"a {self.title}" if self.name in (MITCHELL, HOWELL) else super().with_article

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

    def group_title(self, group: int, groups: int, sections: int = 1) -> str:
        return self.group_name(group, groups, sections)

    def movement(self, settings: StageSettings, entrants: int) -> Movement:
        """Return the movement for so many pairs.

        Raises:
            ConfigError: there is none.
        """
        return plan_movement(self.name, settings.movement_settings, entrants)

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        return self.movement(settings, teams).rows

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        movement = self._movement_or_none(settings, teams)
        return movement.rounds if movement is not None else 0

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

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        if self.name == OWN and settings.movement_settings.own is None:
            return None  # what names the file has been looked at elsewhere
        try:
            self.movement(settings, teams)
        except ConfigError as error:
            return "format", str(error)
        return None

    def _movement_or_none(self, settings: StageSettings, teams: int) -> Movement | None:
        """Return the movement, or None where `size_problem` says why there is none."""
        try:
            return self.movement(settings, teams)
        except ConfigError:
            return None


class IndividualFormat(PairsFormat):
    """An individual movement: each player enters alone, and has another partner in each round."""

    kind = ContestKind.INDIVIDUAL
    keys = frozenset()
    changes_partners = True

    def __init__(self) -> None:
        super().__init__(INDIVIDUAL, "Individual")

    @property
    def with_article(self) -> str:
        return "an individual"

    @property
    def takes_game(self) -> bool:
        return True

    @property
    def of_games(self) -> StageFormat:
        """The individual whose matches are games: nothing is compared, so that four players can play one."""
        return IndividualMatches()

    def count_groups(self, settings: StageSettings, teams: int) -> int:
        """Return 1: all players are in one list."""
        return 1

    def movement(self, settings: StageSettings, entrants: int) -> Movement:
        """Return the movement of the partnerships.

        Raises:
            ConfigError: there is none for so many players.
        """
        return movement_of_partnerships(entrants)

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """Return all rounds; the sides of a pairing are partnerships, those who sit out are players."""
        return [
            replace(drawn, sets=(number,) * len(drawn.pairings))
            for number, drawn in enumerate(_draw_partnerships(teams, entries), 1)
        ]


class IndividualMatches(StageFormat):
    """An individual movement whose matches are games, such as Chicago with changing partners."""

    name = "individual"
    title = "Individual"
    changes_partners = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return len(self.count_matches(settings, teams))

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """Return all rounds; the sides of a pairing are partnerships, those who sit out are players."""
        return _draw_partnerships(teams, entries)

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        try:
            plan_individual(teams)
        except ConfigError as error:
            return "format", str(error)
        return None


def _draw_partnerships(players: int, entries: Sequence[PlannedEntry]) -> list[RoundDraw]:
    """Return the rounds of an individual movement; partnerships are numbered after the players."""
    numbers = {partners: players + place for place, partners in enumerate(partnerships(players), 1)}
    pairings: dict[int, list[Pairing]] = {}
    seated: dict[int, set[int]] = {}
    for row in plan_individual(players):
        ns, ew = row.partnerships
        pairings.setdefault(row.round, []).append((numbers[ns], numbers[ew]))
        seated.setdefault(row.round, set()).update((*ns, *ew))
    return [
        RoundDraw(tuple(pairings[number]), tuple(e.team for e in entries if e.team not in seated[number]))
        for number in sorted(pairings)
    ]


class SeveralTeamsFormat(StageFormat):
    """A movement in which all teams meet in one session, each with a pair in either direction.

    In every round a table is half of a match: one team's North-South against another's East-West.
    """

    kind = ContestKind.SEVERAL_TEAMS
    keys = frozenset({"rounds"})
    has_movement = True
    tables_per_match = 1
    scorings = (BOARD_A_MATCH, "imps")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        return plan_several_teams(self.name, teams, settings.rounds)

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or teams - 1

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

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        for key, rounds in (("format", None), ("rounds", settings.rounds)):
            try:
                plan_several_teams(self.name, teams, rounds)
            except ConfigError as error:
                return key, str(error)
        return super().size_problem(settings, teams)
