"""Programs of teams as processes, from the words of a command line."""

import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tourney.bridge import Seat
from tourney.config.command import CommandValues
from tourney.launch.bots import BotProcess, ProgramSpec, Serve
from tourney.launch.sandbox import Sandbox, why_no_bubblewrap
from tourney.store.control.host_settings import SandboxSettings

_TROUBLE = why_no_bubblewrap()
needs_bubblewrap = pytest.mark.skipif(bool(_TROUBLE), reason=f"needs bubblewrap, which {_TROUBLE}")


def make_bot(
    name: str,
    words: list[str],
    folder: Path,
    output: Path,
    *,
    own: Path | None = None,
    login: str = "Alpha",
    sandbox: Sandbox | None = None,
    serve: Serve | None = None,
) -> BotProcess:
    """A program that is started in a folder; its own one is beside that of its output if none is given."""
    spec = ProgramSpec(
        name=name,
        command=shlex.join(words).replace("{", "{{").replace("}", "}}"),
        values=CommandValues(host="127.0.0.1", port=2000, seat=Seat.NORTH, team="Alpha", login=login),
        started_in=folder,
        own=own or output.parent.parent / "programs" / "table" / output.stem,
        output=output,
        sandbox=sandbox or Sandbox(SandboxSettings(), "Alpha"),
        serve=serve,
    )
    return BotProcess(spec)


@asynccontextmanager
async def started(program: BotProcess) -> AsyncIterator[BotProcess]:
    """A program that is ended afterwards."""
    await program.start()
    yield program
    await program.end()


async def end_of(program: BotProcess) -> str:
    """Start a program, wait for its end, and return how that was."""
    async with started(program):
        await program.wait()
    return program.how_it_ended()
