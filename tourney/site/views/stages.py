"""The stages of an event as the pages show them: rankings of groups, knockout brackets, and each team's course."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.movement.knockout import bracket_size, knockout_round
from tourney.movement.ranking import FinishedMatch, StandingRow
from tourney.report.rounds import MatchSummary
from tourney.report.schedule import describe_round
from tourney.results.standings import Standings
from tourney.scoring.victory_points import VpHundredths
from tourney.site.filters import NOTHING
from tourney.site.views.pairs import PairsViews
from tourney.store.draw.objects import EventInfo, RoundInfo, StageInfo


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a knockout."""

    line: MatchSummary
    winner: str | None
    """The team that advances, or has won; None until the match has finished."""


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knockout, from the top of the bracket to the bottom; a match for third place comes last."""

    number: int
    title: str
    """`Round 4: semi-finals`; the stage is named above it."""
    is_drawn: bool
    entries: tuple[BracketMatch | str, ...]
    """Matches, and teams that advance without one."""


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage on the front page."""

    stage: StageInfo
    fields: tuple[Standings, ...]
    """The ranking of each group; empty for a knockout."""
    bracket: tuple[BracketRound, ...]
    """The rounds of a knockout; empty for other formats."""


def view_stages(event: EventInfo, standings: Standings, lines: Iterable[MatchSummary]) -> tuple[StageView, ...]:
    """Returns the stages whose teams are known, in the order of play."""
    by_number = {line.match.number: line for line in lines}
    fields: defaultdict[int, list[Standings]] = defaultdict(list)
    for field in fields_of(standings):
        fields[_stage(field).number].append(field)
    views = []
    for stage in event.stages:
        own = fields[stage.number]
        if own and stage.format.is_knockout:
            views.append(StageView(stage, (), _bracket(event, stage, own[0], by_number)))
        elif own:
            views.append(StageView(stage, tuple(own), ()))
    return tuple(views)


def fields_of(standings: Standings) -> tuple[Standings, ...]:
    """Returns the standings of each stage and group that is drawn; for an event with only one, the event's own."""
    return standings.fields or ((standings,) if standings.stage is not None else ())


def carried_vp(field: Standings) -> dict[str, VpHundredths]:
    """Returns what teams of a field have carried over from the previous stage; empty if nobody has."""
    return {entry.team: entry.carry_vp for entry in _stage(field).entries if entry.carry_vp}


def _stage(field: Standings) -> StageInfo:
    assert field.stage is not None
    return field.stage


def _bracket(
    event: EventInfo, stage: StageInfo, field: Standings, lines: Mapping[int, MatchSummary]
) -> tuple[BracketRound, ...]:
    finished = {match.number: match for match in field.counted}
    places = _places(stage)
    rounds = []
    for round_ in stage.rounds:
        number = round_.number
        named = describe_round(event, number)
        entries = _entries(round_, finished, lines, places)
        title = f"Round {number}{named.removeprefix(f'Round {number}, {stage.name}')}"
        rounds.append(BracketRound(number, title, round_.is_drawn, entries))
    return tuple(rounds)


def _places(stage: StageInfo) -> dict[str, int]:
    """Returns each team's starting position in the bracket; two teams that meet in the first round share one."""
    teams = [entry.team for entry in stage.entries]
    if len(teams) < 2:
        return dict.fromkeys(teams, 0)
    size = bracket_size(len(teams))
    pairings = knockout_round(range(1, size + 1), size, ()).pairings
    depth = {seed: place for place, pair in enumerate(pairings) for seed in pair}
    return {team: depth[seed] for seed, team in enumerate(teams, 1)}


def _entries(
    round_: RoundInfo,
    finished: Mapping[int, FinishedMatch],
    lines: Mapping[int, MatchSummary],
    places: Mapping[str, int],
) -> tuple[BracketMatch | str, ...]:
    placed: list[tuple[int, BracketMatch | str]] = [(places[team], team) for team in round_.byes]
    for match in round_.matches:
        winner = finished[match.number].winner if match.number in finished else None
        place = len(places) if match.is_third_place else places[match.home]
        placed.append((place, BracketMatch(lines[match.number], winner)))
    return tuple(entry for _, entry in sorted(placed, key=lambda pair: pair[0]))


@dataclass(frozen=True, slots=True)
class StageReached:
    """The last stage of a team in an event of several, and what it has there."""

    stage: str
    result: str
    """What it is ranked by: `30.86 VP`, `53.33 %`; a dash in a knockout, which goes by matches."""


def view_reached(standings: Standings, team: str, pairs: PairsViews) -> StageReached | None:
    """Returns the last stage that a team has reached; None before its first is drawn."""
    for field in reversed(standings.fields):
        row = next((row for row in field.rows if row.team == team), None)
        if row is not None:
            return StageReached(_stage(field).name, _format_result(field, row, pairs))
    return None


def _format_result(field: Standings, row: StandingRow, pairs: PairsViews) -> str:
    stage = _stage(field)
    if not field.is_ranked:
        return NOTHING
    if field.is_knockout:
        return f"place {field.format_rank(row)}".replace("-", "\N{EN DASH}")
    if not field.ranks_by_boards:
        return f"{stage.board_scale.format_vp(row.vp)} {stage.board_scale.ranked_unit}"
    scores = pairs.scores(stage.number)
    if scores is None or row.pairs is None or row.pairs.result is None:
        return NOTHING
    return f"{scores.level(row.pairs.result)} {scores.level_heading}"
