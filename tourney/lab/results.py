"""What boards that were played in this process have come to: auctions, cards, results, rulings, IMPs, PBN."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, overload

from tourney.bridge import Board, Card, Contract, Result, Seat, Side
from tourney.formats.pbn.writer import PbnRecord, both_sides, format_records
from tourney.movement.seating import Room
from tourney.player.view import AuctionCall
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    Incident,
    Ruled,
    RulingKind,
    TableRecord,
)
from tourney.scoring.adjusted import adjust_board
from tourney.scoring.imps import imps
from tourney.scoring.match import BoardComparison, Fines, total_imps

_ROOMS: Final[dict[Room, Literal["Open", "Closed"]]] = {Room.OPEN: "Open", Room.CLOSED: "Closed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """A board as it was played at one table. Two are equal if the same was called, played and scored."""

    place: int
    """Its place among the deals that were played, from 0."""
    board: Board
    """The deal, with its number, dealer and vulnerability."""
    room: Room
    """The table: the open room, where those sit North-South who were given as `NS`, or the closed room."""
    names: tuple[str, str, str, str]
    """Who sat North, East, South and West."""
    calls: tuple[AuctionCall, ...]
    """The auction: seat, call and explanation."""
    cards: tuple[tuple[Seat, Card], ...]
    """The cards in the order of play, each with the hand it came from."""
    end: BoardEnd
    """How it ended: played, passed out, or forfeited, and by what."""
    result: Result | None
    """Contract, tricks and score; None if it was forfeited."""
    reason: str = field(compare=False)
    """Why it was forfeited, in a sentence; else empty."""
    fault: Seat | None
    """Whose fault that was."""
    incidents: tuple[Incident, ...] = field(compare=False)
    """What a director would look at, such as illegal calls and cards."""
    rulings: tuple[Ruled, ...] = field(compare=False)
    """What was ruled on this board."""
    call_ms: tuple[int, ...] = field(compare=False)
    """The thinking time of each call, in milliseconds."""
    card_ms: tuple[int, ...] = field(compare=False)
    """That of each card."""

    def __str__(self) -> str:
        """Return the board in a line: `board 1, open room: 1NT by North, 6 tricks, -50`."""
        where = f"board {self.board.number}, {self.room.value} room"
        if self.result is None:
            return f"{where}: {self.reason}"
        if self.contract is None:
            return f"{where}: passed out"
        score = f"{self.result.score:+}" if self.result.score else "0"
        return f"{where}: {self.contract} by {self.contract.declarer.title}, {self.result.tricks} tricks, {score}"

    @property
    def contract(self) -> Contract | None:
        """The contract, with its declarer; None if the board was passed out, or forfeited."""
        return self.result.contract if self.result is not None else None

    @property
    def declarer(self) -> Seat | None:
        """Who played the contract; None without one."""
        return self.contract.declarer if self.contract is not None else None

    @property
    def tricks(self) -> int | None:
        """The tricks of declarer's side, 0..13; None without a contract."""
        return self.result.tricks if self.result is not None and self.contract is not None else None

    @property
    def score(self) -> int | None:
        """The points of North-South; None if the board was forfeited."""
        return self.result.score if self.result is not None else None


def read_records(
    records: Sequence[TableRecord], room: Room, boards: Sequence[tuple[int, Board]], names: tuple[str, str, str, str]
) -> list[TableResult]:
    """Return the boards that a table has finished, in the order of play.

    Args:
        records: what the table has put on record.
        room: its room.
        boards: what it was to play, in that order, each with its place among the deals.
        names: who sits North, East, South and West.
    """
    found: list[TableResult] = []
    rulings = [record for record in records if isinstance(record, Ruled)]
    calls: list[CallMade] = []
    cards: list[CardPlayed] = []
    incidents: list[Incident] = []
    for record in records:
        match record:
            case BoardBegan():
                calls, cards, incidents = [], [], []
            case CallMade():
                calls.append(record)
            case CardPlayed():
                cards.append(record)
            case Incident():
                incidents.append(record)
            case BoardEnded() if record.end.is_final:
                place, board = boards[len(found)]
                found.append(
                    TableResult(
                        place=place,
                        board=board,
                        room=room,
                        names=names,
                        calls=tuple([AuctionCall(call.seat, call.call, call.alert) for call in calls]),
                        cards=tuple([(card.seat, card.card) for card in cards]),
                        end=record.end,
                        result=record.result,
                        reason=record.reason,
                        fault=record.fault,
                        incidents=tuple(incidents),
                        rulings=tuple([ruling for ruling in rulings if ruling.board == record.board]),
                        call_ms=tuple([call.thinking_ms for call in calls]),
                        card_ms=tuple([card.thinking_ms for card in cards]),
                    )
                )
            case _:
                pass
    return found


