"""The types of the JSON documents of reports, of which schemas are derived."""

from typing import get_args, get_type_hints

from tourney.output.rows import Row
from tourney.views.registry import ReportEntry
from tourney.views.report import Report


def document_types(entry: ReportEntry) -> list[type[Row]]:
    """Return the types of the documents of a report, which may have another of pairs."""
    report_type = get_type_hints(entry.load)["return"]
    return [document_type(each) for each in get_args(report_type) or (report_type,)]


def document_type(report_type: type[Report]) -> type[Row]:
    """Return the type of the document of a report."""
    content: type[Row] = get_type_hints(report_type.content)["return"]
    return report_type if content is Row else content
