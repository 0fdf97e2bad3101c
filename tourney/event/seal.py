"""The seal of an event on disk: `seal.json` in its results folder, readable by its owner only."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tourney.errors import StoreError
from tourney.formats.seal import SEAL_FORMAT

SEAL_FILE: Final = "seal.json"
"""The name of the seal in the results folder."""

_KEYS: Final = ("event", "nonce", "commitment", "sealed")


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
        raise StoreError(f"seal {path} is damaged: it is no JSON document of format {SEAL_FORMAT}")
    event, nonce, commitment, sealed = (_text(document, key, path) for key in _KEYS)
    return Seal(event, nonce, commitment, sealed)


def _text(document: dict[str, Any], key: str, path: Path) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise StoreError(f"seal {path} is damaged: {key} is a text in it")
    return value


def load_commitment(results: Path, event: str) -> str | None:
    """Load the hash that seals the boards of an event, which is made to be published; None if they are not sealed.

    Raises:
        StoreError: the file cannot be read, or is not a seal.
    """
    seal = load_seal(results)
    return seal.commitment if seal is not None and seal.event.casefold() == event.casefold() else None
