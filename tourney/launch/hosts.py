"""Table hosts as processes of this machine: those that are started, and those of earlier runs that are found running.

A host does not end with the run that started it: it plays on, and a later run may find it.
"""

import asyncio
import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from tourney.errors import LaunchError
from tourney.launch.output import OutputFile
from tourney.log import DEFAULT_LEVEL
from tourney.runtime.privacy import without_secrets
from tourney.runtime.processes import (
    MARK,
    RECORD_NAME,
    ProcessId,
    is_running,
    is_suspended,
    record_process,
    started_process,
)
from tourney.store.control.leases import ProcessIdentity


@dataclass(frozen=True, slots=True)
class HostSecrets:
    """What a table host is told by a pipe, because a command line or an environment could be read by others."""

    database_url: str = field(repr=False)
    """The database of the record, password included."""
    logins: Mapping[str, str] = field(repr=False)
    """What programs of teams with a pass phrase log on with, by team name. No phrase is stored in the database."""

    def format(self) -> bytes:
        return json.dumps({"database": self.database_url, "logins": dict(self.logins)}).encode()

    @staticmethod
    def parse(data: bytes) -> "HostSecrets":
        """Read what `format` wrote.

        Raises:
            LaunchError: it is something else.
        """
        try:
            found = json.loads(data)
            return HostSecrets(str(found["database"]), dict(found["logins"]))
        except (ValueError, TypeError, KeyError):
            raise LaunchError(
                f"a table host reads its database from standard input, where its run writes it; got {len(data)} bytes"
            ) from None


STOP_S: Final = 10.0
"""How long a host may take to end its sessions and programs before it is killed, in seconds."""

_KILL_S: Final = 2.0
"""How long a killed process may take to vanish, in seconds."""

_POLL_S: Final = 0.02


