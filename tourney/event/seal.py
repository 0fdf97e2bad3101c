"""The seal of an event: made in its results folder before the event, opened after it.

`seal.json` holds the nonce, without which the hash reveals nothing, and is readable by its owner only. It is made
once; its contents are compared with the boards of the draw whenever it is used.
"""

import json
import os
import secrets
from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tourney.errors import StoreError
from tourney.formats.seal import NONCE_BYTES, SEAL_FORMAT, OpenedSeal, SealedBoards, format_board_line
from tourney.store.db.database import FOLDER_MODE, Database
from tourney.store.db.files import make_file
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import is_begun, iter_event_boards
from tourney.store.results.matches import load_match_scores
from tourney.store.results.secrecy import load_hidden_boards

SEAL_FILE: Final = "seal.json"
"""The name of the seal in the results folder."""

_OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class Seal:
    """The contents of `seal.json`. `sealed` is the time when it was made, ISO 8601 in UTC."""

    event: str
    nonce: str
    commitment: str
    sealed: str


def load_seal(results: Path) -> Seal | None:
    """Load the seal in a results folder; None if there is none.

    Raises:
        StoreError: the file cannot be read, or is not a seal.
    """
    path = results / SEAL_FILE
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))  # whatever the file holds
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"seal {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != SEAL_FORMAT:
        raise StoreError(f"seal {path} is damaged: it is not a JSON document of format {SEAL_FORMAT}")
    keys = [field.name for field in fields(Seal)]
    for key in keys:
        if not isinstance(document.get(key), str):
            raise StoreError(f"seal {path} is damaged: {key} is a text in it")
    return Seal(**{key: document[key] for key in keys})


def load_commitment(results: Path, event: str) -> str | None:
    """Load the hash that seals the boards of an event, which is made to be published; None if they are not sealed.

    Raises:
        StoreError: the file cannot be read, or is not a seal.
    """
    seal = load_seal(results)
    return seal.commitment if seal is not None and seal.event.casefold() == event.casefold() else None


def event_boards(database: Database, event: EventInfo) -> SealedBoards:
    """Load the boards of the draw in the form in which they are hashed.

    Raises:
        StoreError: the database cannot be used.
    """
    sets: defaultdict[str, list[str]] = defaultdict(list)
    contests = {str(stage.number): stage.format for stage in event.stages}
    for name, board in iter_event_boards(database, event.id):
        sealed = contests[name.partition(".")[0]].as_dealt(board)
        sets[name].append(format_board_line(sealed))
    from_file = json.loads(event.plan).get("pbn") is not None
    seed = None if from_file else event.seed
    return SealedBoards(event.name, seed, {name: tuple(boards) for name, boards in sets.items()})


def seal_event(results: Path, database: Database, event: EventInfo, now_ms: int) -> Seal:
    """Return the seal of an event, making it if there is none.

    Args:
        results: the results folder; created if necessary.
        database: the database with the draw.
        event: the event as drawn.
        now_ms: milliseconds since 1970 UTC.

    Raises:
        StoreError: boards have been begun, other boards were sealed, or the folder cannot be used.
    """
    boards = event_boards(database, event)
    seal = load_seal(results)
    if seal is None:
        if is_begun(database, event.id):
            raise StoreError(
                f"boards of {event.name!r} have been begun: a seal proves something when it is made and published "
                "before the first board"
            )
        seal = _make(results, boards, now_ms)
    _check(seal, boards, results)
    return seal


def open_seal(results: Path, database: Database, event: EventInfo, *, force: bool = False) -> OpenedSeal:
    """Return the boards and the nonce of a sealed event.

    Args:
        results: the results folder.
        database: the database with the draw and the scores of matches.
        event: the event as drawn.
        force: open the seal although matches have not finished.

    Raises:
        StoreError: the event was never sealed, was sealed with other boards, or has not finished.
    """
    seal = load_seal(results)
    if seal is None:
        raise StoreError(f"event {event.name!r} was not sealed: there is no {SEAL_FILE} in {results}")
    boards = event_boards(database, event)
    _check(seal, boards, results)
    left = len(event.matches) - len(load_match_scores(database, event.id))
    if left and not force:
        raise StoreError(
            f"{left} of {len(event.matches)} matches of {event.name!r} have not finished: anyone who reads the "
            "boards now knows what will be played; --force opens them all the same"
        )
    hidden = load_hidden_boards(database, event)
    if not force and (hidden.by_set or event.seed in hidden.seeds):
        raise StoreError(
            f"another event of the database still has boards of {event.name!r} to play, or uses its seed: anyone "
            "who reads the boards now knows what will be played; --force opens them all the same"
        )
    return OpenedSeal(seal.nonce, seal.commitment, boards)


def seal_problem(results: Path, database: Database, event: EventInfo) -> str | None:
    """Say in a sentence that the event does not play the boards that were sealed; return None if it does.

    Raises:
        StoreError: the database cannot be used.
    """
    try:
        seal = load_seal(results)
        if seal is not None:
            _check(seal, event_boards(database, event), results)
    except StoreError as error:
        return str(error)
    return None


def _check(seal: Seal, boards: SealedBoards, results: Path) -> None:
    if boards.commitment(seal.nonce) != seal.commitment:
        raise StoreError(
            f"event {boards.event!r} no longer has the boards that were sealed at {seal.sealed}: it has been drawn "
            f"again since; to seal the new ones, move {results / SEAL_FILE} away and publish the new hash"
        )


def _make(results: Path, boards: SealedBoards, now_ms: int) -> Seal:
    nonce = secrets.token_hex(NONCE_BYTES)
    sealed = datetime.fromtimestamp(now_ms // 1000, UTC)
    seal = Seal(boards.event, nonce, boards.commitment(nonce), f"{sealed:%Y-%m-%dT%H:%M:%SZ}")
    document = {"format": SEAL_FORMAT} | asdict(seal)
    path = results / SEAL_FILE

    def build(part: Path) -> None:
        # Created with these permissions, not given them afterwards: at no moment can others open it.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")

    try:
        results.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        make_file(path, build)
    except FileExistsError:
        # Another command was quicker, or the folder is a file.
        earlier = load_seal(results) if results.is_dir() else None
        if earlier is None:
            raise StoreError(f"folder {results} cannot be made: there is a file with this name") from None
        return earlier
    except OSError as error:
        raise StoreError(f"folder {results} cannot be made: {error.strerror}") from None
    return seal
