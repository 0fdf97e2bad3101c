"""The command line of `tourney connect`, checked before anything is opened."""

import argparse
import ipaddress
import os
import shlex
import stat
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, NoReturn
from urllib.parse import urlsplit

from tourney.errors import UsageError

SEATS: Final = {"N": "North", "E": "East", "S": "South", "W": "West"}
"""The seats by their letters."""

DEFAULT_PORT: Final = 2000
"""Where programs of the Blue Chip protocol look for their table."""

_KEY_CHARS_MAX: Final = 200

DESCRIPTION: Final = """\
Connect the bridge programs on this machine to the tables of an event, through one secure connection to the
organiser's web server. The programs connect to a port of this machine, as if their table were here. A lost
connection is made again; the programs do not notice. While it runs, `director WORDS` calls the director.

Exit status: 1 refused or ended by the server, 2 usage, 130 stopped with Ctrl-C.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectSettings:
    """What the author wants."""

    url: str
    """Address of the WebSocket."""
    team: str
    key: str = field(repr=False)
    port: int
    """The port of this machine where programs connect."""
    command: tuple[str, ...] = ()
    """Words of the command that starts a program, with `{port}` and `{seat}`; none if the author starts them."""
    ca: Path | None = None
    """Certificates of authorities to trust in place of the system's."""


class ConnectOption(NamedTuple):
    """An option of the command, for whichever parser reads it."""

    name: str
    help: str
    metavar: str
    """What stands for its value."""
    default: str | None = None
    is_required: bool = False


OPTIONS: Final = (
    ConnectOption("--team", "Name of the team, as in the event.", "NAME", is_required=True),
    ConnectOption("--key-file", "File with the team's key, which only you can read.", "FILE", is_required=True),
    ConnectOption("--port", "Port of this machine where the programs connect.", "PORT", default=str(DEFAULT_PORT)),
    ConnectOption(
        "--run",
        "Command that starts a program for each seat, such as 'prog {port} {seat}', without a shell. A program that "
        "ends is started again. {seat_letter} is N, E, S or W.",
        "COMMAND",
    ),
    ConnectOption("--ca", "Certificates to trust, for a server with an authority of its own.", "FILE"),
)
"""All options; the address of the event stands before them."""


class _Parser(argparse.ArgumentParser):
    """Refuses as the rest of tourney does: one sentence, exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"{message}; --help shows what there is")


def make_parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of the command line of a command with this name."""
    parser = _Parser(
        prog=program,
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("url", metavar="URL", help="Address of the event, such as https://club.example/.")
    for option in OPTIONS:
        parser.add_argument(
            option.name,
            metavar=option.metavar,
            required=option.is_required,
            default=option.default,
            help=f"{option.help} Default: {option.default}." if option.default else option.help,
        )
    return parser


def parse_options(words: Sequence[str], program: str) -> ConnectSettings:
    """Return the settings that a command line gives.

    Raises:
        UsageError: it cannot be used, in one sentence.
        SystemExit: help was asked for.
    """
    return make_settings(**vars(make_parser(program).parse_args(words)))


def make_settings(
    url: str, *, team: str, key_file: str, port: str, run: str | None, ca: str | None
) -> ConnectSettings:
    """Return the settings that the values of the options give.

    Raises:
        UsageError: one of them cannot be used, in one sentence.
    """
    if not team.strip():
        raise UsageError("the name of the team is empty", option="--team")
    if ca is not None and not Path(ca).is_file():
        raise UsageError(f"there is no file {ca}", option="--ca")
    return ConnectSettings(
        url=parse_url(url),
        team=team.strip(),
        key=load_key(Path(key_file)),
        port=parse_port(port),
        command=parse_command_words(run) if run is not None else (),
        ca=None if ca is None else Path(ca),
    )


def parse_url(text: str) -> str:
    """Return the address of the WebSocket that belongs to an address for browsers.

    Raises:
        UsageError: it is none that can be used; what is not encrypted may stay on this machine only.
    """
    example = "give the address of the event, such as https://club.example/"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UsageError(f"{text!r} is no address of a server: {example}") from None
    if parts.scheme not in {"https", "http"} or not host or not text.isprintable() or " " in text:
        raise UsageError(f"{text!r} is no address of a server: {example}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise UsageError(f"the address has more than a host and a path: {example}")
    if parts.scheme == "http" and not _is_loopback(host):
        raise UsageError(
            "http:// would show the team's key to everybody on the way: the address begins with https://"
        )
    name = f"[{host}]" if ":" in host else host
    place = name if port is None else f"{name}:{port}"
    return f"{'wss' if parts.scheme == 'https' else 'ws'}://{place}{parts.path.rstrip('/')}/connect"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def load_key(path: Path) -> str:
    """Return the key in a file that only its owner can read.

    Raises:
        UsageError: there is no key in it, or others can read it.
    """
    option = "--key-file"
    try:
        status = path.stat()
        text = path.read_text(encoding="utf-8-sig").strip()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", option=option) from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text with a key", option=option) from None
    if os.name == "posix" and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others on this machine can read {path}: chmod 600 {path}", option=option)
    if not text:
        raise UsageError(f"{path} is empty: the key of the team goes there", option=option)
    if not text.isascii() or not text.isprintable() or " " in text or len(text) > _KEY_CHARS_MAX:
        raise UsageError(f"{path} has more than the key of the team", option=option)
    return text


def parse_port(text: str) -> int:
    """Return the number of a port.

    Raises:
        UsageError: it is none.
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5 and 1 <= int(digits) <= 65535):
        raise UsageError(f"a port is a number from 1 to 65535, got {text!r}", option="--port")
    return int(digits)


def parse_command_words(text: str) -> tuple[str, ...]:
    """Return the words of a command that starts a program.

    Raises:
        UsageError: it cannot be split, or has a placeholder that there is not.
    """
    option = "--run"
    if os.name == "nt":
        text = text.replace("\\", "\\\\")  # a separator of folders there, not an escape
    try:
        words = tuple(shlex.split(text))
        filled = fill_command(words, 1, "N")
    except (ValueError, KeyError, IndexError) as error:
        raise UsageError(f"{text!r} is no command: {error}", option=option) from None
    if not filled:
        raise UsageError("the command is empty", option=option)
    return words


def fill_command(words: tuple[str, ...], port: int, seat: str) -> list[str]:
    """Fill in the placeholders of a command for the seat with this letter.

    Raises:
        ValueError: there is no such placeholder.
    """
    values = {"port": str(port), "seat": SEATS[seat], "seat_lower": SEATS[seat].lower(), "seat_letter": seat}
    values["host"] = "127.0.0.1"
    for word in words:
        for _, name, spec, conversion in string.Formatter().parse(word):
            if name is not None and (name not in values or spec or conversion):
                raise ValueError(f"{{{name}}} is not filled in; there are {{port}}, {{seat}} and {{host}}")
    return [word.format_map(values) for word in words]
