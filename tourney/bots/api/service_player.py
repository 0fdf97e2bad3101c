"""The answers of a service, kept in a file: a board that is begun again takes the same course."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tourney.bots.api.dialects import BBA, BEN, BRILL
from tourney.bots.api.service import (
    ApiAnswer,
    ApiDialect,
    ApiOptions,
    ApiQuestion,
    ApiService,
    read_call_text,
    read_card_text,
)
from tourney.bots.strategy import Decision
from tourney.bridge import Card, PlayerView, Seat, Vulnerability, parse_call, parse_hand
from tourney.config.api import REQUEST_S, DialectName, Service, check_service
from tourney.errors import FormatError, LaunchError, ServiceError, UsageError


class AnswerFile:
    """Answers by what the seat knew when it asked: the board, its hand, the calls and cards."""

    def __init__(self, path: Path) -> None:
        """Read the answers that are there.

        Raises:
            LaunchError: the file cannot be read or written.
        """
        self._path = path
        self._answers: dict[str, ApiAnswer] = {}
        try:
            with path.open("a+", encoding="utf-8", errors="replace") as file:
                file.seek(0)
                text = file.read()
                if text and not text.endswith("\n"):  # the program was ended while it wrote the line
                    file.write("\n")
        except OSError as error:
            raise self._unusable(error) from None
        for line in text.splitlines():
            try:
                self._read(json.loads(line))
            except (ValueError, KeyError, TypeError, FormatError):
                continue

    def find(self, question: ApiQuestion) -> ApiAnswer | None:
        """Return what was answered when the seat knew the same; None if it was not asked."""
        return self._answers.get(_describe(question))

    def add(self, question: ApiQuestion, answer: ApiAnswer) -> None:
        """Keep an answer.

        Raises:
            LaunchError: the file cannot be written.
        """
        known = _describe(question)
        self._answers[known] = answer
        if isinstance(answer, Decision):
            line = {"known": known, "call": str(answer.call), "alert": answer.alert}
        else:
            line = {"known": known, "card": str(answer)}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(line)}\n")
        except OSError as error:
            raise self._unusable(error) from None

    def _read(self, line: dict[str, str]) -> None:
        if "card" in line:
            self._answers[line["known"]] = read_card_text(line["card"])
        else:
            self._answers[line["known"]] = Decision(read_call_text(line["call"]), line["alert"])

    def _unusable(self, error: OSError) -> LaunchError:
        return LaunchError(f"{self._path}, the file of answers, cannot be used: {error.strerror}")


def _describe(question: ApiQuestion) -> str:
    """Return what the seat knows, and the hand in turn, as a line."""
    view = question.view
    calls = " ".join(map(str, view.auction.calls))
    cards = " ".join(str(card) for _, card in view.cards)
    return f"{view.number} {view.seat.letter} {question.hand.letter} {view.hand} | {calls} | {cards}"


DIALECTS: Final[dict[DialectName, ApiDialect]] = {dialect.name: dialect for dialect in (BEN, BRILL, BBA)}
"""What can be asked, by name."""


class ServicePlayer:
    """A strategy that asks a service, or one for calls and another for cards.

    What a service answers that is not legal is passed on: the table rules on it.
    """

    def __init__(
        self, bidding: ApiService, play: ApiService, options: ApiOptions, answers: AnswerFile | None = None
    ) -> None:
        """Make a player.

        Args:
            bidding: is asked for calls.
            play: is asked for cards; may be the same.
            options: what the services are told about the event.
            answers: keeps legal answers, which are given again on a board that is begun again; None without.
        """
        self._bidding = bidding
        self._play = play
        self._options = options
        self._answers = answers

    def choose_call(self, view: PlayerView) -> Decision:
        """Ask for a call.

        Raises:
            ServiceError: the service has not answered with a call.
        """
        answer = self._ask(self._bidding, ApiQuestion(view, view.seat, self._options))
        assert isinstance(answer, Decision)
        return answer

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Ask for a card.

        Raises:
            ServiceError: the service has not answered with a card.
        """
        answer = self._ask(self._play, ApiQuestion(view, hand, self._options))
        assert isinstance(answer, Card)
        return answer

    def _ask(self, service: ApiService, question: ApiQuestion) -> ApiAnswer:
        """Return what alone is legal, else the answer of a service, the same to the same question."""
        legal = question.legal
        if len(legal) == 1:
            return legal[0] if isinstance(legal[0], Card) else Decision(legal[0])
        kept = self._answers.find(question) if self._answers is not None else None
        if kept is not None:
            return kept
        try:
            answer = service.ask(question)
        except ServiceError as error:
            raise ServiceError(f"board {question.view.number}, {question.view.seat.title}: {error}") from None
        if self._answers is not None and (answer.call if isinstance(answer, Decision) else answer) in legal:
            self._answers.add(question, answer)
        return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """The services that play for a seat, and how they are asked."""

    service: Service
    play: Service | None = None
    """Another one that plays the cards; None if one service does both."""
    options: ApiOptions
    request_s: float = REQUEST_S
    answer_path: Path | None = None
    """Where answers are kept; None if they are not."""

    def open(self, notify: Callable[[str], None] | None = None) -> tuple[ApiService, ApiService]:
        """Return the service that bids and the one that plays, not yet asked.

        Args:
            notify: receives a sentence when one of them is asked again.

        Raises:
            UsageError: one cannot do what is asked of it.
        """
        try:
            check_service(
                self.service,
                self.play,
                model=self.options.model,
                opponents_model=self.options.opponents_model,
            )
        except ValueError as error:
            raise UsageError(str(error)) from None
        bidding, play = (
            ApiService(each.url, DIALECTS[each.dialect], self.request_s, notify=notify)
            for each in (self.service, self.play or self.service)
        )
        return bidding, play if self.play is not None else bidding


def first_question(options: ApiOptions, *, bids: bool) -> ApiQuestion:
    """Return an easy question: a call after two passes, or else a lead against three notrump."""
    seat, hand, calls = Seat.SOUTH, "AK97.K32.QT3.AK7", "Pass Pass"
    if not bids:
        seat, hand, calls = Seat.EAST, "T653.QJ74.A98.95", "1NT Pass 3NT Pass Pass Pass"
    view = PlayerView(seat, 1, Seat.NORTH, Vulnerability.NS, parse_hand(hand, seat))
    for call in calls.split():
        view.add_call(parse_call(call))
    return ApiQuestion(view, seat, options)


def _prepare(service: ApiService, options: ApiOptions, *, bids: bool) -> None:
    """Find out whether a service is there and speaks its dialect, and have it load what it needs.

    Raises:
        ServiceError: it is not there, is of another dialect, or does not answer.
    """
    service.check_kind()
    service.ask(first_question(options, bids=bids))


def seat_services(settings: ServiceSettings, notify: Callable[[str], None]) -> ServicePlayer:
    """Return a player of services that have answered a first question.

    Args:
        settings: which services they are.
        notify: receives a sentence when one of them is asked again.

    Raises:
        LaunchError: the file of answers cannot be used.
        ServiceError: a service is not there, is of another dialect, or does not answer.
        UsageError: the settings do not fit together.
    """
    bidding, play = settings.open(notify)
    _prepare(bidding, settings.options, bids=True)
    if play is not bidding:
        _prepare(play, settings.options, bids=False)
    answers = AnswerFile(settings.answer_path) if settings.answer_path is not None else None
    return ServicePlayer(bidding, play, settings.options, answers)
