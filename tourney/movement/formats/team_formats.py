"""The formats of matches of two entrants: round robins, Swiss, knockouts, matches, gauntlets, duels, lobbies."""

from collections.abc import Sequence
from typing import Literal

from tourney.movement.formats.stage_format import (
    ContestKind,
    PlannedEntry,
    RoundDraw,
    StageFormat,
    StageSettings,
)
from tourney.movement.knockout import bracket_size, knockout_round, knockout_rounds
from tourney.movement.round_robin import plan_round_robin
from tourney.movement.swiss import pair_swiss
from tourney.plurals import count


class RoundRobin(StageFormat):
    """A round robin: all teams meet once, or twice with home and away exchanged; groups play side by side."""

    keys = frozenset({"groups"})
    is_round_robin = True

    def __init__(self, name: str, cycles: Literal[1, 2]) -> None:
        self.name = name
        self.title = "Round robin"
        self.cycles = cycles

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        largest = -(-teams // settings.groups)
        return len(plan_round_robin(largest, cycles=self.cycles)) if largest > 1 else 0

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


class Swiss(StageFormat):
    """A Swiss: in each round, teams that are close in the standings meet."""

    name = "swiss"
    title = "Swiss"
    keys = frozenset({"rounds"})
    is_drawn_by_round = True
    needs_rounds = True
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

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        most, rounds = teams - 1 + teams % 2, settings.rounds
        if rounds is not None and rounds > most:
            twice = "meets another twice" if teams % 2 == 0 else "sits out or meets another twice"
            allowed = f"{teams} teams play at most {count(most, 'round')} before somebody {twice}"
            return "rounds", f"{allowed}, got {rounds}"
        return super().size_problem(settings, teams)


class KnockoutFormat(StageFormat):
    """A knockout: the loser of a match is out. A single match is its last round."""

    keys = frozenset({"extra_boards"})
    is_knockout = True

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


class Knockout(KnockoutFormat):
    """A knockout down to one team, or to as many as its rounds leave."""

    keys = frozenset({"rounds", "extra_boards", "third_place"})
    default_extra_boards = 4
    is_drawn_by_round = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or (knockout_rounds(teams) if teams > 1 else 0)

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        left = teams
        for _ in range(self.count_rounds(settings, teams)):
            # With byes the first round brings the field to a power of two.
            left = 1 << max(0, (left - 1).bit_length() - 1)
        return left

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        rounds = settings.rounds
        if rounds is not None and rounds > knockout_rounds(teams):
            return "rounds", f"a knockout of {teams} teams has at most {knockout_rounds(teams)}, got {rounds}"
        return super().size_problem(settings, teams)


class SingleMatch(KnockoutFormat):
    """A single match of two teams."""

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        return 1

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        if teams != 2:
            return "teams", f"a match has 2 teams, got {teams}"
        return super().size_problem(settings, teams)


class Gauntlet(StageFormat):
    """A gauntlet: one team meets all others, which do not meet each other."""

    name = "gauntlet"
    title = "Gauntlet"
    keys = frozenset({"rounds", "against_all"})
    by_average = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or teams - 1

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        """Return all rounds: the head meets the others in their order, alternately at home and away."""
        planned = self.count_rounds(settings, teams)
        if len(entries) < 2:
            return [RoundDraw(())] * planned
        head = head or entries[0].team
        others = [entry.team for entry in entries if entry.team != head]
        pairings = [(team, head) if turn % 2 else (head, team) for turn, team in enumerate(others)]
        drawn = [RoundDraw(tuple(pairings))] if planned == 1 else [RoundDraw((pairing,)) for pairing in pairings]
        # If teams have left the event, fewer rounds than planned are needed; the remaining ones are empty.
        return drawn + [RoundDraw(())] * (planned - len(drawn))

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        return teams - 1 if settings.rounds == 1 else super().most_at_once(settings, teams)

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        rounds = settings.rounds
        if rounds not in (None, 1, teams - 1):
            return "rounds", f"a gauntlet of {teams} teams has {teams - 1}, or 1 with all its matches, got {rounds}"
        return super().size_problem(settings, teams)


class Duel(StageFormat):
    """A duel: two teams play many matches side by side, each with boards of its own."""

    name = "duel"
    title = "Duel"
    kind = ContestKind.DUEL

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        if len(entries) < 2:
            return [RoundDraw(())]
        first, second = (entry.team for entry in entries[:2])
        return [RoundDraw(((first, second),) * settings.matches)]

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        return settings.matches

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        if teams != 2:
            return "teams", f"a duel has 2 teams, got {teams}"
        return super().size_problem(settings, teams)


class Lobby(StageFormat):
    """A lobby: one round of matches that are not drawn but made by the players, as long as the lobby is open."""

    name = "lobby"
    title = "Lobby"
    is_lobby = True

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        return [RoundDraw(())]

    def size_problem(self, settings: StageSettings, teams: int) -> tuple[str, str] | None:
        return None
