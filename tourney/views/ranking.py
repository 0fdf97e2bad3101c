"""The ranking of a list of teams, pairs or players as people see it.

What ranks a list has its words and formats in the scale of its boards; in a knockout, and in an event of several
lists, it is places alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from tourney.contest import ROUND_ROBIN
from tourney.contest.draw import StageInfo
from tourney.contest.record import Ruling
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES, FinishedMatch, StandingRow
from tourney.movement.tie_breaks import TieBreakResult, TieStep
from tourney.output.content import Content, EntrantLink, Folded, Linked, MatchLink, PageLink, Toned
from tourney.output.rows import LEFT, NOTHING, Cell
from tourney.output.tables import TextTable, make_table
from tourney.plurals import count
from tourney.results.load import NO_CHANGE, ResultsChange, load_results
from tourney.results.standings import Standings, rank_event
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import format_vp
from tourney.views.pair_figures import pairs_unit, ranking_columns

FORM_MATCHES: Final = 5
"""How many of the latest matches of a team its form has."""


def ranked_figure(standings: Standings, row: StandingRow) -> str:
    """Format what a row ranks by; a dash before a board of a pair counts, empty if it is its place alone."""
    scale = standings.ranking_scale
    if scale is None:
        return ""
    return scale.format_vp(row.vp) if row.counts else NOTHING


def ranking_table(
    standings: Standings,
    before: Standings | None,
    matchpoints: MatchpointScale,
) -> TextTable:
    """Return the ranking of a list, or of an event of several.

    Args:
        standings: the list.
        before: the standings of the event a round earlier, from which teams have gone up or down, if there are any.
        matchpoints: how matchpoints are shown.
    """
    lists = (before, *before.fields) if before is not None else ()
    then = next((each for each in lists if ranking_title(each) == ranking_title(standings)), None)
    earlier, now = _ranks(then), _ranks(standings)
    moves = {team: earlier[team] - now[team] for team in now if team in earlier}
    columns = [Cell(">Rank", standings.format_rank, worth=3, tone="rank")]
    words = "Places up or down since the round before"
    columns.append(Cell(">Move", lambda row: format_move(moves.get(row.team, 0)), worth=1, words=words, if_any=True))
    columns.append(Cell(standings.entrant.title(), lambda row: entrant_content(standings, row.team), worth=3))
    columns += _columns(standings, matchpoints)
    scale, caption = standings.ranking_scale, describe_extent(standings)
    if scale is not None and standings.ranks_by_average:
        caption += f"; ranked by {scale.ranked_in} a match"
    return make_table(columns, standings.rows, caption=caption)


def describe_extent(standings: Standings) -> str:
    """Describe how much a ranking is of: `3 of 6 matches scored, 1 round to be drawn`, `2 of 4 tables finished`."""
    over, matches = standings.matches_over, standings.matches
    contests = {field.ranked_stage.format for field in standings.lists}
    said = {contest.describe_progress(over, matches) for contest in contests}
    words = said.pop() if len(said) == 1 else ROUND_ROBIN.describe_progress(over, matches)
    return f"{words}, {count(standings.undrawn, 'round')} to be drawn" if standings.undrawn else words


def entrant_content(standings: Standings, team: str, rulings: Sequence[Ruling] | None = None) -> Content:
    """Return the name of who is ranked with its marks: `Beta (left the event) *`.

    The star is for these rulings, by default all against it.
    """
    name = Linked(team, EntrantLink(team))
    marks: list[Content] = [f"({LEFT})"] if standings.is_withdrawn(team) else []
    if standings.rulings_on(team) if rulings is None else rulings:
        marks.append(Linked("*", PageLink("rulings"), "rulings"))
    return (name, *marks) if marks else name


# Columns


def _columns(standings: Standings, matchpoints: MatchpointScale) -> Iterator[Cell]:
    """Yield the columns after the name."""
    if standings.of_matches:
        yield Cell(">P", "played", words="Matches played")
        yield Cell(">W", "won", words="Won")
        yield Cell(">D", "drawn", words="Drawn")
        yield Cell(">L", "lost", words="Lost")
        of_boards = standings.board_scale
        if of_boards is not None:  # else the boards are of several kinds
            yield Cell(f">{of_boards.heading} for", lambda row: of_boards.format(row.imps_for))
            yield Cell(">against", lambda row: of_boards.format(row.imps_against))
            yield Cell(
                ">+/-",
                lambda row: of_boards.format_signed(row.imps_for - row.imps_against),
                worth=0 if standings.fields else 1,
                words=f"{of_boards.heading} won less those lost",
            )
    elif standings.scored is not None:
        unit = pairs_unit(standings.scored.rules.scoring, matchpoints)
        yield from ranking_columns(unit, lambda row: row.pairs or NO_FIGURES, carries_over=standings.carries_over)
        return
    if standings.stage is None:
        yield from _stage_columns(standings)
        return
    scale = standings.ranking_scale
    if scale is not None:
        carried = {entry.team: entry.carry_vp for entry in standings.stage.entries if entry.carry_vp}
        words = "VP carried over from the previous stage, which are among its VP"
        if carried:
            yield Cell(
                ">Carried over",
                lambda row: format_vp(carried[row.team]) if row.team in carried else NOTHING,
                words=words,
            )
        yield Cell(f">{scale.ranking_heading}", partial(ranked_figure, standings), worth=2, tone="ranked")
    form = _form(standings.stage, standings.counted)
    words = "The latest matches, the last one last"
    yield Cell("Form", lambda row: tuple(form[row.team][-FORM_MATCHES:]), words=words)


def _stage_columns(standings: Standings) -> Iterator[Cell]:
    """Yield the last stage that each has reached, and what it has come to there."""
    reached = {row.team: (field, row) for field in standings.fields for row in field.rows}

    def stage(row: StandingRow) -> str:
        field = reached[row.team][0].stage if row.team in reached else None
        return field.name if field is not None else NOTHING

    def result(row: StandingRow) -> str:
        field, own = reached.get(row.team, (standings, row))
        scale, figure = field.ranking_scale, ranked_figure(field, own)
        if not field.is_ranked or figure == NOTHING:
            return NOTHING
        return f"{figure} {scale.ranked_unit}" if scale is not None else f"place {field.format_rank(own)}"

    yield Cell("Stage", stage, worth=1)
    words = "What it has in the stage that it has reached, by which it is ranked there"
    yield Cell(">Result", result, worth=2, words=words)


def _form(stage: StageInfo, counted: Iterable[FinishedMatch]) -> Mapping[str, list[Content]]:
    """Return the matches of each team in a list, the oldest first."""
    form: defaultdict[str, list[Content]] = defaultdict(list)
    drawn = {match.number: match for match in stage.matches}
    for match in sorted(counted, key=lambda match: match.number):
        for place, side in enumerate((match.home, match.away)):
            for team in drawn[match.number].entrants_of(side):
                form[team].append(_result_of(match, place))
    return form


def _result_of(match: FinishedMatch, place: int) -> Content:
    figures, other = match.figures()[place], match.teams[1 - place]
    letter, verb = ("W", "won") if figures.won else ("D", "drew") if figures.drawn else ("L", "lost")
    tone = {"W": "won-match", "D": "drawn-match", "L": "lost-match"}[letter]
    return Linked(Toned(letter, tone), MatchLink(match.number), f"{verb} against {other}")


def format_move(places: int) -> Content:
    """Format how many places a team has gone up: `+2`, or below 0 down."""
    return Toned(f"{places:+}", "up" if places > 0 else "down") if places else ""


def _ranks(standings: Standings | None) -> Mapping[str, int]:
    """Return the places; none before the first score, and where a knockout leaves them open."""
    if standings is None or not standings.matches_over or standings.undecided:
        return {}
    return {row.team: row.rank for row in standings.rows}


def ranking_title(standings: Standings) -> str:
    """Return the name of a list among those of its event: `Finals, group A`."""
    return standings.title if standings.stage is not None else "the event"


# Ties


def folded_ties(standings: Standings) -> Folded | None:
    """Return how ties were broken, a line each, such as `25.50 VP: Alpha before Beta, Gamma: wins 2, 1, 1; ...`.

    There is nothing if nobody is tied, and in a knockout, which matches decide.
    """
    scale = standings.ranking_scale
    if scale is None or not standings.ties:
        return None
    unit = f"{scale.ranked_unit} a match" if standings.ranks_by_average else scale.ranked_unit
    lines = [
        f"{scale.format_vp(tie.vp)} {unit}: {'; '.join(map(_describe_step, tie.steps))}" for tie in standings.ties
    ]
    return Folded(f"How {standings.entrant}s with the same {scale.ranked_in} were ranked", lines)


def _describe_step(step: TieStep) -> str:
    order = " before ".join(", ".join(group) for group in step.groups)
    if step.broken_by is None:
        order += " share their rank"
    results = [_describe_result(result, decided=result is step.broken_by) for result in step.results]
    return ": ".join(filter(None, (order, ", ".join(results))))


def _describe_result(result: TieBreakResult, *, decided: bool) -> str:
    """Describe it: `head-to-head-vp 24.31, 15.69` in the order of the teams, `imp-difference level at +3`."""
    if result.reason:
        return f"{result.criterion} does not say ({result.reason})"
    # Equal quotients may come from different figures, so each team's figure is shown.
    figures = result.figures.values() if decided else dict.fromkeys(result.figures.values())
    return f"{result.criterion}{'' if decided else ' level at'} {', '.join(figures)}"


# What becomes of it by something that is not on record yet


class RankedFigure(NamedTuple):
    """The rank of a team, and that by which it ranks, as the standings show them."""

    rank: str
    figure: str
    """Victory points, points, a percentage or IMPs per board; empty where teams rank by places alone."""


_NOT_RANKED = RankedFigure(NOTHING, NOTHING)


@dataclass(frozen=True, slots=True)
class TeamChange:
    """A team whose rank or figure changes."""

    team: str
    before: RankedFigure
    after: RankedFigure


@dataclass(frozen=True, slots=True)
class RankingChange:
    """A ranking in which something changes."""

    title: str
    """The stage and group; empty where the event has one ranking."""
    entrant: str
    """What is ranked: a team or a pair."""
    heading: str
    """The heading of the figures: `VP`; empty if there are none."""
    lines: tuple[TeamChange, ...]
    """The teams in the order that they come to have."""


def load_ranking_changes(drawn: DrawnEvent, change: ResultsChange) -> list[RankingChange]:
    """Load in which rankings of an event something changes; all of its results count, also those not yet shown.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
    """
    event, rules = drawn.event.seen_whole(), drawn.ranking_rules
    before, after = (
        rank_event(load_results(drawn.database, event, rules, change=each)) for each in (NO_CHANGE, change)
    )
    return compare_standings(before, after)


def compare_standings(before: Standings, after: Standings) -> list[RankingChange]:
    """Return the rankings in which something changes: each stage and group, then the event as a whole."""
    then = {ranking_title(field): field for field in _rankings(before)}
    changes = []
    for field in _rankings(after):
        title = ranking_title(field)
        figures = format_ranking(then[title]) if title in then else {}
        lines = tuple(
            TeamChange(team, figures.get(team, _NOT_RANKED), figure)
            for team, figure in format_ranking(field).items()
            if figure != figures.get(team)
        )
        if lines:
            name = title if after.fields else ""
            scale = field.ranking_scale
            heading = scale.ranking_heading if scale is not None else ""
            changes.append(RankingChange(name, field.entrant, heading, lines))
    return changes


def format_ranking(standings: Standings) -> dict[str, RankedFigure]:
    """Format the rank and figure of each team, best first."""
    return {
        row.team: RankedFigure(standings.format_rank(row), ranked_figure(standings, row)) for row in standings.rows
    }


def _rankings(standings: Standings) -> tuple[Standings, ...]:
    return (*standings.fields, standings)
