"""The event file reference, derived from the models of `tourney.config`.

A key's meaning is the docstring of its attribute, in Markdown; its type, limits and default are those of the model.
"""

import ast
import enum
import inspect
import itertools
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Any, Final, get_args, get_origin

from annotated_types import Ge, Le, Lt, MaxLen
from pydantic import AwareDatetime, BaseModel, BeforeValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from tourney.config import EventConfig, PortRange
from tourney.config.programs import PROFILES
from tourney.config.stages import OwnMovement
from tourney.contest import FORMATS, Contest, formats_with
from tourney.protocol.session.rules import Penalty
from tourney.protocol.wires import DEFAULT, WireProfile
from tourney.scoring.victory_points import UserTable
from tourney_manual.markdown import as_item

_REPEATED: Final = ("team", "pair", "player", "stage")
"""Sections that an event file may have more than once."""

_PLAIN_TYPES: Final[dict[object, str]] = {
    bool: "`true` or `false`",
    int: "whole number",
    str: "text",
    Decimal: "number",
    float: "number",
    Fraction: 'number, or a quotient such as `"1/3"`',
    AwareDatetime: "date and time, such as `2026-11-21T14:00:00Z`",
    PortRange: 'range such as `"2000-4999"`, or one port',
    Penalty: 'amount such as `"3 IMPs"`',
    UserTable: "list of rows of three numbers",
    OwnMovement: "path of a file",
    IPv4Network: "address or network",
    IPv6Network: "address or network",
}

_PLURALS: Final = {
    "number": "numbers",
    "address or network": "addresses and networks",
    "date and time": "dates and times",
}


class UnknownTypeError(Exception):
    """A key has a type that the reference has no words for: add them to `_PLAIN_TYPES`."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a section."""

    section: str
    """As an event file has it, such as `[[team]]`."""
    name: str
    type: str
    """Type, limits and allowed values, in Markdown."""
    default: str | None
    """In Markdown; None where its meaning says what happens without it, or it is required."""
    required: bool
    meaning: str
    """In Markdown; empty when the attribute has no docstring."""
    formats: list[str]
    """The formats of a stage that have it; empty where all have."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of an event file."""

    heading: str
    """As an event file has it, such as `[[team]]`."""
    meaning: str
    keys: tuple[Key, ...]
    """Those of its own; none where another section has described them, as its meaning then says."""


def list_sections() -> list[Section]:
    """Every section of an event file, in the order of the file, sections of a section after it."""
    return list(_walk(EventConfig, "", set()))


def render_event_file() -> str:
    """A heading for each section, a definition for each of its keys."""
    out = []
    for section in list_sections():
        out += [f"## `{section.heading}`", "", section.meaning, ""]
        for key in section.keys:
            facts = [key.type]
            if key.formats:
                facts.append(f"for {', '.join(f'`{name}`' for name in key.formats)}")
            if key.required:
                facts.append("required")
            elif key.default is not None:
                facts.append(f"default {key.default}")
            out += [as_item(f"`{key.name}`", f"*{'; '.join(facts)}*\n\n{key.meaning}"), ""]
    return "\n".join(out)


def format_settings(profile: WireProfile) -> str:
    """The settings of a profile that differ from the default, in Markdown."""
    default = asdict(DEFAULT)
    differing = {key: value for key, value in asdict(profile).items() if value not in (None, default[key])}
    return ", ".join(f"`{key} = {_toml(value)}`" for key, value in differing.items())


def _walk(model: type[BaseModel], above: str, described: set[type[BaseModel]]) -> Iterator[Section]:
    """The sections of a model; `described` has the models of the sections before it."""
    meanings = attribute_docs(model)
    for name, field in model.model_fields.items():
        below = _section_model(field.annotation)
        if below is None:
            continue
        path = f"{above}{name}"
        if name == "vp_table":
            path += ".NAME"
        heading = f"[[{path}]]" if name in _REPEATED and not above else f"[{path}]"
        meaning = _without_heading(meanings.get(name, ""))
        if not described.isdisjoint(below.__mro__):
            yield Section(heading, meaning, ())
            continue
        described.add(below)
        yield Section(heading, meaning, tuple(_keys(below, heading)))
        yield from _walk(below, f"{path}.", described)


def _keys(model: type[BaseModel], section: str) -> Iterator[Key]:
    meanings = attribute_docs(model)
    formats = FORMATS.values() if section == "[[stage]]" else ()
    hints = typing.get_type_hints(model, include_extras=True)
    for name, field in model.model_fields.items():
        if _section_model(field.annotation) is not None:
            continue
        allowed = _one_of(PROFILES) if name == "profile" else None
        is_said = "y default" in meanings.get(name, "") and any(name in each.defaults({}) for each in formats)
        yield Key(
            section=section,
            name=name,
            type=allowed or describe_type(hints[name]),
            default=_default(field) if not is_said else None,
            required=field.is_required(),
            meaning=meanings.get(name, ""),
            formats=formats_with(name) if section == "[[stage]]" else [],
        )


