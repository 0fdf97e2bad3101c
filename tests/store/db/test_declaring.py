"""Tables declared as classes."""

import subprocess
import sys

import pytest
from sqlalchemy import ColumnClause, MetaData, String, insert, select

from tourney.store.db.declaring import Model, column


class Apart(Model):
    """In metadata of its own, so that the schema stays what it is."""

    metadata = MetaData(naming_convention=Model.metadata.naming_convention)
    __tablename__ = "aparts"

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str | None] = column(String(7))
    is_new: ColumnClause[bool]
    other: ColumnClause[int] = column(to="aparts.id", index=True)


def test_annotations_say_types_and_what_may_be_null() -> None:
    columns = Apart.__table__.c
    assert columns.keys() == ["id", "name", "is_new", "other"]
    assert [each.nullable for each in columns] == [False, True, False, False]
    assert [each.type.python_type for each in columns] == [int, str, bool, int]


def test_constraints_are_named_by_the_convention() -> None:
    table = Apart.__table__
    assert table.primary_key.name == "pk_aparts"
    assert [index.name for index in table.indexes] == ["ix_aparts_other"]
    assert [key.name for key in table.foreign_key_constraints] == ["fk_aparts_other_aparts"]


def test_a_class_stands_for_its_table_in_statements() -> None:
    query = select(Apart.name).join(Apart.__table__.alias("older"), Apart.other == Apart.id)
    assert "FROM aparts JOIN aparts AS older ON aparts.other = aparts.id" in str(query)
    assert str(insert(Apart)).startswith("INSERT INTO aparts (id, name, is_new, other)")


@pytest.mark.parametrize("heavy", ["sqlalchemy.orm", "sqlalchemy.dialects.postgresql"])
def test_the_store_loads_without(heavy: str) -> None:
    code = f"import sys, tourney.store.models; print([m for m in sys.modules if m.startswith({heavy!r})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
