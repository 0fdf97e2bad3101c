"""Trying a service with a few questions, before it sits down."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from tourney.bots.api.dialect import ApiAnswer, ApiOptions, ApiQuestion
from tourney.bots.api.service import ApiService
from tourney.bots.strategy import Decision
from tourney.bridge import PlayerView, Seat, Vulnerability, parse_call, parse_card, parse_hand
from tourney.errors import ServiceError

_DECLARER: Final = "AK97.K32.QT3.AK7"
_DUMMY: Final = "QJ8.A95.K642.642"
_LEADER: Final = "T653.QJ74.A98.95"
_AUCTION: Final = "1NT Pass 3NT Pass Pass Pass"


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """A sentence on what was found out about a service."""

    text: str
    is_problem: bool = False


def bidding_question(options: ApiOptions) -> ApiQuestion:
    """Return a question about a call: South, after two passes, has a balanced hand of 19 points."""
    view = _view(Seat.SOUTH, _DECLARER, "Pass Pass", Vulnerability.NS)
    return ApiQuestion(view, view.seat, options)


def leading_question(options: ApiOptions) -> ApiQuestion:
    """Return a question about the opening lead against three notrump."""
    view = _view(Seat.EAST, _LEADER, _AUCTION)
    return ApiQuestion(view, view.seat, options)


def dummys_question(options: ApiOptions) -> ApiQuestion:
    """Return a question to declarer about the card of dummy, which plays to a heart led."""
    return ApiQuestion(_declaring("4H"), Seat.SOUTH, options)


def declarers_question(options: ApiOptions) -> ApiQuestion:
    """Return a question to declarer about its own card, the last of the first trick."""
    return ApiQuestion(_declaring("4H", "5H", "8H"), Seat.NORTH, options)


def _declaring(*cards: str) -> PlayerView:
    view = _view(Seat.NORTH, _DECLARER, _AUCTION)
    view.show_dummy(parse_hand(_DUMMY, Seat.SOUTH))
    for card in cards:
        view.add_card(parse_card(card))
    return view


def _view(seat: Seat, hand: str, calls: str, vulnerability: Vulnerability = Vulnerability.NONE) -> PlayerView:
    view = PlayerView(seat, 1, Seat.NORTH, vulnerability, parse_hand(hand, seat))
    for call in calls.split():
        view.add_call(parse_call(call))
    return view


def prepare_service(service: ApiService, options: ApiOptions, *, bids: bool) -> None:
    """Find out whether a service is there and speaks its dialect, and have it load what it needs.

    Args:
        service: is asked one question.
        options: what it is told about the event.
        bids: whether it is asked for a call, else for a lead.

    Raises:
        ServiceError: it is not there, is of another dialect, or does not answer.
    """
    service.describe_kind()
    service.ask(bidding_question(options) if bids else leading_question(options))


def probe_services(bidding: ApiService, play: ApiService, options: ApiOptions) -> Iterator[ProbeFinding]:
    """Yield what is found out about the service that bids and the one that plays, which may be the same."""
    try:
        yield from _probe_kind(bidding)
        yield from _probe_bidding(bidding, options)
        if play is not bidding:
            yield from _probe_kind(play)
    except ServiceError as error:
        yield ProbeFinding(str(error), is_problem=True)
        return
    for what, question in (
        ("a lead", leading_question(options)),
        ("dummy's card", dummys_question(options)),
        ("declarer's own card", declarers_question(options)),
    ):
        try:
            yield from _try(play, what, question)
        except ServiceError as error:
            yield ProbeFinding(f"{what}: {error}", is_problem=True)


def _probe_kind(service: ApiService) -> Iterator[ProbeFinding]:
    """Yield what kind of service it is, if its dialect has a sign.

    Raises:
        ServiceError: it is of another dialect, or not there.
    """
    kind = service.describe_kind()
    if kind:
        yield ProbeFinding(kind)


def _probe_bidding(service: ApiService, options: ApiOptions) -> Iterator[ProbeFinding]:
    """Yield what a question about a call has brought, and the same question again.

    Raises:
        ServiceError: there is no answer.
    """
    first = yield from _try(service, "a call", bidding_question(options))
    again = service.ask(bidding_question(options))
    if again == first:
        yield ProbeFinding(
            "the same question again: the same answer, so a board that is played again takes its course"
        )
    else:
        yield ProbeFinding(
            f"the same question again: {_describe(again)}, so a board that is played again may take another course"
        )


def _try(service: ApiService, what: str, question: ApiQuestion) -> Generator[ProbeFinding, None, ApiAnswer]:
    """Yield what a question has brought; return the answer.

    Raises:
        ServiceError: there is none.
    """
    answer, response = service.ask_for_response(question)
    place = service.place(service.dialect.write(question))
    if not question.allows(answer):
        yield ProbeFinding(f"{what}: {place} answered {_describe(answer)}, which is not legal", is_problem=True)
    else:
        form = f", as {response.content_type}" if response.content_type else ""
        yield ProbeFinding(f"{what}: {place} answered {_describe(answer)} in {response.took_ms} ms{form}")
    return answer


def _describe(answer: ApiAnswer) -> str:
    if not isinstance(answer, Decision):
        return str(answer)
    return f"{answer.call}, alerted as {answer.alert!r}" if answer.alert else str(answer.call)
