"""What is checked, and what all sessions at one seat share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.findings import StepKind
from tourney.compliance.patience import CONNECT_BY_HAND_S, CONNECT_S, Patience, WaitNotice
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
    """How long the program may take to connect; None for what is usual (`patience.CONNECT_S`)."""
    slow_s: float = 1.0
    """How long a slow partner thinks."""
    jobs: int = len(SEATS)
    """How many seats may be tried at the same time."""
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
        usual_s = CONNECT_S if self.command is not None else CONNECT_BY_HAND_S
        return self.connect_s if self.connect_s is not None else usual_s

    @property
    def at_once(self) -> int:
        """How many seats are tried at the same time: one, where a person starts the program or names the port."""
        side_by_side = self.command is not None and self.port == 0
        return min(self.jobs, len(self.seats)) if side_by_side else 1

    @property
    def other_team(self) -> str:
        """The name of the opponents' team."""
        return next(name for name in OTHER_TEAMS if not same_name(name, self.team))


@dataclass(slots=True)
class SeatContext:
    """One seat of a check, with what all its sessions share."""

    settings: CheckSettings
    """What is checked."""
    seat: Seat
    """The seat of the program."""
    clock: HostClock
    """The clock of the tables."""
    patience: Patience
    """How long the program is waited for."""
    transcript: WireLog | None
    """Where every line to and from it is logged, if anywhere."""
    announce: Callable[[str], None]
    """Shows a sentence to the person at the keyboard."""
    notice: WaitNotice = field(init=False)
    """Says what the program is being waited for."""

    def __post_init__(self) -> None:
        self.notice = WaitNotice(self.show)

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the program's language."""
        return self.settings.vocabulary

    def show(self, text: str) -> None:
        """Show a sentence about this seat."""
        self.announce(f"{self.seat.title}: {text}")

    def log(self, direction: str, line: str | bytes) -> None:
        """Add a line, or a note, to the transcript."""
        if self.transcript is not None:
            self.transcript.write(self.clock.now_ms(), self.seat, direction, line)

    def flush(self) -> None:
        """Write the transcript so far."""
        if self.transcript is not None:
            self.transcript.flush()

    def team_of(self, seat: Seat) -> str:
        """Return the name of the team that has a seat."""
        return self.settings.team if seat.side is self.seat.side else self.settings.other_team
