"""Rounds that depend on results: drawn from the record alone once all earlier rounds have finished.

Drawing again from the same record gives the same round. So a round of which no board has begun is redrawn when a
ruling has changed what it depends on.
"""

from dataclasses import dataclass

from tourney.contest import contest_of
from tourney.contest.plan import PlannedRound
from tourney.coordinator.draw.planning import StagePlanner
from tourney.event.file import EventFile
from tourney.movement.formats import PlannedEntry
from tourney.results.load import EventResults, load_results
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, StageInfo
from tourney.store.draw.reader import is_round_begun
from tourney.store.draw.writer import drop_rounds, save_next_rounds


@dataclass(frozen=True, slots=True)
class _Plan:
    """A round drawn from the record, with the later rounds of its stage that depend on none of its results."""

    stage: StageInfo
    entries: tuple[PlannedEntry, ...]
    """The entries of the stage if the round is its first; otherwise empty."""
    rounds: tuple[tuple[RoundInfo, PlannedRound], ...]


def draw_next(event_file: EventFile, database: Database, event: EventInfo, now_ms: int) -> list[int]:
    """Draw the next rounds if every match so far has its score; return the numbers of those drawn.

    Raises:
        StoreError: the database cannot be used.
    """
    undrawn = next((round_ for round_ in event.all_rounds if not round_.is_drawn), None)
    if undrawn is None:
        return []
    results = load_results(database, event.seen_whole(), event_file.ranking_rules)
    if any(match.number not in results.scores for match in event.matches):
        return []
    plan = _plan_round(event_file, results, undrawn)
    save_next_rounds(database, event, plan.stage, plan.entries, plan.rounds, now_ms)
    return [round_.number for round_, _ in plan.rounds]


def draw_again(event_file: EventFile, database: Database, event: EventInfo, round_: RoundInfo, now_ms: int) -> bool:
    """Redraw a round of which no board has begun, if the record now gives a different one; return whether it did.

    Raises:
        StoreError: the database cannot be used.
    """
    stage = event.stages[round_.stage - 1]
    if not _depends_on_results(stage, round_) or has_begun(database, stage, round_):
        return False
    results = load_results(database, event.seen_whole(), event_file.ranking_rules)
    if any(match.number not in results.scores for match in event.matches if match.round < round_.number):
        return False
    plan = _plan_round(event_file, results, round_)
    if _is_as_stored(event, plan):
        return False
    if not drop_rounds(database, stage, [stored for stored, _ in plan.rounds]):
        return False
    save_next_rounds(database, event, stage, plan.entries, plan.rounds, now_ms)
    return True


def may_change(database: Database, event: EventInfo, round_: RoundInfo) -> bool:
    """Return whether a drawn round may still be redrawn: it depends on results, and none of its boards has begun.

    Raises:
        StoreError: the database cannot be used.
    """
    stage = event.stages[round_.stage - 1]
    drawn = round_ if stage.format.is_drawn_by_round else stage.rounds[0]
    return _depends_on_results(stage, drawn) and not has_begun(database, stage, drawn)


def rounds_drawn_from(event: EventInfo, match: MatchInfo) -> list[RoundInfo]:
    """Return the later rounds that have been drawn from the result of a match, among others."""
    return [
        round_
        for stage in event.stages
        for round_ in stage.rounds
        if round_.number > match.round and round_.is_drawn and _depends_on_results(stage, round_)
    ]


def has_begun(database: Database, stage: StageInfo, round_: RoundInfo) -> bool:
    """Return whether anything of a round has begun; its matches may belong to a later one.

    Raises:
        StoreError: the database cannot be used.
    """
    rounds = stage.rounds if stage.format.plays_halves_apart else (round_,)
    return any(is_round_begun(database, each.id) for each in rounds)


def _depends_on_results(stage: StageInfo, round_: RoundInfo) -> bool:
    return stage.number > 1 if round_.number_in_stage == 1 else stage.format.is_drawn_by_round


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


def _plan_round(event_file: EventFile, results: EventResults, round_: RoundInfo) -> _Plan:
    """Draw a round from the record of the earlier rounds."""
    event = results.event
    stage = event.stages[round_.stage - 1]
    planner = StagePlanner(event_file.config, stage.number)
    contest, plan = planner.contest, planner.plan
    entries: tuple[PlannedEntry, ...] = ()
    if round_.number_in_stage == 1:
        before = event.stages[stage.number - 2]
        entries = contest.enter(plan, contest_of(before.format).qualify(results.of_stage(before), plan.goes_on))
        drawn = contest.draw_first(plan, entries)
    else:
        drawn = [contest.draw_next(plan, results.of_stage(stage), round_.number_in_stage)]
    ranked = [each for each in event.stages[: stage.number - 1] if not each.format.is_knockout]
    source = results.of_stage(ranked[-1]) if ranked else None
    carried = contest.carry_into_matches(plan, entries or stage.entries, drawn, source)
    rounds = stage.rounds[round_.number_in_stage - 1 :]
    planned = planner.plan_rounds(drawn, round_.number_in_stage, carried)
    return _Plan(stage, entries, tuple(zip(rounds, planned, strict=False)))
