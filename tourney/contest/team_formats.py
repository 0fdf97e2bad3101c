"""How teams meet in matches: round robins, Swiss, gauntlets, duels, and movements of all teams in one session."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

from tourney.contest.draw import EntryInfo, StageInfo
from tourney.contest.kind import MovementContest
from tourney.contest.plan import BoardSetPlan, KeyProblem, RoundDraw, StagePlan, StageSettings
from tourney.contest.record import StageRecord
from tourney.contest.teams import TeamContest
from tourney.errors import ConfigError
from tourney.movement.pairs.movement import MovementRow
from tourney.movement.pairs.several_teams import plan_several_teams
from tourney.movement.round_robin import plan_round_robin
from tourney.movement.seating import Room, SharedDeals, TableInfo
from tourney.movement.swiss import SwissRound, pair_swiss
from tourney.plurals import count
from tourney.scoring import BOARD_A_MATCH


class RoundRobin(TeamContest):
    """A round robin: all teams meet once, or twice with home and away exchanged; groups play side by side."""

    pairing = "round_robin"
    name = "round-robin"
    title = "Round robin"
    keys = TeamContest.keys | {"groups"}
    all_meet = True
    cycles: Literal[1, 2] = 1
    """How many times each pair of teams meets."""

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        largest = -(-teams // settings.groups)
        return len(plan_round_robin(largest, cycles=self.cycles)) if largest > 1 else 0

    def boards_each(self, settings: StageSettings, teams: int, late: Sequence[int]) -> Sequence[int]:
        sizes = {-(-teams // settings.groups), teams // settings.groups}
        return [settings.boards_per_match * (size - 1) * self.cycles for size in sorted(sizes)]

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        """Return all rounds, with the groups side by side; a smaller group has no match in the last rounds."""
        rounds = [RoundDraw(())] * self.count_rounds(settings, teams)
        for group in range(1, settings.groups + 1):
            members = [entry.team for entry in entries if entry.group == group]
            if len(members) < 2:
                continue  # the others have left the event
            for index, round_ in enumerate(plan_round_robin(len(members), cycles=self.cycles)):
                pairings = tuple((members[home - 1], members[away - 1]) for home, away in round_.pairings)
                byes = tuple(members[bye - 1] for bye in round_.byes)
                before = rounds[index]
                rounds[index] = RoundDraw(before.pairings + pairings, before.byes + byes)
        return rounds


class DoubleRoundRobin(RoundRobin):
    """A round robin in which all teams meet twice, with home and away exchanged."""

    name = "double-round-robin"
    cycles = 2


class Swiss(TeamContest):
    """A Swiss: in each round, teams that are close in the standings meet."""

    name = pairing = "swiss"
    title = "Swiss"
    keys = TeamContest.keys | {"rounds"}
    is_drawn_by_round = True
    takes_late_teams = True
    leaving = "no_more_rounds"

    def settings_of_new(self, entrants: int) -> Mapping[str, str | None]:
        """Return one round more than a knockout would have, where nobody meets another twice."""
        rounds = min((entrants - 1).bit_length() + 1, entrants - 1 + entrants % 2)
        return {**super().settings_of_new(entrants), "rounds": str(rounds)}

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or 0

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        rounds = range(1, self.count_rounds(settings, teams) + 1)
        return [(teams - sum(enters > number for enters in late)) // 2 for number in rounds]

    def boards_each(self, settings: StageSettings, teams: int, late: Sequence[int]) -> Sequence[int]:
        return [settings.boards_per_match * self.count_rounds(settings, teams)] if teams % 2 == 0 and not late else []

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        if len(entries) < 2:
            return [RoundDraw(())]
        first = pair_swiss([entry.team for entry in entries if entry.from_round == 1], ())
        return [RoundDraw(first.pairings, first.byes)]

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        most, rounds = teams - 1 + teams % 2, settings.rounds
        if rounds is None:
            return "rounds", f"{self.with_article} has to say how many it has"
        if rounds > most:
            twice = "meets another twice" if teams % 2 == 0 else "sits out or meets another twice"
            allowed = f"{teams} teams play at most {count(most, 'round')} before somebody {twice}"
            return "rounds", f"{allowed}, got {rounds}"
        return super().size_problem(settings, teams)

    def draw_next(self, plan: StagePlan, record: StageRecord, number: int) -> RoundDraw:
        """Draw a round of a Swiss from the standings before it."""
        history = []
        for earlier in record.stage.rounds[: number - 1]:
            pairings = tuple(match.teams for match in earlier.matches)
            playing = {*earlier.byes, *chain.from_iterable(pairings)}
            order = self._order_before(record, earlier.number_in_stage)
            history.append(SwissRound(tuple(team for team in order if team in playing), pairings, earlier.byes))
        present = {
            entry.team
            for entry in record.stage.entries
            if entry.from_round <= number and entry.team not in record.withdrawn
        }
        field = [team for team in self._order_before(record, number) if team in present]
        if len(field) < 2:
            return RoundDraw((), tuple(field))
        drawn = pair_swiss(field, history)
        return RoundDraw(drawn.pairings, drawn.byes)

    def _order_before(self, record: StageRecord, number: int) -> list[str]:
        """Return the teams as ranked before a round of the stage, best first."""
        if number == 1:
            return record.stage.teams
        last = record.stage.rounds[number - 2].number
        return [row.team for row in self.rank(record.field_of(1, last)).rows]


class Gauntlet(TeamContest):
    """A gauntlet: one team meets all others, which do not meet each other."""

    name = pairing = "gauntlet"
    title = "Gauntlet"
    keys = TeamContest.keys | {"rounds", "against_all"}
    by_average = True

    def measure(self, unit: str) -> str:
        return f"average {unit} per match"

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or teams - 1

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        """Return all rounds: the head meets the others in their order, alternately at home and away."""
        planned = self.count_rounds(settings, teams)
        if len(entries) < 2:
            return [RoundDraw(())] * planned
        head, *others = (entry.team for entry in entries)
        pairings = [(team, head) if turn % 2 else (head, team) for turn, team in enumerate(others)]
        drawn = [RoundDraw(tuple(pairings))] if planned == 1 else [RoundDraw((pairing,)) for pairing in pairings]
        # If teams have left the event, fewer rounds than planned are needed; the remaining ones are empty.
        return drawn + [RoundDraw(())] * (planned - len(drawn))

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        rounds = settings.rounds
        if rounds not in (None, 1, teams - 1):
            return "rounds", f"a gauntlet of {teams} teams has {teams - 1}, or 1 with all its matches, got {rounds}"
        return super().size_problem(settings, teams)


class Duel(TeamContest):
    """A duel: two teams play many matches side by side, each with boards of its own."""

    name = pairing = "duel"
    title = "Duel"
    keys = TeamContest.keys | {"matches", "sprt"}
    scorings = ("imps",)
    is_duel = True
    front = "duel"
    usual_processes = "team"  # its programs are the organiser's own
    usual_sandbox = "none"
    lacks = TeamContest.lacks | {"crosstable", "strength"}  # which its front page makes superfluous

    def describe_length(self, stage: StageInfo) -> str:
        return f"at most {count(sum(match.boards for match in stage.matches), 'board')}"

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        if len(entries) < 2:
            return [RoundDraw(())]
        first, second = (entry.team for entry in entries[:2])
        return [RoundDraw(((first, second),) * settings.matches)]

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        if teams != 2:
            return "teams", f"a duel has 2 teams, got {teams}"
        return super().size_problem(settings, teams)

    def board_set(self, plan: StagePlan, round_: int, match: int) -> BoardSetPlan:
        """Return a match's own set, dealt by turns from one pack: the boards of all depend on the seed alone."""
        pack = f"{plan.number}.{round_}"
        return BoardSetPlan(f"{pack}.{match}", pack, first=match, step=plan.settings.matches)


