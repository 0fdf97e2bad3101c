"""JSON Schemas of reports and other documents. This module loads pydantic: import it only when needed."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, get_args, get_type_hints

from tourney.output.json_schema import derive_schema
from tourney.output.rows import Row
from tourney.report.registry import DOCUMENTS, ReportEntry
from tourney.report.report import Report


def schema_of(entry: ReportEntry) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of what a report prints with `--json`."""
    return _schema_of(entry.load, f"tourney {entry.name} --json")


def schema_at_pairs(entry: ReportEntry) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of what a report prints with `--json` of a pairs event."""
    if not entry.pairs_module:
        return schema_of(entry)
    return _schema_of(entry.load_at_pairs, f"tourney {entry.name} --json, in pairs events")


def document_types(entry: ReportEntry) -> list[type[Row]]:
    """Return the types of the documents of a report: of a team event, of pairs, and of both."""
    found = []
    for load in (entry.load, entry.load_at_pairs, entry.load_of_both):
        report_type = get_type_hints(load)["return"]
        found += [_document_type(each) for each in get_args(report_type) or (report_type,)]
    return list(dict.fromkeys(found))


def _schema_of(load: Callable[..., Report], title: str) -> dict[str, Any]:  # JSON
    return derive_schema(_document_type(get_type_hints(load)["return"]), title)


def _document_type(report_type: type[Report]) -> type[Row]:
    is_row = report_type.document is Report.document
    content: type[Row] = get_type_hints(report_type.content if is_row else report_type.document)["return"]
    return report_type if content is Row else content


def schema_of_document(name: str) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of one of `DOCUMENTS`, by its name there."""
    module, _, document_type = DOCUMENTS[name].partition(":")
    title = name if "." in name else f"tourney {name} --json"
    return derive_schema(getattr(import_module(module), document_type), title)
