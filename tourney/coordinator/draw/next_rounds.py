"""Rounds that hang on results: drawn when all before them are over, from the record alone.

What is drawn here can be drawn again from the same record, and comes out the same. So a round of which no board has
been begun is drawn anew when a ruling has changed what it hangs on.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.coordinator.draw.planning import StagePlanner
from tourney.event.file import EventFile
from tourney.movement.carry_over import CarryOver, ImpHundredths, carry_match, carry_vp
from tourney.movement.formats import KnockoutFormat, PlannedEntry, RoundDraw, deal_entries
from tourney.movement.groups import seed_from_groups
from tourney.movement.round_robin import Pairing
from tourney.movement.swiss import SwissRound, pair_swiss
from tourney.protocol.session.records import RulingKind
from tourney.results.knockouts import knockout_places, winners_of
from tourney.results.standings import Standings, finished_match, rank_event
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.board_sets import is_round_begun
from tourney.store.draw.draws import drop_rounds, save_next_rounds
from tourney.store.draw.objects import EventInfo, RoundInfo, StageInfo, StoredMatchScore
from tourney.store.draw.plans import PlannedRound
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings.rulings import load_rulings


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the record makes of a round: with it come the later rounds of a stage that hang on no result of it."""

    stage: StageInfo
    entries: tuple[PlannedEntry, ...]
    """Who comes to the stage, when the round is its first; else none."""
    rounds: tuple[tuple[RoundInfo, PlannedRound], ...]


def draw_next(event_file: EventFile, database: Database, event: EventInfo, now_ms: int) -> list[int]:
    """Draw the next rounds, when every match so far has its score; the numbers of those that were drawn.

    Raises:
        StoreError: the database cannot be used.
    """
    undrawn = next((round_ for round_ in event.all_rounds if not round_.is_drawn), None)
    if undrawn is None:
        return []
    scores = load_match_scores(database, event.id)
    if any(match.number not in scores for match in event.matches):
        return []
    plan = _Drawer(event_file, database, event, scores).plan(undrawn)
    save_next_rounds(database, event, plan.stage, plan.entries, plan.rounds, now_ms)
    return [round_.number for round_, _ in plan.rounds]


def draw_again(event_file: EventFile, database: Database, event: EventInfo, round_: RoundInfo, now_ms: int) -> bool:
    """Draw a round anew of which no board has been begun, when the record makes another of it now.

    Raises:
        StoreError: the database cannot be used.
    """
    stage = event.stages[round_.stage - 1]
    if not _hangs_on_results(stage, round_) or is_round_begun(database, round_.id):
        return False
    scores = load_match_scores(database, event.id)
    if any(match.number not in scores for match in event.matches if match.round < round_.number):
        return False
    plan = _Drawer(event_file, database, event, scores).plan(round_)
    if _is_as_stored(event, plan):
        return False
    if not drop_rounds(database, stage, [stored for stored, _ in plan.rounds]):
        return False
    save_next_rounds(database, event, stage, plan.entries, plan.rounds, now_ms)
    return True


def may_change(database: Database, event: EventInfo, round_: RoundInfo) -> bool:
    """Whether a drawn round may still be drawn anew: it hangs on results, and no board of its draw has been begun.

    Raises:
        StoreError: the database cannot be used.
    """
    stage = event.stages[round_.stage - 1]
    drawn = round_ if stage.format.is_drawn_by_round else stage.rounds[0]
    return _hangs_on_results(stage, drawn) and not is_round_begun(database, drawn.id)


def _hangs_on_results(stage: StageInfo, round_: RoundInfo) -> bool:
    if round_.number_in_stage == 1:
        return stage.number > 1
    return stage.format.is_drawn_by_round


def _is_as_stored(event: EventInfo, plan: _Plan) -> bool:
    numbers = {team.name: team.number for team in event.teams}
    for stored, planned in plan.rounds:
        matches = [(numbers[m.home], numbers[m.away], m.carry_home, m.carry_away) for m in stored.matches]
        if matches != [(m.home, m.away, m.carry_home, m.carry_away) for m in planned.matches]:
            return False
        if sorted(numbers[team] for team in stored.byes) != sorted(planned.byes):
            return False
    entries = tuple(
        PlannedEntry(numbers[e.team], e.group, e.rank, e.from_round, e.carry_vp) for e in plan.stage.entries
    )
    return not plan.entries or entries == plan.entries


