"""A match put on record with everything that may end an attempt, for those who check the record."""

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

from sqlalchemy import update

from tests.support.blank_database import blank_database
from tests.support.store_events import NOW_MS, make_draw, newest_attempt, reload, save_event, take
from tourney.audit.event import Verification, verify_event
from tourney.audit.findings import AuditFinding
from tourney.bridge import DOUBLE, PASS, Bid, Board, BoardInPlay, Call, Result, Seat, Side, Strain, score_ns
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    Ruled,
    RulingKind,
    TableRecord,
)
from tourney.results.scorecard import work_out_scorecard
from tourney.scoring.victory_points import VpScale, vp_scale
from tourney.store.db.database import Database, file_url
from tourney.store.draw.objects import EventInfo
from tourney.store.models import TableRow
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.matches import load_match_boards, save_match_score

BOARDS = 4

LATER_MS = NOW_MS + 3_600_000
"""When the record is checked."""

_DOUBLED: tuple[Call, ...] = (Bid(1, Strain.NOTRUMP), DOUBLE, PASS, PASS, PASS)


@dataclass(slots=True)
class AuditedMatch:
    """The first match of an event, and a ledger for each of its tables."""

    database: Database
    event: EventInfo
    ledgers: dict[Room, TableLedger]

    @property
    def match(self) -> MatchInfo:
        return self.event.matches[0]

    @property
    def boards(self) -> tuple[Board, ...]:
        return load_match_boards(self.database, self.match)

    @property
    def scale(self) -> VpScale:
        stage = self.event.stages[0]
        return vp_scale(stage.vp_scale, stage.boards_per_match)

    def write(self, room: Room, records: Iterable[TableRecord]) -> None:
        ledger = self.ledgers[room]
        ledger.attempt = newest_attempt(
            self.database, ledger.table_id
        )  # a replay takes a finished table from its host
        Recorder(self.database).write((ledger, record) for record in records)

    def verify(self, now_ms: int = LATER_MS, jobs: int = 1) -> Verification:
        return verify_event(self.database, self.event, self.event.matches, {1: self.scale}, now_ms, jobs)

    def findings(self) -> list[str]:
        return [finding.text for finding in self.verify().findings]

    def score(self) -> None:
        """Write the score of the match, as the coordinator does."""
        score = work_out_scorecard(self.database, self.match, self.scale).score
        assert score is not None
        save_match_score(self.database, self.match, score)


def begin_match(database: Database) -> AuditedMatch:
    """Draw an event of one match, and have both of its tables taken."""
    event = save_event(database, make_draw(boards=BOARDS))
    tables = event.matches[0].tables_at(0)
    ledgers = {room: take(database, tables[room], boards_left=BOARDS) for room in Room}
    teams = {team.name: team.id for team in event.teams}
    for room, ledger in ledgers.items():
        ledger.event_id, ledger.match_id = event.id, event.matches[0].id
        ledger.team_ids = {side: teams[tables[room].team(side)] for side in Side}
    return AuditedMatch(database, reload(database), ledgers)


def records_of_match(match: AuditedMatch) -> list[tuple[Room, list[TableRecord]]]:
    """Everything in the order of time, room by room, what belongs to one end together."""
    one, two, three, four = match.boards
    return [
        *((Room.OPEN, [record]) for record in broken_off(one)),
        *((Room.OPEN, [record]) for record in played(one)),
        (Room.OPEN, passed_out(two)),
        (Room.OPEN, claimed(three)),
        (Room.OPEN, forfeited(four)),
        (Room.CLOSED, played(one)),
        (Room.CLOSED, claimed(two, cards=5)),
        (Room.CLOSED, claimed(three, cards=0)),
        (Room.CLOSED, passed_out(four)),
    ]


def play_match(database: Database) -> AuditedMatch:
    """Play it all and score it: both tables are finished."""
    match = begin_match(database)
    for room, parts in groupby(records_of_match(match), key=itemgetter(0)):
        match.write(room, chain.from_iterable(records for _, records in parts))
    match.score()
    match.event = reload(database)
    return match


@cache
def played_file() -> bytes:
    """The file of a match that was played and scored."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "played.db")
        path.write_bytes(blank_database())
        with closing(Database(file_url(path))) as database:
            play_match(database)
            # Everything into the one file, out of the log ahead of it.
            with database.outside() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = DELETE")
        return path.read_bytes()


class PlayedRecord:
    """A played match that is changed behind everybody's back, and is as it was for the next change."""

    def __init__(self, path: Path) -> None:
        # One database for all changes: its queries are made once.
        self.database = Database(file_url(path))
        self.path = path
        path.write_bytes(played_file())

    @contextmanager
    def changed(self) -> Iterator[sqlite3.Connection]:
        """No check and no reference holds; what is done in the block is done when it ends."""
        self.database.close()
        self.path.write_bytes(played_file())
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("DROP INDEX uq_board_attempts_final")
            yield connection
            connection.commit()

    def change(self, *statements: str) -> EventInfo:
        """Change it by statements; the event afterwards."""
        with self.changed() as connection:
            for statement in statements:
                connection.execute(statement)
        return reload(self.database)

    def findings(self) -> list[AuditFinding]:
        return AuditedMatch(self.database, reload(self.database), {}).verify().findings


