"""The command that starts a team's program: words with placeholders such as `{seat}`."""

import shlex
import string
from typing import Final

from tourney.config.values import shorten, shown

PLACEHOLDERS: Final = ("host", "port", "seat", "team", "login", "match", "room", "pair")
"""The placeholders of a command."""

_LITERAL_BRACE: Final = "a brace that is meant as such is written twice"

_LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}  # noqa: S104 # compared, not bound
"""Replacements for wildcard addresses, on which a server can listen but to which no client can connect."""


def check_command(command: str) -> str:
    """Returns the command if it can be split into words and has no unknown placeholder.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    for word in _words(command):
        for _, place, spec, conversion in _parse(word):
            if place is not None and (place not in PLACEHOLDERS or spec or conversion):
                allowed = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
                got = place + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
                raise ValueError(f"allowed in a command are {allowed}, got {{{shorten(got)}}}; {_LITERAL_BRACE}")
    return command


def expand_command(command: str, values: dict[str, str]) -> list[str]:
    """Splits a checked command into words and fills in the values; a value never splits a word."""
    return [word.format_map(values) for word in _words(command)]


def split_command(command: str) -> list[str]:
    """Splits a checked command into words, their placeholders unfilled."""
    return _words(command)


def reachable(host: str) -> str:
    """Returns the address for `{host}`: where a program on this machine reaches a table that listens on `host`."""
    return _LOOPBACK.get(host, host)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        reason = "a quote is not closed" if "quotation" in str(error) else "a backslash stands at its end"
        raise ValueError(f"a command is words as in a shell, got {shown(command)}: {reason}") from None
    if not words or not words[0]:
        raise ValueError(f"a command names a program, got {shown(command)}")
    return words


def _parse(word: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(word))
    except ValueError:
        raise ValueError(f"braces stand around a name in a command, got {shown(word)}; {_LITERAL_BRACE}") from None
