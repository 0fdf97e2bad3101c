"""Checks one attempt at a board by replaying its calls and cards: its end, its result and its times must follow."""

from collections.abc import Iterator
from typing import Any, Final

from tourney.audit.findings import AttemptRows, Fault, RowKind, attempt_fault, seat_title
from tourney.bridge import (
    DECK,
    Board,
    BoardInPlay,
    Call,
    Card,
    Contract,
    Seat,
    Side,
    parse_call,
    parse_card,
    score_ns,
)
from tourney.errors import FormatError
from tourney.plurals import count
from tourney.protocol.session.records import BoardEnd
from tourney.store.record.audit import Cells

_SIDES: Final = {"N": Side.NS, "E": Side.EW, "S": Side.NS, "W": Side.EW}


def check_attempt(attempt: AttemptRows, row: Cells, board: Board) -> Iterator[Fault]:
    """Yield what is wrong with an attempt, apart from its chain.

    Args:
        attempt: its rows.
        row: the row of the attempt itself.
        board: its board.
    """
    end = _end_of(row)
    yield from _check_end(row, end, attempt.result)
    in_play = BoardInPlay(board)
    fault = _replay(in_play, attempt)
    if fault is not None:
        yield fault
    elif end is not None and end.is_by_rules:
        yield from _check_result(in_play, board, end, attempt.result)
    if attempt.result is not None:
        yield from _check_times(attempt, attempt.result)


# The end


def _end_of(row: Cells) -> BoardEnd | None:
    """Return how the attempt ended; None when it did not, or when there is no such end."""
    try:
        return BoardEnd(row["ended"])
    except ValueError:
        return None


def _check_end(row: Cells, end: BoardEnd | None, result: Cells | None) -> Iterator[Fault]:
    """Check that the columns of an attempt agree with each other and with whether there is a result."""
    if row["ended"] is None:
        present = [name for name in ("ended_at_ms", "fault", "chain") if row[name] is not None]
        present += ["final"] if row["final"] is not False else []
        present += ["reason"] if row["reason"] != "" else []
        present += ["a result"] if result is not None else []
        if present:
            yield attempt_fault(f"it has no end, and yet there is: {', '.join(present)}")
        return
    if end is None:
        yield attempt_fault(f"it ended as {row['ended']!r}, which no attempt does")
        return
    if row["ended_at_ms"] is None:
        yield attempt_fault(f"it ended as {end}, and it is not said when")
    if row["final"] is not end.is_final:
        yield attempt_fault(f"it ended as {end}, and whether it is final is {row['final']!r}, not {end.is_final}")
    has_fault = row["fault"] is not None
    if (has_fault and not end.may_have_fault) or (not has_fault and end.is_forfeit):
        whose = f"{seat_title(row['fault'])}'s" if has_fault else "nobody's"
        yield attempt_fault(f"it ended as {end}, and the fault is {whose}")
    elif has_fault and row["fault"] not in _SIDES:
        yield attempt_fault(f"whose fault it was is N, E, S or W, not {row['fault']!r}")
    if end.is_by_rules and result is None:
        yield attempt_fault(f"it ended as {end}, and there is no result")
    if not end.is_by_rules and result is not None:
        yield _result_fault(f"the attempt ended as {end}, which has none")
    elif result is not None and row["ended_at_ms"] not in (None, result["at_ms"]):
        yield _result_fault(f"it came at {result['at_ms']}, and the attempt ended at {row['ended_at_ms']}")


def _result_fault(text: str) -> Fault:
    return Fault(RowKind.RESULT, text)


# The calls and the cards


def _replay(in_play: BoardInPlay, attempt: AttemptRows) -> Fault | None:
    """Make the calls and play the cards; return the first fault, after which no other can be judged."""
    for seq, cells in enumerate(attempt.calls):
        why = _why_call_is_wrong(in_play, seq, cells)
        if why is not None:
            return Fault.in_row(RowKind.CALL, cells, why)
        in_play.add_call(parse_call(cells["call"]))
    for seq, cells in enumerate(attempt.cards):
        why = _why_card_is_wrong(in_play, seq, cells)
        if why is not None:
            return Fault.in_row(RowKind.CARD, cells, why)
        in_play.add_card(parse_card(cells["card"]))
    return None


