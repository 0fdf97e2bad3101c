"""What a cell or a line shows, before it is text or HTML: words, cards and contracts, and where they lead."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tourney.times import format_moment

if TYPE_CHECKING:
    from tourney.bridge import Board, Card, Contract, Result, Seat


class EntrantLink(NamedTuple):
    """Leads to a team, or to a pair; of a side of players who change partners, to each of them."""

    name: str


class RoundLink(NamedTuple):
    """Leads to a round."""

    round: int


class MatchLink(NamedTuple):
    """Leads to a match."""

    match: int


class BoardLink(NamedTuple):
    """Leads to a board of a match."""

    match: int
    board: int


class RoundBoardLink(NamedTuple):
    """Leads to a board at all tables of a round of teams."""

    round: int
    board: int


class TravellerLink(NamedTuple):
    """Leads to a board of a pairs event with the results of all tables."""

    stage: int
    board: int


class PageLink(NamedTuple):
    """Leads to a page of which an event has one, by its address: `rulings`."""

    address: str


Link: TypeAlias = EntrantLink | RoundLink | MatchLink | BoardLink | RoundBoardLink | TravellerLink | PageLink

Content: TypeAlias = (
    "str | Card | Contract | Result | Seat | Instant | Linked | Toned | Lines | Running | tuple[Content, ...]"
)
"""Words, a thing that each form writes in its own way, or several of them."""


@dataclass(frozen=True, slots=True)
class Instant:
    """A point in time."""

    at_ms: int
    zone: tzinfo | None
    """The time zone of the event; None for that of this machine."""


@dataclass(frozen=True, slots=True)
class Linked:
    """Content that leads somewhere where there are pages."""

    content: Content
    to: Link
    words: str = ""
    """What a page says when it is pointed at."""


@dataclass(frozen=True, slots=True)
class Toned:
    """Content that a page sets apart: what is won or lost, what matters most."""

    content: Content
    tone: str
    """A class of the style sheet."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Several things in a cell, each on a line of its own."""

    contents: tuple[Content, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """How a match is after a board, in hundredths of IMPs or points; a page draws the step that the board made."""

    home: int
    away: int
    before: int
    """How far the home team was ahead before the board, below 0 if it was behind."""
    most: int
    """The biggest lead of either team in the match."""

    @property
    def margin(self) -> int:
        """How far the home team is ahead."""
        return self.home - self.away


@dataclass(frozen=True, slots=True)
class Heading:
    """Begins a section of a report."""

    words: Content
    to: Link | None = None

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        return f"\n{text_of(self.words)}"


@dataclass(frozen=True, slots=True)
class Folded:
    """Lines that a page shows when they are asked for."""

    title: str
    lines: Sequence[str]
    instead: str = ""
    """What a terminal says in place of the lines, where they are too many for it."""

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        return self.instead or "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Hands:
    """The four hands of a board, which a page draws by compass."""

    board: "Board"
    words: str
    """What a terminal says of the board above its hands."""

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        from tourney.bridge import format_deal  # noqa: PLC0415 # as below

        return f"\n{self.words}\n{format_deal(self.board.deal)}"


@dataclass(frozen=True, slots=True)
class Title:
    """The first line of a report: what it is about, which a page says elsewhere, and what it says of that."""

    about: str
    words: Content

    def __str__(self) -> str:
        """Return the line for a terminal."""
        return f"{self.about}: {text_of(self.words)}"


def text_of(content: Content) -> str:
    """Return content as a line of text, for terminals."""
    from tourney.bridge import Card, Contract, Result, Seat  # noqa: PLC0415 # help of a command does without
    from tourney.scoring.victory_points import format_hundredths  # noqa: PLC0415 # likewise

    match content:
        case Linked(content=shown) | Toned(content=shown):
            return text_of(shown)
        case Lines(contents):
            return "\n".join(map(text_of, contents))
        case Instant():
            return format_moment(content.at_ms, content.zone)
        case Running():
            return f"{format_hundredths(content.home)}-{format_hundredths(content.away)}"
        case Seat():
            return content.letter
        case Result():
            return format_made(content.contract, content.tricks)
        case str() | Card() | Contract():
            return str(content)
        case _:
            return " ".join(map(text_of, content))


def linked(content: Content, to: Link | None) -> Content:
    """Return content that leads to something, or only the content if there is nothing to lead to."""
    return Linked(content, to) if to is not None else content


def is_thing(value: object) -> bool:
    """Whether a value is one that each form writes in its own way."""
    from tourney.bridge import Card, Contract, Seat  # noqa: PLC0415 # as above

    return isinstance(value, Card | Contract | Seat)


def format_made(contract: "Contract | None", tricks: int) -> str:
    """Format what was made: `4SX N +1` ends in over- or undertricks, `=` for just made; `Pass` without a contract."""
    if contract is None:
        return "Pass"
    return f"{contract} {contract.declarer.letter} {contract.format_over(tricks)}"
