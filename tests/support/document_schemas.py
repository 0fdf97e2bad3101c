"""JSON Schemas of what commands print with `--json`, derived from the types of their documents."""

from typing import Any, Final

from tourney.audit.event import Verification
from tourney.export.json import EventDocument
from tourney.output.json_schema import derive_schema
from tourney.output.rows import Row
from tourney.scorefile.match import ScoredFilesDocument
from tourney.scorefile.pairs import ScoredFieldDocument
from tourney.views.analysis import AnalysedEventDocument
from tourney.views.registry import ReportEntry
from tourney.views.schedule import ScheduleDocument
from tourney.views.status_tables import StatusDocument

_DOCUMENTS: Final[dict[str, type[Row]]] = {
    "verify": Verification,
    "score": ScoredFilesDocument,
    "score --pairs": ScoredFieldDocument,
    "schedule": ScheduleDocument,
    "status": StatusDocument,
    "analyse": AnalysedEventDocument,
    "event.json": EventDocument,
}
"""The types of JSON documents other than reports, by the command or the file."""


def schema_of(entry: ReportEntry) -> dict[str, Any]:
    """Return the schema of what a report prints of an event of teams."""
    return derive_schema(entry.document_types[0], "a report")


def schema_at_pairs(entry: ReportEntry) -> dict[str, Any]:
    """Return the schema of what a report prints of a pairs event."""
    return derive_schema(entry.document_types[-1], "a report")


def schema_of_document(name: str) -> dict[str, Any]:
    """Return the schema of one of the other documents."""
    return derive_schema(_DOCUMENTS[name], name)
