"""An event of stages as the pages show it: rankings of groups, knockouts, and where each team has been."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tourney.contest.knockout import margin, winner_of, winners_of
from tourney.movement.knockout import bracket_size, knockout_round
from tourney.movement.ranking import FinishedMatch, StandingRow
from tourney.report.schedule import describe_round
from tourney.results.standings import Standings
from tourney.scoring.victory_points import VpHundredths
from tourney.site.views.match import MatchSummary
from tourney.store.draw.objects import EntryInfo, EventInfo, RoundInfo, StageInfo


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a knockout."""

    line: MatchSummary
    winner: str | None
    """Who advances, or has won; None before it has finished."""
    says_winner: bool
    """Whether the page has to say who won as the IMPs do not show it: after a forfeit, or when they are level."""


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knockout, from the top of the bracket to its foot, a match for third place at the end."""

    number: int
    title: str
    """`Round 4: semi-finals`, the stage being named above it."""
    is_drawn: bool
    entries: tuple[BracketMatch | str, ...]
    """Matches, and teams that advance without one."""


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage on the front page."""

    stage: StageInfo
    fields: tuple[Standings, ...]
    """The ranking of each group; none of a knockout."""
    bracket: tuple[BracketRound, ...]
    """The rounds of a knockout."""


def view_stages(event: EventInfo, standings: Standings, lines: Iterable[MatchSummary]) -> tuple[StageView, ...]:
    """The stages whose teams are known, in the order in which they are played."""
    by_number = {line.match.number: line for line in lines}
    fields: defaultdict[int, list[Standings]] = defaultdict(list)
    for field in fields_of(standings):
        assert field.stage is not None
        fields[field.stage.number].append(field)
    views = []
    for stage in event.stages:
        own = fields[stage.number]
        if own and stage.format.is_knockout:
            views.append(StageView(stage, (), _bracket(event, stage, own[0], by_number)))
        elif own:
            views.append(StageView(stage, tuple(own), ()))
    return tuple(views)


def fields_of(standings: Standings) -> tuple[Standings, ...]:
    """The standings of each stage and group; of an event with only one, its own."""
    return standings.fields or (standings,)


def carried_vp(field: Standings) -> dict[str, VpHundredths]:
    """What teams of a field have carried over from the stage before; empty when nobody has."""
    return {entry.team: entry.carry_vp for entry in _stage(field).entries if entry.carry_vp}


def carried_by_team(standings: Standings) -> list[dict[str, VpHundredths]]:
    """The same for each field that has a cross-table."""
    return [carried_vp(field) for field in fields_of(standings) if not field.is_knockout]


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
        entries = _entries(stage, round_, finished, lines, places)
        title = f"Round {number}{named.removeprefix(f'Round {number}, {stage.name}')}"
        rounds.append(BracketRound(number, title, round_.is_drawn, entries))
    return tuple(rounds)


def _places(stage: StageInfo) -> dict[str, int]:
    """How far down in the bracket each team starts: two that meet in the first round are level."""
    teams = [entry.team for entry in stage.entries]
    if len(teams) < 2:
        return dict.fromkeys(teams, 0)
    size = bracket_size(len(teams))
    pairings = knockout_round(range(1, size + 1), size, ()).pairings
    depth = {seed: place for place, pair in enumerate(pairings) for seed in pair}
    return {team: depth[seed] for seed, team in enumerate(teams, 1)}


def _entries(
    stage: StageInfo,
    round_: RoundInfo,
    finished: Mapping[int, FinishedMatch],
    lines: Mapping[int, MatchSummary],
    places: Mapping[str, int],
) -> tuple[BracketMatch | str, ...]:
    winners = _winners(stage, round_, finished)
    placed: list[tuple[int, BracketMatch | str]] = [(places[team], team) for team in round_.byes]
    for match in round_.matches:
        winner = winners.get(match.number)
        says_winner = False
        if winner is not None:
            made = margin(finished[match.number])
            says_winner = made <= 0 if winner == match.home else made >= 0
        place = len(places) if match.is_third_place else places[match.home]
        placed.append((place, BracketMatch(lines[match.number], winner, says_winner)))
    return tuple(entry for _, entry in sorted(placed, key=lambda pair: pair[0]))


def _winners(stage: StageInfo, round_: RoundInfo, finished: Mapping[int, FinishedMatch]) -> dict[int, str]:
    """The winners of the matches that have finished, by their numbers."""
    together = winners_of(stage, round_, finished)
    if together is not None:
        return {match.number: team for match, team in zip(round_.matches, together, strict=True)}
    over = [match for match in round_.matches if match.number in finished]
    return {match.number: winner_of(stage, match, finished[match.number]) for match in over}


@dataclass(frozen=True, slots=True)
class TeamStage:
    """What a team has done in one stage."""

    field: Standings
    row: StandingRow
    entry: EntryInfo
    lines: tuple[MatchSummary, ...]
    byes: tuple[int, ...]
    """The numbers of the rounds in which it sits out."""


def view_team(standings: Standings, team: str, lines: Sequence[MatchSummary]) -> tuple[TeamStage, ...]:
    """The stages that a team is in, in the order in which they are played."""
    stages = []
    for field in fields_of(standings):
        stage = _stage(field)
        row = next((row for row in field.rows if row.team == team), None)
        if row is not None:
            own = (line for line in lines if line.match.stage == stage.number and line.is_of(team))
            entry = next(entry for entry in stage.entries if entry.team == team)
            byes = tuple(round_.number for round_ in stage.rounds if team in round_.byes)
            stages.append(TeamStage(field, row, entry, tuple(own), byes))
    return tuple(stages)
