"""JSON Schemas of what commands print with `--json`, derived from the types of their documents."""

from collections.abc import Callable
from typing import Any, Final, get_type_hints

from tourney.audit.event import Verification
from tourney.contest import FORMATS, ROUND_ROBIN
from tourney.export.json import EventDocument
from tourney.output.json_schema import derive_schema
from tourney.output.rows import Row
from tourney.scorefile.match import ScoredFilesDocument
from tourney.scorefile.pairs import ScoredFieldDocument
from tourney.views.analysis import AnalysedEventDocument
from tourney.views.json_schema import document_type
from tourney.views.registry import ReportEntry
from tourney.views.report import Report
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


def schema_of_report(load: Callable[..., Report]) -> dict[str, Any]:
    return derive_schema(document_type(get_type_hints(load)["return"]), "a report")


def schema_of(entry: ReportEntry) -> dict[str, Any]:
    """Return the schema of what a report prints of an event of teams."""
    return schema_of_report(entry.load_for([ROUND_ROBIN]))


def schema_at_pairs(entry: ReportEntry) -> dict[str, Any]:
    """Return the schema of what a report prints of a pairs event."""
    return schema_of_report(entry.load_for([FORMATS["howell"]]))


def schema_of_document(name: str) -> dict[str, Any]:
    """Return the schema of one of the other documents."""
    return derive_schema(_DOCUMENTS[name], name)
