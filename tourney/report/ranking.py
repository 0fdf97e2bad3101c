"""The ranking of a list of teams, pairs or players as people see it, whatever it ranks by.

What ranks a list is its unit: victory points or points of matches, percentages or IMPs per board of pairs, or places
alone, as in a knockout and in an event of several stages. The unit has the figures, their words, and the columns.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import ClassVar, Final

from tourney.movement.ranking import NO_FIGURES, FinishedMatch, StandingRow
from tourney.movement.tie_breaks import Tie, TieBreakResult, TieStep
from tourney.output.content import Content, EntrantLink, Folded, Linked, MatchLink, PageLink, Toned
from tourney.output.rows import LEFT, NOTHING, Cell
from tourney.output.tables import TextTable, make_table
from tourney.plurals import count
from tourney.report.pair_figures import PairsUnit, pairs_unit, ranking_columns
from tourney.results.standings import Standings
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import format_vp

FORM_MATCHES: Final = 5
"""How many of the latest matches of a team its form has."""


class RankingUnit:
    """What a list ranks by; by itself, places alone."""

    heading: str = ""
    """The heading of its figures: `VP`, `%`; empty if there are none."""
    unit: str = ""
    """What follows a figure: `VP`, `points`."""
    words: str = ""
    """What those who are level have the same of: `victory points`."""
    is_of_matches: ClassVar[bool] = True
    """Whether there is a record of matches that were won and lost."""

    def figure(self, row: StandingRow) -> str:  # noqa: ARG002
        """Format what a row ranks by; empty if it is its place alone."""
        return ""

    def level(self, row: StandingRow) -> Fraction | None:  # noqa: ARG002
        """Return what a row ranks by; None if that is its place alone, and for a pair of which no board counts."""
        return None

    def format(self, hundredths: int) -> str:
        """Format what those have who are level."""
        return format_vp(hundredths)

    def result(self, row: StandingRow, rank: str) -> str:
        """Format what a row has come to in its list: `30.86 VP`, `53.33 %`, `place 2`."""
        figure = self.figure(row)
        if not self.heading:
            return f"place {rank}"
        return f"{figure} {self.unit}" if figure != NOTHING else NOTHING

    def columns(self, standings: Standings) -> Iterator[Cell]:
        """Yield the columns after the rank and the name."""
        if any(ranking_unit(field).is_of_matches for field in standings.fields or (standings,)):
            yield from _record_columns(standings.board_scale, margin_worth=0 if standings.fields else 1)
        yield from self.own_columns(standings)
        if standings.fields:
            yield from _stage_columns(standings)
        else:
            form = _form(standings)
            words = "The latest matches, the last one last"
            yield Cell("Form", lambda row: tuple(form[row.team][-FORM_MATCHES:]), words=words)

    def own_columns(self, standings: Standings) -> Iterator[Cell]:  # noqa: ARG002
        """Yield the columns of what it ranks by."""
        yield from ()


class MatchUnit(RankingUnit):
    """Victory points of matches, or the points of their boards."""

    def __init__(self, scale: BoardScale) -> None:
        self.heading, self.unit, self.words = scale.ranking_heading, scale.ranked_unit, scale.ranked_in
        self._scale = scale

    def figure(self, row: StandingRow) -> str:
        return self._scale.format_vp(row.vp)

    def level(self, row: StandingRow) -> Fraction | None:
        return Fraction(row.vp, 100)

    def format(self, hundredths: int) -> str:
        return self._scale.format_vp(hundredths)

    def own_columns(self, standings: Standings) -> Iterator[Cell]:
        assert standings.stage is not None
        carried = {entry.team: entry.carry_vp for entry in standings.stage.entries if entry.carry_vp}
        if carried:
            yield Cell(
                ">Carried over",
                lambda row: format_vp(carried[row.team]) if row.team in carried else NOTHING,
                words="VP carried over from the previous stage, which are among its VP",
            )
        yield Cell(f">{self.heading}", self.figure, worth=2, tone="ranked")


class BoardUnit(RankingUnit):
    """Percentages or IMPs per board of pairs, over the boards of the whole field."""

    words = "score"
    is_of_matches = False

    def __init__(self, scores: PairsUnit) -> None:
        self.heading = self.unit = scores.level_unit
        self._scores = scores

    def figure(self, row: StandingRow) -> str:
        return self._scores.level(self.level(row))

    def level(self, row: StandingRow) -> Fraction | None:
        return (row.pairs or NO_FIGURES).result

    def columns(self, standings: Standings) -> Iterator[Cell]:
        return ranking_columns(self._scores, lambda row: row.pairs or NO_FIGURES, carries_over=standings.carries_over)


_PLACES: Final = RankingUnit()


def ranking_unit(standings: Standings, matchpoints: MatchpointScale = MatchpointScale.TWO) -> RankingUnit:
    """Return what a list ranks by; an event of several lists ranks by places."""
    if standings.stage is None or standings.is_knockout:
        return _PLACES
    if standings.ranks_by_boards:
        return BoardUnit(pairs_unit(standings.pairs_scoring, matchpoints))
    return MatchUnit(standings.stage.board_scale)


def ranking_table(
    standings: Standings,
    before: Standings | None = None,
    matchpoints: MatchpointScale = MatchpointScale.TWO,
) -> TextTable:
    """Return the ranking of a list, or of an event of several.

    Args:
        standings: the list.
        before: the standings of the event a round earlier, from which teams have gone up or down, if there are any.
        matchpoints: how matchpoints are shown.
    """
    moves = {team: moved for team, moved in _moves(standings, before).items() if moved}
    columns = [Cell(">Rank", standings.format_rank, worth=3, tone="rank")]
    if moves:
        words = "Places up or down since the round before"
        columns.append(Cell(">Move", lambda row: _move(moves.get(row.team, 0)), worth=1, words=words))
    columns.append(Cell(standings.entrant.title(), lambda row: entrant_content(standings, row.team), worth=3))
    columns += ranking_unit(standings, matchpoints).columns(standings)
    return make_table(columns, standings.rows, caption=_caption(standings))


def _caption(standings: Standings) -> str:
    average = f"; ranked by {ranking_unit(standings).words} a match" if standings.ranks_by_average else ""
    return f"{describe_extent(standings)}{average}"


def describe_extent(standings: Standings) -> str:
    """Describe how much a ranking is of: `3 of 6 matches scored, 1 round to be drawn`, `2 of 4 tables finished`."""
    over, matches = standings.matches_over, standings.matches
    contests = {field.stage.format for field in standings.fields or (standings,) if field.stage is not None}
    said = {contest.describe_progress(over, matches) for contest in contests}
    words = said.pop() if len(said) == 1 else describe_progress(over, matches)
    return f"{words}, {count(standings.undrawn, 'round')} to be drawn" if standings.undrawn else words


def describe_progress(over: int, matches: int) -> str:
    """Describe progress in matches of several kinds: `3 of 6 matches scored`."""
    return f"{over} of {count(matches, 'match', 'matches')} scored"


def entrant_content(standings: Standings, team: str) -> Content:
    """Return the name of who is ranked with its marks: `Beta (left the event) *`, the star for rulings against it."""
    name = Linked(team, EntrantLink(team))
    marks: list[Content] = [f"({LEFT})"] if standings.is_withdrawn(team) else []
    if standings.rulings_on(team):
        marks.append(Linked("*", PageLink("rulings"), "rulings"))
    return (name, *marks) if marks else name


# Columns


def _record_columns(scale: BoardScale | None, margin_worth: int) -> Iterator[Cell]:
    """Yield what a team has won and lost; without the figures of boards where these are of several kinds."""
    yield Cell(">P", lambda row: str(row.played), words="Matches played")
    yield Cell(">W", lambda row: str(row.won), words="Won")
    yield Cell(">D", lambda row: str(row.drawn), words="Drawn")
    yield Cell(">L", lambda row: str(row.lost), words="Lost")
    if scale is not None:
        yield Cell(f">{scale.heading} for", lambda row: scale.format(row.imps_for))
        yield Cell(">against", lambda row: scale.format(row.imps_against))
        yield Cell(
            ">+/-",
            lambda row: scale.format_signed(row.imps_for - row.imps_against),
            worth=margin_worth,
            words=f"{scale.heading} won less those lost",
        )


def _stage_columns(standings: Standings) -> Iterator[Cell]:
    """Yield the last stage that each has reached, and what it has come to there."""
    reached = {row.team: (field, row) for field in standings.fields for row in field.rows}

    def stage(row: StandingRow) -> str:
        field = reached[row.team][0].stage if row.team in reached else None
        return field.name if field is not None else NOTHING

    def result(row: StandingRow) -> str:
        field, own = reached.get(row.team, (standings, row))
        return ranking_unit(field).result(own, field.format_rank(own)) if field.is_ranked else NOTHING

    yield Cell("Stage", stage, worth=1)
    words = "What it has in the stage that it has reached, by which it is ranked there"
    yield Cell(">Result", result, worth=2, words=words)


def _form(standings: Standings) -> Mapping[str, list[Content]]:
    """Return the matches of each team in a list, the oldest first."""
    assert standings.stage is not None
    form: defaultdict[str, list[Content]] = defaultdict(list)
    drawn = {match.number: match for match in standings.stage.matches}
    for match in sorted(standings.counted, key=lambda match: match.number):
        for place, side in enumerate((match.home, match.away)):
            for team in drawn[match.number].entrants_of(side):
                form[team].append(_result_of(match, place))
    return form


def _result_of(match: FinishedMatch, place: int) -> Content:
    figures, other = match.figures()[place], match.teams[1 - place]
    letter, verb = ("W", "won") if figures.won else ("D", "drew") if figures.drawn else ("L", "lost")
    tone = {"W": "won-match", "D": "drawn-match", "L": "lost-match"}[letter]
    return Linked(Toned(letter, tone), MatchLink(match.number), f"{verb} against {other}")


def _move(places: int) -> Content:
    if not places:
        return ""
    way, arrow = (
        ("up", "\N{BLACK UP-POINTING TRIANGLE}") if places > 0 else ("down", "\N{BLACK DOWN-POINTING TRIANGLE}")
    )
    return Toned(f"{arrow}{abs(places)}", way, f"{way} {abs(places)}")


def _moves(standings: Standings, before: Standings | None) -> Mapping[str, int]:
    """Return how many places each has gone up in its list since `before`, where that is known."""
    lists = (before, *before.fields) if before is not None else ()
    then = next((each for each in lists if ranking_title(each) == ranking_title(standings)), None)
    earlier, now = _ranks(then), _ranks(standings)
    return {team: earlier[team] - now[team] for team in now if team in earlier}


def _ranks(standings: Standings | None) -> Mapping[str, int]:
    """Return the places; none before the first score, and where a knockout leaves them open."""
    if standings is None or not standings.matches_over or standings.is_knockout or standings.undecided:
        return {}
    return {row.team: row.rank for row in standings.rows}


def ranking_title(standings: Standings) -> str:
    """Return the name of a list among those of its event: `Finals, group A`."""
    return standings.title if standings.stage is not None else "the event"


# Ties


def folded_ties(standings: Standings) -> Folded | None:
    """Return how ties were broken; None if there are none, and in a knockout, which matches decide."""
    unit = ranking_unit(standings)
    if not standings.ties or not unit.words:
        return None
    average = " a match" if standings.ranks_by_average else ""
    return Folded(
        f"How {standings.entrant}s with the same {unit.words} were ranked",
        [describe_tie(tie, f"{unit.format(tie.vp)} {unit.unit}{average}") for tie in standings.ties],
    )


def describe_tie(tie: Tie, shared: str) -> str:
    """Return `25.50 VP: Alpha before Beta, Gamma: wins 2, 1, 1; Beta, Gamma share their rank: wins level at 1`.

    Args:
        tie: the tie.
        shared: what those who are tied have: `25.50 VP`.
    """
    return f"{shared}: {'; '.join(map(_describe_step, tie.steps))}"


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
