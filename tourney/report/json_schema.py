"""JSON Schemas of documents, derived from their types. This module loads pydantic: import it only when needed."""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final, get_type_hints

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import get_original_bases, is_typeddict

from tourney.report.registry import DOCUMENTS, ReportEntry
from tourney.report.report import Report

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class _Generator(GenerateJsonSchema):
    """A schema generator that omits titles which only repeat the name of the field."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 # as pydantic's
        return False

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:  # as pydantic's
        """Return the schema of a typed dictionary; inherited fields have the descriptions of its bases.

        Pydantic itself reads docstrings only from the source of the class.
        """
        derived = super().typed_dict_schema(schema)
        for base in get_original_bases(schema["cls"]):
            if is_typeddict(base):
                for name, field in _definitions_of(base)[base.__name__]["properties"].items():
                    if "description" in field:
                        derived["properties"][name].setdefault("description", field["description"])
        return derived


def derive_schema(document_type: Any, title: str) -> dict[str, Any]:  # a typed dictionary; JSON
    """Derive the JSON Schema (draft 2020-12) of a typed dictionary, described by the docstrings of its fields."""
    definitions = _definitions_of(document_type)
    document = definitions.pop(document_type.__name__)
    return {"$schema": DIALECT, "title": title, **document | {"title": title}, "$defs": definitions}


def _definitions_of(document_type: Any) -> dict[str, Any]:  # as above
    definitions: dict[str, Any] = json.loads(_derive_definitions(document_type))
    return definitions


@cache
def _derive_definitions(document_type: Any) -> str:
    """Derive the definitions of a type and of all in it, as JSON; pydantic reads the source of each for that."""
    # As the items of a list: the settings of a type adapter apply to the parts of its type, not to the type itself.
    adapter = TypeAdapter(list[document_type], config=ConfigDict(use_attribute_docstrings=True))
    return json.dumps(adapter.json_schema(schema_generator=_Generator)["$defs"])


def schema_of(entry: ReportEntry) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of what a report prints with `--json`."""
    return _schema_of(entry.load, f"tourney {entry.name} --json")


def schema_at_pairs(entry: ReportEntry) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of what a report prints with `--json` of an event of pairs."""
    if not entry.pairs_module:
        return schema_of(entry)
    return _schema_of(entry.load_at_pairs, f"tourney {entry.name} --json, at pairs")


def schema_of_both(entry: ReportEntry) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of what a report prints with `--json` of stages of teams and of pairs together."""
    return _schema_of(entry.load_of_both, f"tourney {entry.name} --json, of teams and pairs")


def _schema_of(load: Callable[..., Report], title: str) -> dict[str, Any]:  # JSON
    report_type = get_type_hints(load)["return"]
    return derive_schema(get_type_hints(report_type.document)["return"], title)


def schema_of_document(name: str) -> dict[str, Any]:  # JSON
    """Return the JSON Schema of one of `DOCUMENTS`, by its name there."""
    module, _, document_type = DOCUMENTS[name].partition(":")
    title = name if "." in name or "/" in name else f"tourney {name} --json"
    return derive_schema(getattr(import_module(module), document_type), title)


def format_schema(schema: dict[str, Any]) -> str:  # JSON
    """Format a schema as JSON text."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
