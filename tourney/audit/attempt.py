"""One attempt at a board, played again from its calls and cards: whether it ended in what they make."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tourney.audit.faults import AttemptRows, Fault, RowKind, seat_title
from tourney.audit.play import DealtBoard, Outcome
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
from tourney.protocol.session.records import BoardEnd
from tourney.store.record.audit import Cells

_SIDES: Final = {"N": Side.NS, "E": Side.EW, "S": Side.NS, "W": Side.EW}


def check_attempt(attempt: AttemptRows, row: Cells, dealt: DealtBoard) -> Iterator[Fault]:
    """What is wrong with an attempt, its chain apart.

    Args:
        attempt: its rows.
        row: the one of the attempt itself.
        dealt: the board it is at.
    """
    end = _end_of(row)
    yield from _check_end(row, end, attempt.result)
    outcome = dealt.go_through(attempt.calls, attempt.cards)
    spent_ms = outcome.spent_ms if outcome is not None else _spent_ms(attempt)
    if outcome is None:
        in_play = BoardInPlay(dealt.board)
        fault = _play_again(in_play, attempt)
        if fault is not None:
            yield fault
        else:
            outcome = Outcome.of(in_play, spent_ms)
    if outcome is not None and end is not None and end.is_by_rules:
        yield from _check_outcome(outcome, dealt.board, end, attempt.result)
    if attempt.result is not None and spent_ms is not None:
        yield from _check_times(spent_ms, attempt.result)


# The end


def _end_of(row: Cells) -> BoardEnd | None:
    """How the attempt ended; None when it did not, or in a way that there is not."""
    try:
        return BoardEnd(row["ended"])
    except ValueError:
        return None


def _check_end(row: Cells, end: BoardEnd | None, result: Cells | None) -> Iterator[Fault]:
    """Whether the columns of an attempt agree with each other, and with there being a result or none."""
    if row["ended"] is None:
        told = [name for name in ("ended_at_ms", "fault", "chain") if row[name] is not None]
        told += ["final"] if row["final"] is not False else []
        told += ["reason"] if row["reason"] != "" else []
        told += ["a result"] if result is not None else []
        if told:
            yield _on_attempt(f"it has no end, and yet there is: {', '.join(told)}")
        return
    if end is None:
        yield _on_attempt(f"it ended as {row['ended']!r}, which no attempt does")
        return
    if row["ended_at_ms"] is None:
        yield _on_attempt(f"it ended as {end}, and it is not said when")
    if row["final"] is not end.is_final:
        yield _on_attempt(f"it ended as {end}, and whether it is final is {row['final']!r}, not {end.is_final}")
    if (row["fault"] is not None) is not end.is_forfeit:
        whose = "nobody's" if row["fault"] is None else f"{seat_title(row['fault'])}'s"
        yield _on_attempt(f"it ended as {end}, and the fault is {whose}")
    elif row["fault"] is not None and row["fault"] not in _SIDES:
        yield _on_attempt(f"whose fault it was is N, E, S or W, not {row['fault']!r}")
    if end.is_by_rules and result is None:
        yield _on_attempt(f"it ended as {end}, and there is no result")
    if not end.is_by_rules and result is not None:
        yield _on_result(f"the attempt ended as {end}, which has none")
    elif result is not None and row["ended_at_ms"] not in (None, result["at_ms"]):
        yield _on_result(f"it came at {result['at_ms']}, and the attempt ended at {row['ended_at_ms']}")


def _on_attempt(words: str) -> Fault:
    return Fault(RowKind.ATTEMPT, None, "", words)


def _on_result(words: str) -> Fault:
    return Fault(RowKind.RESULT, None, "", words)


# The calls and the cards


def _play_again(in_play: BoardInPlay, attempt: AttemptRows) -> Fault | None:
    """Make the calls and play the cards; the first that is not as it should be, for nothing after it can be."""
    for seq, cells in enumerate(attempt.call_cells):
        why = _why_no_call(in_play, seq, cells)
        if why is not None:
            return Fault.of(RowKind.CALL, cells, why)
        in_play.add_call(parse_call(cells["call"]))
    for seq, cells in enumerate(attempt.card_cells):
        why = _why_no_card(in_play, seq, cells)
        if why is not None:
            return Fault.of(RowKind.CARD, cells, why)
        in_play.add_card(parse_card(cells["card"]))
    return None


def _why_no_call(in_play: BoardInPlay, seq: int, cells: Cells) -> str | None:
    if cells["seq"] != seq:
        return f"call {seq + 1} of the attempt is gone, this one stands in its place"
    call = _call(cells["call"])
    if call is None:
        return "there is no such call"
    why = in_play.auction.why_illegal(call)
    return why or _why_no_row(cells, in_play.auction.turn)


def _why_no_card(in_play: BoardInPlay, seq: int, cells: Cells) -> str | None:
    if cells["seq"] != seq:
        return f"card {seq + 1} of the attempt is gone, this one stands in its place"
    card = _card(cells["card"])
    if card is None:
        return "there is no such card"
    if in_play.play is None:
        return "there is no contract to play"
    turn = in_play.play.turn
    return in_play.play.why_illegal(turn, card) or _why_no_row(cells, turn)


def _why_no_row(cells: Cells, turn: Seat) -> str | None:
    if cells["seat"] != turn.letter:
        return f"it was {turn.title}'s turn"
    thinking_ms = cells["thinking_ms"]
    if not isinstance(thinking_ms, int) or thinking_ms < 0:
        return f"a thinking time is 0 ms or more, not {thinking_ms!r}"
    return None


def _call(text: Any) -> Call | None:  # whatever is in the column
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


def _check_outcome(outcome: Outcome, board: Board, end: BoardEnd, result: Cells | None) -> Iterator[Fault]:
    """Whether the board ended as it is said to have, and came to what the result says."""
    contract = outcome.contract
    match end:
        case BoardEnd.PASSED_OUT:
            as_said = outcome.is_passed_out
        case BoardEnd.CLAIMED:
            as_said = contract is not None and outcome.cards < len(DECK)
        case _:
            as_said = contract is not None and outcome.cards == len(DECK)
    if not as_said:
        yield _on_attempt(f"it ended as {end}, and {outcome.calls} calls and {outcome.cards} cards are there")
        return
    if result is None:
        return
    made = outcome.tricks if contract is not None else None
    if made is not None and end is BoardEnd.CLAIMED:
        # Both sides have agreed on the rest (Law 68, 69); on how much of it, only the result says.
        most = made + 13 - outcome.cards // 4
        if isinstance(result["tricks"], int) and made <= result["tricks"] <= most:
            made = result["tricks"]
    expected = _outcome(contract, made, score_ns(contract, made or 0, board.vulnerability))
    said = {name: result[name] for name in expected}
    if said != expected:
        yield _on_result(f"it says {_words(said)}; the calls and cards make {_words(expected)}")


def _outcome(contract: Contract | None, tricks: int | None, score: int) -> Cells:
    return {
        "contract": str(contract) if contract is not None else "Pass",
        "declarer": contract.declarer.letter if contract is not None else None,
        "tricks": tricks,
        "score_ns": score,
    }


def _words(outcome: Cells) -> str:
    """`4S by N, 10 tricks, 420 for North-South`."""
    by = f" by {outcome['declarer']}" if outcome["declarer"] is not None else ""
    tricks = f", {outcome['tricks']} tricks" if outcome["tricks"] is not None else ""
    return f"{outcome['contract']}{by}{tricks}, {outcome['score_ns']} for North-South"


def _spent_ms(attempt: AttemptRows) -> dict[Side, int] | None:
    """What each side has thought about its calls and cards; None where a row says nothing of the kind."""
    spent_ms = dict.fromkeys(Side, 0)
    for cells in (*attempt.call_cells, *attempt.card_cells):
        side = _SIDES.get(cells["seat"])
        if side is None or not isinstance(cells["thinking_ms"], int):
            return None  # that is wrong enough
        spent_ms[side] += cells["thinking_ms"]
    return spent_ms


def _check_times(spent_ms: Mapping[Side, int], result: Cells) -> Iterator[Fault]:
    """Whether each side has thought for as long as its calls and cards took."""
    for side, name in ((Side.NS, "ns_ms"), (Side.EW, "ew_ms")):
        if result[name] != spent_ms[side]:
            yield _on_result(
                f"{side.value} thought for {result[name]} ms, it says; its calls and cards took {spent_ms[side]} ms"
            )