class HostHandle(ABC):
    """What a run has of a table host: it sees how the host is, and can end it."""

    starts_later: ClassVar[bool] = False
    """Whether the host begins when its place has room for it, and not at once."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether its process has ended."""

    @property
    @abstractmethod
    def is_suspended(self) -> bool:
        """Whether its process was stopped by a signal."""

    @abstractmethod
    def how_it_ended(self) -> str:
        """Describe in a sentence how it ended, once it has ended."""

    @abstractmethod
    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, unless it has ended."""

    def note_process(self, process: ProcessIdentity) -> None:  # noqa: B027 # known where it is our child
        """Take note of the process that has joined as this host."""

    def leave(self) -> None:  # noqa: B027 # nothing to do unless it is our child
        """Let it continue without us."""

    def ask_to_stop(self) -> None:
        """Tell it to end its sessions and itself."""
        self.send_signal(signal.SIGTERM)

    async def stop(self) -> None:
        """Tell it to end its sessions and itself; kill it if it does not."""
        self.ask_to_stop()
        if not await self._until_over(STOP_S):
            await self.kill()

    async def kill(self) -> None:
        """Kill it now, even if it is suspended."""
        self.send_signal(signal.SIGKILL)
        await self._until_over(_KILL_S)

    async def _until_over(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.is_over:  # noqa: ASYNC110 # nothing notifies us about a process that is not our child
                    await asyncio.sleep(_POLL_S)
        return self.is_over


class HostProcess(HostHandle):
    """A `python -m tourney.host` process that we start."""

    def __init__(
        self,
        name: str,
        event_id: int,
        database_url: str,
        output: Path,
        logins: Mapping[str, str] | None = None,
        *,
        log_level: str = DEFAULT_LEVEL,
        module: str = "tourney.host",
        more: Sequence[str] = (),
        what: str = "table host",
        sockets: Sequence[int] = (),
    ) -> None:
        """Prepare to start.

        Args:
            name: the name under which the host was added to the database.
            event_id: the event whose tables it plays.
            database_url: the database of the record, password included.
            output: the file that receives its output.
            logins: what programs of teams with a pass phrase log on with, by team name.
            log_level: the level of its log, a file beside its output with the same name and the suffix `.jsonl`.
            module: the module to run; measurements run one that wraps the usual one.
            more: further arguments for that module.
            what: what sentences call the process, before its name.
            sockets: file descriptors that it takes over from us.
        """
        super().__init__(name)
        self._title = f"{what} {name}"
        self._sockets = tuple(sockets)
        logging_words = ["--log-level", log_level, "--log-file", str(output.with_suffix(".jsonl"))]
        self._words = [sys.executable, "-m", module, str(event_id), name, *more, *logging_words]
        self._secrets = HostSecrets(database_url, dict(logins or {}))
        self._output = OutputFile(output)
        self.started: ProcessId | None = None
        """What identifies the process, once it has been started."""
        # Not asyncio's, which kills its processes when the event loop is closed.
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of the process, once it has been started."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the process.

        Raises:
            LaunchError: it cannot be started.
        """
        mark = uuid.uuid4().hex
        try:
            with self._output.open() as file:
                self._process = subprocess.Popen(  # noqa: S603 # ours
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=file,
                    stderr=file,
                    env=without_secrets(os.environ) | {MARK: mark},
                    # Ctrl-C is for the run: it tells its hosts, and waits until the players have been disconnected.
                    start_new_session=True,
                    pass_fds=self._sockets,
                )
            self._record_start(mark)
            self._send_secrets()
        except OSError as error:
            if self._process is not None:
                assert self._process.stdin is not None
                self._process.stdin.close()
                self._process.kill()
            raise LaunchError(f"{self._title} cannot be started: {error}") from None

    def _send_secrets(self) -> None:
        """Write the secrets, in a thread: those of many teams are more than a pipe may hold before the host reads."""
        assert self._process is not None
        pipe, secrets = self._process.stdin, self._secrets.format()
        assert pipe is not None

        def write() -> None:
            with contextlib.suppress(BrokenPipeError), pipe:  # it has ended, and says why
                pipe.write(secrets)

        try:
            threading.Thread(target=write, name="host secrets", daemon=True).start()
        except RuntimeError as error:
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error

    def _record_start(self, mark: str) -> None:
        assert self._process is not None
        started = started_process(self._title, self._process.pid, mark, STOP_S)
        record_process(self._output.path.parent / RECORD_NAME, started)
        self.started = started.process

    @property
    def status(self) -> int | None:
        """The exit status; None while it works, and before it was started."""
        return self._process.poll() if self._process is not None else None

    @property
    def is_over(self) -> bool:
        return self._process is None or self.status is not None

    @property
    def is_suspended(self) -> bool:
        return self._process is not None and not self.is_over and is_suspended(self._process.pid)

    def how_it_ended(self) -> str:
        """Describe its end: `table host 1 ended with status 1: <the line that says what happened>`."""
        how = f"{self._title} ended with status {self.status}"
        line = self._output.error_line()
        return f"{how}: {line}" if line else how

    def send_signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)  # does nothing once its exit status has been read

    def leave(self) -> None:
        if self._process is not None and self.status is None:
            self._process.returncode = 0  # it outlives us on purpose: keeps Python from warning


class FoundHost(HostHandle):
    """A host that an earlier run has started."""

    def __init__(self, name: str, process: ProcessId, what: str = "table host", *, is_here: bool = True) -> None:
        """Describe it; of one on another machine nobody can see here how it is, nor end it."""
        super().__init__(name)
        self._title = f"{what} {name}"
        self.process = process
        self._is_here = is_here

    @property
    def is_over(self) -> bool:
        return self._is_here and not is_running(self.process)

    @property
    def is_suspended(self) -> bool:
        return self._is_here and not self.is_over and is_suspended(self.process.pid)

    def how_it_ended(self) -> str:
        return f"{self._title}, process {self.process.pid}, has ended"

    def send_signal(self, number: signal.Signals) -> None:
        if self._is_here and not self.is_over:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.process.pid, number)
