"""A bridge program of others in a movement of pairs: a seat in each round, always through the port of its pair.

It knows where it sits from the sheet of its pair, and tries again until the table of the round lets it in.
"""

import time
from collections.abc import Sequence

from tests.support.foreign_player import Table, play_session

RETRY_S = 0.05
GIVE_UP_S = 60.0


def play_rounds(host: str, port: int, pair: str, seats: Sequence[str]) -> int:
    """Play a session in each of the seats, one after the other; return how many connections came to nothing."""
    in_vain = 0
    for seat in seats:
        until_s = time.monotonic() + GIVE_UP_S
        while True:
            table = _log_on(host, port, pair, seat)
            if table is not None:
                break
            in_vain += 1
            assert time.monotonic() < until_s, f"{pair} has not been let in as {seat}"
            time.sleep(RETRY_S)
        with table.socket:
            play_session(table, seat)
    return in_vain


def _log_on(host: str, port: int, pair: str, seat: str) -> Table | None:
    """Connect and take the seat; None if nobody listens there, or it is the table of a session that has ended."""
    try:
        table = Table(host, port)
    except ConnectionRefusedError:
        return None
    try:
        table.send(f'Connecting "{pair}" as {seat} using protocol version 18')
        table.expect(rf'{seat} \("{pair}"\) seated')
    except (OSError, SystemExit):
        table.socket.close()
        return None
    return table
