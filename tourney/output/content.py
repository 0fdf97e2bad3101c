"""What a cell or a line shows, before it is text or HTML: words, cards and contracts, and where they lead."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from tourney.bridge import Card, Contract, Result, Seat


class EntrantLink(NamedTuple):
    """Leads to a team, or to a pair."""

    name: str


class MatchLink(NamedTuple):
    """Leads to a match."""

    match: int


class BoardLink(NamedTuple):
    """Leads to a board of a match."""

    match: int
    board: int


Link: TypeAlias = EntrantLink | MatchLink | BoardLink

Content: TypeAlias = "str | Card | Contract | Result | Seat | Linked | tuple[Content, ...]"
"""Words, a thing that each form writes in its own way, or several of them."""


@dataclass(frozen=True, slots=True)
class Linked:
    """Content that leads somewhere where there are pages."""

    content: Content
    to: Link


@dataclass(frozen=True, slots=True)
class Title:
    """The first line of a report: what it is about, which a page says elsewhere, and what it says of that."""

    about: str
    words: str

    def __str__(self) -> str:
        """Return the line for a terminal."""
        return f"{self.about}: {self.words}"


def text_of(content: Content) -> str:
    """Return content as a line of text, for terminals."""
    from tourney.bridge import Card, Contract, Result, Seat  # noqa: PLC0415 # help of a command does without

    match content:
        case Linked(content=shown):
            return text_of(shown)
        case Seat():
            return content.letter
        case Result():
            return format_made(content.contract, content.tricks)
        case str() | Card() | Contract():
            return str(content)
        case _:
            return " ".join(map(text_of, content))


def is_thing(value: object) -> bool:
    """Whether a value is one that each form writes in its own way."""
    from tourney.bridge import Card, Contract, Seat  # noqa: PLC0415 # as above

    return isinstance(value, Card | Contract | Seat)


def format_made(contract: "Contract | None", tricks: int) -> str:
    """Format what was made: `4SX N +1` ends in over- or undertricks, `=` for just made; `Pass` without a contract."""
    if contract is None:
        return "Pass"
    return f"{contract} {contract.declarer.letter} {contract.format_over(tricks)}"
