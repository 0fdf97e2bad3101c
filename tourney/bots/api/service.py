"""A service over HTTP: what it is asked and what it answers, whatever its dialect; time limits and repetitions.

It may be slow, fail for a moment, or be something else than expected: what comes of that is a sentence.
"""

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Any, Final, TypeAlias
from urllib.parse import quote as quote_url
from urllib.parse import urlencode, urlsplit

from tourney.bots.strategy import Decision
from tourney.bridge import Call, Card, PlayerView, Seat
from tourney.config.api import REQUEST_S, DialectName
from tourney.errors import FormatError, ServiceError
from tourney.player.answers import find_call, find_card

ALERT_CHARS_MAX: Final = 300
"""How much of an explanation goes into an alert."""

_QUOTED_CHARS_MAX: Final = 200
"""How much of an answer a sentence quotes."""

_ALERT_WORD: Final = re.compile(r"\balert\b\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """What a service is told about its bidding system and the event."""

    model: str | None = None
    """The model or system that it bids by; None for its own choice."""
    opponents_model: str | None = None
    """The system of the opponents, for a service that can be told."""
    is_matchpoints: bool = False
    """Whether the event is scored by matchpoints, else by IMPs."""


@dataclass(frozen=True, slots=True)
class ApiQuestion:
    """A question to a service: what a seat knows, and the hand in turn, its own or dummy's."""

    view: PlayerView
    hand: Seat
    options: ApiOptions = ApiOptions()

    @property
    def asks_call(self) -> bool:
        return self.view.contract is None

    @property
    def legal(self) -> Sequence[Call | Card]:
        """What may be called or played."""
        return self.view.auction.legal_calls() if self.asks_call else self.view.legal_from(self.hand)


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request without the address of the service."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    """The JSON of a POST; None for a GET."""


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """What a service has answered to a request."""

    status: int
    text: str


ApiAnswer: TypeAlias = Decision | Card


@dataclass(frozen=True, slots=True)
class ApiDialect:
    """How services of one kind are asked."""

    name: DialectName
    write: Callable[[ApiQuestion], ApiRequest]
    read: Callable[[str, ApiQuestion], ApiAnswer]
    """Reads a body; raises FormatError, whose text goes on from the address of the service."""
    sign: ApiRequest | None = None
    """A request by whose answer services of the kind are known."""
    check_sign: Callable[[ApiResponse], None] = lambda _: None
    """Checks its answer; raises FormatError, whose text goes on from the address, if that is of another kind."""


def parse_object(text: str) -> dict[str, Any]:
    """Parse the body of an answer that is a JSON object, whatever its header says.

    Raises:
        FormatError: it is none, or says that the service has refused the question.
    """
    if text.lstrip().startswith("<"):
        raise FormatError(f"answered with a page of HTML or XML where JSON is due: {quote(text)}")
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(f"answered with what is no JSON, or breaks off: {quote(text)}") from None
    if not isinstance(answer, dict):
        raise FormatError(f"answered with JSON that is no object: {quote(text)}")
    for key in ("error", "message"):
        if answer.get(key):
            raise FormatError(f"refused the question: {quote(answer[key])}")
    return answer


def read_call_text(call: object) -> Call:
    """Read a call in any of the usual spellings.

    Raises:
        FormatError: it is none.
    """
    found = find_call(call) if isinstance(call, str) else None
    if found is None:
        raise FormatError(f"answered without a call: {quote(call)}")
    return found


def read_card_text(card: object) -> Card:
    """Read a card, suit or rank first.

    Raises:
        FormatError: it is none.
    """
    found = find_card(card) if isinstance(card, str) else None
    if found is None:
        raise FormatError(f"answered without a card: {quote(card)}")
    return found


def alert_text(explanation: object) -> str:
    """Return an explanation as the text of an alert: on one line, without the word itself, of limited length."""
    if not isinstance(explanation, str):
        return ""
    return " ".join(_ALERT_WORD.sub(" ", explanation).split())[:ALERT_CHARS_MAX].rstrip()


def quote(value: object) -> str:
    """Return what a sentence quotes of an answer."""
    if isinstance(value, str):
        value = " ".join(value.split())
    text = repr(value)
    return text if len(text) <= _QUOTED_CHARS_MAX else f"{text[:_QUOTED_CHARS_MAX]}..."


_PAUSE_S: Final = 0.5
"""The pause before a request is repeated; each further one is twice as long."""

_BODY_BYTES_MAX: Final = 4 * 1024 * 1024
_READ_BYTES: Final = 65536

_NOT_THERE: Final = (404, 405, 501)
"""Not found, and two statuses of servers that know the address but not the method."""
_TOO_MANY: Final = 429
_FOREIGN_HOST: Final = 444
_UNAVAILABLE: Final = 503


class _PassingError(ServiceError):
    """A failure after which the same request may succeed."""


class ApiService:
    """A service at one address."""

    def __init__(
        self,
        url: str,
        dialect: ApiDialect,
        request_s: float = REQUEST_S,
        *,
        notify: Callable[[str], None] | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a service that is not yet asked.

        Args:
            url: its address, without a slash at the end.
            dialect: what it is asked in.
            request_s: how long an answer may take, with repetitions.
            notify: receives a sentence when a request is repeated for the first time; None if nobody does.
            clock_s: a clock that never goes back.
            sleep: waits for some seconds.
        """
        self.dialect = dialect
        self.request_s = request_s
        self._url = url
        self._parts = urlsplit(url)
        self._notify = notify
        self._clock_s = clock_s
        self._sleep = sleep

    def place(self, request: ApiRequest) -> str:
        """Return where a request goes, without its query."""
        return f"{self._url}{request.path}"

    def ask(self, question: ApiQuestion) -> ApiAnswer:
        """Return the call or card that the service answers, which need not be legal.

        Raises:
            ServiceError: it has not answered with a call or card within the time.
        """
        if question.view.chooses_contract:
            raise ServiceError("services are not asked for the contract of Minibridge")
        request = self.dialect.write(question)
        response = self._send_repeatedly(request, self._check_status)
        try:
            return self.dialect.read(response.text, question)
        except FormatError as error:
            raise ServiceError(f"{self.place(request)} {error}") from None

    def check_kind(self) -> None:
        """Check by the sign of its dialect what kind of service it is, if there is such a sign.

        Raises:
            ServiceError: it cannot be reached, or is of another dialect.
        """
        if self.dialect.sign is None:
            return
        response = self._send_repeatedly(self.dialect.sign, self._check_passing_status)
        try:
            self.dialect.check_sign(response)
        except FormatError as error:
            raise ServiceError(f"{self._url} {error}") from None

    def _send_repeatedly(self, request: ApiRequest, check: Callable[[ApiRequest, ApiResponse], None]) -> ApiResponse:
        """Send a request, and again while that may help, until a response passes a check.

        An answer that does not come in time is not asked for again: the service would work on both.

        Raises:
            ServiceError: there is none within the time.
        """
        deadline_s = self._clock_s() + self.request_s
        repeats = 0
        while True:
            try:
                response = self._send(request, deadline_s)
                check(request, response)
            except _PassingError as failure:
                pause_s = _PAUSE_S * 2**repeats
                if self._clock_s() + pause_s >= deadline_s:
                    tries = f", {repeats + 1} times" if repeats else ""
                    raise ServiceError(f"{failure}{tries}") from None
                if not repeats and self._notify is not None:
                    self._notify(f"{failure}; it is asked again, for {deadline_s - self._clock_s():.0f} s at most")
            else:
                return response
            self._sleep(pause_s)
            repeats += 1

    def _send(self, request: ApiRequest, deadline_s: float) -> ApiResponse:
        """Send a request once and return what is answered, with whatever status.

        Raises:
            ServiceError: the service cannot be reached, or has not answered in time.
        """
        place = self.place(request)
        connection = self._connect(deadline_s)
        try:
            connection.connect()
            with _cut_at_end(connection.sock, deadline_s - self._clock_s()):
                self._write(connection, request)
                reply = connection.getresponse()
                text = self._read_body(reply)
        except TimeoutError:
            raise ServiceError(f"{place} has not answered within {self.request_s:g} s") from None
        except IncompleteRead:
            raise self._passing(request, f"{place} broke off in the middle of its answer") from None
        except ConnectionRefusedError as error:
            raise _PassingError(f"{place} cannot be reached: {error.strerror}") from None
        except HTTPException as error:
            # A closed connection is one of them: RemoteDisconnected.
            raise self._passing(request, f"{place} did not answer in HTTP: {error}") from None
        except OSError as error:
            raise self._passing(request, f"{place} cannot be reached: {error.strerror or error}") from None
        except UnicodeError:
            raise ServiceError(f"{place} cannot be reached: no machine has such a name") from None
        finally:
            connection.close()
        if 300 <= reply.status < 400:
            text = f"it leads to {reply.getheader('Location') or 'no address'}"
        return ApiResponse(reply.status, text)

    def _connect(self, deadline_s: float) -> HTTPConnection:
        kind = HTTPSConnection if self._parts.scheme.lower() == "https" else HTTPConnection
        try:
            port = self._parts.port
        except ValueError:
            raise ServiceError(f"{self._url} has no port from 0 to 65535 after its colon") from None
        return kind(self._parts.hostname or "", port, timeout=max(deadline_s - self._clock_s(), 0.001))

    def _write(self, connection: HTTPConnection, request: ApiRequest) -> None:
        target = quote_url(self._parts.path + request.path, safe="/%") or "/"
        if request.query:
            target += f"?{urlencode(request.query)}"
        headers = {"User-Agent": "tourney", "Accept": "*/*", "Connection": "close"}
        if request.body is None:
            connection.request("GET", target, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            connection.request("POST", target, json.dumps(request.body), headers)

    def _read_body(self, reply: HTTPResponse) -> str:
        body = b""
        while not reply.isclosed() and len(body) <= _BODY_BYTES_MAX:
            part = reply.read1(_READ_BYTES)
            if not part:
                if reply.length:  # the connection was closed before the length that the header says
                    raise IncompleteRead(body, reply.length)
                break
            body += part
        return body[:_BODY_BYTES_MAX].decode("utf-8-sig", "replace")

    @staticmethod
    def _passing(request: ApiRequest, message: str) -> ServiceError:
        """Return a failure after which a question may be repeated, unless it is a POST that may have been handled."""
        return _PassingError(message) if request.body is None else ServiceError(message)

    def _check_status(self, request: ApiRequest, response: ApiResponse) -> None:
        """Take status 200 alone for an answer.

        Raises:
            ServiceError: it is another.
        """
        place, status, said = self.place(request), response.status, quote(response.text)
        if status == 200:
            return
        if status == _TOO_MANY:
            raise _PassingError(f"{place} takes no more requests for now (429): {said}")
        if status in _NOT_THERE:
            raise ServiceError(
                f'{place} is not there ({status}): a service of dialect "{self.dialect.name}" has it, so the address '
                "or the dialect is another"
            )
        if status == _FOREIGN_HOST:
            raise ServiceError(
                f"{place} refuses this name of its machine (444): start it with --allowed-hosts "
                f"{self._parts.hostname}, or with *"
            )
        if status == 400:
            raise ServiceError(f"{place} refused the question (400): {said}")
        if status >= 500:
            failed = f"{place} failed ({status}): {said}"
            raise _PassingError(failed) if status == _UNAVAILABLE else self._passing(request, failed)
        raise ServiceError(f"{place} answered with status {status}: {said}")

    def _check_passing_status(self, request: ApiRequest, response: ApiResponse) -> None:
        """Take every status for an answer but those of a service that is overloaded, has failed, or refuses its name.

        Raises:
            ServiceError: it is one of these.
        """
        is_passing = response.status == _TOO_MANY or response.status >= 500
        if response.status == _FOREIGN_HOST or (is_passing and response.status not in _NOT_THERE):
            self._check_status(request, response)


@contextmanager
def _cut_at_end(opened: socket.socket, left_s: float) -> Iterator[None]:
    """Cut a connection when the time has passed, however slowly something keeps coming on it.

    Raises:
        TimeoutError: it was cut.
    """
    is_cut = threading.Event()

    def cut() -> None:
        is_cut.set()
        with suppress(OSError):
            socket.socket.shutdown(opened, socket.SHUT_RDWR)  # TLS's own would take the connection from its reader

    timer = threading.Timer(left_s, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, HTTPException):
        if not is_cut.is_set():
            raise
    finally:
        timer.cancel()
    if is_cut.is_set():
        raise TimeoutError
