"""Sealed boards: a hash published before an event, and the boards that match it, published afterwards.

Nobody can read the boards from the hash, as a random nonce is hashed with them; nobody can change a board after the
hash is known. The hash does not show how the boards were chosen, unless they come from a seed: then everybody can
deal them again (`tourney.bridge.dealing` has the algorithm).

The hash is the SHA-256 of this text in UTF-8, with one line feed (byte 10) after every line, the last too:

    tourney-seal-1
    nonce <64 hexadecimal digits in lower case>
    event <the name of the event>
    seed <the seed in decimal, or - when the boards come from a file>
    set <the name of a set>
    <board number> <dealer> <vulnerability> <deal>

with a `set` line and its boards for each set, in the order of the draw and of play. A set is named by its stage, its
round and, where every match has boards of its own, the match of the round: `1.3`, `1.3.2`. Dealer is N, E, S or W,
vulnerability None, NS, EW or All, the deal North's hand first as in PBN: `1 N None N:AK4.QT72... ... ... ...`.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Final

from tourney.bridge import Board, board_from_seed, format_deal, parse_deal
from tourney.errors import FormatError
from tourney.plurals import shorten

SEAL_FORMAT: Final = "tourney-seal-1"
"""The first line of the hashed text. Any change to the text needs a new name: seals are checked years later."""

NONCE_BYTES: Final = 32
"""256 bits, the length of the hash, so that guessing the nonce is no easier than finding a collision."""

SET_NAME: Final = re.compile(r"[1-9][0-9]{0,8}(\.[1-9][0-9]{0,8}){1,2}", re.ASCII)
"""Stage and round, or stage, round and match."""

_SHOWN_CHARS_MAX: Final = 80
"""The longest part of a line that a message quotes; a board line has about 80 characters."""

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SEED: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_BOARD: Final = re.compile(r"([1-9][0-9]{0,5}) ([NESW]) (None|NS|EW|All) (N:\S+ \S+ \S+ \S+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class SealedBoards:
    """All boards of an event as they are hashed: `sets` has the lines of each set by its name, in order."""

    event: str
    seed: str | None
    """The seed in decimal; None if the boards come from a file."""
    sets: dict[str, tuple[str, ...]]

    @property
    def board_count(self) -> int:
        return sum(map(len, self.sets.values()))

    def commitment(self, nonce: str) -> str:
        """Returns the hash to publish, 64 hexadecimal digits; the module's docstring specifies the hashed text."""
        lines = [SEAL_FORMAT, f"nonce {nonce}", f"event {self.event}", f"seed {self.seed or '-'}"]
        for name, boards in self.sets.items():
            lines += [f"set {name}", *boards]
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    @property
    def first_not_of_seed(self) -> str | None:
        """The first board that the seed does not deal, as `board 3 of set 1.2`; None if the seed deals all."""
        if self.seed is None:
            return None
        for name, boards in self.sets.items():
            for line in boards:
                number = int(line.partition(" ")[0])
                if format_board_line(board_from_seed(self.seed, name, number)) != line:
                    return f"board {number} of set {name}"
        return None


@dataclass(frozen=True, slots=True)
class OpenedSeal:
    """The document published after the event. `commitment` is as given in the file; the reader checks it."""

    nonce: str
    commitment: str
    boards: SealedBoards


def format_board_line(board: Board) -> str:
    """Formats a board as it is hashed."""
    return f"{board.number} {board.dealer.letter} {board.vulnerability.value} {format_deal(board.deal)}"


def format_opened(opened: OpenedSeal) -> str:
    """Formats the file to publish, a JSON document with `format`, `event`, `seed`, `nonce`, `commitment` and `sets`.

    `seed` is text, or null when the boards come from a file; `sets` is a list of `{"set": name, "boards": [line]}`,
    the lines as they are hashed.
    """
    document = {
        "format": SEAL_FORMAT,
        "event": opened.boards.event,
        "seed": opened.boards.seed,
        "nonce": opened.nonce,
        "commitment": opened.commitment,
        "sets": [{"set": name, "boards": list(boards)} for name, boards in opened.boards.sets.items()],
    }
    return json.dumps(document, indent=1) + "\n"