def _section_model(annotation: object) -> type[BaseModel] | None:
    """The model of a key whose value is a section, several sections, or sections by name."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_section_model, get_args(annotation))), None)


def _without_heading(meaning: str) -> str:
    """The docstring of a key that is a section, without the heading it begins with."""
    _, colon, rest = meaning.partition("`: ")
    return rest[:1].upper() + rest[1:] if colon and meaning.startswith("`[") else meaning


def _default(field: FieldInfo) -> str | None:
    value = field.get_default(call_default_factory=True)
    return None if value in (None, "", PydanticUndefined) else f"`{_toml(value)}`"


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float() | Decimal():
            return str(value)
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return f'"{value}"'


def describe_type(hint: Any, limits: tuple[object, ...] = ()) -> str:
    """A type of a model in words.

    Raises:
        UnknownTypeError: it is one that the reference has no words for.
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return describe_type(args[0], (*limits, *_flat(args[1:])))
    if origin in (types.UnionType, typing.Union):
        members = [arg for arg in args if arg is not type(None)]
        return " or ".join(dict.fromkeys(describe_type(member, limits) for member in members))
    if hint is Contest:
        return _one_of(name for name in FORMATS if " " not in name)  # those with a game are a format and `game`
    is_parsed = any(isinstance(limit, BeforeValidator) for limit in limits)
    if isinstance(hint, type) and issubclass(hint, enum.StrEnum):
        return _one_of(_accepted(hint, limits))
    if origin in (list, tuple):
        item = describe_type(next(arg for arg in args if arg is not Ellipsis), limits if origin is tuple else ())
        if item == _one_of(()):  # a validator of the whole list says nothing of its items
            return "list of texts"
        return f"list, each {item}" if item.startswith("one of") else f"list of {_plural(item)}"
    if hint is int and is_parsed:
        return "number"
    if hint in _PLAIN_TYPES:
        return _PLAIN_TYPES[hint] + _limit_words(limits)
    raise UnknownTypeError(f"a key has the type {hint!r}")


def _accepted(kind: type[enum.StrEnum], limits: tuple[object, ...]) -> Iterator[str]:
    """The members that the key's own validators let pass: some keys take fewer than the enum has."""
    for member in kind:
        try:
            for limit in limits:
                if isinstance(limit, BeforeValidator):
                    limit.func(member.value)  # type: ignore[call-arg] # ours take the value alone
        except ValueError:
            continue
        yield member.value


def _one_of(values: Iterable[str]) -> str:
    return "one of " + ", ".join(f'`"{value}"`' for value in values)


def _flat(metadata: tuple[object, ...]) -> Iterator[object]:
    for item in metadata:
        yield from item.metadata if isinstance(item, FieldInfo) else (item,)


def _plural(words: str) -> str:
    one = next((one for one in _PLURALS if words.startswith(one)), "")
    return _PLURALS.get(one, "") + words[len(one) :]


def _limit_words(limits: tuple[object, ...]) -> str:
    least = next((limit.ge for limit in limits if isinstance(limit, Ge)), None)
    most = next((limit.le for limit in limits if isinstance(limit, Le)), None)
    below = next((limit.lt for limit in limits if isinstance(limit, Lt)), None)
    length = next((limit.max_length for limit in limits if isinstance(limit, MaxLen)), None)
    if isinstance(least, datetime):
        return ""
    if least is not None and most is not None:
        return f", {least} to {most}"
    if least is not None:
        return f", at least {least}"
    if most is not None or below is not None:
        return f", at most {most}" if most is not None else f", below {below}"
    return f", at most {length} characters" if length is not None else ""


@cache
def attribute_docs(model: type) -> Mapping[str, str]:
    """The docstrings below the attributes of a class and its bases, dedented, by attribute name."""
    docs: dict[str, str] = {}
    for kind in reversed(model.__mro__):
        if kind.__module__.partition(".")[0] == "tourney":
            docs |= _own_attribute_docs(kind)
    return docs


def _own_attribute_docs(kind: type) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    assert isinstance(tree.body[0], ast.ClassDef)
    body = tree.body[0].body
    docs = {}
    for statement, following in itertools.pairwise(body):
        match statement, following:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                docs[name] = inspect.cleandoc(text)
            case _:
                pass
    return docs
