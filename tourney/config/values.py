"""Values of an event file: its words, ranges, names and amounts. Plain: readers of the record load no pydantic."""

import enum
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from typing import Final

from tourney.bridge import Side
from tourney.plurals import shorten
from tourney.suggestions import suggest

TEAM_NAME_CHARS_MAX: Final = 64
NAME_CHARS_MAX: Final = 100
"""The longest name of an event, a stage or a victory-point scale."""
_NOT_IN_FILE_NAMES: Final = '<>:"/\\|?*'
_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10)}
)


_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters except tab, CR and LF, which are blanks. Paths, arguments and databases cannot hold NUL."""
_PART: Final = re.compile(r"[0-9]{1,4}/0{0,3}[1-9][0-9]{0,3}", re.ASCII)
_HOST: Final = re.compile(r"[0-9A-Za-z_:%-]{1,63}(\.[0-9A-Za-z_:%-]{1,63}){0,30}\.?")


class CardPlay(enum.StrEnum):
    """How the tricks of a board come about."""

    PLAYED = "played"
    DOUBLE_DUMMY = "double-dummy"
    """The board ends with the auction, and declarer makes what the double-dummy table of its deal says."""


class SandboxKind(enum.StrEnum):
    """What stands between a team's programs and everything else on the machine."""

    NONE = "none"
    BUBBLEWRAP = "bubblewrap"
    COMMAND = "command"


class Processes(enum.StrEnum):
    """How many processes play for a team, fewest rights first: a process sees the hands of all its seats."""

    SEAT = "seat"
    """One for each seat."""
    ROOM = "room"
    """One for the two seats at a table."""
    TEAM = "team"
    """One for all its seats at all tables of a table host."""

    @property
    def words(self) -> str:
        """What a team does, after its name: `plays all its seats from one process`."""
        match self:
            case Processes.SEAT:
                return "plays each of its seats from a process of its own"
            case Processes.ROOM:
                return "plays both its seats at a table from one process"
            case Processes.TEAM:
                return "plays all its seats from one process"

    def allows(self, wanted: "Processes") -> bool:
        """Tell whether no more seats share a process than here."""
        kinds = list(Processes)
        return kinds.index(wanted) <= kinds.index(self)


class Durability(enum.StrEnum):
    """What the record survives; the weaker one is the greater."""

    FULL = "full"
    """Killed processes and power cuts: every call and card is on the disk before it is relayed."""
    PROCESS = "process"
    """Killed processes, for SQLite alone. A power cut may take the last moments of boards in play, never a finished
    board."""


class Totals(enum.StrEnum):
    """Which boards totals go by."""

    SHOWN = "shown"
    """Those that may be shown: that nobody in any event of the database has to play any more."""
    ALL = "all"
    """All that have been played."""


class LiveBoards(enum.StrEnum):
    """Which boards the public sees on live pages."""

    FINISHED = "finished"
    """Those that nobody in any event of the database has to play any more."""
    LAST_TABLE = "last-table"
    """Also what the four at a table know, where it is the last that has the board to play."""
    VUGRAPH = "vugraph"
    """Also every board in play, with dummy alone, for those who know a passphrase."""
    VUGRAPH_HANDS = "vugraph-hands"
    """The same, with all four hands."""

    @property
    def is_vugraph(self) -> bool:
        """Whether those who know a passphrase see every board in play."""
        return self in (LiveBoards.VUGRAPH, LiveBoards.VUGRAPH_HANDS)


class EarlyLeavers(enum.StrEnum):
    """What happens to the scores of a team that leaves before half of its matches were played."""

    FORGET = "forget"
    """They are cancelled, as are its opponents' scores against it."""
    FORFEIT = "forfeit"
    """They count, and its remaining matches are forfeited, as for a team that leaves later."""


class OpenRoomSide(enum.StrEnum):
    """A direction in the open room."""

    NORTH_SOUTH = "north-south"
    EAST_WEST = "east-west"

    @property
    def side(self) -> Side:
        return Side.NS if self is OpenRoomSide.NORTH_SOUTH else Side.EW


class PortPlan(enum.StrEnum):
    """How many ports a table listens on (BC-02)."""

    PER_TABLE = "per-table"
    """One port for the four seats, as today's programs expect."""
    PER_SEAT = "per-seat"
    """A port for each seat, as version 18 says."""

    @property
    def ports_per_table(self) -> int:
        return 4 if self is PortPlan.PER_SEAT else 1


