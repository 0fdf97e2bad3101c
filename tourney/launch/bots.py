"""Programs of teams: each is started beside its table in a process group of its own, and ended with the table."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from tourney.errors import LaunchError, ResourcesShort
from tourney.launch.output import OutputFile
from tourney.launch.privacy import without_secrets
from tourney.launch.processes import (
    MARK,
    RECORD_NAME,
    StartedProcess,
    end_helpers,
    parent_death_hook,
    record_process,
    started_process,
)

LOGIN_VARIABLE: Final = "TOURNEY_LOGIN"
"""The environment variable of a program that has what it logs on with: its team's name and pass phrase."""

END_GRACE_S: Final = 2.0
"""How long a program may take to end after it has been asked to, in seconds."""

OUTPUT_LOOK_S: Final = 1.0
"""How often the size of its output is checked, in seconds."""

_OWN_FOLDER_MODE: Final = 0o700
_LOGIN_FILE_MODE: Final = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFolder:
    """A program's own folder, where it may write, and which is kept; and what the program logs on with."""

    path: Path
    login: str
    login_file: Path | None = None
    """The file in it that is to have the log-on; None where its command does not ask for one."""

    def make(self) -> None:
        """Make what is not there yet; nobody else may look into it.

        Raises:
            OSError: it cannot be written.
        """
        self.path.mkdir(_OWN_FOLDER_MODE, parents=True, exist_ok=True)
        if self.login_file is not None:
            self.login_file.unlink(missing_ok=True)  # the program may have made something else of it
            descriptor = os.open(self.login_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _LOGIN_FILE_MODE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{self.login}\n")


_SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOBUFS, errno.ENOSPC, errno.EDQUOT}
)
"""What the system says when this machine lacks something, which is no fault of the program."""


def launch_error(error: OSError, what: str) -> LaunchError:
    """Return the error for something that could not be started: whether the program is to blame, or this machine."""
    kind = ResourcesShort if error.errno in _SHORTAGES else LaunchError
    return kind(f"{what}: {error.strerror}")


class BotProcess:
    """A program at one seat. Its output goes to a file, whose end explains a failure.

    It dies with this process if the system has a signal for that. On every system it is recorded in `processes.jsonl`
    beside its output, from which `OrphanReaper` and `sweep_processes` end what is left of it.
    """

    def __init__(
        self, name: str, words: list[str], folder: Path, output: Path, own_folder: ProgramFolder | None = None
    ) -> None:
        """Prepare a program without starting it.

        Args:
            name: what messages call it, such as `Alpha's program for North`.
            words: the command line, without a shell.
            folder: its working directory.
            output: the file that receives its output; each start appends to it.
            own_folder: its own folder with its log-on, if it has one.
        """
        self.name = name
        self._words = words
        self._folder = folder
        self._output = OutputFile(output)
        self._record = output.parent / RECORD_NAME
        self._own_folder = own_folder
        self._process: asyncio.subprocess.Process | None = None
        self._started: StartedProcess | None = None
        self._bounding: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the program; it can be started again after it has ended.

        Raises:
            ResourcesShort: this machine lacks something at the moment.
            LaunchError: it cannot be started.
        """
        assert self._process is None or self._process.returncode is not None
        await self.end()
        # Programs of the environment that tourney runs in are found first, including `tourney bot` itself.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        words = self._resolve(path)
        mark = uuid.uuid4().hex
        environment = without_secrets(os.environ) | {"PATH": path, MARK: mark}
        if self._own_folder is not None:
            environment[LOGIN_VARIABLE] = self._own_folder.login
            self._make_own_folder(self._own_folder)
        file = self._open_output()
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=file,
                stderr=asyncio.subprocess.STDOUT,
                cwd=self._folder,
                env=environment,
                start_new_session=True,
                preexec_fn=parent_death_hook(),
            )
        except OSError as error:
            raise launch_error(error, f"{self.name} cannot be started: {self._words[0]!r}") from None
        finally:
            file.close()
        self._process = process
        self._bounding = asyncio.create_task(self._bound_output(process))
        await self._go_on_record(process.pid, mark)

    def _resolve(self, path: str) -> list[str]:
        program = self._words[0]
        if os.sep not in program:
            found = shutil.which(program, path=path)
            if found is None:
                raise LaunchError(f"{self.name} cannot be started: there is no program {program!r}")
            program = found
        return [program, *self._words[1:]]

    def _make_own_folder(self, folder: ProgramFolder) -> None:
        try:
            folder.make()
        except OSError as error:
            what = f"{self.name} cannot be started: its folder {folder.path} cannot be written"
            raise launch_error(error, what) from None

    def _open_output(self) -> IO[bytes]:
        try:
            return self._output.open(header=True)
        except OSError as error:
            raise launch_error(error, f"output of {self.name} cannot be written to {self._output.path}") from None

    async def _go_on_record(self, pid: int, mark: str) -> None:
        self._started = started_process(self.name, pid, mark, END_GRACE_S)
        try:
            record_process(self._record, self._started)
        except OSError as error:
            # Unrecorded, it could outlive us.
            await self.end()
            raise launch_error(error, f"{self.name} cannot be put on record in {self._record}") from None

    async def _bound_output(self, process: asyncio.subprocess.Process) -> None:
        while process.returncode is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(OUTPUT_LOOK_S):
                    await process.wait()
            with contextlib.suppress(OSError):  # the file has been removed
                self._output.bound()

    async def wait(self) -> int:
        """Wait for the program to end; return its exit status, or minus the number of the signal that ended it."""
        assert self._process is not None
        return await self._process.wait()

    def last_lines(self, count: int = 5) -> list[str]:
        """Return the last lines printed since the start, oldest first, without blank ones."""
        return self._output.last_lines(count)

    def how_it_ended(self, status: int) -> str:
        """Describe how the program ended: `ended with status 3: <the line that says what happened>`."""
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        line = self._output.error_line()
        return f"{how}: {line}" if line else how

    async def end(self) -> None:
        """End the program and everything that it has started: with SIGTERM first, then with SIGKILL."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            self._signal_group(process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_GRACE_S):
                    await process.wait()
            self._signal_group(process.pid, signal.SIGKILL)  # it ignored the signal, or left helpers behind
        elif self._started is not None:
            # It ended by itself, maybe long ago: its process id may belong to another group by now.
            end_helpers(self._started)
        await process.wait()
        if self._bounding is not None:
            await self._bounding

    @staticmethod
    def _signal_group(pid: int, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)
