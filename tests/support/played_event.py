"""Events drawn from an event file and played without a socket, for tests of everything that reads the record.

Protocol records go through the recorder into a real SQLite file, as a table host would send them.
"""

import random
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec

from sqlalchemy import insert, update

from tests.support.blank_database import blank_database
from tests.support.store_events import newest_attempt
from tests.support.store_records import board_ended, made_call
from tourney.bridge import (
    PASS,
    Board,
    BoardInPlay,
    Call,
    Contract,
    Result,
    Seat,
    Side,
    Strain,
    score_ns,
)
from tourney.contest.draw import MatchInfo
from tourney.coordinator.draw import ensure_drawn
from tourney.event.drawn import DrawnEvent
from tourney.event.file import EventFile, load_event_file
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    IncidentKind,
    RulingKind,
    TableRecord,
)
from tourney.results.scorecard import iter_scorecards
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.tunnels import TunnelRecord, TunnelStore
from tourney.store.db.database import Database
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.tables import TeamInfo
from tourney.store.models import IncidentRow, RulingRow
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.event_results import MatchFilter
from tourney.store.results.matches import load_match_boards, load_match_scores, save_match_score

BEGINS_AT_MS = 1_790_000_000_000
"""2026-09-21T14:13:20Z: when the first board of every table begins."""

OPEN, CLOSED = ROOMS = tuple(Room)


def event_text(
    *teams: str, name: str = "Test Cup", boards: int = 2, stage: str = "", deals: str = "seed = 1", more: str = ""
) -> str:
    """An event file. `stage` and `deals` are further lines of their sections, `more` further sections."""
    sections = "".join(f'[[team]]\nname = "{team}"\n' for team in teams or ("Alpha", "Beta"))
    return (
        f'[event]\nname = "{name}"\n{sections}[[stage]]\nboards_per_match = {boards}\n{stage}\n'
        f"[deals]\n{deals}\n{more}\n"
    )


def write_event(folder: Path, text: str) -> Path:
    path = folder / "event.toml"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@dataclass