@dataclass(frozen=True, slots=True)
class PortRange:
    """Ports `first`..`last`, both included."""

    first: int
    last: int

    def __contains__(self, port: int) -> bool:
        return self.first <= port <= self.last

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


def parse_port_range(text: str) -> PortRange:
    """Reads `2000-4999`, or one port.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    first, dash, last = (part.strip() for part in text.partition("-"))
    last = last if dash else first
    if not first.isdecimal() or not last.isdecimal():
        raise ValueError(f'ports are a range such as "2000-4999", got {shown(text)}')
    ports = PortRange(int(first), int(last))
    if not 1024 <= ports.first <= ports.last <= 65535:
        raise ValueError(f"ports run upwards inside 1024..65535, got {shown(text)}")
    return ports


def check_text(text: str) -> str:
    """Returns the text if it is not blank and has no control characters.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    if not text.strip():
        raise ValueError("it must not be blank")
    control = _CONTROL.search(text)
    if control is not None:
        raise ValueError(f"a control character is not allowed, got {control[0]!r} in {shown(text)}")
    return text


def clean_name(text: str) -> str:
    """Returns the name of an event or a stage with single blanks.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    text = " ".join(text.split())
    if len(text) > NAME_CHARS_MAX:
        raise ValueError(f"at most {NAME_CHARS_MAX} characters are allowed, got {len(text)}")
    return check_text(text)


def check_host(host: str) -> str:
    """Returns the host if it has the form of a name or an address.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    if _HOST.fullmatch(host) is None:
        raise ValueError(f"a host is a name or an address such as 127.0.0.1 or localhost, got {shown(host)}")
    return host


def check_team_name(name: str) -> str:
    """Returns the name with single blanks, if a file can be named after it (BC-10); letters are composed (NFC).

    Raises:
        ValueError: one sentence on what is wrong.
    """
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 1 <= len(name) <= TEAM_NAME_CHARS_MAX:
        raise ValueError(f"a team name has 1 to {TEAM_NAME_CHARS_MAX} characters, got {len(name)}")
    for char in name:
        if char in _NOT_IN_FILE_NAMES or not char.isprintable():
            raise ValueError(f"a team name has only characters that a file name may have, got {char!r} in {name!r}")
    if name.endswith(".") or name.partition(".")[0].lower() in _RESERVED:
        raise ValueError(f"a team name must be allowed as a file name on Windows too, got {name!r}")
    return name


def slug(name: str) -> str:
    """Turns a name into part of a path: lower-case letters and digits joined by dashes; `event` if none are left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "event"


def parse_hundredths(value: object, most: int, what: str, *, may_be_none: bool = True) -> int:
    """Reads an amount of `what` with at most two decimals, as hundredths; `may_be_none`: whether 0 is allowed.

    Raises:
        ValueError: it is not such an amount, or more than `most`.
    """
    amount = Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None
    is_fit = amount is not None and amount.is_finite() and 0 <= amount <= most and (may_be_none or amount > 0)
    if amount is None or not is_fit:
        least = "0 or more" if may_be_none else "more than 0"
        raise ValueError(f"{least} and at most {most} {what} are allowed, got {shown(value)}")
    hundredths = amount * 100
    if hundredths != hundredths.to_integral_value():
        raise ValueError(f"{what} have at most two decimals, got {shown(value)}")
    return int(hundredths)


def parse_part(value: object) -> Fraction:
    """Reads a part of a whole, from 0 to 1: `0.5`, or `"1/3"`.

    Raises:
        ValueError: it is not such a part.
    """
    part = None
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool) and Decimal(value).is_finite()
    if isinstance(value, int | Decimal | str) and (is_number or _PART.fullmatch(str(value))):
        part = Fraction(value)
    if part is None or not 0 <= part <= 1:
        raise ValueError(f'expected a share from 0 to 1, such as 0.5 or "1/3", got {shown(value)}')
    return part


def one_of(allowed: Iterable[str], value: object) -> str:
    """Says that a value is none of those that are allowed, and which of them may have been meant."""
    names = list(allowed)
    meant = suggest(value, names) if isinstance(value, str) else ""
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"expected one of {quoted}, got {shown(value)}{meant}"


def shown(value: object) -> str:
    """Formats a value nearly as an event file has it, short enough for a message."""
    match value:
        case bool():
            text = "true" if value else "false"
        case Decimal() | date() | time():
            text = str(value)
        case dict():
            text = "a section"
        case [dict(), *_]:
            text = "sections"
        case list():
            text = f"[{', '.join(map(shown, value))}]"
        case _:
            text = repr(value)
    return shorten(text)
