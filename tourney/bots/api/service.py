"""Asking a service over HTTP: time limits, repetitions, and how many requests it gets at once."""

import fcntl
import json
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from pathlib import Path
from typing import Final
from urllib.parse import quote as quote_url
from urllib.parse import urlencode, urlsplit

from tourney.bots.api.dialect import ApiAnswer, ApiDialect, ApiQuestion, ApiRequest, ApiResponse, quote
from tourney.config.api import REQUEST_S
from tourney.errors import FormatError, LaunchError, ServiceError

AT_ONCE: Final = 4
"""How many requests a service gets at once by default, from all programs of this user on this machine."""

_PAUSES_S: Final = (0.5, 1.0, 2.0, 4.0)
"""Pauses before a request is repeated; the last one again and again."""

_LIMITED_PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""The same for a service that has had too many requests: BEN counts them by the minute."""

_SLOT_POLL_S: Final = 0.02
_BODY_BYTES_MAX: Final = 4 * 1024 * 1024
_READ_BYTES: Final = 65536

_NOT_THERE: Final = (404, 405, 501)
"""Not found, and two statuses of servers that know the address but not the method."""
_TOO_MANY: Final = 429
_FOREIGN_HOST: Final = 444
_UNAVAILABLE: Final = 503


@dataclass(frozen=True, slots=True)
class ApiLimits:
    """How a service is asked."""

    request_s: float = REQUEST_S
    """How long an answer may take, with waiting for others and repetitions."""
    at_once: int = AT_ONCE
    """How many requests it gets at once from all programs of this user on this machine; 0 for no limit."""


class _PassingError(ServiceError):
    """A failure after which the same request may succeed; `pauses_s` are those before it is repeated."""

    def __init__(self, message: str, pauses_s: tuple[float, ...], repeats_max: int | None = None) -> None:
        super().__init__(message)
        self.pauses_s = pauses_s
        self.repeats_max = repeats_max


class ApiService:
    """A service at one address."""

    def __init__(
        self,
        url: str,
        dialect: ApiDialect,
        limits: ApiLimits,
        *,
        slots: "RequestSlots | None" = None,
        notify: Callable[[str], None] | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a service that is not yet asked.

        Args:
            url: its address, without a slash at the end.
            dialect: what it is asked in.
            limits: how it is asked.
            slots: limits how many requests it gets at once; None for a limit in the usual folder.
            notify: receives a sentence when a request is repeated for the first time; None if nobody does.
            clock_s: a clock that never goes back.
            sleep: waits for some seconds.
        """
        self.dialect = dialect
        self.request_s = limits.request_s
        self._url = url
        self._parts = urlsplit(url)
        self._slots = slots or RequestSlots(self._parts.netloc, limits.at_once, clock_s, sleep)
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
        return self.ask_for_response(question)[0]

    def ask_for_response(self, question: ApiQuestion) -> tuple[ApiAnswer, ApiResponse]:
        """Return the same with the response in which it was.

        Raises:
            ServiceError: it has not answered with a call or card within the time.
        """
        request = self.dialect.write(question)
        response = self._send_repeatedly(request, self._check_status)
        try:
            return self.dialect.read(response.text, question), response
        except FormatError as error:
            raise ServiceError(f"{self.place(request)} {error}") from None

    def describe_kind(self) -> str:
        """Find out by the sign of its dialect what kind of service it is; return a sentence, empty without a sign.

        Raises:
            ServiceError: it cannot be reached, or is of another dialect.
        """
        if self.dialect.sign is None:
            return ""
        response = self._send_repeatedly(self.dialect.sign, self._check_passing_status)
        try:
            return f"{self._url} {self.dialect.read_sign(response)}"
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
                pause_s = failure.pauses_s[min(repeats, len(failure.pauses_s) - 1)]
                is_last = failure.repeats_max is not None and repeats >= failure.repeats_max
                if is_last or self._clock_s() + pause_s >= deadline_s:
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
        with self._slots.take(deadline_s, place):
            connection = self._connect(deadline_s)
            began_s = self._clock_s()
            try:
                connection.connect()
                opened = connection.sock  # which the response takes over
                self._write(connection, request)
                reply = connection.getresponse()
                text = self._read_body(opened, reply, deadline_s)
            except TimeoutError:
                raise ServiceError(f"{place} has not answered within {self.request_s:g} s") from None
            except IncompleteRead:
                raise self._passing(request, f"{place} broke off in the middle of its answer") from None
            except ConnectionRefusedError as error:
                raise _PassingError(f"{place} cannot be reached: {error.strerror}", _PAUSES_S) from None
            except HTTPException as error:
                # A closed connection is one of them: RemoteDisconnected.
                raise self._passing(request, f"{place} did not answer in HTTP: {error}") from None
            except OSError as error:
                raise self._passing(request, f"{place} cannot be reached: {error.strerror or error}") from None
            except UnicodeError:
                raise ServiceError(f"{place} cannot be reached: no machine has such a name") from None
            finally:
                connection.close()
        took_ms = round((self._clock_s() - began_s) * 1000)
        if 300 <= reply.status < 400:
            text = f"it leads to {reply.getheader('Location') or 'no address'}"
        return ApiResponse(reply.status, text, reply.getheader("Content-Type") or "", took_ms)

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

    def _read_body(self, opened: socket.socket, reply: HTTPResponse, deadline_s: float) -> str:
        """Read a body to its end; a slow one is read until the time is over, not for so long after each part."""
        body = b""
        while not reply.isclosed() and len(body) <= _BODY_BYTES_MAX:
            left_s = deadline_s - self._clock_s()
            if left_s <= 0:
                raise TimeoutError
            opened.settimeout(left_s)
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
        return _PassingError(message, _PAUSES_S) if request.body is None else ServiceError(message)

    def _check_status(self, request: ApiRequest, response: ApiResponse) -> None:
        """Take status 200 alone for an answer.

        Raises:
            ServiceError: it is another.
        """
        place, status, said = self.place(request), response.status, quote(response.text)
        if status == 200:
            return
        if status == _TOO_MANY:
            raise _PassingError(f"{place} takes no more requests for now (429): {said}", _LIMITED_PAUSES_S)
        if status == _UNAVAILABLE:
            raise _PassingError(f"{place} failed (503): {said}", _PAUSES_S)
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
        if status == 400:  # also what BEN answers to errors of its own
            sentence = f"{place} refused the question (400): {said}"
            raise (
                _PassingError(sentence, _PAUSES_S, repeats_max=1) if request.body is None else ServiceError(sentence)
            )
        if status >= 500:
            raise self._passing(request, f"{place} failed ({status}): {said}")
        raise ServiceError(f"{place} answered with status {status}: {said}")

    def _check_passing_status(self, request: ApiRequest, response: ApiResponse) -> None:
        """Take every status for an answer but those of a service that is overloaded, has failed, or refuses its name.

        Raises:
            ServiceError: it is one of these.
        """
        is_passing = response.status == _TOO_MANY or response.status >= 500
        if response.status == _FOREIGN_HOST or (is_passing and response.status not in _NOT_THERE):
            self._check_status(request, response)


