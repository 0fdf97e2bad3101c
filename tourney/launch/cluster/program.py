"""A team's program on a machine with a label: a process with a folder of its own, ended with all that it has started.

What is here works on Windows too: nothing of it is for one kind of system, but where it asks which one this is.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from pathlib import Path
from typing import Any, Final

import psutil

from tourney.config import slug
from tourney.config.command import LOGIN_FILE, LOGIN_VARIABLE, expand_command, uses_placeholder
from tourney.errors import LaunchError
from tourney.launch.lookup import search_path
from tourney.launch.output import OutputFile, OutputPipe
from tourney.launch.privacy import without_secrets
from tourney.launch.program_order import ProgramOrder

END_GRACE_S: Final = 2.0
"""How long a program may take to end after it has been asked to, in seconds."""

KILL_S: Final = 2.0
"""How long killed processes may take to vanish, in seconds."""

LOOK_S: Final = 0.1
"""How often it is looked whether a program has ended, in seconds."""

PRINTED_BYTES_MAX: Final = 32 * 1024
"""The most that is taken of a program's output at a time."""

BEHIND_BYTES_MAX: Final = 1024 * 1024
"""The most that may wait to be taken: of what a program prints faster, the beginning is left out."""

MARK: Final = "TOURNEY_PROGRAM"
"""The environment variable that a program and its helpers carry, with a value of their own."""

MARKS_NAME: Final = "programs.txt"
"""The file in a worker's folder with the marks of what runs, a line each, so that what a killed worker has left
behind can be ended."""

_OWN_FOLDER_MODE: Final = 0o700
_LOGIN_FILE_MODE: Final = 0o600


