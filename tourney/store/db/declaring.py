"""Tables declared as classes, each column an attribute with its type. Core only: nothing is mapped to objects.

The store has no use for the ORM, which takes as long to load as all of the rest of SQLAlchemy.
"""

from types import NoneType, UnionType
from typing import Any, ClassVar, Final, TypeAlias, get_args

from sqlalchemy import BigInteger, Boolean, Column, Integer, MetaData, Table
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

_Item: TypeAlias = SchemaItem | TypeEngine[Any] | type[TypeEngine[Any]]

_TYPES: Final[dict[type, TypeEngine[Any]]] = {
    # SQLite gives ids only to INTEGER keys; everywhere else milliseconds need 64 bits.
    int: BigInteger().with_variant(Integer(), "sqlite"),
    bool: Boolean(),
}
"""Types of columns that are declared without one of the database: texts and enums always have one."""


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


class Model:
    """Base of all tables; constraints are named, so that migrations can find them again.

    A column is an attribute annotated as `ColumnClause[int]`, or `ColumnClause[int | None]` when it may be null, in
    the order of the table. A class stands for its table in every statement.
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
        given = vars(cls)
        columns = [_column(name, kind, given.get(name)) for name, kind in cls.__annotations__.items()]
        cls.__table__ = Table(cls.__tablename__, cls.metadata, *columns, *cls.__table_args__, **cls.__table_options__)
        for each in columns:
            setattr(cls, each.key, each)

    @classmethod
    def __clause_element__(cls) -> Table:
        """The table, which SQLAlchemy takes the class for."""
        return cls.__table__


def _column(name: str, annotation: Any, declared: _Declared | None) -> Column[Any]:  # `ColumnClause[...]`
    (kind,) = get_args(annotation)
    is_nullable = isinstance(kind, UnionType)
    items, options = (declared.items, declared.options) if declared is not None else ((), {})
    if not any(isinstance(item, (TypeEngine, type)) for item in items):
        (plain,) = (each for each in get_args(kind) if each is not NoneType) if is_nullable else (kind,)
        items = (_TYPES[plain], *items)
    arguments: Any = items  # Column's overloads know a type only in the first place
    return Column(name, *arguments, nullable=is_nullable, **options)
