"""The record as it grows: after every commit what is new is read, and held against the rules of the game."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.sim.loop import Process
from tests.sim.store import MemoryStore
from tourney.bridge import Board, BoardInPlay, Seat, parse_call, parse_card
from tourney.errors import TourneyError
from tourney.protocol.bluechip import server_lines
from tourney.protocol.session.records import BoardEnd

Key = tuple[int, int, int]
"""Table, board, attempt."""


@dataclass(slots=True)
class Action:
    """A call or card on record. `actor` is who made it, declarer for dummy's cards."""

    actor: Seat
    line: str
    """As everybody may read it."""
    alerted: bool = False
    alert: str = ""


@dataclass(slots=True)
class Attempt:
    """One try at a board."""

    in_play: BoardInPlay
    table_attempt: int
    began_at_ms: object = None
    actions: list[Action] = field(default_factory=list)
    rows: list[tuple[object, ...]] = field(default_factory=list)
    calls: int = 0
    cards: int = 0
    is_open: bool = True
    is_final: bool = False
    ended: object = None

    @property
    def is_by_rules(self) -> bool:
        return self.ended is not None and BoardEnd(str(self.ended)).is_by_rules


_CALLS = "SELECT seq, seat, call, alerted, alert, at_ms FROM calls WHERE (table_id, board, attempt) = (?, ?, ?)"
_CARDS = "SELECT seq, seat, card, at_ms FROM cards WHERE (table_id, board, attempt) = (?, ?, ?)"
_RESULTS = "SELECT contract, declarer, tricks, score_ns FROM results WHERE (table_id, board, attempt) = (?, ?, ?)"
_ENDED = "SELECT ended FROM board_attempts WHERE (table_id, board, attempt) = (?, ?, ?)"
_REPLAYS = "SELECT table_id, board FROM orders WHERE kind = 'replay'"
_ATTEMPTS = (
    "SELECT table_id, board, attempt, table_attempt, ended, final, began_at_ms FROM board_attempts ORDER BY 1, 2, 3"
)


