"""Logs as files: wire logs, what programs print, and the logs of table hosts that are kept in the record.

Each file has the place and the name that it would have in the results folder. What is still in files there, because
its table is being played or logs are kept in files, is not in the record, and not written here.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tourney.errors import LaunchError
from tourney.export.files import make_export_folder, replace_bytes
from tourney.export.request import ExportRequest
from tourney.store.control.hosts import iter_log, load_log_files


def export(request: ExportRequest) -> Iterator[Path]:
    """Write the logs of an event, or those of the tables of a match; yield the path of each once it is complete.

    Raises:
        LaunchError: a file or folder cannot be written, or a log has no place below the folder.
        StoreError: the database cannot be used.
    """
    database, event_id = request.drawn.database, request.event.id
    tables = None if request.match is None else frozenset(table.id for table in request.match.tables)
    for log in load_log_files(database, event_id, tables):
        place = PurePosixPath(log.path)
        if place.is_absolute() or ".." in place.parts:
            raise LaunchError(
                f"a log in the record is named {log.path!r}, which is not below the folder of an export"
            )
        path = request.folder / place
        make_export_folder(path.parent)
        with replace_bytes(path) as file:
            for part in iter_log(database, event_id, log.path):
                file.write(part)
        request.logs += 1
        yield path
