"""Checks what is on record of the network's delays: each is that of a call or card, and its times fit together.

What a client has said of its program's time cannot be checked; what was made of it can.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from tourney.audit.findings import AttemptRows, Fault, Location, attempt_fault
from tourney.contest.draw import MatchInfo
from tourney.protocol.session.rules import NETWORK_LINES
from tourney.store.record.audit import Cells


def check_delays(
    match: MatchInfo, attempts: Iterable[AttemptRows], network_ms: int | None
) -> Iterator[tuple[Location, Fault]]:
    """Yield what is wrong with the delays of a match.

    Args:
        match: the match.
        attempts: the attempts of the match.
        network_ms: the most that the event has allowed a call or card; None where that is not known.
    """
    rooms = {table.id: table.room for table in match.tables}
    for attempt in attempts:
        location = attempt.at(rooms[attempt.table_id])
        actions = {(False, cells["seq"]): cells for cells in attempt.calls}
        actions |= {(True, cells["seq"]): cells for cells in attempt.cards}
        allowed_ms = Counter[bool]()
        for cells in attempt.delays:
            why = _why_wrong(cells, actions.get((cells["is_card"], cells["seq"])), network_ms)
            if why is None:
                allowed_ms[cells["seat"] in ("N", "S")] += cells["allowed_ms"]
            else:
                kind = "card" if cells["is_card"] else "call"
                yield location, attempt_fault(f"the network's delay of {kind} {cells['seq'] + 1}: {why}")
        most_ms = NETWORK_LINES * network_ms if network_ms is not None else None
        for is_ns, side_ms in allowed_ms.items():
            if most_ms is not None and side_ms > most_ms:
                side = "North-South" if is_ns else "East-West"
                text = f"{side} was allowed {side_ms} ms for the network, and a side gets {most_ms} ms at most"
                yield location, attempt_fault(text)


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
