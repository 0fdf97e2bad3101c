"""A program of a team as a process: started in a group of its own, and ended with all that it has started.

What is around it, such as a sandbox, is in `tourney.launch.bots`.
"""

import asyncio
import contextlib
import errno
import os
import shutil
import stat
import subprocess
import sys
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tourney.config.command import LOGIN_FILE, LOGIN_VARIABLE, CommandValues, expand_command, uses_placeholder
from tourney.errors import LaunchError, ResourcesShort
from tourney.launch.output import OutputFile, OutputPipe
from tourney.runtime.privacy import CLOSED_FOLDER_MODE
from tourney.runtime.processes import (
    ASK,
    KILL,
    MARK,
    RECORD_NAME,
    StartedProcess,
    end_helpers,
    end_marked,
    record_process,
    signal_group,
    signal_members,
    started_process,
    until_ended,
)

END_GRACE_S: Final = 2.0
"""How long a program may take to end after it has been asked to, in seconds."""

_OWN_FOLDER_MODE: Final = 0o700
_LOGIN_FILE_MODE: Final = 0o600

_SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOBUFS, errno.ENOSPC, errno.EDQUOT}
)
"""What the system says when this machine lacks something, which is no fault of the program."""


def launch_error(error: OSError, what: str) -> LaunchError:
    """Return the error for something that could not be started: whether the program is to blame, or this machine."""
    kind = ResourcesShort if error.errno in _SHORTAGES else LaunchError
    return kind(f"{what}: {error.strerror}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFolder:
    """A program's own folder, where it may write, and which is kept; and what the program logs on with."""

    path: Path
    login: str
    login_file: Path | None = None
    """The file in it that is to have the log-on, as the program knows it; None where no command asks for one."""

    def make(self) -> None:
        """Make what is not there yet; nobody else may look into it.

        Raises:
            OSError: it cannot be written.
        """
        for folder in reversed(self.path.parents[:2]):  # of all programs, and of those of its table
            folder.mkdir(CLOSED_FOLDER_MODE, parents=True, exist_ok=True)
        self.path.mkdir(_OWN_FOLDER_MODE, exist_ok=True)
        if self.login_file is not None:
            file = self.path / self.login_file.name
            file.unlink(missing_ok=True)  # the program may have made something else of it
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _LOGIN_FILE_MODE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                opened.write(f"{self.login}\n")

    def forget_login(self) -> None:
        """Remove the file with the log-on, which has the passphrase of the team, once the program has ended.

        Raises:
            OSError: it cannot be removed.
        """
        if self.login_file is not None:
            (self.path / self.login_file.name).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a child is started."""

    words: list[str]
    environment: dict[str, str]
    before: Callable[[], None] | None
    """What the child does before its program."""
    channel: int | None = None
    """A descriptor that it inherits."""
    stdin: int = subprocess.DEVNULL
    """A descriptor for its standard input; by default it has none."""
    is_wrapped: bool = False
    """Whether the leader of the group is a wrapper of the program, as bubblewrap is: it ends with the program, and
    takes with it whatever that has started."""


def fill_in_command(command: str, values: CommandValues, own: Path) -> tuple[list[str], ProgramFolder]:
    """Return the words of a command, and the program's own folder.

    Args:
        command: the event file's.
        values: what is filled in; its folder is the own one as the program knows it.
        own: the own folder.
    """
    login_file = Path(values.folder, LOGIN_FILE) if uses_placeholder(command, "login_file") else None
    words = expand_command(command, values.by_placeholder(), os.path.expanduser)
    return words, ProgramFolder(path=own, login=values.login, login_file=login_file)


class ProgramProcess(ABC):
    """A program at one seat. Its output goes to a file, whose end explains a failure.

    It dies with this process if the system has a signal for that. On every system it is recorded in `processes.jsonl`
    beside its output, from which `OrphanReaper` and `sweep_processes` end what is left of it.
    """

    def __init__(
        self,
        name: str,
        words: list[str],
        folder: Path,
        output: Path,
        own: ProgramFolder,
    ) -> None:
        """Prepare a program without starting it.

        Args:
            name: what messages call it, such as `Alpha's program for North`.
            words: the command line, without a shell.
            folder: its working directory.
            output: the file that receives its output; each start appends to it.
            own: its own folder with its log-on.
        """
        self.name = name
        self._words = words
        self._folder = folder
        self._output = OutputFile(output)
        self._record = output.parent / RECORD_NAME
        self._own = own
        self._started: StartedProcess | None = None
        self._is_wrapped = False
        self._pipe: OutputPipe | None = None
        """Reads what the current start prints."""
        self._ended: asyncio.Task[int] | None = None
        """Waits for the end of the current start; None before the first one."""

    @property
    def is_over(self) -> bool:
        """Whether nothing runs: it was not started, or has ended."""
        return self._ended is None or self._ended.done()

    async def start(self) -> None:
        """Start the program; it can be started again after it has ended.

        Raises:
            ResourcesShort: this machine lacks something at the moment.
            LaunchError: it cannot be started.
        """
        assert self.is_over
        await self.end()
        path = search_path()
        words = self._resolve(path)
        mark = uuid.uuid4().hex
        try:
            start = self._plan(words, {"PATH": path, MARK: mark, LOGIN_VARIABLE: self._own.login})
        except OSError as error:
            what = f"{self.name} cannot be started: its folder {self._own.path} cannot be written"
            raise launch_error(error, what) from None
        self._is_wrapped = start.is_wrapped
        with contextlib.ExitStack() as opened:
            pipe = self._pipe = self._open_output()
            opened.callback(pipe.close_writing)  # so that the end of the program is the end of its output
            try:
                process = subprocess.Popen(  # noqa: S603, ASYNC220 # the organiser's command; starting is not waiting
                    start.words,
                    stdin=start.stdin,
                    stdout=pipe.writing,
                    stderr=subprocess.STDOUT,
                    cwd=self._folder,
                    env=start.environment,
                    **_group_of_its_own(start),
                )
            except OSError as error:
                raise launch_error(error, f"{self.name} cannot be started: {self._words[0]!r}") from None
            except subprocess.SubprocessError as error:  # of what the child does before its program
                raise LaunchError(f"{self.name} cannot be started: {self._words[0]!r}: {error}") from None
        self._ended = asyncio.create_task(until_ended(process))
        self._started = started_process(self.name, process.pid, mark, END_GRACE_S)
        try:
            record_process(self._record, self._started)
        except OSError as error:
            # Unrecorded, it could outlive us.
            await self.end()
            raise launch_error(error, f"{self.name} cannot be put on record in {self._record}") from None

    def _resolve(self, path: str) -> list[str]:
        program, *more = self._words
        if os.path.dirname(program):  # noqa: PTH120 # of a word, in which every system has separators of its own
            return [program if os.name == "posix" else str(self._folder / program), *more]
        found = shutil.which(program, path=path)
        if found is None:
            raise LaunchError(f"{self.name} cannot be started: there is no program {program!r}")
        return [found, *more]

    @abstractmethod
    def _plan(self, words: list[str], variables: dict[str, str]) -> Start:
        """Make what the program needs, and work out how it is started.

        Raises:
            OSError: its own folder cannot be written.
        """

    def _open_output(self) -> OutputPipe:
        try:
            self._output.open(header=True).close()
            return OutputPipe(self._output)
        except OSError as error:
            raise launch_error(error, f"output of {self.name} cannot be written to {self._output.path}") from None

    async def wait(self) -> int:
        """Wait for the program to end; return its exit status, or minus the number of the signal that ended it."""
        assert self._ended is not None
        status = await asyncio.shield(self._ended)
        self._settle_output()
        return status

    def _settle_output(self) -> None:
        if self._pipe is not None:
            self._pipe.settle()

    def last_lines(self, count: int = 5) -> list[str]:
        """Return the last lines printed since the start, oldest first, without blank ones."""
        return self._output.last_lines(count)

    def how_it_ended(self, status: int) -> str:
        """Describe how the program ended: `ended with status 3: <the line that says what happened>`."""
        return describe_end(status, self._output.error_line())

    async def end(self) -> None:
        """End the program and everything that it has started: asked first, then killed."""
        with contextlib.suppress(OSError):  # the program may have made something else of it
            self._own.forget_login()
        started, ended = self._started, self._ended
        if started is None or ended is None:
            return
        if ended.done():
            # It ended by itself, maybe long ago: its process id may belong to another group by now.
            end_helpers(started)
        else:
            try:
                if self._is_wrapped:
                    signal_members(started, ASK)  # it would take the program with it at once
                else:
                    signal_group(started.pid, ASK)
                await asyncio.wait([ended], timeout=END_GRACE_S)
            finally:  # it ignored the signal, or left helpers behind; a worker that ends cancels what waits
                signal_group(started.pid, KILL)
            await asyncio.shield(ended)
        if not self._is_wrapped:
            await asyncio.to_thread(end_marked, started.mark)  # what has left the group of the program
        self._settle_output()


def describe_end(status: int, line: str) -> str:
    """Describe how a program ended, with the line that says what happened, if there is one."""
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"{how}: {line}" if line else how


def _group_of_its_own(start: Start) -> dict[str, Any]:
    """Return the arguments of `Popen` with which a program can be ended with its helpers, and without us."""
    inherited = () if start.channel is None else (start.channel,)
    return {"start_new_session": True, "preexec_fn": start.before, "pass_fds": inherited}


# Where a program that a command names is found, before anything is started


def search_path() -> str:
    """Return where programs are looked for: first where tourney itself runs from, which has `tourney bot`."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def why_not_found(program: str, folder: Path) -> str | None:
    """Return why a program cannot be started from a folder, in words that follow its name; None if it can be."""
    if os.sep not in program:
        return None if shutil.which(program, path=search_path()) is not None else "is not on the path"
    path = folder / Path(program).expanduser()
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except OSError as error:  # a folder that may not be looked into, for one
        return f"cannot be looked at: {error.strerror}"
    if stat.S_ISDIR(mode):
        return "is a folder"
    return None if os.access(path, os.X_OK) else "cannot be executed: make it so with `chmod +x`"


def is_missing(path: Path) -> bool:
    """Return whether there is certainly no file of that name; one that may not be looked at may be there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
