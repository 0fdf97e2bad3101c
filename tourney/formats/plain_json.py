"""Data classes of plain values as JSON text and back, made of what their annotations say; from TOML likewise.

For what this program has written itself: settings, the activity of tables. What a text lacks, such as passphrases,
has its default; what it has beyond is left out.
"""

import enum
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_origin

from tourney.bridge import SEATS, Seat

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T")

_NETWORKS: Final = (IPv4Network, IPv6Network)
_LETTERS: Final = tuple(seat.letter for seat in SEATS)


def format_plain(value: object, *, without: tuple[str, ...] = (), more: Mapping[str, str] | None = None) -> str:
    """Format a data class as JSON text; `without` names fields of it that are left out, `more` has other keys."""
    plain = _to_plain(value) | dict(more or {})
    for name in without:
        del plain[name]
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def _to_plain(value: Any) -> Any:  # anything that settings are made of
    if is_dataclass(value):
        return {field.name: _to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(_to_plain(key)): _to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_to_plain(item) for item in value]
    if isinstance(value, Seat):
        return value.letter
    if isinstance(value, enum.Enum):
        return value.value
    return str(value) if isinstance(value, _NETWORKS) else value


def parse_plain(kind: type[_T], text: str) -> _T:
    """Parse what `format_plain` has written of a data class.

    Raises:
        ValueError: the text is no JSON, or lacks something or has something else in its place.
    """
    return make_of_plain(kind, json.loads(text))


def make_of_plain(kind: type[_T], plain: Any) -> _T:  # what JSON or TOML has in its place
    """Make a data class of what JSON or TOML has in its place.

    Raises:
        ValueError: it lacks something, or has something else in its place.
    """
    found = _from_plain(kind, plain)
    assert isinstance(found, kind)
    return found


def _from_plain(kind: Any, plain: Any) -> Any:  # an annotation, and what JSON has in its place
    origin = get_origin(kind)
    if origin is UnionType:
        return _from_union(get_args(kind), plain)
    if origin is tuple:
        (item_kind, _) = get_args(kind)
        return tuple(_from_plain(item_kind, item) for item in _expect(list, plain))
    if origin is dict:
        key_kind, item_kind = get_args(kind)
        return {_from_plain(key_kind, k): _from_plain(item_kind, item) for k, item in _expect(dict, plain).items()}
    if isinstance(kind, type) and is_dataclass(kind):
        return _make(kind, _expect(dict, plain))
    if kind is Seat:
        return SEATS[_LETTERS.index(plain)]
    if issubclass(kind, enum.Enum):
        return kind(plain)
    return _expect(kind, plain)


def _from_union(kinds: tuple[Any, ...], plain: Any) -> Any:
    if plain is None and NoneType in kinds:
        return None
    if set(kinds) == set(_NETWORKS):
        return ip_network(_expect(str, plain))
    (kind,) = (each for each in kinds if each is not NoneType)
    return _from_plain(kind, plain)


def _make(kind: type["DataclassInstance"], plain: Mapping[str, Any]) -> "DataclassInstance":
    values = {}
    for field in fields(kind):
        if field.name in plain:
            values[field.name] = _from_plain(field.type, plain[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{field.name!r} is missing")
    return kind(**values)


def _expect(kind: type[_T], plain: object) -> _T:
    if type(plain) is not kind:  # true is no number
        raise ValueError(f"{kind.__name__} is asked for, got {plain!r}")
    return plain
