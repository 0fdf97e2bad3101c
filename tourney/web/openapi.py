"""The OpenAPI description of what a server answers, derived from the routes and the types of their documents.

This module loads pydantic: import it only when the description is wanted.
"""

import json
from inspect import getdoc
from typing import Any, Final, get_type_hints

from tourney import __version__
from tourney.output.json_schema import DIALECT, derive_schema
from tourney.site import urls
from tourney.site.routes import ROUTES, Route
from tourney.views.registry import REPORTS
from tourney.web.public import content_type_of

_SCHEMAS: Final = "#/components/schemas/"


def describe_api() -> dict[str, Any]:  # JSON
    """Return the description, in OpenAPI 3.1: a path for each document, table and file, and schemas of documents."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    for route in ROUTES:
        for suffix in route.suffixes:
            if suffix or route.export_format:  # pages are for people
                paths[f"/{route.path}{suffix}"] = {"get": _describe(route, suffix, schemas)}
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {"title": "Documents, tables and files of an event", "version": __version__},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _describe(route: Route, suffix: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """Describe a route; the schemas of its documents are put among the others."""
    content: dict[str, Any] = {}
    if suffix == ".json" and not route.formats:
        types = REPORTS[route.report].document_types if route.report else [get_type_hints(route.load)["return"]]
        for each in types:
            text = json.dumps(derive_schema(each, each.__name__)).replace("#/$defs/", _SCHEMAS)
            derived: dict[str, Any] = json.loads(text)
            del derived["$schema"]
            schemas.update(derived.pop("$defs"))
            schemas[each.__name__] = derived
        references = [{"$ref": f"{_SCHEMAS}{each.__name__}"} for each in types]
        content = {"schema": references[0] if len(references) == 1 else {"anyOf": references}}
    summary = getdoc(route.load) or "Files as `tourney export` writes them."
    if suffix in urls.PICTURES:
        summary = "A picture of the page for sharing."
    elif route.report:
        summary = REPORTS[route.report].summary
    number = {"in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
    return {
        "summary": summary,
        "parameters": [{"name": name, **number} for name in route.parameters],
        "responses": {
            "200": {"description": "What is there.", "content": {content_type_of(f"{route.path}{suffix}"): content}},
            "404": {"description": "There is no such page, or it is not shown yet."},
        },
    }