class PlayedEvent:
    """A drawn event. The methods put boards on record, match by match, room by room."""

    path: Path
    file: EventFile
    database: Database
    event: EventInfo
    _ledgers: dict[int, TableLedger] = field(default_factory=dict)
    _boards: dict[tuple[int, int, int], tuple[Board, ...]] = field(default_factory=dict)
    """Boards of the matches that were asked for; a match with extra boards has others under another key."""
    _rulings: int = 0
    _waiting: list[tuple[TableLedger, TableRecord]] | None = None
    """What is put on record at once, at the end of `together`."""
    _waiting_tables: set[int] = field(default_factory=set)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Put on record at once what is played in the block: a transaction takes longer than a board."""
        if self._waiting is not None:  # a part of the block around this one
            yield
            return
        self._waiting = []
        try:
            yield
            Recorder(self.database).write(self._waiting)
        finally:
            self._waiting = None
            self._waiting_tables.clear()

    def match(self, number: int) -> MatchInfo:
        return self.event.matches[number - 1]

    def boards(self, number: int) -> tuple[Board, ...]:
        match = self.match(number)
        key = match.id, match.board_set_id, match.boards
        if key not in self._boards:
            self._boards[key] = load_match_boards(self.database, match)
        return self._boards[key]

    def _board(self, number: int, board: int) -> Board:
        return next(each for each in self.boards(number) if each.number == board)

    def table(self, number: int, room: Room, board: int | None = None) -> TableInfo:
        """Where a match plays in a room; of several segments the one with the board, else the first."""
        numbers = [each.number for each in self.boards(number)]
        return self.match(number).tables_at(numbers.index(board) if board is not None else 0)[room]

    @property
    def drawn(self) -> DrawnEvent:
        """The event as reports are loaded from it."""
        return DrawnEvent(self.path, self.file.place, self.database, self.event)

    def save_tunnel(self, team: TeamInfo, **known: Any) -> None:
        """Put a tunnel of a team on record that goes on."""
        usual: dict[str, Any] = {
            "address": "",
            "opened_at_ms": 0,
            "seen_at_ms": 0,
            "ended_at_ms": None,
            "reason": "",
            "resumes": 0,
        }
        values = usual | {"bytes_up": 0, "bytes_down": 0} | known
        tunnel = TunnelRecord(team=team.name, team_id=team.id, session=b"session", **values)
        TunnelStore(self.database, self.event.id, lambda: 0).save([tunnel])

    def reload(self) -> EventInfo:
        """The event as it is stored now, states of tables included."""
        event = load_event(self.database, self.event.name)
        assert event is not None
        self.event = event
        return event

    def record(
        self,
        number: int,
        room: Room,
        board: int,
        contract: str,
        tricks: int = 0,
        *,
        ns_ms: int = 0,
        ew_ms: int = 0,
        tm_ms: int = 0,
    ) -> None:
        """Put a result on record without calls or cards: `4SX N` and declarer's tricks, or `Pass`."""
        played = self._board(number, board)
        made = _contract(contract)
        result = Result(made, tricks, score_ns(made, tricks, played.vulnerability))
        end = BoardEnd.PASSED_OUT if made is None else BoardEnd.PLAYED
        after_ms = ns_ms + ew_ms
        ended = _end(board, end, result, ns_ms=ns_ms, ew_ms=ew_ms, tm_ms=tm_ms, after_ms=after_ms)
        self._write(number, room, [BoardBegan(board, BEGINS_AT_MS), ended])

    def claim(self, number: int, room: Room, board: int, cards: int, tricks: int, seed: str = "1") -> None:
        """Call and play a board at random up to so many cards; then a claim gives declarer's side `tricks`."""
        records, in_play = begun_at_random(self._board(number, board), seed, cards)
        contract = in_play.contract
        result = Result(contract, tricks, score_ns(contract, tricks, in_play.board.vulnerability))
        self._write(number, room, [*records, _end(board, BoardEnd.CLAIMED, result)])

    def forfeit(
        self,
        number: int,
        room: Room,
        board: int,
        fault: Seat,
        end: BoardEnd = BoardEnd.STALL,
        reason: str = "East owed a call for 300 s",
        *,
        cards: int = 0,
    ) -> None:
        """Call a board at random, play so many cards of it, then let the side of a seat forfeit it, by rule."""
        records, _ = begun_at_random(self._board(number, board), "1", cards)
        self._write(number, room, [*records, _end(board, end, reason=reason, fault=fault)])
        team = self.table(number, room, board).team(fault.side)
        self.rule(number, team, RulingKind.BOARD_FORFEIT, reason, room=room, board=board, attempt=1)

    def rule(
        self,
        number: int | None,
        team: str,
        kind: RulingKind,
        reason: str = "",
        *,
        room: Room | None = None,
        board: int | None = None,
        attempt: int | None = None,
        amount: int = 0,
        law: str = "BC-45",
        author: str = "rule",
        assigned: tuple[AssignedResult, ...] = (),
        after_ms: int | None = None,
    ) -> int:
        """Put a ruling on record; its id. They are a second apart, but for those that say when they are made."""
        match = self.match(number) if number is not None else None
        if after_ms is None:
            self._rulings += 1
            after_ms = 1000 * self._rulings
        return save_ruling(
            self.database,
            NewRuling(
                event_id=self.event.id,
                match_id=match.id if match is not None else None,
                table_id=self.table(number, room, board).id if number is not None and room is not None else None,
                board=board,
                attempt=attempt,
                team_id=next((found.id for found in self.event.sides if found.name == team), None),
                kind=kind,
                amount=amount,
                reason=reason,
                law=law,
                author=author,
                assigned=assigned,
                now_ms=BEGINS_AT_MS + after_ms,
            ),
        )

    def withdraw(self, ruling: int, reason: str = "heard again") -> None:
        """Let a ruling not stand any more."""
        values = {"withdrawn_at_ms": BEGINS_AT_MS + 3_600_000, "withdrawn_by": "Jane", "withdrawn_reason": reason}
        with self.database.write() as connection:
            connection.execute(update(RulingRow).where(RulingRow.id == ruling).values(values))

    def incident(
        self, number: int, room: Room, board: int | None, kind: IncidentKind, seat: Seat | None, text: str
    ) -> None:
        """Put an incident on record."""
        with self.database.write() as connection:
            connection.execute(
                insert(IncidentRow).values(
                    table_id=self.match(number).tables_at(0)[room].id,
                    board=board,
                    attempt=1 if board is not None else None,
                    kind=kind,
                    seat=seat.letter if seat is not None else None,
                    text=text,
                    at_ms=BEGINS_AT_MS + 500,
                )
            )

    def play(
        self, number: int, rooms: Iterable[Room] = ROOMS, boards: Iterable[int] | None = None, seed: str = "1"
    ) -> None:
        """Call and play boards of a match at random, legally, with alerts: all of it unless told otherwise."""
        chosen = set(boards) if boards is not None else None
        with self.together():
            for room in rooms:
                for board in self.boards(number):
                    if chosen is None or board.number in chosen:
                        self._write(number, room, _played(board, f"{seed}|{number}|{room}|{board.number}"))

    def begin(self, number: int, room: Room, board: int, calls: int = 2) -> None:
        """Leave a board in the middle of its auction: it is being played."""
        passes = [made_call(seq, Seat.NORTH.plus(seq), board=board, at_ms=BEGINS_AT_MS + seq) for seq in range(calls)]
        self._write(number, room, [BoardBegan(board, BEGINS_AT_MS), *passes])

    def begin_at_random(self, number: int, room: Room, board: int, cards: int) -> None:
        """Leave a board in the middle of its play, after an auction at random and so many cards."""
        records, _ = begun_at_random(self._board(number, board), "2", cards)
        self._write(number, room, records)

    def compare(self, number: int, *boards: tuple[str, int, str, int]) -> None:
        """Put boards 1, 2, ... of a match on record, each with contract and tricks of both rooms, and score it."""
        for board, (at_open, tricks, at_closed, closed_tricks) in enumerate(boards, 1):
            self.record(number, Room.OPEN, board, at_open, tricks)
            self.record(number, Room.CLOSED, board, at_closed, closed_tricks)
        self.score()

    def play_all(self, *, scored: bool = True) -> None:
        """The whole event."""
        with self.together():
            for match in self.event.matches:
                self.play(match.number)
        if scored:
            self.score()

    def score(self) -> None:
        """Store the scores of the matches that are over, as the coordinator does."""
        event = self.event.seen_whole()
        stored = load_match_scores(self.database, event.id)
        cards = [*iter_scorecards(self.database, event, self.file.scales, MatchFilter(event.id))]
        with one_transaction(self.database) as joined:
            for card in cards:
                if card.score is not None and card.score != stored.get(card.match.number):
                    save_match_score(joined, card.match, card.score)

    def leave_aside(self, *numbers: int) -> None:
        """Let nothing be left to play in these matches: they have a score, and no board in it."""
        for number in numbers:
            score = MatchScore(0, 0, 0, VpHundredths(0), VpHundredths(0))
            save_match_score(self.database, self.match(number), score)

    def _write(self, number: int, room: Room, records: Iterable[TableRecord]) -> None:
        records = list(records)
        board = next((record.board for record in records if isinstance(record, BoardBegan | BoardEnded)), None)
        table = self.table(number, room, board)
        ledger = self._ledgers.setdefault(table.id, TableLedger(table.id, table.attempt, boards_left=table.boards))
        with self.together():
            assert self._waiting is not None
            if table.id not in self._waiting_tables:  # a replay takes a finished table from its host
                ledger.attempt = newest_attempt(self.database, table.id)
                self._waiting_tables.add(table.id)
            self._waiting += ((ledger, record) for record in records)


