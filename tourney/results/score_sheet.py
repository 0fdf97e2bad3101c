"""The score sheet of a match of rubber bridge or Chicago: its finished deals in the ledger of the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.bridge import Board
from tourney.contest.games import CountedDeal, count_deal, keep_score
from tourney.results.scorecard import Scorecard
from tourney.scoring.games import GameKind, GameSettings
from tourney.scoring.ledger import NO_POINTS, LedgerEntry, SidePoints
from tourney.scoring.score_sheet import GameSheet, draw_up_sheets
from tourney.store.db.database import Database
from tourney.store.results.matches import load_match_boards


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score sheet of a match: its finished deals, each with its entry, and the sheets that players draw."""

    settings: GameSettings
    deals: tuple[tuple[CountedDeal, LedgerEntry], ...]
    """In the order of play."""
    is_over: bool
    """Whether the match has finished, so that the premiums for what is unfinished are written."""

    @property
    def entries(self) -> tuple[tuple[int, LedgerEntry], ...]:
        """The entries with the numbers of their boards."""
        return tuple((deal.board.number, entry) for deal, entry in self.deals)

    @property
    def sheets(self) -> tuple[GameSheet, ...]:
        """A sheet for each rubber or chicago that has been begun; none at Minibridge."""
        if self.settings.kind is GameKind.MINIBRIDGE:
            return ()
        return tuple(draw_up_sheets(self.entries, is_over=self.is_over))

    @property
    def totals(self) -> SidePoints:
        """The points written so far; once the match is over, with the premiums for what is unfinished."""
        if not self.deals:
            return NO_POINTS
        last = self.deals[-1][1]
        return last.if_stopped if self.is_over else last.after.totals

    @property
    def won(self) -> SidePoints:
        """How many rubbers or chicagos each side has won."""
        won = NO_POINTS
        for sheet in self.sheets:
            if sheet.winner is not None:
                won += SidePoints.of(sheet.winner, 1)
        return won


def score_sheet_of(card: Scorecard, boards: Sequence[Board]) -> ScoreSheet | None:
    """Return the score sheet of a match as far as it may be shown; None for a match of teams.

    Args:
        card: the scorecard of the match.
        boards: its boards, in the order of play.
    """
    settings = card.match.game
    if settings is None:
        return None
    deals = []
    for board, line in zip(boards, card.boards, strict=False):
        counted = count_deal(card.match, line.seated(board))
        if line.imps is None or counted is None:
            break
        deals.append(counted)
    entries = keep_score(settings, deals)
    return ScoreSheet(settings, tuple(zip(deals, entries, strict=True)), is_over=card.score is not None)


def load_sheet(database: Database, card: Scorecard) -> ScoreSheet | None:
    """Load the score sheet of a match as `score_sheet_of` makes it.

    Raises:
        StoreError: the database cannot be used.
    """
    return score_sheet_of(card, load_match_boards(database, card.match)) if card.match.game is not None else None
