"""What a protocol record is in the database: its own columns, without the attempt that it is of and the hashes."""

from typing import Any

from tourney.bridge import Result
from tourney.protocol.bluechip.alert_json import meaning_to_json
from tourney.protocol.bluechip.alerts import parse_alert
from tourney.protocol.records import BoardBegan, BoardEnded, CallMade, CardPlayed


def began_columns(record: BoardBegan, table_attempt: int) -> dict[str, Any]:
    """Of an attempt that has begun, by an attempt at its table."""
    return {
        "table_attempt": table_attempt,
        "began_at_ms": record.at_ms,
        "ended_at_ms": None,
        "ended": None,
        "reason": "",
        "final": False,
        "fault": None,
    }


def call_columns(record: CallMade) -> dict[str, Any]:
    """Of a call, and of the meaning that was said with it."""
    meaning = parse_alert(record.alert) if record.alert else None
    return {
        "seq": record.seq,
        "seat": record.seat.letter,
        "call": str(record.call),
        "alerted": record.alerted,
        "alert": record.alert or None,
        "meaning": meaning_to_json(meaning) if meaning else None,
        "findings": "\n".join(meaning.findings) or None if meaning else None,
        "thinking_ms": record.thinking_ms,
        "at_ms": record.at_ms,
        "substituted": record.substituted,
    }


def card_columns(record: CardPlayed) -> dict[str, Any]:
    """Of a card."""
    return {
        "seq": record.seq,
        "seat": record.seat.letter,
        "card": str(record.card),
        "thinking_ms": record.thinking_ms,
        "at_ms": record.at_ms,
        "substituted": record.substituted,
    }


def ended_columns(record: BoardEnded) -> dict[str, Any]:
    """Of an attempt that has ended."""
    return {
        "ended_at_ms": record.at_ms,
        "ended": record.end,
        "reason": record.reason,
        "final": record.end.is_final,
        "fault": record.fault.letter if record.fault is not None else None,
    }


def result_columns(record: BoardEnded, result: Result) -> dict[str, Any]:
    """Of what an attempt came to."""
    contract = result.contract
    return {
        "contract": str(contract) if contract else "Pass",
        "declarer": contract.declarer.letter if contract else None,
        "tricks": result.tricks if contract else None,
        "score_ns": result.score,
        "ns_ms": record.ns_ms,
        "ew_ms": record.ew_ms,
        "at_ms": record.at_ms,
        "tm_ms": record.tm_ms,
    }
