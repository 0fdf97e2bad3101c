"""A table as it plays: each board call by call and card by card.

The director may see everything as it happens. Everybody else sees a board once no table has it to play any more;
where `[web] live` says so, also the board in play at the last table that has it. Hands stay hidden then, except
dummy's after the opening lead, and so do alerts.
"""

from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final

from tourney.bridge import (
    SEATS,
    SUITS_DOWN,
    Hand,
    OpenBoard,
    Side,
    describe_call,
    describe_card,
)
from tourney.bridge.auction import AUCTION_COLUMNS, auction_rows
from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import TableInfo, TableState
from tourney.protocol.session.board.state import fold_board
from tourney.protocol.session.records import CallMade
from tourney.store.models import OrderKind
from tourney.store.record.live import (
    LiveBoard,
    load_board_attempts,
    load_boards_under_way,
    load_live_board,
)
from tourney.store.results.secrecy import load_hidden_boards, load_last_tables
from tourney.times import to_zone
from tourney.views.status import TableStatus, format_question, load_tables, table_for_watchers

WAIT_TOLD_MS: Final = 10_000
"""A wait longer than this is shown, so that spectators know why nothing happens."""


# Following


@dataclass(frozen=True, slots=True)
class WatchMoment:
    """What is new at a table since the last look."""

    status: TableStatus
    boards: tuple[LiveBoard, ...]
    """Boards that were begun or continued, in the order of time; all but the last have ended."""
    notes: tuple[str, ...]
    """What is said of boards that are not shown yet, one line each."""
    hidden: tuple[int, ...]
    """The numbers of the boards that were begun here and are not shown yet."""


class TableFollower:
    """Follows a table: each look returns what has happened there since the one before.

    The director sees everything as it happens, everybody else a board when no table of any event has it to play any
    more; `[web]` of the event file may say more.
    """

    def __init__(self, drawn: DrawnEvent, table: TableInfo, *, is_director: bool, from_start: bool) -> None:
        """Start with the board in play, or with everything ever begun at the table (`from_start`)."""
        self._database, self._event = drawn.database, drawn.event
        self._table = table
        self._match = drawn.match(table.match)
        self._is_director = is_director
        web = WebConfig() if is_director else drawn.config.web
        self._shows_last_table = web.live is not LiveBoards.FINISHED
        self._delay_ms = 1000 * web.delay_s
        self._first = 0
        """The number of attempts before what was asked for."""
        self._shown: set[tuple[int, int]] = set()
        """The attempts shown to their end, by board and number."""
        self._said: set[str] = set()
        if not from_start:
            self._first = len(load_board_attempts(self._database, [table.id]))
            if load_boards_under_way(self._database, self._event.id, [table.id]):
                self._first -= 1

    def poll(self, now_ms: int, *, is_played: bool) -> WatchMoment:
        """Return what may be seen and has not been shown yet.

        Raises:
            StoreError: the database cannot be used.
        """
        database, event_id = self._database, self._event.id
        # In this order: boards that finish in the meantime stay hidden until the next look; and once the table has
        # finished, everything that was played there is on record.
        hidden = (
            load_hidden_boards(database, self._event, self._match.board_set_id) if not self._is_director else None
        )
        last = load_last_tables(database, event_id) if self._shows_last_table else frozenset()
        (status,) = load_tables(database, self._event, is_played=is_played, table_id=self._table.id)
        if not self._is_director:
            status = table_for_watchers(status)
        boards, notes, waiting = [], [], []
        for key in load_board_attempts(database, [self._table.id])[self._first :]:
            if (key.board, key.attempt) in self._shown:
                continue
            if hidden is None or (key.is_over and hidden.is_free(self._match, key.board)):
                boards.append(load_live_board(database, key))
                if key.is_over:
                    self._shown.add((key.board, key.attempt))
            else:
                waiting.append(key.board)
                if not key.is_over and self._table.id in last:
                    boards.append(self._until(load_live_board(database, key), now_ms - self._delay_ms))
                else:
                    again = f", attempt {key.attempt}" if key.attempt > 1 else ""
                    what = "has ended here; others have it to play" if key.is_over else "is in play"
                    note = f"Board {key.board}{again} {what}"
                    notes += [note] if note not in self._said else []
                    self._said.add(note)
        return WatchMoment(status, tuple(boards), tuple(notes), tuple(dict.fromkeys(waiting)))

    @staticmethod
    def _until(board: LiveBoard, until_ms: int) -> LiveBoard:
        return replace(
            board,
            calls=tuple(call for call in board.calls if call.at_ms <= until_ms),
            cards=tuple(card for card in board.cards if card.at_ms <= until_ms),
        )


