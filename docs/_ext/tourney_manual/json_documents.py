"""The reference of JSON documents, derived from where the program itself says what they hold."""

import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from tourney.export.json import schema_text
from tourney_manual.markdown import escape_markdown

Schema = Mapping[str, Any]
"""A JSON Schema, as `json.loads` gives it."""


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A document that commands print or write. One of `schema` and `shape` says what it holds."""

    title: str
    """In Markdown: the commands, or the file."""
    schema: Schema | None = None
    shape: str | None = None
    """Plain text."""


_SHAPES: Final = (
    ("`tourney schedule`, `standings`, `match`, `crosstable`", "tourney.report.documents", None),
    (
        "`tourney rounds`, `head-to-head`, `butler`, `boards`, `swings`, `times`",
        "tourney.report.comparison_documents",
        None,
    ),
    ("`tourney rulings`", "tourney.report.rulings", None),
    ("`tourney standings --explain`", "tourney.report.ties", None),
    ("`tourney analyse`", "tourney.report.analysis", "worth_document"),
    ("`tourney status`", "tourney.report.status", "status_document"),
    ("`tourney verify`", "tourney.audit.event", None),
    ("`tourney score`", "tourney.scorefile.score", "score_document"),
)
"""Title, module, function: where documents without a schema are described."""


def list_documents() -> list[JsonDocument]:
    """Every JSON document, in the order of the manual. The one place to change when documents move."""
    documents = [
        JsonDocument(title, shape=_shape(inspect.getdoc(_described(module, function)) or ""))
        for title, module, function in _SHAPES
    ]
    return [*documents, JsonDocument("`event.json`", schema=json.loads(schema_text()))]


def _described(module: str, function: str | None) -> object:
    loaded = import_module(module)
    return loaded if function is None else getattr(loaded, function)


def _shape(doc: str) -> str:
    """What a docstring says from its shapes on."""
    start = doc.find("Shape")
    return doc[max(start, 0) :].strip()


def render_json_documents() -> str:
    """A section for each document."""
    out = []
    for document in list_documents():
        out += [f"## {document.title}", ""]
        if document.schema is not None:
            out += [*_render_schema(document.schema), ""]
        else:
            out += ["```text", document.shape or "", "```", ""]
    return "\n".join(out)


def _render_schema(schema: Schema) -> Iterator[str]:
    """Tables of fields: one for the document, one for each object that it refers to, and a list of simple types."""
    yield escape_markdown(schema.get("description", ""))
    yield ""
    yield from _table(schema)
    shared: Schema = schema.get("$defs", {})
    simple = {name: each for name, each in shared.items() if "properties" not in each}
    for name, each in shared.items():
        if name not in simple:
            yield from ("", f"### {name}", "")
            if "description" in each:
                yield from (escape_markdown(each["description"]), "")
            yield from _table(each)
    if simple:
        yield from ("", "### Simple types", "", "| type | values | meaning |", "| --- | --- | --- |")
        for name, each in simple.items():
            yield f"| {name} | {_type(each)} | {escape_markdown(each.get('description', ''))} |"


def _table(schema: Schema) -> Iterator[str]:
    yield from ("| field | type | meaning |", "| --- | --- | --- |")
    for path, field, required in _fields(schema, ""):
        meaning = escape_markdown(field.get("description", ""))
        yield f"| `{path}` | {_type(field)}{'' if required else ', optional'} | {meaning} |"


def _fields(schema: Schema, above: str) -> Iterator[tuple[str, Schema, bool]]:
    """The fields of an object and of the objects inside it, as `rounds[].byes`."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        path = f"{above}{name}"
        yield path, field, name in required
        inner = field
        while "items" in inner:
            inner, path = inner["items"], f"{path}[]"
        yield from _fields(inner, f"{path}.")


def _type(field: Schema) -> str:
    """A type in a few words; a reference by its name."""
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "anyOf" in field:
        return " or ".join(_type(each) for each in field["anyOf"])
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    kind = field.get("type", "any")
    if kind == "array":
        return f"list of {_type(field.get('items', {}))}"
    limits = [f"{sign} {field[key]}" for key, sign in (("minimum", "≥"), ("maximum", "≤")) if key in field]
    return " ".join([{"null": "null"}.get(kind, str(kind)), *limits])
