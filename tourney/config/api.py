"""Programs behind HTTP: the dialects that they speak, and the command that seats one for a team."""

import enum
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from tourney.config.command import API_OPTION, own_client_command
from tourney.config.values import one_of, shown
from tourney.protocol.wires import Language


class DialectName(enum.StrEnum):
    """What a service that plays over HTTP is asked in."""

    BEN = "ben"
    """BEN's `gameapi.py` since version 0.8.7.5."""
    BRILL = "brill"
    """The Seat Robot API of Brill."""
    BBA = "bba"
    """BBA-Tools; it bids, and another service plays."""


REQUEST_S: Final = 60
"""How long an answer may take by default, with waiting and repetitions: well below the table's `stall_s`."""

REQUEST_S_MAX: Final = 3600

BIDDING_ONLY: Final = frozenset({DialectName.BBA})
"""Dialects that have no question about a card."""

WITH_MODELS: Final = frozenset({DialectName.BRILL, DialectName.BBA})
"""Dialects in which a service can be told which model or system it bids by."""

WITH_OPPONENTS_MODELS: Final = frozenset({DialectName.BBA})
"""Dialects in which it can be told that of the opponents."""

_ADDRESS: Final = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?", re.IGNORECASE)


class Service(NamedTuple):
    """A service: what it is asked in, and its address; as text `ben http://127.0.0.1:8085`."""

    dialect: DialectName
    url: str

    @classmethod
    def parse(cls, text: str) -> "Service":
        """Read a service, whose address is kept without a slash at its end.

        Raises:
            ValueError: one sentence on what is wrong.
        """
        dialect, _, url = text.strip().partition(" ")
        url = url.strip()
        if not url:
            form = 'a service is its dialect and its address, such as "ben http://127.0.0.1:8085"'
            raise ValueError(f"{form}, got {shown(text)}")
        if dialect not in tuple(DialectName):
            raise ValueError(one_of(DialectName, dialect))
        if not _ADDRESS.fullmatch(url):
            raise ValueError(f'a service has an address such as "http://127.0.0.1:8085", got {shown(url)}')
        return cls(DialectName(dialect), url.rstrip("/"))

    def __str__(self) -> str:
        return f"{self.dialect} {self.url}"


def check_service(service: Service, play: Service | None, *, model: str | None, opponents_model: str | None) -> None:
    """Checks that a service, or two of them, bid and play, and can be told what they are told.

    Raises:
        ValueError: one sentence on what is missing, or cannot be told.
    """
    if play is not None and play.dialect in BIDDING_ONLY:
        raise ValueError(f'a service of dialect "{play.dialect}" only bids, it cannot be the one that plays')
    if play is None and service.dialect in BIDDING_ONLY:
        raise ValueError(f'a service of dialect "{service.dialect}" only bids: name another one that plays')
    if model is not None and service.dialect not in WITH_MODELS:
        raise ValueError(f'a service of dialect "{service.dialect}" is not told its model: it is started with one')
    if opponents_model is not None and service.dialect not in WITH_OPPONENTS_MODELS:
        raise ValueError(f'a service of dialect "{service.dialect}" is not told the model of its opponents')


def seat_service(service: str, protocol: Language, settings: Mapping[str, object]) -> str:
    """Returns the command that seats a service; it keeps the answers in its folder, for a board that is begun again.

    Args:
        service: the service as text; placeholders of commands may be in it.
        protocol: the language of the table.
        settings: what else is known of it, by the names of keys of a team, which are those of `tourney bot --set`.
    """
    more = [f"{key}={value}" for key, value in {**settings, "answers": "{folder}/answers.jsonl"}.items()]
    return own_client_command([API_OPTION, service, *(word for each in more for word in ("--set", each))], protocol)