class RequestSlots:
    """Limits how many requests a service gets at once from the programs of this user on this machine.

    A slot is a locked file in a folder for temporary files; a program that ends gives its slot back. Programs that do
    not see each other's files, as within bubblewrap, do not count each other.
    """

    def __init__(
        self,
        service: str,
        at_once: int,
        clock_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        folder: Path | None = None,
    ) -> None:
        """Make the slots of a service.

        Args:
            service: the host and port of the service.
            at_once: how many there are; 0 for no limit.
            clock_s: a clock that never goes back.
            sleep: waits for some seconds.
            folder: where the files are; None for a folder of this user.
        """
        self._service = quote_url(service, safe="")
        self._at_once = at_once
        self._clock_s = clock_s
        self._sleep = sleep
        self._folder = folder or Path(tempfile.gettempdir()) / f"tourney-services-{os.getuid()}"

    @contextmanager
    def take(self, deadline_s: float, place: str) -> Iterator[None]:
        """Hold a slot.

        Raises:
            LaunchError: the folder of the slots cannot be used.
            ServiceError: there is no free slot until the deadline.
        """
        descriptor = self._wait(deadline_s, place) if self._at_once else None
        try:
            yield
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _wait(self, deadline_s: float, place: str) -> int:
        while True:
            for number in range(self._at_once):
                descriptor = self._lock(number)
                if descriptor is not None:
                    return descriptor
            if self._clock_s() >= deadline_s:
                raise ServiceError(
                    f"{place} was not asked within the time: it had {self._at_once} other requests of this machine"
                )
            self._sleep(_SLOT_POLL_S)

    def _lock(self, number: int) -> int | None:
        """Lock the file of a slot; None if another program has it."""
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(
                self._folder / f"{self._service}-{number}", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600
            )
        except OSError as error:
            raise LaunchError(
                f"folder {self._folder} cannot be used: {error.strerror}", remedy="--at-once 0 does without it"
            ) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor
