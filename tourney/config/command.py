"""The command that starts a team's program: words with placeholders such as `{seat}`."""

import getopt
import re
import shlex
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePath
from typing import Final

from tourney.bridge import Seat
from tourney.config.values import shown
from tourney.plurals import shorten
from tourney.protocol.wires import Language
from tourney.suggestions import suggest

PLACEHOLDERS: Final = (
    "host",
    "port",
    "seat",
    "seat_lower",
    "seat_letter",
    "team",
    "login",
    "folder",
    "match",
    "room",
    "pair",
)
"""The placeholders of a command."""

PLAYER_OPTION: Final = "--player"
"""The option of `tourney bot` after which an author's class is named."""

API_OPTION: Final = "--api"
"""The option of `tourney bot` after which the address of a service is given that plays over HTTP."""

LOGIN_VARIABLE: Final = "TOURNEY_LOGIN"
"""The environment variable of a program that has what it logs on with: its team's name and passphrase."""

TERMS_VARIABLE: Final = "TOURNEY_TABLE"
"""The environment variable of a program that has what it may know of its table: an object of JSON."""

SHARED_OPTION: Final = "--shared"
"""The option of `tourney bot` with which one process plays all seats that its table host offers it."""

CLIENT_OPTIONS: Final = (
    *("host", "port", "protocol", "seat", "game", "team", "player", "api", "style", "seed", "set"),
    "wait-s",
)
"""The options of `tourney bot` that are followed by a value; it has no other words but the `CLIENT_FLAGS`."""

CLIENT_FLAGS: Final = ("shared", "help")
"""Its options that stand alone."""

_PLAYER: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(:[^\W\d]\w*(@\w+)?)?")

_LITERAL_BRACE: Final = "write a literal brace twice"

_LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}  # noqa: S104 # compared, not bound
"""Replacements for wildcard addresses, on which a server can listen but to which no client can connect."""


_PLAIN_WORD: Final = re.compile(r"[\w@%+=:./~{}-]+", re.ASCII)
"""A word that no shell changes before a program gets it, except that it expands `~` as we do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandValues:
    """What is filled in for the placeholders of a command: one seat of one table."""

    host: str
    port: int
    seat: Seat
    team: str
    login: str = field(repr=False)
    """The team's name with its passphrase, if it has one."""
    folder: str = ""
    """The program's own folder, absolute."""
    match: int = 1
    room: str = "open"
    pair: int = 1

    def by_placeholder(self) -> dict[str, str]:
        """Return the text for each of the `PLACEHOLDERS`."""
        seat = {"seat": self.seat.title, "seat_lower": self.seat.title.lower(), "seat_letter": self.seat.letter}
        return {name: str(seat.get(name) or getattr(self, name)) for name in PLACEHOLDERS}


def check_command(command: str) -> str:
    """Returns the command if it can be split into words and has no unknown placeholder.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    for word in split_command(command):
        for _, place, spec, conversion in _parse(word):
            if place is not None and (place not in PLACEHOLDERS or spec or conversion):
                allowed = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
                got = place + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
                meant = suggest(place, PLACEHOLDERS)
                raise ValueError(f"a command may have {allowed}, got {{{shorten(got)}}}; {_LITERAL_BRACE}{meant}")
    return command


WRAPPED: Final = "{command}"
"""The word of a wrapping command in whose place the words of a team's command go."""


def check_wrapper(command: str) -> str:
    """Returns a command that starts others, if it can be split into words and has a place for theirs.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    words = split_command(command)
    if words.count(WRAPPED) != 1 or words[0] == WRAPPED:
        raise ValueError(f"the command has the word {WRAPPED} once, not as its first, got {shown(command)}")
    check_command(shlex.join(word for word in words if word != WRAPPED))
    return command


def wrap_command(
    command: str, wrapped: Sequence[str], values: Mapping[str, str], find_home: Callable[[str], str]
) -> list[str]:
    """Returns the words of a checked wrapping command around those of a team's, expanded as in `expand_command`."""
    words: list[str] = []
    for word in split_command(command):
        words += wrapped if word == WRAPPED else [_expand_word(word, values, find_home)]
    return words


def expand_command(command: str, values: Mapping[str, str], find_home: Callable[[str], str]) -> list[str]:
    """Splits a checked command into words and fills in the values; a value never splits a word.

    Args:
        command: the command, checked.
        values: the text for each placeholder.
        find_home: gives the folder for the `~` or `~user` at the start of a word, or the same if there is none.
    """
    return [_expand_word(word, values, find_home) for word in split_command(command)]


def _expand_word(word: str, values: Mapping[str, str], find_home: Callable[[str], str]) -> str:
    user, slash, rest = word.partition("/")
    if not word.startswith("~") or "{" in user:
        return word.format_map(values)
    return find_home(user) + slash + rest.format_map(values)


def format_check_bot(
    team: str,
    command: str | None,
    profile: str = "default",
    protocol: Language = Language.BLUE_CHIP,
    readable: Sequence[str] | None = None,
) -> str:
    """Formats the command line of `tourney check-bot` for the program of a team, to be typed in a shell.

    Args:
        team: its name.
        command: starts the program; None if a person does.
        profile: the named profile of the team.
        protocol: what the program speaks.
        readable: what the program may read besides its own files, within bubblewrap; None without a sandbox.
    """
    words = ["tourney", "check-bot", "--team", team]
    if protocol is not Language.BLUE_CHIP:
        words += ["--protocol", protocol.value]
    elif profile != "default":
        words += ["--profile", profile]
    if readable is not None:
        words += ["--sandbox", *(word for path in readable for word in ("--readable", path))]
    line = " ".join(map(_quote_word, words))
    if command is None:
        return line
    program = split_command(command)
    # check-bot takes a single word for a whole command line.
    quoted = [_quote_word(shlex.quote(program[0]))] if len(program) == 1 else map(_quote_word, program)
    return f"{line} -- {' '.join(quoted)}"


def _quote_word(word: str) -> str:
    return word if _PLAIN_WORD.fullmatch(word) else shlex.quote(word)


def uses_placeholder(command: str, placeholder: str) -> bool:
    """Returns whether a checked command has a placeholder."""
    return any(place == placeholder for word in split_command(command) for _, place, _, _ in _parse(word))


def is_own_player(command: str | None) -> bool:
    """Tells whether a command starts the player that comes with tourney, and not what an author has written."""
    options = _client_options(command)
    return options is not None and {PLAYER_OPTION, API_OPTION}.isdisjoint(options)


def is_own_client(command: str | None) -> bool:
    """Tells whether a command is `tourney bot` or `python -m tourney bot`, whoever plays in it."""
    return _find_client(command) is not None


def reaches_service(command: str | None) -> bool:
    """Tells whether a command is our own client, by its bare name, that asks a service over HTTP.

    It runs nobody else's code, so it may have a network within a sandbox.
    """
    options = _client_options(command)
    if options is None or split_command(command or "")[:2] != ["tourney", "bot"]:
        return False
    return API_OPTION in options and PLAYER_OPTION not in options


def _find_client(command: str | None) -> list[str] | None:
    """Returns the words that follow `tourney bot` in a command, None if it starts something else."""
    words = shlex.split(command) if command is not None else []
    for number, (program, word) in enumerate(pairwise(words)):
        if PurePath(program).name == "tourney" and word == "bot":
            return words[number + 2 :]
    return None


def _client_options(command: str | None) -> dict[str, str] | None:
    """Returns the options of our own client with their values; None if it is not that, or would refuse its words.

    They are parsed as the client does: what follows an option is its value, whatever it looks like.
    """
    words = _find_client(command)
    if words is None:
        return None
    try:
        options, rest = getopt.getopt(words, "", [*(f"{name}=" for name in CLIENT_OPTIONS), *CLIENT_FLAGS])
    except getopt.GetoptError:
        return None
    return None if rest else dict(options)


