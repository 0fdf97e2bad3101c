"""A match: its summary on other pages, and the chart of its running margin."""

from dataclasses import dataclass

from tourney.bridge import Side
from tourney.movement.seating import Room
from tourney.report.margins import describe_margins
from tourney.report.schedule import format_ranges
from tourney.results.scorecard import Scorecard, total_hundredths
from tourney.scoring.victory_points import VpHundredths
from tourney.site.urls import match_page
from tourney.site.views.axes import Chart, ChartBar, ChartLevel, across, upward
from tourney.store.draw.objects import MatchInfo


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """The summary of a match on the pages of its round, its stage and its teams."""

    match: MatchInfo
    boards: int
    boards_finished: int
    """Number of boards shown; once the match has finished, at least the number in its score."""
    totals: tuple[int, int]
    """Totals of the home and away teams so far, in hundredths of IMPs or points, carry-over included."""
    vp: tuple[VpHundredths, VpHundredths] | tuple[None, None]
    """Victory points of the home and away teams; None until the match has finished, and in a knockout."""
    is_over: bool
    margins: str | None
    """What is to be said about a finished match that does not balance, or is void; None for any other."""
    numbers: str = ""
    """The numbers of its boards: `5-8`."""
    shown: tuple[int, ...] = ()
    """The numbers of the boards that have a page."""
    is_cancelled: bool = False
    """Whether it does not count because a team has left early; it then has no victory points."""

    @property
    def page(self) -> str:
        return match_page(self.match.number)

    @property
    def has_begun(self) -> bool:
        return self.boards_finished > 0 or self.is_over

    @property
    def has_carry(self) -> bool:
        """Whether a team has carried IMPs over from the previous stage."""
        return bool(self.match.carry_home or self.match.carry_away)

    def is_of(self, team: str) -> bool:
        return team in self.match.entrants

    def vp_of(self, team: str) -> VpHundredths | None:
        return self.vp[0 if self.match.team_of(team) == self.match.home else 1]

    def opponent(self, team: str) -> str:
        return self.match.opponents_of(team)

    def open_side(self, team: str) -> str:
        """Returns where a team sits in the open room: `North-South`, or `North-South in segments 1, 3`."""
        segments = self.match.segments
        north_south = [s.number for s in segments if s.tables[Room.OPEN].side_of(self.match.team_of(team)) is Side.NS]
        if len(north_south) == len(segments):
            return "North-South"
        if not north_south:
            return "East-West"
        many = "segments" if len(north_south) > 1 else "segment"
        return f"North-South in {many} {format_ranges(north_south)}"


def summarise_match(card: Scorecard, *, is_knockout: bool, is_cancelled: bool = False) -> MatchSummary:
    """Summarises a match from its scorecard."""
    score = card.score
    has_vp = score is not None and not is_knockout and not is_cancelled
    return MatchSummary(
        match=card.match,
        boards=len(card.boards),
        boards_finished=len(card.boards)
        if card.is_withheld
        else max(card.boards_finished, score.boards if score is not None else 0),
        totals=total_hundredths(card),
        vp=(score.vp_home, score.vp_away) if score is not None and has_vp else (None, None),
        is_over=score is not None,
        margins=describe_margins(card.finished)
        if card.finished is not None and not card.match.format.ranks_by_boards
        else None,
        numbers=format_ranges([board.number for board in card.boards]),
        shown=tuple(board.number for board in card.boards if board.imps is not None),
        is_cancelled=is_cancelled,
    )


def chart_margin(card: Scorecard) -> list[Chart]:
    """Return the chart of the running margin; none as long as fewer than two boards are shown."""
    match, scale = card.match, card.match.board_scale
    margins = {number: (home - away) / 100 for number, (home, away) in card.running_totals.items()}
    if len(margins) < 2:
        return []
    most = max(1.0, *map(abs, margins.values()))
    x, y = across(0, len(card.boards)), upward(-most, most)
    bars = []
    for place, board in enumerate(card.boards):
        margin = margins.get(board.number)
        if margin is not None:
            imps = board.imps or 0
            swing = f"{scale.count(abs(imps))} to {match.home if imps > 0 else match.away}" if imps else "no swing"
            stands = f"{match.home if margin > 0 else match.away} leads by {abs(margin):g}" if margin else "level"
            bars.append(
                ChartBar(
                    x=x(place + 0.12),
                    y=min(y(margin), y(0)),
                    width=round(x(0.76) - x(0), 1),
                    height=max(round(abs(y(margin) - y(0)), 1), 0.5),
                    title=f"Board {board.number}: {swing}; {stands}",
                    tone="home" if margin >= 0 else "away",
                )
            )
    return [
        Chart(
            title=f"Running margin: {match.home} ahead above the line, {match.away} below it",
            x_name="boards",
            x_ticks=x.ticks(whole=True),
            y_ticks=y.ticks(),
            levels=[ChartLevel(y(0), "")],
            bars=bars,
        )
    ]