_opened = list[Database]()
"""What events of the test in progress read from and write to."""


def close_events() -> None:
    """Close the databases of events that have been drawn since this was called last; another use opens them again."""
    for database in _opened:
        database.close()
    _opened.clear()


def _closing(played: PlayedEvent) -> PlayedEvent:
    """Have the database of an event closed at the end of the test, and once nothing uses the event any more."""
    _opened.append(played.database)
    weakref.finalize(played, played.database.close)
    return played


def draw_event(folder: Path, text: str | None = None) -> PlayedEvent:
    """Draw an event of this text, two teams and two boards by default; its file is `event.toml` in the folder."""
    text = text if text is not None else event_text()
    is_alone = "database =" not in text and "../" not in text
    return _draw_once(folder, text) if is_alone else open_event(write_event(folder, text))


def open_event(path: Path) -> PlayedEvent:
    """Draw the event of a file, unless it is drawn."""
    return draw_file(load_event_file(path))


def draw_file(file: EventFile, now_ms: int = BEGINS_AT_MS) -> PlayedEvent:
    """Draw the event of a file that has been read, unless it is drawn."""
    database = open_database(file)
    _opened.append(database)  # a draw may be refused
    return _closing(PlayedEvent(file.path, file, database, ensure_drawn(file, database, now_ms)))