def parse_opened(text: str, name: str) -> OpenedSeal:
    """Reads what `format_opened` wrote. Every board is checked to be whole and playable.

    Args:
        text: the whole file.
        name: what to call it in errors.

    Raises:
        FormatError: one sentence on the first thing that is wrong.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(f"{name} is not a file of opened boards: it is not JSON") from None
    if not isinstance(document, dict) or document.get("format") != SEAL_FORMAT:
        raise FormatError(f'{name} is not a file of opened boards: those have "format": "{SEAL_FORMAT}"')
    seed = document.get("seed")
    if seed is not None and not (isinstance(seed, str) and _SEED.fullmatch(seed)):
        raise FormatError(f"{name}: seed is a whole number in quotes, or null, got {_shown(seed)}")
    event = document.get("event")
    if not isinstance(event, str) or not event or _CONTROL.search(event) or not _is_unicode(event):
        raise FormatError(f"{name}: event is a name on one line, got {_shown(event)}")
    sets = document.get("sets")
    if not isinstance(sets, list) or not sets:
        raise FormatError(f"{name}: sets is a list of sets of boards, got {_shown(sets)}")
    nonce, commitment = (_hex(document.get(key), f"{name}: {key}") for key in ("nonce", "commitment"))
    return OpenedSeal(nonce, commitment, SealedBoards(event, seed, _sets(sets, name)))


def check_opened(opened: OpenedSeal, name: str, published: str | None) -> str:
    """Checks that opened boards have the hash that was published, and are those of their seed; returns the hash.

    Args:
        opened: the boards.
        name: what to call their file in messages.
        published: the hash; None for the one that stands in the file.

    Raises:
        FormatError: they have another hash, or a board is not what the seed deals.
    """
    boards = opened.boards
    found = boards.commitment(opened.nonce)
    wanted = published or opened.commitment
    if found != wanted:
        said = "was published" if published else "stands in it"
        raise FormatError(f"{name} does not fit: its boards have SHA-256 {found}, {wanted} {said}")
    odd = boards.first_not_of_seed
    if odd is not None:
        raise FormatError(f"{name} fits SHA-256 {found}, but {odd} is not what seed {boards.seed} deals")
    return found


def parse_commitment(text: str) -> str:
    """Reads a hash as people copy it: 64 hexadecimal digits in either case, blanks around and between them.

    Raises:
        FormatError: it is something else.
    """
    return _hex("".join(text.split()).lower(), "a hash")


def _sets(found: list[Any], name: str) -> dict[str, tuple[str, ...]]:
    sets: dict[str, tuple[str, ...]] = {}
    for each in found:
        set_name = each.get("set") if isinstance(each, dict) else None
        boards = each.get("boards") if isinstance(each, dict) else None
        if not isinstance(set_name, str) or not SET_NAME.fullmatch(set_name) or set_name in sets:
            raise FormatError(f"{name}: each set has a name of its own such as 1.1 or 1.3.2, got {_shown(set_name)}")
        if not isinstance(boards, list) or not boards:
            raise FormatError(f"{name}: set {set_name} has a list of boards, got {_shown(boards)}")
        sets[set_name] = tuple(_board_line(line, f"{name}: set {set_name}") for line in boards)
        numbers = [line.partition(" ")[0] for line in sets[set_name]]
        if len(set(numbers)) < len(numbers):
            twice = next(number for number in numbers if numbers.count(number) > 1)
            raise FormatError(f"{name}: set {set_name} has two boards number {twice}")
    return sets


def _board_line(line: Any, where: str) -> str:  # what json.loads gives
    found = _BOARD.fullmatch(line) if isinstance(line, str) else None
    if found is None:
        raise FormatError(f"{where}: a board is number, dealer, vulnerability and deal, got {_shown(line)}")
    try:
        deal = parse_deal(found[4])
    except FormatError as error:
        raise FormatError(f"{where}, board {found[1]}: {error}") from None
    if format_deal(deal) != found[4]:
        raise FormatError(f"{where}, board {found[1]}: cards stand from ace to two, got {_shown(found[4])}")
    return found[0]


def _hex(value: Any, what: str) -> str:  # what json.loads gives
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise FormatError(f"{what} has 64 hexadecimal digits, got {_shown(value)}")
    return value


def _is_unicode(text: str) -> bool:
    """Returns whether the text can be hashed at all: JSON may contain a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: Any) -> str:  # what json.loads gives
    return shorten(ascii(value), _SHOWN_CHARS_MAX)
