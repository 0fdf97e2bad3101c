"""What was played at a table: contract, declarer, tricks and score, as rows and in words."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tourney.bridge import Card, Result, Seat, Side
from tourney.output.content import Content, Link, format_made
from tourney.output.rows import Cell, Row
from tourney.output.units import ContractText, Milliseconds, SeatUnit, Tricks
from tourney.scoring.assigned import AssignedResult
from tourney.store.record.results import BoardResult


class AtTable(Protocol):
    """What one table has on a board."""

    @property
    def result(self) -> BoardResult | None:
        """None if it has none."""

    @property
    def lead(self) -> Card | None:
        """The opening lead; None where no card is on record."""


class ContractDocument(Row):
    """What was played at a table, without its score."""

    contract: ContractText
    """The contract, such as 4SX, or Pass."""
    declarer: SeatUnit | None
    """The declarer; null when the board was passed out."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null when the board was passed out."""


class PlayedDocument(ContractDocument):
    """What was played at a table."""

    score: int
    """The score of North-South in points."""


class ResultDocument(PlayedDocument):
    """The result of a board at a table, and the time it took."""

    ns_ms: Milliseconds
    """Thinking time of North-South in milliseconds."""
    ew_ms: Milliseconds
    """Thinking time of East-West in milliseconds."""
    tm_ms: Milliseconds
    """Time that the table itself took, in milliseconds."""


def contract_row(board: BoardResult | None) -> ContractDocument | None:
    """Return what was played at a table, without its score; None if nothing was."""
    return ContractDocument(*contract_of(board.result)) if board is not None else None


def played_row(board: BoardResult | None) -> PlayedDocument | None:
    """Return what was played at a table; None if nothing was."""
    return PlayedDocument(*contract_of(board.result), board.result.score) if board is not None else None


def result_row(board: BoardResult) -> ResultDocument:
    """Return what was played at a table and the time that it took."""
    times_ms = board.times_ms
    return ResultDocument(
        *contract_of(board.result), board.result.score, times_ms[Side.NS], times_ms[Side.EW], board.tm_ms
    )


def contract_of(result: Result | AssignedResult) -> tuple[str, Seat | None, int | None]:
    """Return the contract as text, declarer and the tricks, which are None for a board that was passed out."""
    contract = result.contract
    return ("Pass", None, None) if contract is None else (str(contract), contract.declarer, result.tricks)


def played_columns(of: Callable[[Any], AtTable], to: Callable[[Any], Link | None]) -> tuple[Cell, Cell, Cell]:
    """Return the columns for contract, lead and tricks.

    Args:
        of: returns what a row has of a table.
        to: returns where the contract leads.
    """
    return (
        Cell("Contract", lambda row: _outcome(of(row).result), worth=2, to=to),
        Cell("Lead", lambda row: of(row).lead),
        Cell(">Tricks", lambda row: _tricks(of(row).result)),
    )


def _outcome(board: BoardResult | None) -> Content:
    return board.result if board is not None else "no result"


def _tricks(board: BoardResult | None) -> int | None:
    return board.result.tricks if board is not None and board.result.contract is not None else None


def format_assigned(assigned: Sequence[AssignedResult], form: Callable[[AssignedResult], str] = str) -> str:
    """Format an assigned score: `4S N 10`, or by weight `60: 4S N 10, 40: 4S N 9`; `form` formats a result."""
    if len(assigned) == 1:
        return form(assigned[0])
    return ", ".join(f"{part.weight}: {form(part)}" for part in assigned)


def format_assigned_outcome(assigned: Sequence[AssignedResult]) -> str:
    """Format an assigned result: `4SX N +1`; weighted ones as `60: 4S N =, 40: 4S N -1`."""
    return format_assigned(assigned, lambda part: format_made(part.contract, part.tricks))