def describe_wait(status: TableStatus, now_ms: int, zone: tzinfo | None, *, is_played: bool) -> str:
    """Describe why nothing happens at a table, in words that do not change meanwhile; empty unless it waits."""
    state = status.table.state
    if state in (TableState.FINISHED, TableState.FAILED):
        return ""
    if status.hold is OrderKind.STOP:
        return "stopped"
    if not is_played:
        return "no run is in progress"
    if status.is_paused:
        return "paused"
    if not status.is_live:
        return "waits for its turn" if state is TableState.WAITING else "is being opened"
    if status.problem:
        return status.problem
    empty = [seat.title for seat, team in status.seats.items() if team is None]
    if empty:
        return f"waits for {', '.join(empty)} to sit down"
    if status.questions:
        return f"waits for the operator: {format_question(status.questions[0])}"
    return "; ".join(
        f"waits for {wait.seat.title} since {to_zone(wait.since_ms, zone):%H:%M:%S}: {wait.what}"
        for wait in status.waits
        if now_ms - wait.since_ms >= WAIT_TOLD_MS
    )


# A board line by line


def transcript(board: LiveBoard, *, is_director: bool) -> list[str]:
    """Return a board line by line as it was played; later calls and cards only append lines."""
    lines = [_describe_board(board)]
    if is_director:
        lines += [_describe_hand(seat.title, board.board.deal[seat]) for seat in SEATS]
    state = fold_board(board.board, ())
    in_play = state.in_play
    for call in board.calls:
        state.apply(call)
        lines.append(describe_call(call.seat, call.call) + _remarks(call, is_director=is_director))
    if not in_play.in_auction:
        rows = ([seat.title for seat in AUCTION_COLUMNS], *auction_rows(board.board.dealer, in_play.auction.calls))
        lines += ["    " + "".join(f"{cell or ''!s:<7}" for cell in row).rstrip() for row in rows]
        contract, said = in_play.contract, "passed out"
        if contract is not None:
            said = f"{contract} by {contract.declarer.title}, {contract.leader.title} leads"
        lines.append(said)
    for card in board.cards:
        state.apply(card)
        play = in_play.play
        assert play is not None
        lines.append(describe_card(card.seat, card.card) + (" (the table played it)" if card.substituted else ""))
        if len(play.cards) == 1 and not is_director:
            lines.append(_describe_dummy(in_play))
        if not play.current.cards:
            lines.append(f"  trick {len(play.tricks)} to {play.turn.title}: {_describe_tricks(in_play)}")
    return lines + _describe_end(board, in_play)


def _remarks(call: CallMade, *, is_director: bool) -> str:
    remark = " (the table made it)" if call.substituted else ""
    if not is_director:
        return remark
    if call.alerted:
        return f"{remark} (alert: {call.alert})" if call.alert else f"{remark} (alert)"
    return f"{remark} (not alerted: {call.alert})" if call.alert else remark


# Parts of it


def _describe_board(board: LiveBoard) -> str:
    """Describe a board: `Board 7, dealer South, vulnerable All`."""
    again = f", attempt {board.attempt}" if board.attempt > 1 else ""
    dealt = board.board
    return f"Board {dealt.number}, dealer {dealt.dealer.title}, vulnerable {dealt.vulnerability.value}{again}"


def _describe_hand(name: str, hand: Hand) -> str:
    suits = "  ".join(f"{suit.letter} {hand.suit_letters(suit) or '-'}" for suit in SUITS_DOWN)
    return f"  {name:<5}  {suits}"


def _describe_dummy(in_play: OpenBoard) -> str:
    assert in_play.contract is not None
    assert in_play.dummy_hand is not None
    return _describe_hand(f"dummy, {in_play.contract.dummy.title}:", in_play.dummy_hand)


def _describe_tricks(in_play: OpenBoard) -> str:
    """Describe the tricks won: `North-South 3, East-West 1`."""
    play = in_play.play
    assert play is not None
    declaring = play.contract.declarer.side
    won = {declaring: play.tricks_won, declaring.other: play.tricks_lost}
    return ", ".join(f"{side.full_name} {won[side]}" for side in Side)


def _describe_end(board: LiveBoard, in_play: OpenBoard) -> list[str]:
    name = f"Board {board.board.number}"
    if board.ended is None:
        return []
    if board.score_ns is None:
        why = f": {board.reason}" if board.reason else ""
        return [f"{name} ended without a result, {board.ended.value}{why}"]
    if in_play.contract is None:
        return [f"{name}: passed out, 0"]
    declarer = in_play.contract.declarer.title
    claimed = " by claim" if not in_play.is_over else ""
    return [
        f"{name}: {in_play.contract} by {declarer}, {board.tricks} tricks{claimed}, "
        f"{board.score_ns:+} for North-South"
    ]
