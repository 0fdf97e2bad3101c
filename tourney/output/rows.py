"""Rows: classes whose fields say once what they are, for every form of output.

A field has its name, which is the key in JSON and the heading in CSV, and a docstring, which is its description in
the schema. `Annotated` adds what else there is to say: a `Unit`, if JSON, CSV or people read it otherwise than it is
stored; a `Cell`, if a table of text shows it; `NOT_IN_CSV`, if CSV does not have it.

A row may contain other rows, and lists of them. In CSV `open.score` is `open_score`, and where the unit of a field
has keys, `par_imps.open` is `open_par_imps`; lists of rows have no place there. The fields of a row that is `INLINE`
are shown as if they were fields of the row that contains it. A field whose default is `ABSENT` is missing from a
document that does not have it.
"""

import dataclasses
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, partial
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    Final,
    Self,
    TypeAlias,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from tourney.output.content import Content, Link, is_thing, linked

Document: TypeAlias = Mapping[str, Any]
"""A JSON object."""

NOTHING: Final = "-"
"""Shown in place of a value that is not available yet, or that there cannot be."""

LEFT: Final = "left the event"
"""Said of a team that will not play on; a ruling, by contrast, is withdrawn."""


class _Absent(Enum):
    ABSENT = auto()


ABSENT: Final[Any] = _Absent.ABSENT
"""The value of a field that a document does not have."""


