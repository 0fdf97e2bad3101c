"""Tables declared as classes, each column an attribute with its type. Core only: nothing is mapped to objects.

The store has no use for the ORM, which takes as long to load as all of the rest of SQLAlchemy.
"""

import enum
import re
from inspect import get_annotations
from types import NoneType
from typing import Any, ClassVar, Final, TypeAlias, get_args

from sqlalchemy import BigInteger, Boolean, Column, ColumnClause, Enum, ForeignKey, Integer, MetaData, Table, types
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

Int: TypeAlias = ColumnClause[int]
OptionalInt: TypeAlias = ColumnClause[int | None]
Text: TypeAlias = ColumnClause[str]
OptionalText: TypeAlias = ColumnClause[str | None]
Bool: TypeAlias = ColumnClause[bool]

_Item: TypeAlias = SchemaItem | TypeEngine[Any]

_TYPES: Final[dict[type, TypeEngine[Any]]] = {
    # SQLite gives ids only to INTEGER keys; everywhere else milliseconds need 64 bits.
    int: BigInteger().with_variant(Integer(), "sqlite"),
    bool: Boolean(),
    str: types.Text(),
}
"""Types of columns that are declared without one of the database."""

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


class _Declared:
    """What a column is made of, before it has its name."""

    def __init__(self, *items: _Item, **options: Any) -> None:  # those of `Column`
        self.items = items
        self.options = options


def column(*items: _Item, **options: Any) -> Any:  # the attribute says of what type it is
    """Declare a column of a `Model`: its type of the database, where the attribute says too little, and its keys.

    Args:
        items: the type, foreign keys.
        options: those of SQLAlchemy's `Column`.
    """
    return _Declared(*items, **options)


def refers(to: str, **options: Any) -> Any:  # as `column`
    """Declare a column that holds the key of a row of another table: `events.id`."""
    return column(ForeignKey(to), **options)


def key_part(*items: _Item) -> Any:  # as `column`
    """Declare a column of the primary key whose values are ours."""
    return column(*items, primary_key=True, autoincrement=False)


def stored_enum(kind: type[enum.StrEnum], name: str | None = None) -> Enum:
    """Stored by value, with a check, the same on every database; a native type could not be altered later.

    The check is called after the class unless it has another name: `table_state` for `TableState`.
    """
    return Enum(
        kind,
        name=name or _WORD_START.sub("_", kind.__name__).lower(),
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

    metadata: ClassVar = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    __tablename__: ClassVar[str]
    __table_args__: ClassVar[tuple[SchemaItem, ...]] = ()
    """Constraints and indices of several columns."""
    __table_options__: ClassVar[dict[str, Any]] = {}
    """Options of SQLAlchemy's `Table`."""
    __table__: ClassVar[Table]

    def __init_subclass__(cls) -> None:
        """Make the table."""
        if "__tablename__" not in vars(cls):
            return
        bases = [base for base in reversed(cls.__mro__) if issubclass(base, Model) and base is not Model]
        declared = [(base, *each) for base in bases for each in get_annotations(base).items()]
        columns = [_column(name, kind, vars(base).get(name)) for base, name, kind in declared]
        cls.__table__ = Table(cls.__tablename__, cls.metadata, *columns, *cls.__table_args__, **cls.__table_options__)
        for each in columns:
            setattr(cls, each.key, each)

    @classmethod
    def __clause_element__(cls) -> Table:
        """Return the table, which SQLAlchemy takes the class for."""
        return cls.__table__


def _column(name: str, annotation: Any, declared: _Declared | None) -> Column[Any]:  # `ColumnClause[...]`
    (kind,) = get_args(annotation)
    kinds = get_args(kind) or (kind,)
    items, options = (declared.items, declared.options) if declared is not None else ((), {})
    if not any(isinstance(item, TypeEngine) for item in items):
        plain = kinds[0]
        items = (stored_enum(plain) if issubclass(plain, enum.StrEnum) else _TYPES[plain], *items)
    arguments: Any = items  # Column's overloads know a type only in the first place
    return Column(name, *arguments, nullable=NoneType in kinds, **options)


class Numbered(Model):
    """Base of tables whose rows have a number of their own, given by the database."""

    id: Int = column(primary_key=True)
