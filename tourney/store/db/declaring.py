"""Tables declared as classes, each column an attribute with its type. Core only: nothing is mapped to objects.

The store has no use for the ORM, which takes as long to load as all of the rest of SQLAlchemy.
"""

import enum
import re
from dataclasses import dataclass
from inspect import get_annotations
from threading import RLock
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, get_args

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
    # By its letter, without a check.
    Seat: Enum(Seat, native_enum=False, length=1, values_callable=lambda seats: [seat.letter for seat in seats]),
}
"""Types of columns that are declared without one of the database."""

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class _Declared:
    """What a column is made of, before it has its name."""

    type: TypeEngine[Any] | None
    to: str | None
    name: str | None
    options: dict[str, Any]


def column(
    type_: TypeEngine[Any] | None = None, to: str | None = None, *, name: str | None = None, **options: Any
) -> Any:  # the attribute says
    """Declare a column of a `Model`.

    Args:
        type_: the type of the database, where the attribute says too little.
        to: the column of another table whose values it holds: `events.id`.
        name: of the column, where the attribute has another; a row of all columns has its value under this name.
        options: those of SQLAlchemy's `Column`.
    """
    return _Declared(type_, to, name, options)


def refers(to: str, **options: Any) -> Any:  # as `column`
    """Declare a column that holds the key of a row of another table: `events.id`."""
    return column(None, to, **options)


def key_part(to: str | None = None) -> Any:  # as `column`
    """Declare a column of the primary key whose values are ours, or the key of a row of another table."""
    return column(None, to, primary_key=True, autoincrement=False)


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


_PLAIN: Final = column()


class _Tables(type):
    """The class of `Model`: it makes a table when anything of it is first asked for, as no process uses them all."""

    made: ClassVar = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    """The tables that have been made."""
    models: ClassVar[dict[str, type["Model"]]] = {}
    """All classes of tables, by the names of these."""
    making: ClassVar = RLock()

    @property
    def metadata(cls) -> MetaData:
        """All tables."""
        for model in cls.models.values():
            model.__clause_element__()
        return cls.made

    if not TYPE_CHECKING:  # the annotations say what there is

        def __getattr__(cls, name: str) -> Any:
            with cls.making:
                if "__tablename__" in vars(cls) and "__table__" not in vars(cls):
                    cls.make_table()
            if name in vars(cls):
                return vars(cls)[name]
            raise AttributeError(f"{cls.__name__} has no {name}")


class Model(metaclass=_Tables):
    """Base of all tables; constraints are named, so that migrations can find them again.

    A column is an attribute annotated as `ColumnClause[int]`, or `ColumnClause[int | None]` when it may be null, in
    the order of the table, after those of its bases. A class stands for its table in every statement; one without
    `__tablename__` is only a base of others.
    """

    __tablename__: ClassVar[str]
    __table_args__: ClassVar[tuple[SchemaItem, ...]] = ()
    """Constraints and indices of several columns."""
    __table_options__: ClassVar[dict[str, Any]] = {}
    """Options of SQLAlchemy's `Table`."""
    __table__: ClassVar[Table]
    __declared__: ClassVar[dict[str, _Declared]]
    """What is said of columns beyond their annotations."""

    def __init_subclass__(cls) -> None:
        """Keep what is declared until the table is made."""
        cls.__declared__ = {name: value for name, value in vars(cls).items() if isinstance(value, _Declared)}
        for name in cls.__declared__:
            delattr(cls, name)
        if "__tablename__" in vars(cls):
            cls.models[cls.__tablename__] = cls

    @classmethod
    def make_table(cls) -> None:
        """Make the table, its columns, and the tables that it refers to."""
        bases = [base for base in reversed(cls.__mro__) if issubclass(base, Model) and base is not Model]
        declared = [(base, *each) for base in bases for each in get_annotations(base).items()]
        columns = [_column(name, kind, base.__declared__.get(name, _PLAIN)) for base, name, kind in declared]
        cls.__table__ = Table(cls.__tablename__, cls.made, *columns, *cls.__table_args__, **cls.__table_options__)
        for each in columns:
            setattr(cls, each.key, each)
        for key in cls.__table__.foreign_keys:
            cls.models[key.target_fullname.partition(".")[0]].__clause_element__()

    @classmethod
    def __clause_element__(cls) -> Table:
        """Return the table, which SQLAlchemy takes the class for."""
        return cls.__table__


def _column(name: str, annotation: Any, declared: _Declared) -> Column[Any]:  # `ColumnClause[...]`
    (kind,) = get_args(annotation)
    kinds = get_args(kind) or (kind,)
    plain = kinds[0]
    type_ = declared.type or _TYPES.get(plain) or _stored_enum(plain)
    keys = [ForeignKey(declared.to)] if declared.to is not None else []
    return Column(declared.name or name, type_, *keys, key=name, nullable=NoneType in kinds, **declared.options)


class Numbered(Model):
    """Base of tables whose rows have a number of their own, given by the database."""

    id: Int = column(primary_key=True)
