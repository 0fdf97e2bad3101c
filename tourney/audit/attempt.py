"""Checks one attempt at a board by replaying its calls and cards: its end, its result and its times must follow.

Its rows are checked against their hash chain too, which tells which of them was changed after it was written. Of the
network's delays, what a client has said of its program's time cannot be checked; what was made of it can.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final

from tourney.audit.findings import AttemptRows, Fault, LocatedFault, RowKind, attempt_fault, seat_title
from tourney.bridge import (
    Board,
    BoardInPlay,
    Seat,
    Side,
    parse_call,
    parse_card,
    score_ns,
)
from tourney.errors import FormatError
from tourney.plurals import count
from tourney.protocol.session.records import BoardEnd
from tourney.protocol.session.rules import NETWORK_LINES
from tourney.store.record.audit import Cells
from tourney.store.record.hash_chain import CALL, CARD, END, RESULT, chain_end, chain_start, hash_row

_SIDES: Final = {"N": Side.NS, "E": Side.EW, "S": Side.NS, "W": Side.EW}


def check_attempt(attempt: AttemptRows, row: Cells, board: Board) -> Iterator[Fault]:
    """Yield what is wrong with an attempt, apart from its chain.

    Args:
        attempt: its rows.
        row: the row of the attempt itself.
        board: its board.
    """
    end = next((each for each in BoardEnd if each == row["ended"]), None)
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
    for kind, rows in ((RowKind.CALL, attempt.calls), (RowKind.CARD, attempt.cards)):
        for seq, cells in enumerate(rows):
            why: str | None = f"{kind} {seq + 1} of the attempt is gone, this one stands in its place"
            if cells["seq"] == seq:
                try:
                    why = _make_call(in_play, cells) if kind is RowKind.CALL else _play_card(in_play, cells)
                except FormatError:
                    why = f"there is no such {kind}"
            if why is not None:
                return Fault.in_row(kind, cells, why)
    return None


def _make_call(in_play: BoardInPlay, cells: Cells) -> str | None:
    """Make a call; return why it cannot have been made."""
    call, auction = parse_call(cells["call"]), in_play.auction
    why = auction.why_illegal(call) or _why_row_is_wrong(cells, auction.turn)
    if why is None:
        in_play.add_call(call)
    return why


def _play_card(in_play: BoardInPlay, cells: Cells) -> str | None:
    """Play a card; return why it cannot have been played."""
    card, play = parse_card(cells["card"]), in_play.play
    if play is None:
        return "there is no contract to play"
    why = play.why_illegal(play.turn, card) or _why_row_is_wrong(cells, play.turn)
    if why is None:
        in_play.add_card(card)
    return why


def _why_row_is_wrong(cells: Cells, turn: Seat) -> str | None:
    if cells["seat"] != turn.letter:
        return f"it was {turn.title}'s turn"
    thinking_ms = cells["thinking_ms"]
    if not isinstance(thinking_ms, int) or thinking_ms < 0:
        return f"a thinking time is 0 ms or more, not {thinking_ms!r}"
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
            is_consistent = contract is not None and not in_play.is_over
        case _:
            is_consistent = contract is not None and in_play.is_over
    if not is_consistent:
        found = f"{count(len(auction.calls), 'call')} and {count(cards, 'card')}"
        yield attempt_fault(f"it ended as {end}, and {found} are there")
        return
    if result is None:
        return
    made = None if contract is None else in_play.made if play is None else play.tricks_won
    if made is not None and end is BoardEnd.CLAIMED:
        # Both sides agreed on the rest (Laws 68, 69); on how many of those tricks, only the result says.
        most = made + 13 - cards // 4
        if isinstance(result["tricks"], int) and made <= result["tricks"] <= most:
            made = result["tricks"]
    expected: Cells = {
        "contract": str(contract) if contract is not None else "Pass",
        "declarer": contract.declarer.letter if contract is not None else None,
        "tricks": made,
        "score_ns": score_ns(contract, made or 0, board.vulnerability),
    }
    stored = {name: result[name] for name in expected}
    if stored != expected:
        yield _result_fault(f"it says {_format_result(stored)}; the calls and cards make {_format_result(expected)}")


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


# The hash chain


_CHANGED: Final = "its chain does not fit: the row was changed after it was written"
_FIRST: Final = f"{_CHANGED}, or the deal of the board, or how the attempt began"
_CLOSING: Final = (
    "the chain of its end does not fit: its end or its result was changed after it was written, or rows are gone"
)


def check_chain(attempt: AttemptRows, begun: Cells, board_on_table: str) -> Iterator[Fault]:
    """Yield what does not fit the chain of an attempt, row by row.

    Args:
        attempt: its rows.
        begun: the row of the attempt itself.
        board_on_table: the `board_text` of its board as it is on record now.
    """
    place = (attempt.table_id, attempt.board, attempt.number)
    start = chain_start(*place, begun["table_attempt"], begun["began_at_ms"], board_on_table)
    # A row may continue from the hash stored in the row before it, or from the hash that should be there: this tells
    # a changed row from the rows that follow it.
    last: Sequence[str] = (start,)
    for kind, rows, columns in (
        (RowKind.CALL, attempt.calls, CALL),
        (RowKind.CARD, attempt.cards, CARD),
    ):
        for cells in rows:
            values, chain = itemgetter(*columns)(cells), cells["chain"]
            fits = [hash_row(before, kind.value, values) for before in last]
            if chain not in fits:
                yield Fault.in_row(kind, cells, _FIRST if last == (start,) else _CHANGED)
            last = (chain,) if chain in fits else (fits[0], *([chain] if isinstance(chain, str) else []))
    chain = begun["chain"]
    if begun["ended"] is None:
        return
    end = [begun[name] for name in END]
    result = [attempt.result[name] for name in RESULT] if attempt.result is not None else None
    if chain is None:
        yield attempt_fault("the chain of its end is gone, its rows are chained")
    elif chain not in [chain_end(before, end, result) for before in last]:
        yield attempt_fault(_CLOSING)


# The network's delays


def check_delays(attempts: Iterable[AttemptRows], network_ms: int | None) -> Iterator[LocatedFault]:
    """Yield what is wrong with the delays of a match.

    Args:
        attempts: the attempts of the match.
        network_ms: the most that the event has allowed a call or card; None where that is not known.
    """
    for attempt in attempts:
        actions = {(False, cells["seq"]): cells for cells in attempt.calls}
        actions |= {(True, cells["seq"]): cells for cells in attempt.cards}
        allowed_ms = Counter[bool]()
        for cells in attempt.delays:
            why = _why_wrong(cells, actions.get((cells["is_card"], cells["seq"])), network_ms)
            if why is None:
                allowed_ms[cells["seat"] in ("N", "S")] += cells["allowed_ms"]
            else:
                kind = "card" if cells["is_card"] else "call"
                yield attempt.fault(f"the network's delay of {kind} {cells['seq'] + 1}: {why}")
        most_ms = NETWORK_LINES * network_ms if network_ms is not None else None
        for is_ns, side_ms in allowed_ms.items():
            if most_ms is not None and side_ms > most_ms:
                side = "North-South" if is_ns else "East-West"
                text = f"{side} was allowed {side_ms} ms for the network, and a side gets {most_ms} ms at most"
                yield attempt.fault(text)


def _why_wrong(cells: Cells, action: Cells | None, network_ms: int | None) -> str | None:
    """Return what is wrong with a delay of a call or card, if anything is."""
    own_ms, delay_ms, allowed_ms = cells["own_ms"], cells["delay_ms"], cells["allowed_ms"]
    if action is None:
        return "it is not on record"
    if action["seat"] != cells["seat"]:
        return f"it is of {action['seat']}, and the delay of {cells['seat']}"
    if action["substituted"]:
        return "the table made it, for which nothing comes through a network"
    if not all(isinstance(ms, int) and ms >= 0 for ms in (own_ms, delay_ms, allowed_ms)) or allowed_ms > delay_ms:
        return f"{allowed_ms} ms of {delay_ms} ms are allowed, and its program took {own_ms} ms"
    if network_ms is not None and allowed_ms > network_ms:
        return f"{allowed_ms} ms are allowed, and the event allows {network_ms} ms at most"
    measured_ms = action["thinking_ms"] + allowed_ms
    if delay_ms != max(0, measured_ms - own_ms):
        return f"it is {delay_ms} ms, and the table measured {measured_ms} ms of which its program took {own_ms} ms"
    return None
