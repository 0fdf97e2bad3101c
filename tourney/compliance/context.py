"""What is checked, and what all sessions at one seat share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.findings import StepKind
from tourney.compliance.stateful import STATEFUL
from tourney.compliance.vocabulary import Vocabulary
from tourney.host.wire_log import WireLog
from tourney.protocol.session.logon import same_name
from tourney.protocol.wires import Language
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import SandboxSettings

VOCABULARIES: Final = {Language.BLUE_CHIP: BLUE_CHIP, Language.STATEFUL: STATEFUL}
"""The wire languages that a program can be checked in."""

OTHER_TEAMS: Final = ("Beta", "Alpha")
"""Names for the opponents: the first that is not the name of the program's own team is used."""

CONNECT_LINES: Final = 3
"""A program that the check starts may take as long as so many lines to connect: some load neural networks first."""

CONNECT_BY_HAND_LINES: Final = 6
"""The same for a program that a person starts."""

LEAVE_S: Final = 8.0
"""How long a program may take to notice that it is to leave, or that its connection is closed."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Says what is checked, and how.

    `command` is as in an event file, or None for a program that a person starts. `port` 0 takes any free one.
    `profile` is a name of `PROFILES`: how the table talks to the program at first.
    """

    command: str | None = None
    host: str = "127.0.0.1"
    port: int = 0
    seats: tuple[Seat, ...] = SEATS
    kinds: frozenset[StepKind] | None = None
    """The wanted steps; None for all."""
    team: str = "Alpha"
    profile: str = "default"
    timeout_s: float = 20.0
    """How long a line of the program may take."""
    connect_s: float | None = None
    """How long the program may take to connect; None for what follows from `timeout_s`."""
    slow_s: float = 1.0
    """How long a slow partner thinks."""
    transcript: Path | None = None
    protocol: Language = Language.BLUE_CHIP
    sandbox_settings: SandboxSettings = field(default_factory=SandboxSettings)
    """The sandbox around the program."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the program's language."""
        return VOCABULARIES[self.protocol]

    @property
    def wanted(self) -> frozenset[StepKind]:
        """The wanted steps."""
        return self.kinds if self.kinds is not None else frozenset(self.vocabulary.by_kind)

    @property
    def connect_limit_s(self) -> float:
        """How long the program may take to connect."""
        if self.connect_s is not None:
            return self.connect_s
        return self.timeout_s * (CONNECT_LINES if self.command is not None else CONNECT_BY_HAND_LINES)

    @property
    def leave_s(self) -> float:
        """How long the program may take to leave, or to connect again."""
        return min(self.timeout_s, LEAVE_S)

    @property
    def are_side_by_side(self) -> bool:
        """Whether all seats are tried at the same time; a person who starts the program tries them in turn."""
        return self.command is not None and self.port == 0

    @property
    def other_team(self) -> str:
        """The name of the opponents' team."""
        return next(name for name in OTHER_TEAMS if not same_name(name, self.team))


@dataclass(eq=False)
class SeatContext:
    """One seat of a check, with what all its sessions share."""

    settings: CheckSettings
    """What is checked."""
    seat: Seat
    """The seat of the program."""
    clock: HostClock
    """The clock of the tables."""
    _transcript: WireLog | None
    """Where every line to and from it is logged, if anywhere."""
    announce: Callable[[str], None]
    """Shows a sentence to the person at the keyboard."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the program's language."""
        return self.settings.vocabulary

    def show(self, text: str) -> None:
        """Show a sentence about this seat."""
        self.announce(f"{self.seat.title}: {text}")

    def log(self, direction: str, line: str | bytes) -> None:
        """Add a line, or a note, to the transcript."""
        if self._transcript is not None:
            self._transcript.write(self.clock.now_ms(), self.seat, direction, line)

    def flush(self) -> None:
        """Write the transcript so far."""
        if self._transcript is not None:
            self._transcript.flush()

    def team_of(self, seat: Seat) -> str:
        """Return the name of the team that has a seat."""
        return self.settings.team if seat.side is self.seat.side else self.settings.other_team
