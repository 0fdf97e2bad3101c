"""What conditions of contest are made of: sections of paragraphs, lists and tables, and the words for settings.

Texts are plain: whatever an organiser has written in an event file may stand in them, and is escaped by whoever
prints them. `code` marks what is to be read letter by letter.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import Penalty, RemedyName
from tourney.scoring.victory_points import format_vp

CODE_BEGINS: Final = "\x0e"
CODE_ENDS: Final = "\x0f"
"""Control characters, which no name of an event file has."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list. One that is `ordered` has numbers."""

    texts: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. Columns of `figures`, by their index, are set to the right."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: frozenset[int] = frozenset()


Block: TypeAlias = Paragraph | Items | Grid


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Block, ...]


def section(title: str, *blocks: Block | None) -> Section:
    """A section of the blocks that are there."""
    return Section(title, tuple(block for block in blocks if block is not None))


def paragraph(*sentences: str | None) -> Paragraph:
    """The sentences that are there, one after the other."""
    return Paragraph(" ".join(sentence for sentence in sentences if sentence))


def items(texts: Iterable[str | None], *, ordered: bool = False) -> Items:
    """A list of the texts that are there."""
    return Items(tuple(text for text in texts if text), ordered)


def code(text: str) -> str:
    """A text that is to be read letter by letter."""
    return f"{CODE_BEGINS}{clean(text)}{CODE_ENDS}"


def clean(text: str) -> str:
    """A name from an event file without control characters, which a name of a scale may have."""
    return _CONTROL.sub("?", text)


def quoted(name: str) -> str:
    """A name from an event file in quotes."""
    return f'"{clean(name)}"'


def count(number: int, one: str, many: str) -> str:
    """`1 board`, `16 boards`."""
    return f"{number} {one if number == 1 else many}"


def times(number: int) -> str:
    """`once`, `twice`, `7 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def seconds(number: int) -> str:
    """`1 minute 30 seconds`: exact, so that two settings never read alike."""
    minutes, second = divmod(number, 60)
    hours, minute = divmod(minutes, 60)
    parts = [(hours, "hour"), (minute, "minute"), (second, "second")]
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts if n) or "0 seconds"


def milliseconds(number: int) -> str:
    """`1 second`, `1500 milliseconds`."""
    return seconds(number // 1000) if number and number % 1000 == 0 else count(number, "millisecond", "milliseconds")


def listed(names: Sequence[str], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def ordinal(number: int) -> str:
    """`3rd`, `11th`."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 % 10 == 1 else endings.get(number % 10, 'th')}"


def fine(penalty: Penalty) -> str:
    """`3 IMPs`, `0.50 victory points`."""
    if penalty.kind is RulingKind.PENALTY_VP:
        return f"{format_vp(penalty.amount)} victory points"
    return count(penalty.amount, "IMP", "IMPs")


def remedy_words(name: RemedyName, penalty: Penalty) -> str:
    """What follows an offence, as the end of a sentence on a side."""
    match name:
        case RemedyName.WARN:
            return "it is warned, and the warning is put on record"
        case RemedyName.PENALTY:
            return f"it is fined {fine(penalty)}"
        case RemedyName.SUBSTITUTE:
            return "the table acts in the player's place: it passes, or plays the lowest legal card"
        case RemedyName.FORFEIT_BOARD:
            return "it forfeits the board"
        case RemedyName.FORFEIT_MATCH:
            return "it forfeits the match"
