"""What is shared of a page: the figures of its card, and the same in a line to be copied."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Board, Result
from tourney.results.scorecard import Scorecard
from tourney.results.standings import Standings
from tourney.site.filters import SIGNS, format_over, format_total, mark_minus
from tourney.site.pages.board import RoomView
from tourney.views.ranking import ranked_figure

_SQUARES: Final = {"home": "\U0001f7e6", "away": "\U0001f7e7", "": "\u2b1c"}
"""The gauge in a line of text."""


@dataclass(frozen=True, slots=True)
class ShareCard:
    """What a card shows."""

    above: str
    """Where it is from: the event, the round."""
    headline: str
    """The result, or what the page is about."""
    plain: str
    """The headline where results are hidden."""
    lines: Sequence[str] = ()
    """More about the result, with the signs of suits."""
    gauge: Sequence[str] = ()
    """Who has won each board of a match: `home`, `away` or empty."""
    board: Board | None = None

    def hidden(self) -> "ShareCard":
        """Return the card without results."""
        return replace(self, headline=self.plain, lines=(), gauge=())

    @property
    def text(self) -> str:
        """The card as a text to be copied."""
        squares = "".join(_SQUARES[each] for each in self.gauge)
        return "\n".join(filter(None, (self.above, self.headline, *self.lines, squares)))


def share_event(standings: Standings, state_words: str) -> ShareCard:
    """Return the card of an event: who leads."""
    rows = standings.rows[:3] if standings.is_ranked else ()
    lines = [f"{standings.format_rank(row)}  {row.team}  {mark_minus(ranked_figure(standings, row))}" for row in rows]
    return ShareCard(state_words, standings.event, standings.event, lines)


def share_match(above: str, card: Scorecard, totals: tuple[int, int] | None) -> ShareCard:
    """Return the card of a match: its score, and who has won each board that is shown."""
    match = card.match
    plain = f"{match.home} \N{EN DASH} {match.away}"
    if totals is None:
        return ShareCard(above, plain, plain)
    home, away = map(format_total, totals)
    won = [board.imps or 0 for board in card.boards if board.imps is not None]
    gauge = ["home" if imps > 0 else "away" if imps else "" for imps in won]
    return ShareCard(above, f"{match.home} {home} \N{EN DASH} {away} {match.away}", plain, gauge=gauge)


def share_board(above: str, board: Board, said: str, views: Sequence[RoomView]) -> ShareCard:
    """Return the card of a board: what it was worth, what was played in each room, and the hands."""
    results = [(view.room, view.record.result.result) for view in views if view.record and view.record.result]
    named = len(views) > 1
    lines = [f"{room.value.title() + ': ' if named else ''}{_played(result)}" for room, result in results]
    return ShareCard(above, said, f"Board {board.number}", lines, board=board)


def _played(result: Result) -> str:
    contract = result.contract
    if contract is None:
        return "passed out"
    strain = SIGNS[contract.strain.trumps] if contract.strain.trumps is not None else "NT"
    doubled, over = "X" * contract.doubled, format_over(result)
    return f"{contract.level}{strain}{doubled} {contract.declarer.letter} {over}  {mark_minus(str(result.score))}"
