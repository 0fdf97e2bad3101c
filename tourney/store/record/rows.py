"""What a protocol record is in the database: its own columns, without the attempt that it is of and the hashes.

Calls and cards, of which there are most by far, are tuples; the rest goes by name.
"""

from typing import Any, Final

from tourney.bridge import Result
from tourney.protocol.alert_json import meaning_to_json
from tourney.protocol.alerts import parse_alert
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed

BEGAN: Final = ("table_attempt", "began_at_ms", "ended_at_ms", "ended", "reason", "final", "fault")
"""The columns of an attempt as it begins."""


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


def call_values(record: CallMade) -> tuple[Any, ...]:
    """Of a call, and of the meaning that was said with it: the values of the columns `CALL`."""
    alert = meaning_json = findings = None
    if record.alert:
        alert, meaning = record.alert, parse_alert(record.alert)
        meaning_json, findings = meaning_to_json(meaning), "\n".join(meaning.findings) or None
    said = (record.seq, record.seat.letter, str(record.call), record.alerted, alert, meaning_json, findings)
    return (*said, record.thinking_ms, record.at_ms, record.substituted)


def card_values(record: CardPlayed) -> tuple[int, str, str, int, int, bool]:
    """Of a card: the values of the columns `CARD`."""
    seat, card = record.seat.letter, str(record.card)
    return record.seq, seat, card, record.thinking_ms, record.at_ms, record.substituted


def ended_columns(record: BoardEnded) -> dict[str, Any]:
    """Of an attempt that has ended."""
    return {
        "ended_at_ms": record.at_ms,
        "ended": record.end.value,
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