def check_player(name: str) -> str:
    """Returns the name of a player's class, `my_bot:MyBot`: a module, and a class in it unless it has only one.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    if not _PLAYER.fullmatch(name):
        raise ValueError(f'a player is named by its module and its class, as in "my_bot:MyBot", got {shown(name)}')
    return name


def names_player(text: str) -> bool:
    """Tells whether a text is the name of a player's class, and not the command of a program."""
    return ":" in text and _PLAYER.fullmatch(text) is not None


def player_in(command: str | None) -> str | None:
    """Returns the name of the player's class that a command of our own client seats; None if it seats none."""
    return (_client_options(command) or {}).get(PLAYER_OPTION)


def style_in(command: str | None) -> tuple[str, int] | None:
    """Returns the style and the seed of tourney's own player that a command seats; None if it seats another."""
    options = _client_options(command)
    seed = options.pop("--seed", "1") if options is not None else ""
    if options is None or not seed.isdecimal() or options.keys() & {PLAYER_OPTION, API_OPTION, "--set"}:
        return None
    return options.get("--style", "basic"), int(seed)


def seat_player(name: str, protocol: Language) -> str:
    """Returns the command that seats a player's class."""
    return own_client_command([PLAYER_OPTION, name], protocol)


def own_client_command(words: Sequence[str], protocol: Language) -> str:
    """Returns the command of our own client with options of its player; the log-on is in `LOGIN_VARIABLE`."""
    return f"tourney bot {shlex.join(words)} {_where(protocol)}"


def complete_client(command: str, protocol: Language) -> str:
    """Returns a command; one of our own client that does not say where it plays, with the words that do."""
    words = _find_client(command)
    if words is None or any(word.partition("=")[0] == "--port" for word in words):
        return command
    return f"{command} {_where(protocol)}"


def _where(protocol: Language) -> str:
    seat = "--seat {seat}" if protocol is Language.BLUE_CHIP else f"--protocol {protocol.value}"
    return f"--host {{host}} --port {{port}} {seat}"


def share_program(command: str) -> str:
    """Returns the command of one process that plays many seats, from that of a process for each seat.

    Raises:
        ValueError: the command is not that of a player's class, or says more of a seat than where it is.
    """
    if player_in(command) is None:
        raise ValueError("only a player's class can have one process for many seats: give a player, not a command")
    words, kept = split_command(command), []
    while words:
        if words[0] in _OF_SEAT and words[1:2] == [_OF_SEAT[words[0]]]:
            del words[:2]
        else:
            kept.append(words.pop(0))
    shared = shlex.join([*kept, SHARED_OPTION])
    for place in PLACEHOLDERS:
        if uses_placeholder(shared, place):
            raise ValueError(f"one process for many seats has no {{{place}}} of its own, got {shown(command)}")
    return shared


_OF_SEAT: Final = {"--host": "{host}", "--port": "{port}", "--seat": "{seat}"}
"""The options of our own client that say which seat it takes, with what is filled in."""


def name_program(team: str, seat: Seat) -> str:
    """Names the program of a seat in messages: `Alpha's program for North`."""
    return f"{team}'s program for {seat.title}"


def reachable(host: str) -> str:
    """Returns the address for `{host}`: where a program on this machine reaches a table that listens on `host`."""
    return _LOOPBACK.get(host, host)


def split_command(command: str) -> list[str]:
    """Splits a command into words, their placeholders unfilled.

    Raises:
        ValueError: one sentence on a text that is no command.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        reason = "a quote is not closed" if "quotation" in str(error) else "it ends in a backslash"
        raise ValueError(f"a command is words as in a shell, got {shown(command)}: {reason}") from None
    if not words or not words[0]:
        raise ValueError(f"a command names a program, got {shown(command)}")
    return words


def _parse(word: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(word))
    except ValueError:
        raise ValueError(f"braces stand around a name in a command, got {shown(word)}; {_LITERAL_BRACE}") from None
