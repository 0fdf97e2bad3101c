"""Tables declared as classes, each column an attribute with its type. Core only: nothing is mapped to objects.

The store has no use for the ORM, which takes as long to load as all of the rest of SQLAlchemy.
"""

import enum
import re
from dataclasses import dataclass, field
from inspect import get_annotations
from types import NoneType
from typing import Any, ClassVar, Final, TypeAlias, get_args

from sqlalchemy import BigInteger, Boolean, Column, ColumnClause, Enum, ForeignKey, Integer, MetaData, Table, types
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from tourney.bridge import Seat

Int: TypeAlias = ColumnClause[int]
OptionalInt: TypeAlias = ColumnClause[int | None]
Text: TypeAlias = ColumnClause[str]
OptionalText: TypeAlias = ColumnClause[str | None]
Bool: TypeAlias = ColumnClause[bool]

_TYPES: Final[dict[type, TypeEngine[Any]]] = {
    # SQLite gives ids only to INTEGER keys; everywhere else milliseconds need 64 bits.
    int: BigInteger().with_variant(Integer(), "sqlite"),
    bool: Boolean(),
    str: types.Text(),
    bytes: types.LargeBinary(),
    # By its letter, without a check.
    Seat: Enum(Seat, native_enum=False, length=1, values_callable=lambda seats: [seat.letter for seat in seats]),
}
"""Types of columns that are no enumerations."""

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class _Declared:
    """What a column is made of beyond its annotation."""

    to: str | None = None
    name: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


def column(to: str | None = None, *, name: str | None = None, **options: Any) -> Any:  # the attribute says
    """Declare a column of a `Model`.

    Args:
        to: the column of another table whose values it holds: `events.id`.
        name: of the column, where the attribute has another; a row of all columns has its value under this name.
        options: those of SQLAlchemy's `Column`.
    """
    return _Declared(to, name, options)


def key_part(to: str | None = None) -> Any:  # as `column`
    """Declare a column of the primary key whose values are ours, or the key of a row of another table."""
    return column(to, primary_key=True, autoincrement=False)


def _stored_enum(kind: type[enum.StrEnum]) -> Enum:
    """Stored by value, with a check, the same on every database; a native type could not be altered later.

    The check is called after the class: `table_state` for `TableState`.
    """
    return Enum(
        kind,
        name=_WORD_START.sub("_", kind.__name__).lower(),
        native_enum=False,
        create_constraint=True,
        length=20,
        values_callable=lambda members: [member.value for member in members],
    )


class Model:
    """Base of all tables; constraints are named, so that migrations can find them again.

    A column is an attribute annotated as `ColumnClause[int]`, or `ColumnClause[int | None]` when it may be null, in
    the order of the table, after those of its bases. A class stands for its table in every statement; one without
    `__tablename__` is only a base of others.
    """

    metadata: Final = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    """All tables."""
    __tablename__: ClassVar[str]
    __table_args__: ClassVar[tuple[SchemaItem, ...]] = ()
    """Constraints and indices of several columns."""
    __table_options__: ClassVar[dict[str, Any]] = {}
    """Options of SQLAlchemy's `Table`."""
    __table__: ClassVar[Table]

    def __init_subclass__(cls) -> None:
        """Make the table, and its columns as attributes."""
        if "__tablename__" not in vars(cls):
            return
        bases = [base for base in reversed(cls.__mro__) if issubclass(base, Model) and base is not Model]
        declared = [(base, *each) for base in bases for each in get_annotations(base).items()]
        columns = [_column(name, kind, vars(base).get(name, _Declared())) for base, name, kind in declared]
        cls.__table__ = Table(cls.__tablename__, cls.metadata, *columns, *cls.__table_args__, **cls.__table_options__)
        for each in columns:
            setattr(cls, each.key, each)

    @classmethod
    def __clause_element__(cls) -> Table:
        """Return the table, which SQLAlchemy takes the class for."""
        return cls.__table__


def _column(name: str, annotation: Any, declared: _Declared) -> Column[Any]:  # `ColumnClause[...]`
    (kind,) = get_args(annotation)
    kinds = get_args(kind) or (kind,)
    plain = kinds[0]
    keys = [ForeignKey(declared.to)] if declared.to is not None else []
    type_ = _TYPES.get(plain) or _stored_enum(plain)
    return Column(declared.name or name, type_, *keys, key=name, nullable=NoneType in kinds, **declared.options)


class Numbered(Model):
    """Base of tables whose rows have a number of their own, given by the database."""

    id: Int = column(primary_key=True)