@dataclass(frozen=True)
class _Copy:
    """An event as it was once: its files, and what its `PlayedEvent` knew."""

    folder: Path
    files: Mapping[Path, bytes]
    """Their contents, by their places in that folder."""
    played: PlayedEvent

    @classmethod
    def of(cls, folder: Path, played: PlayedEvent) -> "_Copy":
        played.database.close()  # from the log into the file
        files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return cls(folder, files, _another(played, played.path, played.file, played.database))

    def put(self, folder: Path) -> PlayedEvent:
        """Put it into another folder; files that are there stay."""
        for place, content in self.files.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            names_folder = path.suffix in (".json", ".toml")
            moved = content.replace(str(self.folder).encode(), str(folder).encode())
            path.write_bytes(moved if names_folder else content)
        file = load_event_file(folder / self.played.path.relative_to(self.folder))
        return _closing(_another(self.played, file.path, file, Database(file.database_url)))


def _another(played: PlayedEvent, path: Path, file: EventFile, database: Database) -> PlayedEvent:
    ledgers = {number: replace(ledger) for number, ledger in played._ledgers.items()}
    return PlayedEvent(path, file, database, played.event, ledgers, dict(played._boards), played._rulings)


Building = ParamSpec("Building")


def once(build: Callable[Building, PlayedEvent]) -> Callable[Building, PlayedEvent]:
    """Have an event drawn and played once in a process, and its tests get copies of it.

    The first parameter is the folder, which is empty or not there yet. What is built depends on nothing but the
    others; a fixture has none.
    """
    kept: dict[object, _Copy] = {}
    parameters = signature(build)

    @wraps(build)
    def build_once(*args: Building.args, **options: Building.kwargs) -> PlayedEvent:
        folder, *given = parameters.bind(*args, **options).arguments.values()
        if folder.exists() and any(folder.iterdir()):
            return build(*args, **options)
        if (key := tuple(given)) in kept:
            return kept[key].put(folder)
        played = build(*args, **options)
        kept[key] = _Copy.of(folder, played)
        return played

    return build_once


def open_database(file: EventFile) -> Database:
    """Open the database of an event file; where it has none yet, one with our schema."""
    database = Database(file.database_url)
    if database.is_missing and database.file is not None:
        database.make_folder()
        database.file.write_bytes(blank_database())
    return database


@once
def _draw_once(folder: Path, text: str) -> PlayedEvent:
    return open_event(write_event(folder, text))


@once
def draw_compared(folder: Path) -> PlayedEvent:
    """Alpha, at home, wins 10, loses 9, 0 and 17 IMPs on boards 1 to 4; the match has its score: 10 to 26."""
    played = draw_event(folder, event_text("Alpha", "Beta", boards=4))
    played.compare(
        1,
        ("4S N", 10, "4S N", 9),  # 420, -50
        ("3NT W", 9, "Pass", 0),  # -400
        ("1NT S", 7, "1NT S", 7),
        ("6HX S", 11, "6H S", 12),  # -200, 1430
    )
    return played


