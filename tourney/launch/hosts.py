"""Table hosts as processes of this machine."""

import asyncio
import contextlib
import os
import signal
import sys
import uuid
from pathlib import Path
from typing import Final

from tourney.errors import LaunchError
from tourney.launch.output import OutputFile
from tourney.launch.processes import MARK, RECORD_NAME, record_process, started_process

STOP_S: Final = 10.0
"""How long a host may take to end its sessions and programs, before it is killed."""


class HostProcess:
    """One `python -m tourney.table`. It ends with us: its standard input is a pipe that we hold."""

    def __init__(self, name: str, event_id: int, database_url: str, output: Path) -> None:
        self.name = name
        self._event_id = event_id
        self._database_url = database_url
        self._output = OutputFile(output)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process.

        Raises:
            LaunchError: it cannot be started.
        """
        mark = uuid.uuid4().hex
        try:
            with self._output.open() as file:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "tourney.table",
                    str(self._event_id),
                    self.name,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=file,
                    stderr=file,
                    env=os.environ | {"TOURNEY_DATABASE": self._database_url, MARK: mark},
                    # Ctrl-C is for the run: it tells its hosts, and waits until the players have been let go.
                    start_new_session=True,
                )
            self._go_on_record(mark)
        except OSError as error:
            if self._process is not None:
                self._process.kill()
            raise LaunchError(f"table host {self.name} cannot be started: {error}") from None

    def _go_on_record(self, mark: str) -> None:
        assert self._process is not None
        started = started_process(f"table host {self.name}", self._process.pid, mark, STOP_S)
        record_process(self._output.path.parent / RECORD_NAME, started)

    @property
    def status(self) -> int | None:
        """Its exit status; None while it works."""
        return self._process.returncode if self._process is not None else None

    def how_it_ended(self) -> str:
        """`table host 1 ended with status 1: <last line it printed>`."""
        how = f"table host {self.name} ended with status {self.status}"
        last = self._output.last_lines(1)
        return f"{how}: {last[0]}" if last else how

    def ask_to_stop(self) -> None:
        """Tell it to end its sessions and itself."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)

    async def stop(self) -> None:
        """Have it end its sessions and itself; kill it when it does not."""
        self.ask_to_stop()
        process = self._process
        if process is None or process.returncode is not None:
            return
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
