"""The stages of an event as the pages show them: rankings, brackets, and what is being played."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tourney.contest.draw import RoundInfo, StageInfo
from tourney.movement.ranking import FinishedMatch
from tourney.output.content import Content, Linked, MatchLink, Toned
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import TextRow, TextTable
from tourney.results.standings import Standings
from tourney.scoring.match import ImpTotals
from tourney.scoring.victory_points import VpScale
from tourney.site.filters import format_total
from tourney.site.pages.tables import PartView, view_parts
from tourney.site.public import PublicTable
from tourney.store.draw.objects import EventInfo
from tourney.views.ranking import folded_ties
from tourney.views.rounds import MatchSummary
from tourney.views.schedule import describe_round
from tourney.views.standings import StandingsReport


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
class RankingView:
    """A section with a ranking: that of the event, or of a stage with those of its groups."""

    id: str
    """Where links to it lead on the page."""
    title: str
    bracket: tuple[BracketRound, ...]
    """The rounds of a knockout, which has no ranking here; empty for others."""
    lists: tuple[tuple[str, list[PartView]], ...]
    """The name of each list, empty if there is but one, with what it has."""


def view_rankings(
    report: StandingsReport,
    event: EventInfo,
    lines: Mapping[int, MatchSummary],
    scales: Mapping[int, VpScale | None],
    playing: Iterable["PlayingMatch"],
) -> tuple[RankingView, ...]:
    """Return the ranking of the event, then those of its stages, the newest first: readers look for it first.

    An event of one list has that alone, and below it the bracket of a knockout. While matches of a list are in play,
    it is in the order in which it would be if they ended now.
    """
    in_play = [match.line for match in playing]
    standings = report.standings
    of_stage: defaultdict[int, list[Standings]] = defaultdict(list)
    for field in fields_of(standings):
        of_stage[_stage(field).number].append(field)
    if not standings.rows:
        parts: list[PartView] = ["No game has been made yet."]
    elif not report.ranks_event:
        parts = ["These lists have not been compared with each other, and are ranked separately."]
    else:
        parts = _view_list(report, standings, scales, in_play)
    title = "Ranking" if standings.fields and report.ranks_event else "Standings"
    views = [RankingView("standings", title, (), (("", parts),))]
    for stage in reversed(event.stages):
        own, section = of_stage[stage.number], f"stage-{stage.number}"
        places = stage.format.bracket_places(stage)
        if own and places:
            views.append(RankingView(section, stage.name, _bracket(event, stage, own[0], lines, places), ()))
        elif own and standings.fields:
            lists = tuple((_list_name(field), _view_list(report, field, scales, in_play)) for field in own)
            views.append(RankingView(section, stage.name, (), lists))
    return tuple(views)


def _view_list(
    report: StandingsReport, field: Standings, scales: Mapping[int, VpScale | None], in_play: Iterable[MatchSummary]
) -> list[PartView]:
    """Return the table of a list, with its ties once there is a score."""
    ties = folded_ties(field) if field.matches_over else None
    table = _with_play(report.table(field), field, scales, in_play)
    return list(view_parts([table, *([ties] if ties is not None else [])]))


def _with_play(
    table: TextTable, field: Standings, scales: Mapping[int, VpScale | None], in_play: Iterable[MatchSummary]
) -> TextTable:
    """Return the table of a list with its matches in play, as if they ended now; as it is where that says nothing."""
    unit = field.ranking_scale
    if field.stage is None or unit is None or field.scored is not None or field.ranks_by_average:
        return table
    now: dict[str, tuple[Content, int]] = {}
    for line in in_play:
        scale = scales.get(line.match.stage)
        if line.match.stage != field.stage.number or line.match.compared_scale is None or scale is None:
            continue
        figures = line.figures or ImpTotals(0, 0)
        for place, team in enumerate(line.match.teams):
            score = "\N{EN DASH}".join(map(format_total, (line.totals[place], line.totals[1 - place])))
            against = Toned(f"v {line.match.teams[1 - place]}", "muted")
            vp = line.match.board_scale.vp(figures[place], figures.margins[place], scale)
            now[team] = Linked((score, against), MatchLink(line.match.number)), int(vp)
    if not now:
        return table
    # These make room for those of matches in play.
    out = "for", "against", "Form"
    kept = [place for place, column in enumerate(table.columns) if not column.name.endswith(out)]
    columns = [table.columns[place] for place in kept]
    columns += [Cell("Now", tone="now-score"), Cell(f">{unit.ranking_heading} now", worth=2, tone="ranked")]
    rows = []
    for row, cells in zip(field.rows, table.rows, strict=True):
        said, won_vp = now.get(row.team, (NOTHING, 0))
        rows.append((row.vp + won_vp, (*(cells[place] for place in kept), said, unit.format_vp(row.vp + won_vp))))
    rows.sort(key=lambda each: -each[0])
    caption = f"{table.caption}; in the order in which they would be if the matches in play ended now"
    return TextTable(columns, [[TextRow(cells, "") for _, cells in rows]], caption, table.keys)


def _list_name(field: Standings) -> str:
    """Return the name of one of several rankings of a stage, `Group A`, `North-South`; empty for the only one."""
    name = field.title.removeprefix(_stage(field).name).removeprefix(", ")
    return f"{name[:1].upper()}{name[1:]}"


def fields_of(standings: Standings) -> tuple[Standings, ...]:
    """Returns the standings of each stage and group that is drawn; for an event with only one, the event's own."""
    return standings.fields or ((standings,) if standings.stage is not None else ())


def _stage(field: Standings) -> StageInfo:
    assert field.stage is not None
    return field.stage


def _bracket(
    event: EventInfo,
    stage: StageInfo,
    field: Standings,
    lines: Mapping[int, MatchSummary],
    places: Mapping[str, int],
) -> tuple[BracketRound, ...]:
    finished = {match.number: match for match in field.counted}
    rounds = []
    for round_ in stage.rounds:
        number = round_.number
        named = describe_round(event, number)
        entries = _entries(round_, finished, lines, places)
        title = f"Round {number}{named.removeprefix(f'Round {number}, {stage.name}')}"
        rounds.append(BracketRound(number, title, round_.is_drawn, entries))
    return tuple(rounds)


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
class PlayingMatch:
    """A match that is being played."""

    line: MatchSummary
    tables: tuple[PublicTable, ...]


def view_playing(matches: Iterable[MatchSummary], tables: Sequence[PublicTable]) -> tuple[PlayingMatch, ...]:
    """Returns the matches that are being played, with the tables of each that have begun."""
    at: defaultdict[int, list[PublicTable]] = defaultdict(list)
    for table in tables:
        at[table.match.number].append(table)
    return tuple(
        PlayingMatch(line, tuple(table for table in at[line.match.number] if table.is_playing or table.finished))
        for line in matches
        if not line.is_over and any(table.is_playing for table in at[line.match.number])
    )
