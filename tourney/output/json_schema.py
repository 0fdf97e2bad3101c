"""JSON Schemas of documents, derived from their types. This module loads pydantic: import it only when needed."""

import ast
import inspect
import json
import sys
from functools import cache
from itertools import pairwise
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from tourney.output.rows import ABSENT, Row

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_REF: Final = "#/$defs/"
_NULL: Final = {"type": "null"}
_INLINE: Final = "inline"
"""Marks a field with a row that is to be put in its place."""


def _nullable(field: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field that may also be null."""
    description = {key: field[key] for key in ("description",) if key in field}
    alternatives = field.get("anyOf", [{key: value for key, value in field.items() if key != "description"}])
    return description | {"anyOf": [*alternatives, *([_NULL] if _NULL not in alternatives else [])]}


class _Generator(GenerateJsonSchema):
    """A schema generator that omits titles which only repeat the name of the field."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 # as pydantic's
        return False

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:  # as pydantic's
        """Return the schema of a row, described by the docstrings of its fields."""
        derived = super().dataclass_schema(schema)
        described: dict[str, str] = {}
        for base in reversed(schema["cls"].__mro__):
            described |= _docstrings(base)
        for field in schema["cls"].row_fields():
            if field.is_inline:
                derived["properties"][field.name][_INLINE] = True
            elif field.name in described:
                derived["properties"][field.name]["description"] = described[field.name]
        keys = {field.name: field.key for field in schema["cls"].row_fields()}
        derived["properties"] = {keys[name]: field for name, field in derived["properties"].items()}
        if "required" in derived:
            derived["required"] = [keys[name] for name in derived["required"]]
        return derived

    def default_schema(self, schema: Any) -> dict[str, Any]:  # as pydantic's
        """Return the schema of a field with a default; `ABSENT` is none, the field is only not a required one."""
        if schema["default"] is ABSENT:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


@cache
def _docstrings(row_type: type) -> dict[str, str]:
    """Return the docstrings of the fields that a type of rows adds to its bases."""
    if not issubclass(row_type, Row) or row_type is Row:
        return {}
    body = _class_bodies(row_type.__module__)[row_type.__qualname__]
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


@cache
def _class_bodies(module: str) -> dict[str, list[ast.stmt]]:
    """Return the statements of each class at the top of a module, by its name: parsing is what a schema costs."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {each.name: each.body for each in tree.body if isinstance(each, ast.ClassDef)}


def derive_schema(document_type: Any, title: str) -> dict[str, Any]:  # a row or a typed dictionary; JSON
    """Derive the JSON Schema (draft 2020-12) of a document, described by the docstrings of its fields."""
    definitions: dict[str, Any] = json.loads(_derive_definitions(document_type))
    document = definitions.pop(document_type.__name__)
    return {"$schema": DIALECT, "title": title, **document | {"title": title}, "$defs": definitions}


@cache
def _derive_definitions(document_type: Any) -> str:
    """Derive the definitions of a type and of all in it, as JSON."""
    adapter = TypeAdapter(list[document_type])  # as the items of a list, so that the type itself is a definition
    definitions: dict[str, Any] = adapter.json_schema(schema_generator=_Generator)["$defs"]
    for definition in definitions.values():
        _put_inline(definition, definitions)
    text = json.dumps(definitions)
    used = {name: each for name, each in definitions.items() if f'"{_REF}{name}"' in text}
    return json.dumps(used | {document_type.__name__: definitions[document_type.__name__]})


def _put_inline(definition: dict[str, Any], definitions: dict[str, Any]) -> None:
    """Put the fields of rows that are inline in place of the fields that have these rows."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, field in definition.get("properties", {}).items():
        is_required = name in definition.get("required", ())
        if not field.pop(_INLINE, False):
            properties[name] = field
            required += [name] if is_required else []
            continue
        alternatives = field.get("anyOf", [field])
        row = definitions[next(each["$ref"] for each in alternatives if "$ref" in each).removeprefix(_REF)]
        _put_inline(row, definitions)
        is_nullable = _NULL in alternatives
        properties |= {key: _nullable(each) if is_nullable else each for key, each in row["properties"].items()}
        required += row.get("required", ()) if is_required else ()
    if properties:
        definition["properties"] = properties
        definition["required"] = required


def format_schema(schema: dict[str, Any]) -> str:  # JSON
    """Format a schema as JSON text."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
