"""The files of a whole event for everybody: `/export/event.json`, `/export/all.pbn`, `/export/boards.csv`, ...

A process of its own makes them, from a `PublicView` as pages are: an event of many boards takes a minute, which
neither the reader nor the streams should wait for. Its files stay on disk, and are sent from there. There is one such
process at a time, at low priority, and the same files are not made again before long: so people who fetch files take
no more of the machine from the run than people who look at pages.
"""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Final, TypeAlias

from tourney.config.web import WebConfig
from tourney.errors import RuleError, TourneyError, UsageError
from tourney.event.drawn import DrawnEvent, open_event
from tourney.export.registry import FORMATS
from tourney.runtime import clock
from tourney.runtime.event_loop import end_tasks
from tourney.site import urls
from tourney.site.public import PublicView

KEPT_S: Final = 30.0
"""For so long files are sent although something has changed since they were made."""

MAKING_SHARE: Final = 0.05
"""The share of a core that making files may take: what took long is kept for longer."""

WAIT_S: Final = 45.0
"""How long a browser waits for files to be made; servers in front give up after 60 s."""

OPENED_S: Final = 10.0
"""Files that others have replaced are removed after so long: who is sent one of them has opened it by then."""

_NOTHING_HERE: Final = 3
"""Exit status of the process if an event of its kind has no such files."""

_NICE: Final = 10

Version: TypeAlias = tuple[int, WebConfig]
"""The number of the record's state, and what the organiser lets the public see of it."""


class ExportsBusy(Exception):  # noqa: N818 # it is no fault
    """The files are being made, which takes long."""


class ExportFailed(Exception):  # noqa: N818 # as above
    """The files cannot be made, and there are no earlier ones."""


@dataclass(frozen=True, slots=True)
class _Made:
    """The files of a format, as they were made."""

    version: Version
    folder: Path
    made_at: float
    """Seconds of the monotonic clock."""
    took_s: float

    def is_fresh(self, version: Version) -> bool:
        """Whether they may be sent for the record as it is now; not once the organiser has changed what is shown."""
        if self.version == version:
            return True
        kept_s = max(KEPT_S, self.took_s / MAKING_SHARE)
        return self.version[1] == version[1] and time.monotonic() - self.made_at < kept_s


class Exports:
    """Makes and keeps the files of an event; it belongs to one event loop.

    Args:
        event: the path of the event file.
        version: returns the version of the record.
    """

    def __init__(self, event: Path, version: Callable[[], Version]) -> None:
        self._event = event
        self._version = version
        self._made: dict[str, _Made] = {}
        self._making: dict[str, asyncio.Task[_Made]] = {}
        self._one_at_a_time = asyncio.Lock()

    @cached_property
    def _folder(self) -> TemporaryDirectory[str]:
        return TemporaryDirectory(prefix="tourney-exports-", ignore_cleanup_errors=True)

    async def file(self, address: str) -> Path | None:
        """Return the file of an address; None if there is none.

        Raises:
            ExportsBusy: it takes longer than a browser should wait; it goes on meanwhile.
            ExportFailed: the record cannot be read, and there is no earlier file.
        """
        format_name = urls.EXPORTS.get(address)
        if format_name is None:
            return None
        made = self._made.get(format_name)
        if made is None or not made.is_fresh(self._version()):
            task = self._making.get(format_name)
            if task is None:
                task = self._making[format_name] = asyncio.create_task(self._make(format_name))
                task.add_done_callback(partial(self._end_making, format_name))
            if not (await asyncio.wait({task}, timeout=WAIT_S))[0]:
                raise ExportsBusy
            made = task.result()
        path = made.folder / urls.file_name(address)
        return path if path.exists() else None

    async def close(self) -> None:
        """End what is being made, and remove all files."""
        await end_tasks(*self._making.values())
        self._folder.cleanup()

    def _end_making(self, format_name: str, task: "asyncio.Task[_Made]") -> None:
        self._making.pop(format_name, None)
        if not task.cancelled():
            task.exception()  # those who waited have it; if all have gone, it is nobody's

    async def _make(self, format_name: str) -> _Made:
        async with self._one_at_a_time:
            version, began = self._version(), time.monotonic()
            folder = Path(mkdtemp(prefix=f"{format_name}-", dir=self._folder.name))
            status = await self._run(format_name, folder)
            before = self._made.get(format_name)
            if status not in (0, _NOTHING_HERE):
                shutil.rmtree(folder, ignore_errors=True)
                if before is None or before.version[1] != version[1]:
                    raise ExportFailed
                return before
            took_s = time.monotonic() - began
            made = self._made[format_name] = _Made(version, folder, began + took_s, took_s)
            if before is not None:
                loop = asyncio.get_running_loop()
                loop.call_later(OPENED_S, partial(shutil.rmtree, before.folder, ignore_errors=True))
            return made

    async def _run(self, format_name: str, folder: Path) -> int:
        """Have the files made; returns the exit status of the process."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tourney.web.exports", os.fspath(self._event), format_name, os.fspath(folder)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C at the terminal ends the server, which ends it
        )
        try:
            return await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


# The process


def write_files(drawn: DrawnEvent, rules: WebConfig, format_name: str, folder: Path, now_ms: int) -> list[Path]:
    """Write the files of a format as far as the public may see the event.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: an event of its kind has no such files.
        StoreError: the database cannot be used.
    """
    wanted = {urls.file_name(address) for address, name in urls.EXPORTS.items() if name == format_name}
    request = PublicView(drawn, rules, now_ms).export_request(folder, now_ms)
    written = []
    for path in FORMATS[format_name].export(request):
        if path.name not in wanted:
            path.unlink()  # those of single matches have addresses of their own
            continue
        written.append(path)
    return written


def main(words: Sequence[str]) -> int:
    """Write the files of an event: `EVENT FORMAT FOLDER`; returns the exit status."""
    event, format_name, folder = Path(words[0]), words[1], Path(words[2])
    os.nice(_NICE)
    try:
        with open_event(event, is_read_only=True) as drawn:
            write_files(drawn, drawn.config.web, format_name, folder, clock.wall_ms())
    except (RuleError, UsageError):
        return _NOTHING_HERE
    except (TourneyError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