def stop_tables(database: Database) -> None:
    """Nobody plays any more: as a run leaves it that was stopped."""
    with database.write() as connection:
        connection.execute(update(TableRow).values(state=TableState.WAITING))


def played(board: Board) -> list[TableRecord]:
    """1NT by the dealer, doubled, and the first legal card every time."""
    records, in_play = _records(board, _DOUBLED)
    return [*records, _ended(records, BoardEnd.PLAYED, in_play.result)]


def passed_out(board: Board) -> list[TableRecord]:
    records, in_play = _records(board, (PASS,) * 4)
    return [*records, _ended(records, BoardEnd.PASSED_OUT, in_play.result)]


def claimed(board: Board, cards: int = 14) -> list[TableRecord]:
    """Declarer has claimed the rest after so many cards."""
    records, in_play = _records(board, _DOUBLED, cards)
    contract, play = in_play.contract, in_play.play
    assert contract is not None
    assert play is not None
    tricks = play.tricks_won + 13 - len(play.tricks)
    result = Result(contract, tricks, score_ns(contract, tricks, board.vulnerability))
    return [*records, _ended(records, BoardEnd.CLAIMED, result)]


def forfeited(board: Board) -> list[TableRecord]:
    """East has lost the board after seven cards; for the others it goes on for five more."""
    records, _ = _records(board, _DOUBLED, 12)
    before, after = records[:-5], records[-5:]
    why = "East owed a card for 300 s"
    ended = _ended(before, BoardEnd.STALL, None, why, Seat.EAST)
    ruled = Ruled(
        kind=RulingKind.BOARD_FORFEIT,
        side=Side.EW,
        board=board.number,
        amount=0,
        reason=why,
        clause="BC-45",
        at_ms=ended.at_ms,
    )
    return [*before, ended, ruled, *after]


def broken_off(board: Board) -> list[TableRecord]:
    """The run was stopped in the middle of the auction."""
    records, _ = _records(board, _DOUBLED[:3], 0)
    return [*records, _ended(records, BoardEnd.ABANDONED, None, "the run was stopped")]


def begun_again(board: Board, fault: Seat = Seat.NORTH) -> list[TableRecord]:
    """A program came back and said something else, so that the board is to be begun again."""
    records, _ = _records(board, _DOUBLED[:3], 0)
    why = f"{fault.title} came back and said Pass where it had said 1NT"
    return [*records, _ended(records, BoardEnd.ABANDONED, None, why, fault)]


def taken_back(board: Board, *calls: Call) -> list[TableRecord]:
    """A call or card was taken back, with the consent of the opponents; by default after a call of `played`."""
    records, _ = _records(board, calls or _DOUBLED[:3], 0)
    return [*records, _ended(records, BoardEnd.RETRACTED, None, "South takes back a call")]


def _records(board: Board, calls: Iterable[Call], cards: int = 52) -> tuple[list[TableRecord], BoardInPlay]:
    in_play = BoardInPlay(board)
    at_ms = NOW_MS + 1000 * board.number
    records: list[TableRecord] = [BoardBegan(board.number, at_ms)]
    for seq, call in enumerate(calls):
        seat = board.dealer.plus(seq)
        alert = "15 to 17 HCP, balanced" if seq == 0 else ""
        records.append(
            CallMade(
                board=board.number,
                seq=seq,
                seat=seat,
                call=call,
                alert=alert,
                alerted=seq == 0,
                thinking_ms=10 + seq,
                at_ms=at_ms + seq,
            )
        )
        in_play.add_call(call)
    play = in_play.play
    while play is not None and not play.is_over and len(play.cards) < cards:
        seq, seat, card = len(play.cards), play.turn, play.legal_cards()[0]
        records.append(
            CardPlayed(
                board=board.number,
                seq=seq,
                seat=seat,
                card=card,
                thinking_ms=20 + seq,
                at_ms=at_ms + 10 + seq,
                substituted=seq == 5,
            )
        )
        in_play.add_card(card)
    return records, in_play


def _ended(
    records: Iterable[TableRecord],
    end: BoardEnd,
    result: Result | None,
    reason: str = "",
    fault: Seat | None = None,
) -> BoardEnded:
    spent_ms, board, at_ms = dict.fromkeys(Side, 0), 0, 0
    for record in records:
        if isinstance(record, CallMade | CardPlayed):
            spent_ms[record.seat.side] += record.thinking_ms
            board, at_ms = record.board, record.at_ms
    return BoardEnded(
        board=board,
        end=end,
        reason=reason,
        result=result,
        ns_ms=spent_ms[Side.NS],
        ew_ms=spent_ms[Side.EW],
        at_ms=at_ms,
        tm_ms=77,
        fault=fault,
    )
