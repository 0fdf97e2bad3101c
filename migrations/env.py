"""Alembic's entry: runs the migrations on the connection that `tourney.store.db.schema` passes."""

from alembic import context

from tourney.store.models import Model

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Model.metadata,
    compare_server_default=True,
    # SQLite alters a table by rebuilding it; other databases alter it in place.
    render_as_batch=connection.dialect.name == "sqlite",
)
context.run_migrations()