class Unit:
    """How values of a type are written, with keywords of JSON Schema for what they look like there."""

    def __init__(
        self,
        description: str = "",
        *,
        form: Any = None,  # a type
        json: Callable[[Any], Any] | None = None,
        csv: Callable[[Any], Any] | None = None,
        text: Callable[[Any], str] | None = None,
        keys: Sequence[str] = (),
        **keywords: Any,  # values of JSON
    ) -> None:
        """Make a unit.

        Args:
            description: what its schema says, for fields whose name does not say enough.
            form: the type in JSON, if it differs from the one that is stored.
            json: turns a value into its form in JSON; None if it is that already.
            csv: turns a value into its form in CSV, if that differs from JSON.
            text: turns a value into what people read, if that differs from CSV.
            keys: the keys of its object in JSON, each of which has a column in CSV.
            keywords: keywords of JSON Schema.
        """
        self.form = form
        self.json = json
        self.csv = csv
        self.text = text
        self.keys = keys
        self._keywords = ({"description": description} if description else {}) | keywords

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return the schema of the type in JSON; pydantic calls this method."""
        return handler(source) if self.form is None else handler.generate_schema(self.form)

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Callable[[Any], dict[str, Any]]) -> Any:
        """Return the schema of the type with these keywords; pydantic calls this method."""
        return handler(core_schema) | self._keywords


@dataclass(frozen=True)
class Cell:
    """How a table of text shows a field."""

    heading: str
    """The heading, with `>` before it if the column has figures."""
    content: str | Callable[[Any], object] | None = None
    """The attribute of a row that is shown, such as `match.number`, or what returns what is; None to show the value
    of the field as its unit says."""
    worth: int = 0
    """What the column is worth on a screen that is too narrow for all. Those of least worth go first, from the right:
    below their row, or left out if they are worth less than 0."""
    words: str = ""
    """What the heading stands for, where it is too short to say it."""
    to: tuple[Any, ...] | Callable[[Any], Link | None] | None = None
    """Where the cell of a row leads, if it leads somewhere: a kind of link and the attributes that it is made of, or
    what returns it."""
    tone: str = ""
    """A class of the style sheet for the column, on pages."""
    if_any: bool = False
    """Whether the column is left out where it has nothing of any row."""

    @property
    def name(self) -> str:
        """The heading as it is shown."""
        return self.heading.removeprefix(">")

    @property
    def is_figure(self) -> bool:
        """Whether the column has figures, which are right-aligned."""
        return self.heading.startswith(">")

    def value(self, row: Any) -> Content:
        """Return what the column shows of a row, if it says itself what that is: a dash for None."""
        assert self.content is not None
        value: Any = attrgetter(self.content)(row) if isinstance(self.content, str) else self.content(row)
        # A seat, which is a whole number too, is a thing that each form writes in its own way.
        return NOTHING if value is None else str(value) if type(value) is int else value

    def shown(self, row: Any) -> Content:
        """Return the same, with where it leads."""
        if isinstance(self.to, tuple):
            kind, *names = self.to
            to = kind(*(attrgetter(name)(row) for name in names))
        else:
            to = self.to(row) if self.to is not None else None
        return linked(self.value(row), to)


NOT_IN_CSV: Final = "not in CSV"
"""Says of a field that a table of CSV has no column for it."""

INLINE: Final = "inline"
"""Says of a row in a row that its fields are shown as those of the row that contains it; all are null without it."""


_PLAIN: Final = Unit()


@dataclass_transform(frozen_default=True)
class Row:
    """A row: every class derived from it is a frozen dataclass."""

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        """Make a dataclass of the class."""
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=kw_only)(cls)

    @classmethod
    def from_attributes(cls, *sources: object, **given: Any) -> Self:
        """Make a row of fields that are given, and of the attributes of sources that are called as its other fields.

        The first source that has such an attribute counts. A field with a default keeps it unless it is given.
        """
        for name in cls._required() - given.keys():
            given[name] = getattr(next((each for each in sources if hasattr(each, name)), None), name)
        return cls(**given)

    @classmethod
    @cache
    def _required(cls) -> frozenset[str]:
        """Return the names of the fields that have no default."""
        fields = dataclasses.fields(cast(Any, cls))
        return frozenset(field.name for field in fields if field.default is dataclasses.MISSING)

    @classmethod
    @cache
    def row_fields(cls) -> "tuple[RowField, ...]":
        """Return the fields in the order in which they are shown, with what their annotations say."""
        hints = get_type_hints(cls, include_extras=True)
        names = (field.name for field in dataclasses.fields(cast(Any, cls)))
        return tuple(_field_of(name, hints[name]) for name in names)

    @classmethod
    @cache
    def csv_columns(cls) -> Mapping[str, Callable[[Any], Any]]:
        """Return the columns of a table of CSV, by heading, each with what returns the value of a row."""
        columns: dict[str, Callable[[Any], Any]] = {}
        for field in cls.row_fields():
            if not field.is_in_csv:
                continue
            if field.unit.keys:
                columns |= {f"{key.lower()}_{field.key}": partial(_value_at, field, key) for key in field.unit.keys}
            elif field.row_type is None:
                columns[field.key] = field.csv
            else:
                prefix = "" if field.is_inline else f"{field.key}_"
                below = field.row_type.csv_columns()
                columns |= {f"{prefix}{name}": partial(_value_below, field.name, below[name]) for name in below}
        return columns


@dataclass(frozen=True)
class RowField:
    """A field of a row."""

    name: str
    key: str
    """Its key in JSON: its name, without the line at the end that a keyword of Python needs."""
    unit: Unit
    cell: Cell | None
    is_in_csv: bool
    row_type: type[Row] | None
    """The type of the row that the field contains; None for a value or a list."""
    is_inline: bool
    """Whether the fields of that row are shown in place of this one."""

    def document(self, row: Row) -> Any:
        """Return the value of the field in JSON."""
        value = getattr(row, self.name)
        return self.unit.json(value) if self.unit.json is not None and value is not None else document_of(value)

    def csv(self, row: Row) -> Any:
        """Return the value of the field in CSV; None if there is none."""
        value = getattr(row, self.name)
        if value is None or value is ABSENT:
            return None
        return self.unit.csv(value) if self.unit.csv is not None else self.document(row)

    def content(self, row: Row) -> Content:
        """Return what people see of the field."""
        assert self.cell is not None
        if self.cell.content is not None:
            return self.cell.value(row)
        value = getattr(row, self.name)
        if value is None or value is ABSENT:
            return NOTHING
        if self.unit.text is not None:
            return self.unit.text(value)
        return value if is_thing(value) else str(self.csv(row))


def _value_at(field: RowField, key: str, row: Row) -> Any:
    values = field.csv(row)
    return values[key] if values is not None else None


def _value_below(name: str, value: Callable[[Row], Any], row: Row) -> Any:
    below = getattr(row, name)
    return value(below) if isinstance(below, Row) else None


def _field_of(name: str, annotation: Any) -> RowField:
    said = list(_said_of(annotation))

    def first(kind: Any) -> Any:
        return next((each for each in said if isinstance(each, kind)), None)

    row_type = next((each for each in said if isinstance(each, type) and issubclass(each, Row)), None)
    return RowField(
        name=name,
        key=name.removesuffix("_"),
        unit=first(Unit) or _PLAIN,
        cell=first(Cell),
        is_in_csv=NOT_IN_CSV not in said,
        row_type=row_type,
        is_inline=INLINE in said,
    )


def _said_of(annotation: Any) -> Iterator[Any]:
    """Yield the metadata of a type and of the parts of a union, and the types themselves."""
    if get_origin(annotation) is Annotated:
        yield from annotation.__metadata__
        yield from _said_of(annotation.__origin__)
    elif get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _said_of(part)
    else:
        yield annotation


def document_of(value: Any) -> Any:
    """Return a row as a JSON document; also what contains rows: a list, a mapping, or no row at all."""
    if isinstance(value, Row):
        document: dict[str, Any] = {}
        for field in value.row_fields():
            of_field = getattr(value, field.name)
            if of_field is ABSENT:
                continue
            if not field.is_inline:
                document[field.key] = field.document(value)
            elif of_field is not None:
                document |= document_of(of_field)
            elif field.row_type is not None:
                document |= dict.fromkeys(below.key for below in field.row_type.row_fields())
        return document
    if isinstance(value, Mapping):
        return {key: document_of(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [document_of(each) for each in value]
    return value
