"""Opens the WebSocket to the organiser's server, and says in one sentence why that does not work."""

import asyncio
import logging
import os
import ssl
from typing import Final
from urllib.parse import quote, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    InvalidMessage,
    InvalidProxy,
    InvalidProxyStatus,
    InvalidStatus,
    ProxyError,
    WebSocketException,
)
from websockets.typing import Subprotocol

from tourney.connect.options import ConnectSettings
from tourney.errors import ServiceError, UsageError
from tourney.protocol.tunnel.end import SUBPROTOCOL
from tourney.protocol.tunnel.frames import MESSAGE_BYTES_MAX

OPEN_S: Final = 15.0
"""How long the server may take to open a WebSocket, in seconds."""

_CLOSE_S: Final = 3.0

_BODY_CHARS_MAX: Final = 300

_PROXY_HINT: Final = (
    "something on the way may not let WebSockets through: ask for wss:// to this server to be allowed, "
    "or try another network, such as a phone's"
)

_LOGGER: Final = logging.getLogger(__name__)
_LOGGER.addHandler(logging.NullHandler())
_LOGGER.propagate = False  # what goes wrong is said to the author in sentences


class Unreachable(ServiceError):  # noqa: N818 # an occurrence, not an error
    """There is no connection at the moment; the same may work later."""


class EventNotRun(Unreachable):
    """The web server is there, and behind it nothing yet: the event is not being run."""


class _Dialling(connect):
    """Goes nowhere but to the address that was given: a redirection would be handed the key."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Return the answer as an error, also where it is a redirection."""
        return exc


def make_tls(settings: ConnectSettings) -> ssl.SSLContext | None:
    """Return how the server is to prove who it is; None for a server on this machine that is not asked.

    Raises:
        UsageError: the file with certificates cannot be used.
    """
    if settings.url.startswith("ws:"):
        return None
    try:
        return ssl.create_default_context(cafile=None if settings.ca is None else str(settings.ca))
    except (OSError, ssl.SSLError):
        raise UsageError(f"{settings.ca} has no certificates (PEM)", option="--ca") from None


async def open_websocket(settings: ConnectSettings, tls: ssl.SSLContext | None) -> ClientConnection:
    """Open a WebSocket to the server, through the proxy that the environment names, if it does.

    Raises:
        Unreachable: not at the moment; `EventNotRun` if only the event's end of the tunnel is missing.
        ServiceError: the server refuses this client.
    """
    host = urlsplit(settings.url).netloc
    dialling = _Dialling(
        settings.url,
        ssl=tls,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers={
            "Authorization": f"Bearer {settings.key}",
            "Tourney-Team": quote(settings.team, safe=""),
        },
        compression=None,
        open_timeout=OPEN_S,
        ping_interval=None,  # the tunnel has pings of its own
        close_timeout=_CLOSE_S,
        max_size=MESSAGE_BYTES_MAX,
        logger=_LOGGER,
    )
    try:
        websocket = await dialling
    except InvalidStatus as error:
        response = error.response
        raise _explain_status(
            host, response.status_code, response.headers.get("Content-Type", ""), bytes(response.body or b"")
        ) from None
    except InvalidProxyStatus as error:
        raise Unreachable(f"the proxy on the way answered HTTP {error.response.status_code}; {_PROXY_HINT}") from None
    except (InvalidProxy, ProxyError) as error:
        raise Unreachable(f"the proxy that the environment names cannot be used: {error}") from None
    except WebSocketException as error:
        cause = "it hung up" if isinstance(error, InvalidMessage) else str(error)
        raise Unreachable(f"{host} does not answer as a server of WebSockets does ({cause}); {_PROXY_HINT}") from None
    except ssl.SSLCertVerificationError as error:
        raise ServiceError(
            f"the certificate of {host} is not valid ({error.verify_message.rstrip('.')}); "
            "for a server with an authority of its own there is --ca FILE"
        ) from None
    except ssl.SSLError as error:
        raise Unreachable(f"{host} speaks no TLS that can be used ({error.reason or error})") from None
    except TimeoutError:
        raise Unreachable(f"{host} has not answered for {OPEN_S:g} s") from None
    except OSError as error:
        raise Unreachable(f"{host} cannot be reached: {explain_os_error(error)}") from None
    if websocket.subprotocol != SUBPROTOCOL:
        await websocket.close()
        raise ServiceError(f"{host} has a WebSocket there, but not one of tourney: is the address right?")
    return websocket


def explain_os_error(error: OSError) -> str:
    """Return what the system says of an error, without what a library adds."""
    if error.errno is None or error.errno <= 0:  # names that are not found have numbers of their own
        return error.strerror or str(error)
    return os.strerror(error.errno)


def _explain_status(host: str, status: int, content_type: str, body: bytes) -> ServiceError:
    text = body.decode("utf-8", "replace").strip()
    is_sentence = content_type.startswith("text/plain") and 0 < len(text) <= _BODY_CHARS_MAX
    if status == 401:
        said = text if is_sentence else "the key is not that of a team of this name"
        return ServiceError(f"{host} refuses: {said.rstrip('.')}")
    if is_sentence:
        return Unreachable(f"{host} refuses for now: {text.rstrip('.')} (HTTP {status})")
    if status in {301, 302, 303, 307, 308}:
        return ServiceError(f"{host} sends elsewhere (HTTP {status}): give the address where the event is")
    if status == 404:
        return Unreachable(f"{host} has no tunnel at this address (HTTP 404): is the address right?")
    if status in {502, 503, 504}:
        return EventNotRun(f"{host} is there, but the event's end of the tunnel is not (HTTP {status})")
    page = "a web page" if "html" in content_type else "something else"
    return Unreachable(f"{host} answered with {page} and HTTP {status} in place of a WebSocket; {_PROXY_HINT}")


async def close_websocket(websocket: ClientConnection) -> None:
    """Close a WebSocket, waiting no more than a moment for the other end."""
    try:
        async with asyncio.timeout(_CLOSE_S):
            await websocket.close()
    except (OSError, TimeoutError, WebSocketException):
        pass