def _why_call_is_wrong(in_play: BoardInPlay, seq: int, cells: Cells) -> str | None:
    if cells["seq"] != seq:
        return f"call {seq + 1} of the attempt is gone, this one stands in its place"
    call = _call(cells["call"])
    if call is None:
        return "there is no such call"
    why = in_play.auction.why_illegal(call)
    return why or _why_row_is_wrong(cells, in_play.auction.turn)


def _why_card_is_wrong(in_play: BoardInPlay, seq: int, cells: Cells) -> str | None:
    if cells["seq"] != seq:
        return f"card {seq + 1} of the attempt is gone, this one stands in its place"
    card = _card(cells["card"])
    if card is None:
        return "there is no such card"
    if in_play.play is None:
        return "there is no contract to play"
    turn = in_play.play.turn
    return in_play.play.why_illegal(turn, card) or _why_row_is_wrong(cells, turn)


def _why_row_is_wrong(cells: Cells, turn: Seat) -> str | None:
    if cells["seat"] != turn.letter:
        return f"it was {turn.title}'s turn"
    thinking_ms = cells["thinking_ms"]
    if not isinstance(thinking_ms, int) or thinking_ms < 0:
        return f"a thinking time is 0 ms or more, not {thinking_ms!r}"
    return None


def _call(text: Any) -> Call | None:  # anything may be in the column
    try:
        return parse_call(text)
    except FormatError:
        return None


def _card(text: Any) -> Card | None:  # as above
    try:
        return parse_card(text)
    except FormatError:
        return None


# The result


def _check_result(in_play: BoardInPlay, board: Board, end: BoardEnd, result: Cells | None) -> Iterator[Fault]:
    """Check that the calls and cards lead to the end and the result on record."""
    contract, auction, play = in_play.contract, in_play.auction, in_play.play
    cards = len(play.cards) if play is not None else 0
    match end:
        case BoardEnd.PASSED_OUT:
            is_consistent = auction.is_passed_out
        case BoardEnd.CLAIMED:
            is_consistent = contract is not None and cards < len(DECK)
        case _:
            is_consistent = contract is not None and cards == len(DECK)
    if not is_consistent:
        found = f"{count(len(auction.calls), 'call')} and {count(cards, 'card')}"
        yield attempt_fault(f"it ended as {end}, and {found} are there")
        return
    if result is None:
        return
    made = play.tricks_won if play is not None else None
    if made is not None and end is BoardEnd.CLAIMED:
        # Both sides agreed on the rest (Laws 68, 69); on how many of those tricks, only the result says.
        most = made + 13 - cards // 4
        if isinstance(result["tricks"], int) and made <= result["tricks"] <= most:
            made = result["tricks"]
    expected = _result_cells(contract, made, score_ns(contract, made or 0, board.vulnerability))
    stored = {name: result[name] for name in expected}
    if stored != expected:
        yield _result_fault(f"it says {_format_result(stored)}; the calls and cards make {_format_result(expected)}")


def _result_cells(contract: Contract | None, tricks: int | None, score: int) -> Cells:
    return {
        "contract": str(contract) if contract is not None else "Pass",
        "declarer": contract.declarer.letter if contract is not None else None,
        "tricks": tricks,
        "score_ns": score,
    }


def _format_result(result: Cells) -> str:
    """`4S by N, 10 tricks, 420 for North-South`."""
    by = f" by {result['declarer']}" if result["declarer"] is not None else ""
    tricks = f", {result['tricks']} tricks" if result["tricks"] is not None else ""
    return f"{result['contract']}{by}{tricks}, {result['score_ns']} for North-South"


def _check_times(attempt: AttemptRows, result: Cells) -> Iterator[Fault]:
    """Check that the time of each side is what its calls and cards took."""
    spent_ms = dict.fromkeys(Side, 0)
    for cells in (*attempt.calls, *attempt.cards):
        side = _SIDES.get(cells["seat"])
        if side is None or not isinstance(cells["thinking_ms"], int):
            return  # a fault of its own
        spent_ms[side] += cells["thinking_ms"]
    for side, name in ((Side.NS, "ns_ms"), (Side.EW, "ew_ms")):
        if result[name] != spent_ms[side]:
            yield _result_fault(
                f"{side.value} thought for {result[name]} ms, it says; its calls and cards took {spent_ms[side]} ms"
            )
