"""Programs of teams, started beside their table, each in a process group of its own, and ended with it."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import IO, Final

from tourney.errors import LaunchError

END_GRACE_S: Final = 2.0
"""How long a program may take to end after it has been asked to."""

LAST_LINE_CHARS_MAX: Final = 200
_TAIL_BYTES: Final = 4096


class BotProcess:
    """One program at one seat. Its output goes to a file; the last line of it explains a failure."""

    def __init__(self, name: str, words: list[str], folder: Path, output: Path) -> None:
        """Prepare a program; nothing is started yet.

        Args:
            name: whom messages speak of, such as `Alpha's program for North`.
            words: the command line, without a shell.
            folder: where it is started.
            output: the file that takes what it prints.
        """
        self.name = name
        self._words = words
        self._folder = folder
        self._output = output
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the program.

        Raises:
            LaunchError: it cannot be started.
        """
        file = self._open_output()
        # Programs of the environment that tourney runs in are found first, `tourney bot` itself among them.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._resolve(path),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=file,
                stderr=asyncio.subprocess.STDOUT,
                cwd=self._folder,
                env=os.environ | {"PATH": path},
                start_new_session=True,
            )
        except OSError as error:
            raise LaunchError(f"{self.name} cannot be started: {self._words[0]!r}: {error.strerror}") from None
        finally:
            file.close()

    def _resolve(self, path: str) -> list[str]:
        import shutil  # noqa: PLC0415 # only a host that starts programs needs it

        program = self._words[0]
        if os.sep not in program:
            found = shutil.which(program, path=path)
            if found is None:
                raise LaunchError(f"{self.name} cannot be started: there is no program {program!r}")
            program = found
        return [program, *self._words[1:]]

    def _open_output(self) -> IO[bytes]:
        try:
            self._output.parent.mkdir(parents=True, exist_ok=True)
            return self._output.open("wb")
        except OSError as error:
            raise LaunchError(
                f"output of {self.name} cannot be written to {self._output}: {error.strerror}"
            ) from None

    async def wait(self) -> int:
        """Its exit status, when it has ended; negative the signal that ended it."""
        assert self._process is not None
        return await self._process.wait()

    def last_line(self) -> str:
        """The last line that it printed; empty when there is none."""
        try:
            with self._output.open("rb") as file:
                file.seek(max(0, self._output.stat().st_size - _TAIL_BYTES))
                lines = file.read().decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return last[:LAST_LINE_CHARS_MAX]

    def how_it_ended(self, status: int) -> str:
        """`ended with status 3: <last line>`."""
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        last = self.last_line()
        return f"{how}: {last}" if last else how

    async def end(self) -> None:
        """End the program and all that it has started: first gently, then for good."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_GRACE_S):
                    await process.wait()
        self._signal(signal.SIGKILL)  # the group: helpers that a program left behind
        await process.wait()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