class AgentProgram:
    """A program at one seat of a table that is elsewhere."""

    def __init__(self, order: ProgramOrder, folder: Path) -> None:
        """Prepare a program without starting it.

        Args:
            order: what is started.
            folder: the folder of the worker, for what it and its programs write.
        """
        self._order = order
        self._marks = folder / MARKS_NAME
        self._mark = uuid.uuid4().hex
        place = Path(order.scope) / order.table
        seat = order.seat.title.lower()
        self.own = folder / "programs" / place / seat
        """Its own folder, where it may write, and which is kept."""
        self.output = OutputFile(folder / "bots" / place / f"{seat}-{slug(order.team)}.log")
        self._printed = _PrintedText()
        self._pipe: OutputPipe | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._helpers: set[psutil.Process] = set()
        """What it has started, as far as it was seen."""

    @property
    def is_over(self) -> bool:
        return self._process is None or self._process.poll() is not None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the program.

        Raises:
            LaunchError: it cannot be started.
        """
        order = self._order
        here = Path(order.started_in).expanduser() if order.started_in is not None else Path.cwd()
        values = order.values(str(self.own))
        words = expand_command(order.command, values.by_placeholder(), os.path.expanduser)
        path = search_path()
        program = _find_program(words[0], path, here)
        if program is None:
            raise LaunchError(f"{order.name} cannot be started: there is no program {words[0]!r} here")
        variables = {"PATH": path, MARK: self._mark, LOGIN_VARIABLE: order.login}
        try:
            self._make_folder()
            with self._marks.open("a", encoding="ascii") as marks:
                marks.write(f"{self._mark}\n")
            self.output.open(header=True).close()
            pipe = self._pipe = OutputPipe(self.output, self._printed.add)
            with contextlib.ExitStack() as opened:
                opened.callback(pipe.close_writing)
                self._process = subprocess.Popen(  # noqa: S603 # the organiser's command
                    [program, *words[1:]],
                    stdin=subprocess.DEVNULL,
                    stdout=pipe.writing,
                    stderr=subprocess.STDOUT,
                    cwd=here,
                    env=without_secrets(os.environ) | variables,
                    **_group_of_its_own(),
                )
        except OSError as error:
            what = error.filename or words[0]
            raise LaunchError(f"{order.name} cannot be started: {str(what)!r}: {error.strerror}") from None

    def _make_folder(self) -> None:
        self.own.mkdir(_OWN_FOLDER_MODE, parents=True, exist_ok=True)
        if not uses_placeholder(self._order.command, "login_file"):
            return
        file = self.own / LOGIN_FILE
        file.unlink(missing_ok=True)  # the program may have made something else of it
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _LOGIN_FILE_MODE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(f"{self._order.login}\n")

    def note_helpers(self) -> None:
        """Note what the program has started, which may outlive it; call this now and then."""
        if self._process is not None:
            with contextlib.suppress(psutil.Error):
                self._helpers.update(psutil.Process(self._process.pid).children(recursive=True))

    def take_output(self) -> str:
        """Return what the program has printed since the last time, or the next part of it."""
        return self._printed.take()

    def how_it_ended(self) -> str:
        """Describe how it ended: `ended with status 3: <the line that says what happened>`."""
        assert self._process is not None
        status = self._process.returncode
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        line = self.output.error_line()
        # Programs print the words that they are started with.
        return (f"{how}: {line}" if line else how).replace(self._order.login, self._order.team)

    async def end(self) -> None:
        """End the program and everything that it has started: asked first, then killed."""
        process = self._process
        if process is None:
            return
        self.note_helpers()
        try:
            if process.poll() is None:
                _ask_to_end(process)
                await self._until_over(END_GRACE_S)
        finally:  # a worker that ends cancels what waits
            _kill_group(process)
            for helper in self._helpers:
                with contextlib.suppress(psutil.Error):
                    helper.kill()  # psutil makes sure that it is still the same process
            await self._until_over(KILL_S)
            if self._pipe is not None:
                self._pipe.settle()
            self._forget_mark()
            if uses_placeholder(self._order.command, "login_file"):
                with contextlib.suppress(OSError):  # the program may have made something else of it
                    (self.own / LOGIN_FILE).unlink(missing_ok=True)

    async def _until_over(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.is_over:  # noqa: ASYNC110 # waiting for a process without a thread needs POSIX
                    await asyncio.sleep(LOOK_S)

    def _forget_mark(self) -> None:
        with contextlib.suppress(OSError):
            marks = self._marks.read_text(encoding="ascii").split()
            self._marks.write_text("".join(f"{mark}\n" for mark in marks if mark != self._mark), encoding="ascii")


class _PrintedText:
    """What a program has printed and nobody has taken yet; added to in one thread, and taken in another."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._left_out = 0
        """How many bytes are missing before what waits."""
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        with self._lock:
            self._waiting += data
            if len(self._waiting) > BEHIND_BYTES_MAX:
                self._left_out += len(self._waiting) - PRINTED_BYTES_MAX
                del self._waiting[:-PRINTED_BYTES_MAX]

    def take(self) -> str:
        """Return the next part, with a line that says so where something is missing before it."""
        with self._lock:
            data, left_out = bytes(self._waiting[:PRINTED_BYTES_MAX]), self._left_out
            del self._waiting[:PRINTED_BYTES_MAX]
            self._left_out = 0
        note = f"\n==== {left_out} bytes are left out here ====\n" if left_out else ""
        return note + data.decode("utf-8", "replace")


def _find_program(program: str, path: str, folder: Path) -> str | None:
    if os.sep in program or (os.altsep is not None and os.altsep in program):
        return str(folder / program)
    return shutil.which(program, path=path)


def _group_of_its_own() -> dict[str, Any]:
    """Return the arguments of `Popen` with which a program can be ended with its helpers, and without us."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    from tourney.launch.processes import parent_death_hook  # noqa: PLC0415 # Windows has nothing like it

    return {"start_new_session": True, "preexec_fn": parent_death_hook()}


def _ask_to_end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            os.killpg(process.pid, signal.SIGTERM)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def end_left_programs(folder: Path) -> int:
    """End what a worker with this folder has left behind when it was killed; return how many processes that were."""
    marks = folder / MARKS_NAME
    try:
        left = set(marks.read_text(encoding="ascii").split())
    except OSError:
        return 0
    ended = 0
    for process in psutil.process_iter() if left else ():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) in left:
                process.kill()
                ended += 1
    with contextlib.suppress(OSError):
        marks.unlink()
    return ended
