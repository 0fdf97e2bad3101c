"""What the check has to know of a wire language: the steps, and what a program says and is told in it.

The engine (`session` and `seat_check`) knows no language. A further one is a file beside `bluechip` and `stateful`:
a `Vocabulary` and its `Dialogue`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tourney.bridge import Seat
from tourney.compliance.findings import CheckStep, Failure, Remark, SessionPhase, StepKind
from tourney.protocol.lines import Overlong
from tourney.protocol.player import AskCall, AskCard
from tourney.protocol.session.intents import PendingLine, Ready
from tourney.protocol.session.records import TableRecord
from tourney.protocol.session.wire import Wire


@dataclass(slots=True)
class Expected:
    """A line that the program owes."""

    text: str
    clause: str
    advice: str = ""
    ask: Ready | AskCall | AskCard | None = None
    """The request that it should send, or the question for a call or card, if that is known."""
    answered: bool = False


class Dialogue(ABC):
    """Follows one session of the program: what it owes, and what is wrong with what it says."""

    after = ""
    """The last line that was sent to the program."""
    is_over = False
    """Whether the session has ended; set by the session."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []
        self.alerts: list[str] = []
        """The texts of the program's own alerts, as it sent them."""

    @abstractmethod
    def owed(self) -> Expected | None:
        """Return the line that the program owes, which it may have `answered`; None if it owes none."""

    def owes_nothing(self) -> bool:
        """Tell whether the program has said all that it can say for now."""
        owed = self.owed()
        return owed is None or owed.answered

    def receive_record(self, record: TableRecord) -> None:  # noqa: B027 # not every language has to follow the table
        """Follow what the table has recorded."""

    @abstractmethod
    def receive_table_line(self, line: str) -> Failure | None:
        """Follow a line that is sent to the program; return what is wrong if it refuses the program's last line."""

    @abstractmethod
    def check_line(self, data: bytes | Overlong, *, is_behind: bool = False) -> Failure | None:
        """Return what is wrong with a line of the program, before the table gets it; None if nothing is.

        `is_behind` if a line of the table has not been written yet.
        """

    @abstractmethod
    def silence(self, waited_s: float, unfinished: bytes) -> Failure:
        """Describe the failure of a program that owes a line; `unfinished` is what came of it without a line end."""

    @abstractmethod
    def closing(self) -> Failure:
        """Describe the failure of a program that closes its connection before the session has ended."""

    def note_line_ends(self, failure: Failure | None) -> None:  # noqa: B027 # few mind
        """Remark on lines that end in LF alone, in a session that has ended, maybe with a failure."""


NewDialogue = Callable[[Seat, str, Callable[[], list[PendingLine]]], Dialogue]
"""Makes the dialogue of a seat and a team; the last argument returns what the table waits for from that seat."""


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """A wire language, as the check uses it."""

    steps: tuple[CheckStep, ...]
    """All steps, in the order of the report."""
    new_wire: Callable[[], Wire]
    """Makes the table's wire to one player."""
    new_dialogue: NewDialogue
    milestones: Mapping[SessionPhase, re.Pattern[str]]
    """The line of the table after which the program has logged on (GREET), and that with which a board begins."""
    seats_by_port: bool = False
    """Whether a seat is that of the port, not that which a log-on names."""
    has_profiles: bool = False
    """Whether a setting of the table's wire may make a failed step pass."""
    trick_pause_ms: int = 0
    """The table's pause after a trick."""
    dummy_wait_s: float = 0.0
    """How long our declarer waits before each card from the program's hand, so that one can be played unasked."""
    unknown_line: str = ""
    """What no client knows, and every client ignores."""

    @property
    def by_kind(self) -> dict[StepKind, CheckStep]:
        """The steps by what they test."""
        return {step.kind: step for step in self.steps}

    def clause(self, kind: StepKind) -> str:
        """Return the clause that a step is about."""
        return self.by_kind[kind].clauses[0]