class GrowingRecord:
    """What is on record of every board; `faults` is what ought not to be there, in words."""

    def __init__(self, store: MemoryStore, board_at: Callable[[int, int], Board]) -> None:
        """`board_at` gives the board of a number at a table."""
        self.attempts: dict[Key, Attempt] = {}
        self.faults: list[str] = []
        self.may_discard = False
        """Whether games are taken off the record in which nobody has called but the lobby's own players."""
        self.has_own_players = False
        """Whether a lobby has players of its own."""
        self.may_replay = False
        """Whether directors have boards played again, which makes their results void."""
        self.replayed: set[tuple[object, object]] = set()
        """The boards, with their tables, that they have asked for."""
        self._store = store
        self._board_at = board_at

    def newest(self, table: int, board: int | None, table_attempt: int) -> Attempt | None:
        """The newest try at a board that a host with this attempt at the table can know of.

        None stands for the board in hand.
        """
        found = None
        for (at, number, _), attempt in self.attempts.items():
            is_meant = number == board if board is not None else attempt.is_open
            if at == table and is_meant and attempt.table_attempt <= table_attempt:
                found = attempt
        return found

    def read_on(self, writer: Process | None) -> None:
        """Take in what a commit has brought."""
        self.replayed = {(row[0], row[1]) for row in self._store.query(_REPLAYS)} if self.may_replay else set()
        open_at: set[int] = set()
        finals: set[tuple[int, int]] = set()
        for table, board, number, table_attempt, ended, final, began_at_ms in self._store.query(_ATTEMPTS):
            assert isinstance(table, int)
            assert isinstance(board, int)
            assert isinstance(number, int)
            assert isinstance(table_attempt, int)
            key = (table, board, number)
            attempt = self.attempts.get(key)
            # The id of a table that is gone is given to another.
            if attempt is None or (self.may_discard and attempt.began_at_ms != began_at_ms):
                if attempt is not None and attempt.actions and not self.has_own_players:
                    self.faults.append(f"{_name(key)} is off the record, and players have called there")
                board_in_play = BoardInPlay(self._board_at(table, board))
                attempt = self.attempts[key] = Attempt(board_in_play, table_attempt, began_at_ms)
            attempt.table_attempt = table_attempt
            # A board that is lost or void by what a player did is played out, so that the others notice nothing.
            if attempt.is_open or not attempt.is_by_rules:
                self._read_attempt(key, attempt, writer)
            is_replayed = ended == BoardEnd.VOID and (table, board) in self.replayed
            if not attempt.is_open and not is_replayed and (ended, bool(final)) != (attempt.ended, attempt.is_final):
                self.faults.append(f"{_name(key)} is over, and now ended as {ended!r} in place of {attempt.ended!r}")
            attempt.is_open, attempt.ended, attempt.is_final = ended is None, ended, bool(final)
            if ended is None:
                if table in open_at:
                    self.faults.append(f"table {table} plays two boards at once")
                open_at.add(table)
            if final:
                if (table, board) in finals:
                    self.faults.append(f"board {board} of table {table} has been finished twice")
                finals.add((table, board))

    def set_back(self) -> int:
        """Take in what a power cut has left; return how many calls and cards are lost."""
        lost = 0
        for key, attempt in list(self.attempts.items()):
            ended = self._store.query(_ENDED, *key)
            if not attempt.is_open and ended != [(attempt.ended,)]:
                self.faults.append(f"{_name(key)} had ended as {attempt.ended!r}, and a power cut has taken that")
            calls = self._store.query(f"{_CALLS} ORDER BY seq", *key)
            cards = self._store.query(f"{_CARDS} ORDER BY seq", *key)
            rows = [*calls, *cards]
            if rows != attempt.rows[: len(rows)]:
                self.faults.append(f"{_name(key)} has rows on record after a power cut that it did not have before")
            lost += len(attempt.rows) - len(rows)
            if not ended:
                del self.attempts[key]
            elif len(rows) < len(attempt.rows):
                self._set_back(attempt, rows)
        return lost

    def _set_back(self, attempt: Attempt, rows: list[tuple[object, ...]]) -> None:
        attempt.in_play, attempt.rows = BoardInPlay(attempt.in_play.board), []
        attempt.calls = attempt.cards = 0
        attempt.actions.clear()
        for row in rows:
            self._take(attempt, row)

    def check_whole(self) -> None:
        """Read all of it again: nothing has been altered since, and results are what calls and cards come to."""
        if self.may_discard:
            kept = set(self._store.query("SELECT id FROM tables"))
            self.attempts = {key: attempt for key, attempt in self.attempts.items() if (key[0],) in kept}
        for key, attempt in self.attempts.items():
            rows = sorted(attempt.rows, key=str)
            if sorted([*self._store.query(_CALLS, *key), *self._store.query(_CARDS, *key)], key=str) != rows:
                self.faults.append(f"{_name(key)} is not on record any more as it was")
            results = self._store.query(_RESULTS, *key)
            is_claimed = attempt.ended == BoardEnd.CLAIMED  # what that comes to is for `verify` to check
            if not is_claimed and results != _expected_results(attempt):
                self.faults.append(f"{_name(key)} came to {results}, not to {_expected_results(attempt)}")
        for table, known in (
            ("calls", sum(attempt.calls for attempt in self.attempts.values())),
            ("cards", sum(attempt.cards for attempt in self.attempts.values())),
        ):
            if self._store.query(f"SELECT count(*) FROM {table}") != [(known,)]:
                self.faults.append(f"there are {table} on record that belong to no board")

    def _read_attempt(self, key: Key, attempt: Attempt, writer: Process | None) -> None:
        calls = self._store.query(f"{_CALLS} AND seq >= ? ORDER BY seq", *key, attempt.calls)
        cards = self._store.query(f"{_CARDS} AND seq >= ? ORDER BY seq", *key, attempt.cards)
        if not calls and not cards:
            return
        if not attempt.is_open and (key[0], key[1], key[2] + 1) in self.attempts:
            self.faults.append(f"{_name(key)} goes on, and there is another after it")
        owner = self._store.query("SELECT host FROM tables WHERE id = ?", key[0])[0][0]
        if writer is None or writer.name != str(owner).partition(".")[0]:  # a lobby may have one host after the other
            self.faults.append(f"{writer.name if writer else 'nobody'} writes {_name(key)}, which {owner} has")
        for row in (*calls, *cards):
            try:
                self._take(attempt, row)
            except (TourneyError, ValueError) as error:
                self.faults.append(f"{_name(key)}: {row} is on record, {error}")
                return

    @staticmethod
    def _take(attempt: Attempt, row: tuple[object, ...]) -> None:
        in_play, turn, actor = attempt.in_play, attempt.in_play.turn, attempt.in_play.actor
        seq, seat, text = int(str(row[0])), Seat.from_letter(str(row[1])), str(row[2])
        if turn is not seat or actor is None:
            raise ValueError(f"and it is the turn of {turn!r}")
        if in_play.in_auction:
            due = attempt.calls
            call = parse_call(text)
            in_play.add_call(call)
            action = Action(actor, server_lines.format_call(seat, call), bool(row[3]), str(row[4] or ""))
            attempt.calls += 1
        else:
            due = attempt.cards
            card = parse_card(text)
            in_play.add_card(card)
            action = Action(actor, server_lines.format_card(seat, card))
            attempt.cards += 1
        if seq != due:
            raise ValueError(f"and number {due} is due")
        attempt.actions.append(action)
        attempt.rows.append(row)


def _expected_results(attempt: Attempt) -> list[tuple[object, ...]]:
    result = attempt.in_play.result
    if not attempt.is_by_rules:
        return []
    if result is None:
        return [("a result of its whole play",)]
    contract = result.contract
    if contract is None:
        return [("Pass", None, None, result.score)]
    return [(str(contract), contract.declarer.letter, result.tricks, result.score)]


def _name(key: Key) -> str:
    return "attempt {2} at board {1} of table {0}".format(*key)
