"""Where a table host runs: its own folder and address, where it is not the organiser's machine.

The event file names files and folders of the organiser's machine. A host elsewhere has a folder of its own for all
that it writes. What the event file names relative to its own folder is looked for in `event` of that folder; absolute
paths are taken as they are. The sandbox of programs is the one that this machine has.
"""

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tourney.config import LogPlace, SandboxKind
from tourney.errors import LaunchError
from tourney.launch.sandbox import choose_kind, user_problems
from tourney.store.control.host_settings import HostSettings

_LOGGER: Final = logging.getLogger(__name__)

EVENT_FOLDER: Final = "event"
"""The folder that stands for that of the event file: the organiser installs programs of teams in it."""

_WRITTEN: Final = ("wire", "bots", "hosts", "programs", "unrecorded")
"""What a host writes in its folder, and what programs must not see of it."""


@dataclass(frozen=True, slots=True)
class HostLocation:
    """Where a host writes, listens and is found, if not as the event file says."""

    folder: Path | None = None
    """The folder of this machine for results; None for that of the event."""
    address: str | None = None
    """Where players find its tables; None for the address of the event."""
    listen: str | None = None
    """The address that its tables listen on; None for that of the event."""

    def adapt(self, settings: HostSettings, kind: SandboxKind | None = None) -> HostSettings:
        """Return the settings as they hold here; `kind` is the sandbox that `choose_sandbox` has chosen."""
        if self.listen is not None:
            settings = replace(settings, host=self.listen)
        if self.folder is None:
            return replace(settings, logs=settings.logs or LogPlace.FILES)
        results = self.folder.absolute()
        there, here = Path(settings.folder), results / EVENT_FOLDER
        sandbox = settings.sandbox

        def adapt_path(name: str) -> str:
            path = Path(name)
            return str(here / path.relative_to(there)) if path.is_relative_to(there) else name

        return replace(
            settings,
            folder=str(here),
            results_folder=str(results),
            logs=settings.logs or LogPlace.RECORD,
            sandbox=replace(
                sandbox,
                kind=kind if kind is not None else sandbox.kind,
                folders=adapt_path(sandbox.folders) if sandbox.folders else "",
                readable=tuple(map(adapt_path, sandbox.readable)),
                # A worker may be on the organiser's machine: its files stay hidden too.
                hidden=(*sandbox.hidden, *(str(results / name) for name in _WRITTEN)),
                team_folders={team: adapt_path(name) for team, name in sandbox.team_folders.items()},
            ),
        )

    def choose_sandbox(self, settings: HostSettings) -> SandboxKind | None:
        """Choose the sandbox of programs that this machine has; None where the run has chosen one for it.

        Raises:
            LaunchError: what the event file asks for cannot be had here.
        """
        if self.folder is None:
            return None
        choice = choose_kind(settings.sandbox.wanted)
        if choice.notice:
            _LOGGER.warning(choice.notice, extra={"action": "no_walls"})
        if choice.kind is SandboxKind.USER:
            here = self.adapt(settings, choice.kind)
            problems = user_problems(here.sandbox, Path(here.folder))
            if problems:
                raise LaunchError("; ".join(problems))
        return choice.kind

    def make_folders(self) -> None:
        """Make the folder that stands for that of the event file.

        Raises:
            LaunchError: it cannot be made.
        """
        if self.folder is None:
            return
        try:
            (self.folder / EVENT_FOLDER).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LaunchError(f"folder {self.folder} of a table host cannot be made: {error.strerror}") from None
