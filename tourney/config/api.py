"""Programs behind HTTP: the dialects that they speak, and the command that seats one for a team."""

import enum
import re
from typing import Final

from tourney.config.command import API_OPTION, own_client_command
from tourney.config.values import MissingKeyError, shown
from tourney.protocol.wires import Language


class DialectName(enum.StrEnum):
    """What a service that plays over HTTP is asked in."""

    BEN = "ben"
    """BEN's `gameapi.py` since version 0.8.7.5."""
    BEN_OLD = "ben-old"
    """The same before version 0.8.7.5, with other words for the vulnerability."""
    BRILL = "brill"
    """The Seat Robot API of Brill."""
    ROBOT_PHP = "robot-php"
    """The form of BBO's `robot.php`, with the hands alone that the seat sees."""
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


def check_api_url(url: str) -> str:
    """Returns the address of a service, without a slash at its end.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    if not _ADDRESS.fullmatch(url):
        raise ValueError(f'a service has an address such as "http://127.0.0.1:8085", got {shown(url)}')
    return url.rstrip("/")


def check_service(
    dialect: DialectName,
    play_url: str | None,
    play_dialect: DialectName | None,
    *,
    model: str | None = None,
    opponents_model: str | None = None,
) -> None:
    """Checks that a service, or two of them, bid and play, and can be told what they are told.

    Raises:
        ValueError: one sentence on what is missing, or cannot be told.
    """
    if (play_url is None) != (play_dialect is None):
        raise MissingKeyError("the service that plays has an address and a dialect: give both, or neither")
    if play_dialect in BIDDING_ONLY:
        raise ValueError(f'a service of dialect "{play_dialect}" only bids, it cannot be the one that plays')
    if play_url is None and dialect in BIDDING_ONLY:
        raise MissingKeyError(f'a service of dialect "{dialect}" only bids: name another one that plays')
    if model is not None and dialect not in WITH_MODELS:
        raise ValueError(f'a service of dialect "{dialect}" is not told its model: it is started with one')
    if opponents_model is not None and dialect not in WITH_OPPONENTS_MODELS:
        raise ValueError(f'a service of dialect "{dialect}" is not told the model of its opponents')


def seat_service(
    url: str,
    dialect: DialectName,
    protocol: Language,
    *,
    play_url: str | None = None,
    play_dialect: DialectName | None = None,
    model: str | None = None,
    opponents_model: str | None = None,
    request_s: int | None = None,
) -> str:
    """Returns the command that seats a service; it keeps the answers in its folder, for a board that is begun again.

    Args:
        url: the address of the service; placeholders of commands may be in it.
        dialect: what it is asked in.
        protocol: the language of the table.
        play_url: the address of another service that plays, if this one only bids.
        play_dialect: its dialect.
        model: the model or system that the service is to bid by, if it has several.
        opponents_model: that of the opponents, for a service that can be told.
        request_s: how long an answer may take; None for `REQUEST_S`.
    """
    settings = {
        "play_api": play_url,
        "play_dialect": play_dialect,
        "model": model,
        "opponents_model": opponents_model,
        "request_s": request_s,
        "answers": "{folder}/answers.jsonl",
    }
    more = [f"{key}={value}" for key, value in settings.items() if value is not None]
    words = [API_OPTION, url, "--dialect", dialect.value, *(word for each in more for word in ("--set", each))]
    return own_client_command(words, protocol)