@once
def draw_four_tables(folder: Path) -> PlayedEvent:
    """Board 1 of round 1 at four tables: 400 and -50 in Alpha - Delta, 430 and 400 in Beta - Gamma."""
    played = draw_event(folder, event_text("Alpha", "Beta", "Gamma", "Delta"))
    played.record(1, Room.OPEN, 1, "3NT N", 9)
    played.record(1, Room.CLOSED, 1, "4S N", 9)
    played.record(2, Room.OPEN, 1, "3NT N", 10)
    played.record(2, Room.CLOSED, 1, "3NT N", 9)
    return played


@once
def draw_half_played(folder: Path) -> PlayedEvent:
    """Three teams: match 1 is played and scored, of match 2 board 1 is played, match 3 has not begun."""
    played = draw_event(folder, event_text("Ants", "Bees", "Cats"))
    played.play(1)
    played.play(2, boards=[1])
    played.score()
    return played


def _contract(text: str) -> Contract | None:
    if text == "Pass":
        return None
    bid, declarer = text.split()
    doubled = bid.count("X")
    strain = next(strain for strain in Strain if strain.letters == bid[1:].removesuffix("X" * doubled))
    return Contract(int(bid[0]), strain, doubled, Seat.from_letter(declarer))


def _played(board: Board, seed: str) -> list[TableRecord]:
    records, in_play = begun_at_random(board, seed)
    spent_ms = {Side.NS: 0, Side.EW: 0}
    now_ms = BEGINS_AT_MS
    for record in records:
        if isinstance(record, CallMade | CardPlayed):
            spent_ms[record.seat.side] += record.thinking_ms
            now_ms = record.at_ms
    end = BoardEnd.PASSED_OUT if in_play.contract is None else BoardEnd.PLAYED
    ns_ms, ew_ms = spent_ms[Side.NS], spent_ms[Side.EW]
    return [*records, _end(board.number, end, in_play.result, ns_ms=ns_ms, ew_ms=ew_ms, at_ms=now_ms)]


def begun_at_random(board: Board, seed: str, cards: int = 52) -> tuple[list[TableRecord], BoardInPlay]:
    """A board called, and played up to so many cards."""
    chance = random.Random(seed)
    in_play = BoardInPlay(board)
    now_ms = BEGINS_AT_MS
    records: list[TableRecord] = [BoardBegan(board.number, now_ms)]
    while (seat := in_play.turn) is not None:
        thinking_ms = chance.randrange(1, 3000)
        now_ms += thinking_ms
        if in_play.play is None:
            seq = len(in_play.auction.calls)
            call = _choose_call(in_play, chance)
            alert, alerted = _alert(seq)
            records.append(
                made_call(
                    seq,
                    seat,
                    call,
                    board=board.number,
                    alert=alert,
                    alerted=alerted,
                    thinking_ms=thinking_ms,
                    at_ms=now_ms,
                )
            )
            in_play.add_call(call)
        elif len(in_play.play.cards) == cards:
            break
        else:
            seq = len(in_play.play.cards)
            card = chance.choice(in_play.play.legal_cards())
            records.append(
                CardPlayed(board=board.number, seq=seq, seat=seat, card=card, thinking_ms=thinking_ms, at_ms=now_ms)
            )
            in_play.add_card(card)
    return records, in_play


def _end(
    board: int, end: BoardEnd, result: Result | None = None, *, reason: str = "", after_ms: int = 99_999, **more: Any
) -> BoardEnded:
    return board_ended(board, end, result, reason, **{"at_ms": BEGINS_AT_MS + after_ms} | more)


def _choose_call(in_play: BoardInPlay, chance: random.Random) -> Call:
    return PASS if chance.random() < 0.5 else chance.choice(in_play.auction.legal_calls()[:8])


def _alert(seq: int) -> tuple[str, bool]:
    """Call 1 is alerted with a text, call 2 without, call 3 has information but no alert, the others nothing."""
    return {1: ("12 to 14 HCP, no 4-card major", True), 2: ("", True), 3: ("natural", False)}.get(seq, ("", False))
