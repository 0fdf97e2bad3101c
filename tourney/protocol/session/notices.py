"""What players are told beside calls and cards: each notice is one thing that a wire puts into words."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from tourney.bridge import Result, Seat, Side
from tourney.protocol.session.board.state import Entry, TableOffer
from tourney.protocol.session.boards import LineScore
from tourney.protocol.session.intents import Refusal

Scores: TypeAlias = Mapping[Side, LineScore]
"""The score of a game that is played over several deals."""

# The session


class SeatGiven(NamedTuple):
    """The player has a seat."""

    seat: Seat
    team: str
    """The name of its team, as it gave it."""
    profile: object
    """Settings of its side's wire, defined by its language; None for the usual ones."""
    version: int
    """The version of the language that the player named."""


class TeamsNamed(NamedTuple):
    """All four have a seat."""

    names: Mapping[Side, str]


class Newcomer(NamedTuple):
    """Another has taken a seat, where seats are given to single players."""

    seat: Seat
    name: str


class ErrorText(NamedTuple):
    """What was wrong, in a sentence."""

    text: str


class NoteText(NamedTuple):
    """A sentence that refuses nothing."""

    text: str


class SessionEnded(NamedTuple):
    """The session has ended."""


class SessionInterrupted(NamedTuple):
    """The session stops, and goes on where it is later."""

    reason: str


class ChatSaid(NamedTuple):
    """The player of a seat says something to all."""

    seat: Seat
    text: str


class BreakBegan(NamedTuple):
    """The next board waits for the player, for so long at most (`Wire.confirms_ready`)."""

    wait_ms: int


# The board


class BoardStarted(NamedTuple):
    """A board begins; lines about the one before may be on their way."""

    is_in_transit: bool


class BoardNamed(NamedTuple):
    """Which board it is, for a player that has asked for it."""


class WholeState(NamedTuple):
    """All that the player of a seat may know, for one that has asked; it has a view if it takes part in a board."""

    seat: Seat
    scores: Scores | None
    """None if it knows them."""


class ActionRefused(NamedTuple):
    """A call or card of the player's was refused."""

    refusal: Refusal


class ActedFor(NamedTuple):
    """What the table called or played in the player's name (BC-46)."""

    entry: Entry


class OfferMade(NamedTuple):
    """An offer waits for answers; who may see it is shown a claimant's cards (BC-40, `Wire.answers_undo`)."""

    offer: TableOffer


class OfferSettled(NamedTuple):
    """An offer was accepted or not (BC-41)."""

    offer: TableOffer
    accepted: bool


class CallAsked(NamedTuple):
    """An opponent asks what the player's call means, by its number from 1 (`Wire.answers_questions`)."""

    number: int


class CallExplained(NamedTuple):
    """What a call of an opponent means, by its number from 1."""

    number: int
    text: str


class OptionsChanged(NamedTuple):
    """What the player may ask for now, beside calls and cards (`Wire.shows_options`)."""

    claim: bool
    undo: bool
    chat: bool
    calls: tuple[int, ...]
    """The calls that it may ask the meaning of, by their numbers from 1."""


class BoardFinished(NamedTuple):
    """The board has ended, after so much thinking of both sides on it and on all boards of the table."""

    spent_ms: Mapping[Side, int]
    total_ms: Mapping[Side, int]
    result: Result | None
    """None if the board was forfeited, or is void."""
    scores: Scores | None
    """None if the player knows them."""


Notice: TypeAlias = (
    SeatGiven
    | TeamsNamed
    | Newcomer
    | ErrorText
    | NoteText
    | SessionEnded
    | SessionInterrupted
    | ChatSaid
    | BreakBegan
    | BoardStarted
    | BoardNamed
    | WholeState
    | ActionRefused
    | ActedFor
    | OfferMade
    | OfferSettled
    | CallAsked
    | CallExplained
    | OptionsChanged
    | BoardFinished
)
