"""The reference of JSON documents, derived from where the program itself says what they hold."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tourney.output.json_schema import derive_schema
from tourney.report.json_schema import schema_at_pairs, schema_of, schema_of_document
from tourney.report.registry import DOCUMENTS, REPORTS
from tourney.site.routes import ROUTES, DocumentRoute
from tourney_manual.markdown import escape_markdown

Schema = Mapping[str, Any]
"""A JSON Schema, as `json.loads` gives it."""

_CAPITAL: Final = re.compile(r"[A-Z]")


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A document that a command prints or writes."""

    title: str
    """The command, or the file, in Markdown."""
    schema: Schema


def list_documents() -> list[JsonDocument]:
    """Every JSON document, in the order of the manual."""
    reports = []
    for name, entry in REPORTS.items():
        reports.append(JsonDocument(f"`tourney {name}`", schema_of(entry)))
        if entry.pairs_module:
            reports.append(JsonDocument(f"`tourney {name}` in pairs events", schema_at_pairs(entry)))
    others = [
        JsonDocument(f"`{name}`" if "." in name else f"`tourney {name}`", schema_of_document(name))
        for name in DOCUMENTS
    ]
    served = [
        JsonDocument(f"`/{route.path}`", derive_schema(route.row_type, f"/{route.path}"))
        for route in ROUTES
        if isinstance(route, DocumentRoute) and not route.report
    ]
    return [*reports, *others, *served]


def render_json_documents() -> str:
    """A section for each document, then what several of them have in common: objects, and simple types."""
    out = []
    shared: dict[str, Schema] = {}
    for document in list_documents():
        out += [f"## {document.title}", ""]
        out += [
            escape_markdown(document.schema.get("description", "")),
            "",
            *_table(document.schema, document.schema.get("$defs", {})),
            "",
        ]
        for name, each in document.schema.get("$defs", {}).items():
            assert shared.setdefault(name, each) == each, f"two documents disagree about {name}"
    objects = {name: each for name, each in shared.items() if "properties" in each}
    if objects:
        out += ["## Objects in documents", ""]
    for name, each in sorted(objects.items()):
        out += [f"({_target(name)})=", f"### {_words(name)}", "", escape_markdown(each.get("description", "")), ""]
        out += [*_table(each, shared), ""]
    simple = {name: each for name, each in shared.items() if name not in objects}
    if simple:
        out += ["## Simple types", "", "| type | values | meaning |", "| --- | --- | --- |"]
    for name, each in sorted(simple.items()):
        out.append(f"| {_words(name)} | {_type(each, shared)} | {escape_markdown(each.get('description', ''))} |")
    return "\n".join(out)


def _table(schema: Schema, shared: Schema) -> Iterator[str]:
    yield from ("| field | type | meaning |", "| --- | --- | --- |")
    for path, field, required in _fields(schema, ""):
        meaning = escape_markdown(" ".join(field.get("description", "").split()))
        yield f"| `{path}` | {_type(field, shared)}{'' if required else ', optional'} | {meaning} |"


def _fields(schema: Schema, above: str) -> Iterator[tuple[str, Schema, bool]]:
    """The fields of an object and of the objects inside it, as `rounds[].byes`."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        path = f"{above}{name}"
        yield path, field, name in required
        inner = field
        while isinstance(inner.get("items"), Mapping):
            inner, path = inner["items"], f"{path}[]"
        yield from _fields(inner, f"{path}.")


def _type(field: Schema, shared: Schema) -> str:
    """A type in a few words, in Markdown; a reference by its name, linked where it has a section of its own."""
    if "$ref" in field:
        name = str(field["$ref"]).rpartition("/")[2]
        is_simple = "properties" not in shared.get(name, {"properties": {}})
        return _words(name) if is_simple else f"[{_words(name)}](#{_target(name)})"
    for key in ("anyOf", "oneOf", "allOf"):
        if key in field:
            return " or ".join(_type(each, shared) for each in field[key])
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    kind = field.get("type", "any value")
    if kind == "array":
        return f"list of {_type(field.get('items', {}), shared)}"
    if kind == "object" and isinstance(field.get("additionalProperties"), Mapping):
        return f"object, each value {_type(field['additionalProperties'], shared)}"
    match field:
        case {"minimum": least, "maximum": most}:
            return f"{kind}, {least} to {most}"
        case {"minimum": least}:
            return f"{kind}, at least {least}"
        case _:
            return str(kind)


def _target(name: str) -> str:
    return f"json-{_words(name).replace(' ', '-')}"


def _words(name: str) -> str:
    """The name of a type as readers see it: `counted ruling` for `CountedRulingDocument` and `counted_ruling`."""
    return _CAPITAL.sub(r" \g<0>", name.removesuffix("Document")).replace("_", " ").strip().lower()