class SeveralTeams(MovementContest, TeamContest):
    """Matches of two teams in a movement of several: each team's first pair stays North-South, its second moves.

    The rooms of a match are two tables of the movement, usually in different rounds: the open room where the home
    team sits North-South, the closed room where the away team does. Boards are numbered through the stage.
    """

    pairing = "several_teams"
    all_meet = True
    keys = TeamContest.keys - {"boards_per_match", "segments", "seats"} | {"rounds", "boards_per_round"}
    tables_per_match = 1
    scorings = (BOARD_A_MATCH, "imps")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = self.noun = title

    def describe_deals(self, settings: StageSettings, shared: SharedDeals) -> str:
        return "in sets that go from table to table, each played by several matches in different rounds"

    def movement_rows(self, settings: StageSettings, teams: int) -> tuple[MovementRow, ...]:
        return plan_several_teams(self.name, teams, settings.rounds)

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or teams - 1

    def boards_each(self, settings: StageSettings, teams: int, late: Sequence[int]) -> Sequence[int]:
        return [settings.boards_per_match * self.count_rounds(settings, teams)]

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
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

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        for key, rounds in (("format", None), ("rounds", settings.rounds)):
            try:
                plan_several_teams(self.name, teams, rounds)
            except ConfigError as error:
                return key, str(error)
        return super().size_problem(settings, teams)

    def played_in(self, room: Room, round_: int, first_and_last: int) -> int:
        return round_ if room is Room.CLOSED else first_and_last - round_

    def seat(self, plan: StagePlan, home: str, away: str) -> tuple[TableInfo, ...]:
        return tuple(
            TableInfo(room, north_south, east_west, ew_pair=2, boards=plan.settings.boards_per_match)
            for room, north_south, east_west in ((Room.OPEN, home, away), (Room.CLOSED, away, home))
        )

    def sets(self, plan: StagePlan) -> list[int]:
        """Return the numbers of the sets in play; with fewer rounds some may be left out."""
        rows = self.movement_rows(plan.settings, plan.size)
        return sorted({row.board_set for row in rows if row.board_set is not None})
