"""The databases of the tests of the store."""

from tests.store.conftest import (  # noqa: F401 # fixtures
    postgres_database,
    postgres_schema,
    postgres_server,
    sqlite_database,
    sqlite_template,
)
