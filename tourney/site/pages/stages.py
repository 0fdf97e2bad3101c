"""The stages of an event as the pages show them: rankings, brackets, and what is being played."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tourney.contest.draw import RoundInfo, StageInfo
from tourney.movement.ranking import FinishedMatch, format_rank
from tourney.output.content import Content, Linked, MatchLink, Toned
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import TextRow, TextTable
from tourney.results.standings import Standings
from tourney.scoring.match import ImpTotals
from tourney.scoring.victory_points import VpScale
from tourney.site.filters import format_total
from tourney.site.pages.tables import PartView, view_parts
from tourney.store.draw.objects import EventInfo
from tourney.views.ranking import folded_ties, format_move
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
    entries: tuple[BracketMatch | str | None, ...]
    """Matches, and teams that advance without one; None for each match that is to be drawn."""


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
    playing: Iterable[MatchSummary],
) -> tuple[RankingView, ...]:
    """Return the ranking of the event, then those of its stages, the newest first: readers look for it first.

    An event of one list has that alone, and below it the bracket of a knockout. While matches of a list are in play,
    it is ranked as it would be if they ended now.
    """
    standings = report.standings
    if not standings.rows:
        parts: list[PartView] = ["No game has been made yet."]
    elif not report.ranks_event:
        parts = ["These lists have not been compared with each other, and are ranked separately."]
    else:
        parts = _view_list(report, standings, scales, playing)
    title = "Ranking" if standings.fields and report.ranks_event else "Standings"
    views = [RankingView("standings", title, (), (("", parts),))]
    for stage in reversed(event.stages):
        own = [each for each in standings.lists if each.ranked_stage.number == stage.number]
        section, places = f"stage-{stage.number}", stage.format.bracket_places(stage)
        if own and places:
            views.append(RankingView(section, stage.name, _bracket(event, stage, own[0], lines, places), ()))
        elif own and standings.fields:
            lists = tuple((_list_name(field), _view_list(report, field, scales, playing)) for field in own)
            views.append(RankingView(section, stage.name, (), lists))
    return tuple(views)


def _view_list(
    report: StandingsReport, field: Standings, scales: Mapping[int, VpScale | None], in_play: Iterable[MatchSummary]
) -> list[PartView]:
    """Return the table of a list; once it is finished, with its ties."""
    ties = folded_ties(field) if field.is_over else None
    table = _with_play(report.table(field), field, scales, in_play)
    return list(view_parts([table, *([ties] if ties is not None else [])]))


def _with_play(
    table: TextTable, field: Standings, scales: Mapping[int, VpScale | None], in_play: Iterable[MatchSummary]
) -> TextTable:
    """Return the table of a list until it is over: as it would be if its matches in play ended now.

    It has the same columns from the first board to the last, so that nothing moves when a match begins or ends.
    """
    unit = field.ranking_scale
    if field.is_over or unit is None or field.scored is not None or field.ranks_by_average:
        return table
    now: dict[str, tuple[Content, int]] = {}
    for line in in_play:
        scale = scales.get(line.match.stage)
        if line.match.stage != field.ranked_stage.number or line.match.compared_scale is None or scale is None:
            continue
        figures = line.figures or ImpTotals(0, 0)
        for place, team in enumerate(line.match.teams):
            score = "\N{EN DASH}".join(map(format_total, (line.totals[place], line.totals[1 - place])))
            against = Toned(f"v {line.match.teams[1 - place]}", "muted")
            vp = line.match.board_scale.vp(figures[place], figures.margins[place], scale)
            now[team] = Linked((score, against), MatchLink(line.match.number)), int(vp)
    first, headings = table.name_place, enumerate(column.name for column in table.columns)
    kept = [place for place, name in headings if place >= first and not name.endswith(("for", "against", "Form"))]
    columns = [
        Cell(">#", worth=3, words="Rank, and places up or down", tone="rank"),
        *(replace(table.columns[place], worth=3 if place == first else 0) for place in kept),
        Cell("Now", worth=1, tone="live"),
        Cell(f">{unit.ranking_heading} now", worth=2, words="If the matches in play ended now", tone="ranked"),
    ]
    totals = {row.team: row.vp + now.get(row.team, (NOTHING, 0))[1] for row in field.rows}
    ranked, rows = list(totals.values()), []
    for row, cells in zip(field.rows, table.rows, strict=True):
        total, rank = totals[row.team], cells[:first]
        if now:
            place = 1 + sum(each > total for each in ranked)
            moved = format_move(row.rank - place) if field.matches_over else ""
            rank = format_rank(place, is_shared=ranked.count(total) > 1), moved
        said = now.get(row.team, (NOTHING, 0))[0]
        rows.append((total, (rank, *(cells[place] for place in kept), said, unit.format_vp(total))))
    if now:
        rows.sort(key=lambda each: -each[0])
    return TextTable(columns, [[TextRow(cells, "") for _, cells in rows]], table.caption, table.keys)


def _list_name(field: Standings) -> str:
    """Return the name of one of several rankings of a stage, `Group A`, `North-South`; empty for the only one."""
    name = field.title.removeprefix(field.ranked_stage.name).removeprefix(", ")
    return f"{name[:1].upper()}{name[1:]}"


def _bracket(
    event: EventInfo,
    stage: StageInfo,
    field: Standings,
    lines: Mapping[int, MatchSummary],
    places: Mapping[str, int],
) -> tuple[BracketRound, ...]:
    finished = {match.number: match for match in field.counted}
    rounds: list[BracketRound] = []
    for round_ in stage.rounds:
        number = round_.number
        named = describe_round(event, number)
        entries: tuple[BracketMatch | str | None, ...]
        if round_.is_drawn or not rounds:
            entries = _entries(round_, finished, lines, places)
        else:
            goes_on = (
                not (isinstance(each, BracketMatch) and each.line.match.is_third_place) for each in rounds[-1].entries
            )
            entries = (None,) * (sum(goes_on) // 2)
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
