"""A match: its result in words, its segments, and each team's thinking times by room."""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.bridge import Side
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.report.margins import describe_winner
from tourney.report.schedule import format_ranges
from tourney.results.scorecard import Scorecard, ScorecardBoard, total_hundredths
from tourney.scoring.match import ImpTotals, total_imps
from tourney.scoring.victory_points import VpHundredths
from tourney.site.views.axes import MarginPlot, plot_margin
from tourney.store.draw.objects import StageInfo, TableInfo


@dataclass(frozen=True, slots=True)
class MatchSentence:
    """The result of a match as the head of its page says it: `Bees beat Ants: 24 - 10 IMPs, 14.2 - 5.8 VP`."""

    first: str
    """The team ahead; the home team if neither is."""
    verb: str
    second: str
    reason: str
    """Why a team has won that was not ahead; otherwise empty."""
    totals: tuple[int, int]
    """Totals of the first and the second team, in hundredths of IMPs, carry-over included."""
    carried: tuple[int, int]
    """What they have carried over, in the same unit."""
    vp: tuple[VpHundredths, VpHundredths] | None
    """Victory points of the first and the second team; None until the match has finished, and in a knockout."""


def describe_result(card: Scorecard, *, is_knockout: bool, is_cancelled: bool = False) -> MatchSentence:
    """Say who has won a match, or is ahead in it: by victory points where they count, otherwise by IMPs."""
    match, score, totals = card.match, card.score, total_hundredths(card)
    vp = (score.vp_home, score.vp_away) if score is not None and not (is_knockout or is_cancelled) else None
    forfeited = {ruling.team for ruling in card.live_rulings if ruling.kind is RulingKind.MATCH_FORFEIT}
    if vp is not None and vp[0] != vp[1]:
        ahead = vp[0] - vp[1]
    elif is_knockout and card.finished is not None:
        ahead = -1 if card.finished.winner == match.away else 1
    else:
        ahead = totals[0] - totals[1]
    reason = ""
    if is_knockout and card.finished is not None:
        reason = describe_winner(card.finished)
    elif score is not None and len(forfeited) == 1:
        ahead = -1 if match.home in forfeited else 1
        reason = "by forfeit"
    if score is None:
        verb = "lead" if ahead else "are level with"
    elif reason and is_knockout:
        verb = "against"
    else:
        verb = "beat" if ahead else "drew with"
    carried = (match.carry_home, match.carry_away)
    if ahead < 0:
        turned = vp[::-1] if vp is not None else None
        return MatchSentence(match.away, verb, match.home, reason, totals[::-1], carried[::-1], turned)
    return MatchSentence(match.home, verb, match.away, reason, totals, carried, vp)


def view_margin(card: Scorecard) -> MarginPlot | None:
    """Returns the plot of the running margin; None as long as fewer than two boards are shown."""
    match, scale = card.match, card.match.board_scale
    shown = []
    for number, (home, away) in card.running_totals.items():
        place = next(place for place, board in enumerate(card.boards, 1) if board.number == number)
        imps = card.boards[place - 1].imps or 0
        winner = match.home if imps > 0 else match.away
        swing = f"{scale.format(abs(imps))} {scale.unit} to {winner}" if imps else "no swing"
        margin = (home - away) / 100
        leader = match.home if margin > 0 else match.away
        stands = f"{leader} leads by {abs(margin):g}" if margin else "level"
        shown.append((place, margin, f"Board {number}: {swing}; {stands}"))
    return plot_margin(shown, len(card.boards)) if len(shown) > 1 else None


@dataclass(frozen=True, slots=True)
class SegmentView:
    """The boards of a match that are played with the same seats."""

    title: str
    """`Segment 2`, or `Extra boards`."""
    numbers: str
    """The numbers of its boards: `5-8`."""
    boards: tuple[ScorecardBoard, ...]
    """The boards, in the order of play."""
    imps: ImpTotals | None
    """IMPs of both teams on its boards, or figures of another scale, without penalties; None until both rooms have
    finished one."""
    tables: Mapping[Room, TableInfo]


def view_segments(card: Scorecard, stage: StageInfo) -> tuple[SegmentView, ...]:
    """Returns the segments of a match in the order of play; only one if seats never change."""
    views = []
    for segment in card.match.segments:
        boards = card.boards[segment.first : segment.first + segment.boards]
        extra = segment.number - stage.segments
        compared = [board.comparison for board in boards if board.comparison is not None]
        views.append(
            SegmentView(
                title=_extra_title(extra) if extra > 0 else f"Segment {segment.number}",
                numbers=format_ranges([board.number for board in boards]),
                boards=boards,
                imps=total_imps(compared, board_scale=card.match.board_scale)
                if any(board.imps is not None for board in boards)
                else None,
                tables=segment.tables,
            )
        )
    return tuple(views)


def _extra_title(number: int) -> str:
    return "Extra boards" if number == 1 else f"Extra boards, {number}"


@dataclass(frozen=True, slots=True)
class TimesColumn:
    """The thinking time of a team in one room, over all segments."""

    team: str
    side: Side | None
    """Where the team sits there; None if that changes between segments."""
    by_board: Mapping[int, int]
    """Milliseconds by number of the board, for boards that have a result."""
    total_ms: int


def view_times(card: Scorecard) -> dict[Room, tuple[TimesColumn, TimesColumn]]:
    """Returns both teams' times in each room, in first-segment seat order: North-South first."""
    first = card.match.segments[0].tables
    return {
        room: (_times(card, room, first[room].ns_team), _times(card, room, first[room].ew_team)) for room in first
    }


def _times(card: Scorecard, room: Room, team: str) -> TimesColumn:
    tables = [segment.tables[room] for segment in card.match.segments]
    sides = {table.side_of(team) for table in tables}
    return TimesColumn(
        team=team,
        side=sides.pop() if len(sides) == 1 else None,
        by_board={
            board.number: board.times_ms[room][board.tables[room].side_of(team)]
            for board in card.boards
            if room in board.times_ms
        },
        total_ms=sum(card.thinking_ms(table, table.side_of(team)) for table in tables),
    )
