"""JSON Schemas derived from the types of documents: every golden document keeps to its schema, field for field."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.support.document_schemas import schema_at_pairs, schema_of, schema_of_document
from tests.support.golden_documents import AT_PAIRS, AT_PAIRS_JSON_ONLY, EVENTS, FOLDER, READING, closed_schema
from tourney.views.registry import REPORTS

OTHERS = {
    "verify": "verify",
    "score": "score",
    "schedule": "schedule",
    "analyse": "analyse",
    "status": "status",
    "event.json": "export/event",
}
"""Documents that are no reports, with the name of their golden file."""


def errors(file: str, schema: dict[str, Any]) -> list[str]:
    validator = Draft202012Validator(closed_schema(schema))
    found = []
    for name in EVENTS:
        path = FOLDER / name / f"{file}.json"
        if path.exists():
            document = json.loads(path.read_text(encoding="utf-8"))
            found += [f"{name}: {error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    return found


@pytest.mark.parametrize("file", READING)
def test_golden_documents_of_reports_keep_to_the_schema_of_their_type(file: str) -> None:
    assert errors(file, schema_of(REPORTS[READING[file][0]])) == []


@pytest.mark.parametrize("file", [file for file in AT_PAIRS | AT_PAIRS_JSON_ONLY if file != "refused"])
def test_golden_documents_of_pairs_keep_to_the_schema_of_their_type(file: str) -> None:
    assert errors(file, schema_at_pairs(REPORTS[(AT_PAIRS | AT_PAIRS_JSON_ONLY)[file][0]])) == []


@pytest.mark.parametrize("name", OTHERS)
def test_other_golden_documents_keep_to_theirs(name: str) -> None:
    assert errors(OTHERS[name], schema_of_document(name)) == []


def test_every_report_has_a_valid_schema() -> None:
    for entry in REPORTS.values():
        schema = schema_of(entry)
        Draft202012Validator.check_schema(schema)
