"""Programs of a team that tourney does not start, and that connect to one port again and again."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.events import bot, environment


@contextmanager
def programs_at(port: int, team: str, program: str = bot(1, "basic", think_ms=25)) -> Iterator[None]:
    """Programs of one team, by default our own, that are started again whenever they end, always at the same port."""
    command = program.format(host="127.0.0.1", port=port, team=team, seat="$0")
    shells = [
        subprocess.Popen(
            ["/bin/sh", "-c", f"while :; do {command} >/dev/null 2>&1; sleep 0.1; done", seat],
            env=environment(),
            start_new_session=True,
        )
        for seat in ("North", "East", "South", "West")
    ]
    try:
        yield
    finally:
        for shell in shells:
            if shell.poll() is None:
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