class PlayedBoards(Sequence[TableResult]):
    """The results of boards, a sequence: board by board, the open room's first."""

    def __init__(self, results: Sequence[TableResult], rulings: Sequence[tuple[Room, Ruled]], rooms: int) -> None:
        self._results = tuple(results)
        self._rooms = rooms
        self.rulings: tuple[Ruled, ...] = tuple(ruling for _, ruling in rulings)
        """All rulings, those too that are on no board, such as that a side has forfeited all that was left."""
        fines = {True: 0, False: 0}
        for room, ruling in rulings:
            if ruling.kind is RulingKind.PENALTY_IMPS:
                fines[_is_first(room, ruling.side)] += ruling.amount
        self._fines = fines

    @overload
    def __getitem__(self, place: int) -> TableResult: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[TableResult, ...]: ...
    def __getitem__(self, place: int | slice) -> TableResult | tuple[TableResult, ...]:
        return self._results[place]

    def __len__(self) -> int:
        return len(self._results)

    @cached_property
    def comparisons(self) -> dict[int, BoardComparison]:
        """The boards that both rooms have finished, compared, by their places among the deals.

        The home team are those who were given as `NS`.
        """
        closed = {result.place: result for result in self._results if result.room is Room.CLOSED}
        compared: dict[int, BoardComparison] = {}
        for result in self._results:
            other = closed.get(result.place) if result.room is Room.OPEN else None
            comparison = _compare(result, other) if other is not None else None
            if comparison is not None:
                compared[result.place] = comparison
        return compared

    @property
    def imps(self) -> list[int]:
        """The IMPs of each of those boards for those who were given as `NS`; below zero where they lost."""
        return [board.imps_home for board in self.comparisons.values()]

    @property
    def total_imps(self) -> int:
        """The IMPs by which those given as `NS` have won, fines included; below zero if they have lost."""
        totals = total_imps(self.comparisons.values(), Fines(self._fines[True]), Fines(self._fines[False]))
        return totals.home - totals.away

    def write_pbn(self, path: Path | str) -> None:
        """Write all boards as a PBN file, as `tourney export` does.

        Raises:
            LaunchError: it cannot be written.
        """
        # What exports needs the store, which takes longer to load than some boards to play.
        from tourney.export.files import PROGRAM, replace_file  # noqa: PLC0415
        from tourney.export.pbn import TERMINATIONS  # noqa: PLC0415

        records = (self._record(result, TERMINATIONS.get(result.end, "normal")) for result in self._results)
        with replace_file(Path(path)) as file:
            file.write(format_records(records, PROGRAM))

    def _record(self, result: TableResult, termination: str) -> PbnRecord:
        compared = self.comparisons.get(result.place) if result.room is Room.CLOSED else None
        is_ruled = any(ruling.kind is RulingKind.BOARD_FORFEIT for ruling in result.rulings)
        return PbnRecord(
            event="",
            site="",
            date=None,
            board=result.board,
            names=result.names,
            calls=tuple((made.call, made.explanation or None) for made in result.calls),
            cards=result.cards,
            result=result.result,
            room=_ROOMS[result.room] if self._rooms == 2 else None,
            tags=(("ScoreIMP", both_sides(compared.imps_away, compared.imps_home if is_ruled else None)),)
            if compared is not None
            else (),
            ruling="; ".join(ruling.reason for ruling in result.rulings),
            termination=termination,
            call_ms=result.call_ms,
            card_ms=result.card_ms,
        )


def _compare(opened: TableResult, closed: TableResult) -> BoardComparison | None:
    """Compare a board that both rooms have finished; None if that cannot be."""
    at_fault = {
        _is_first(result.room, ruling.side)
        for result in (opened, closed)
        for ruling in result.rulings
        if ruling.kind is RulingKind.BOARD_FORFEIT
    }
    number = opened.board.number
    if at_fault:
        return adjust_board(number, home_at_fault=True in at_fault, away_at_fault=False in at_fault)
    if opened.score is None or closed.score is None:
        return None
    won = imps(opened.score - closed.score)
    return BoardComparison(number, won, -won)


def _is_first(room: Room, side: Side) -> bool:
    """Return whether those who were given as `NS` sit on a side in a room."""
    return (side is Side.NS) is (room is Room.OPEN)