class _Drawer:
    """Draws rounds of one event from its record."""

    def __init__(
        self, event_file: EventFile, database: Database, event: EventInfo, scores: Mapping[int, StoredMatchScore]
    ) -> None:
        self._file = event_file
        self._database = database
        self._event = event
        self._scores = scores
        self._numbers = {team.name: team.number for team in event.teams}
        rulings = [ruling for ruling in load_rulings(database, event.id) if ruling.is_live]
        self._withdrawn = {ruling.team for ruling in rulings if ruling.kind is RulingKind.WITHDRAWAL}
        self._finished = {
            match.number: finished_match(
                match, scores[match.number], [ruling for ruling in rulings if ruling.match == match.number]
            )
            for match in event.matches
            if match.number in scores
        }

    def plan(self, round_: RoundInfo) -> _Plan:
        """What the record of the rounds before makes of a round."""
        stage = self._event.stages[round_.stage - 1]
        planner = StagePlanner(self._file.config, stage.number)
        if round_.number_in_stage == 1:
            entries = deal_entries(self._qualified(stage, planner), planner.stage.groups)
            drawn = planner.draw_first(entries)
        elif not isinstance(stage.format, KnockoutFormat):
            entries = ()
            drawn = [self._pair_swiss(stage, round_)]
        else:
            teams = [self._numbers[entry.team] for entry in stage.entries]
            earlier = stage.rounds[: round_.number_in_stage - 1]
            winners = [
                winners_of(stage, each, self._finished, as_drawn=each is not earlier[-1]) or [] for each in earlier
            ]
            entries = ()
            won = [[self._numbers[team] for team in each] for each in winners]
            drawn = [stage.format.draw_round(planner.stage, planner.teams, teams, won)]
        carried = self._carried(stage, planner, entries, drawn)
        rounds = stage.rounds[round_.number_in_stage - 1 :]
        planned = (
            (stored, planner.make_round(stored.number_in_stage, made, carried))
            for stored, made in zip(rounds, drawn, strict=False)
        )
        return _Plan(stage, entries, tuple(planned))

    # Who comes to a stage

    def _qualified(self, stage: StageInfo, planner: StagePlanner) -> tuple[PlannedEntry, ...]:
        """Those who go on from the stage before, in the order of their seeds."""
        before = self._event.stages[stage.number - 2]
        rules = planner.stage.carry_over.rules if planner.stage.carry_over is not None else None
        if before.format.is_knockout:
            left = knockout_places(before, before.rounds, self._finished)[0]
            ranks = {entry.team: entry.rank for entry in before.entries}
            return tuple(
                PlannedEntry(self._numbers[team], rank=ranks[team]) for team in left if team not in self._withdrawn
            )
        fields = self._fields(before)
        rows = {row.team: row for field in fields for row in field.rows}
        rankings = [
            [self._numbers[row.team] for row in field.rows if row.team not in self._withdrawn] for field in fields
        ]
        count = self._file.config.stage[stage.number - 1].teams or sum(map(len, rankings))
        if count % len(rankings):
            count += len(rankings) - count % len(rankings)  # all of groups that differ in size
        teams = {number: name for name, number in self._numbers.items()}
        entries = []
        for number in seed_from_groups(rankings, count):
            row = rows[teams[number]]
            brings_vp = rules is not None and not stage.format.is_knockout
            vp = carry_vp(rules, row.vp, row.rank) if rules is not None and brings_vp else 0
            entries.append(PlannedEntry(number, rank=row.rank, carry_vp=VpHundredths(vp)))
        return tuple(entries)

    def _fields(self, stage: StageInfo) -> list[Standings]:
        """The groups of a stage that is over, as they are ranked."""
        last = stage.rounds[-1].number
        table = rank_event(self._database, self._event, self._scores, self._file.ranking_rules, last)
        return [field for field in table.fields or (table,) if field.stage is not None and field.stage.id == stage.id]

    # Swiss

    def _pair_swiss(self, stage: StageInfo, round_: RoundInfo) -> RoundDraw:
        history = []
        for earlier in stage.rounds[: round_.number_in_stage - 1]:
            pairings = tuple((self._numbers[match.home], self._numbers[match.away]) for match in earlier.matches)
            bye = self._numbers[earlier.byes[0]] if earlier.byes else None
            playing = {team for pair in pairings for team in pair} | ({bye} if bye is not None else set())
            order = tuple(team for team in self._order(stage, earlier) if team in playing)
            history.append(SwissRound(order, pairings, bye))
        present = {
            self._numbers[entry.team]
            for entry in stage.entries
            if entry.from_round <= round_.number_in_stage and entry.team not in self._withdrawn
        }
        field = [team for team in self._order(stage, round_) if team in present]
        if len(field) < 2:
            return RoundDraw((), tuple(field))
        drawn = pair_swiss(field, history)
        return RoundDraw(drawn.pairings, () if drawn.bye is None else (drawn.bye,))

    def _order(self, stage: StageInfo, round_: RoundInfo) -> list[int]:
        """The teams of a Swiss, best first, as they stood before a round."""
        if round_.number_in_stage == 1:
            return [self._numbers[entry.team] for entry in stage.entries]
        last = round_.number - 1
        table = rank_event(self._database, self._event, self._scores, self._file.ranking_rules, last)
        (field,) = (f for f in table.fields or (table,) if f.stage is not None and f.stage.id == stage.id)
        return [self._numbers[row.team] for row in field.rows]

    # What is brought along into matches

    def _carried(
        self, stage: StageInfo, planner: StagePlanner, entries: tuple[PlannedEntry, ...], drawn: list[RoundDraw]
    ) -> dict[Pairing, tuple[ImpHundredths, ImpHundredths]]:
        config = planner.stage.carry_over
        if config is None or not stage.format.is_knockout:
            return {}
        if entries:
            order = {entry.team: (entry.rank, seed) for seed, entry in enumerate(entries, 1)}
        else:
            order = {self._numbers[entry.team]: (entry.rank, entry.seed) for entry in stage.entries}
        source = next(
            each for each in reversed(self._event.stages[: stage.number - 1]) if not each.format.is_knockout
        )
        return {
            pairing: self._carry(config.rules, source, pairing, order)
            for round_ in drawn
            for pairing in round_.pairings
        }

    def _carry(
        self, rules: CarryOver, source: StageInfo, pairing: Pairing, order: Mapping[int, tuple[int, int]]
    ) -> tuple[ImpHundredths, ImpHundredths]:
        """Of the home team and the away team, from their matches in the stage that ranked them."""
        higher, lower = sorted(pairing, key=order.__getitem__)
        margin = 0
        for match in source.matches:
            teams = self._numbers[match.home], self._numbers[match.away]
            if set(teams) == set(pairing):
                made = self._finished[match.number]
                margin += (made.imps_home - made.imps_away) * (1 if teams[0] == higher else -1)
        of_higher, of_lower = carry_match(rules, margin, order[higher][0], order[lower][0])
        return (of_higher, of_lower) if pairing[0] == higher else (of_lower, of_higher)
