"""The OpenAPI description of what a server answers, derived from the routes and the types of their documents.

This module loads pydantic: import it only when the description is wanted.
"""

import json
from typing import Any, Final

from tourney import __version__
from tourney.output.json_schema import DIALECT, derive_schema
from tourney.report.json_schema import document_types
from tourney.report.registry import REPORTS
from tourney.site import urls
from tourney.site.routes import ROUTES, Audience, DocumentRoute, FileRoute, PageRoute, Route
from tourney.web.public import HTML, JSON, content_type_of
from tourney.web.vugraph import COOKIE

_SCHEMAS: Final = "#/components/schemas/"
_VUGRAPH: Final = "vugraph"


def describe_api() -> dict[str, Any]:  # JSON
    """Return the description, in OpenAPI 3.1: a path for each route, a schema for each type of document."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    for route in ROUTES:
        if route.path != urls.WALL:  # that is at `/live?wall=1`
            paths.setdefault(f"/{route.path}", {"get": _describe(route, schemas)})
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {"title": "Pages of an event", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {_VUGRAPH: {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _describe(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    """Describe a route; the schemas of its documents are put among the others."""
    found: dict[str, Any] = {
        "summary": route.summary,
        "parameters": [_describe_parameter(name) for name in route.parameters],
        "responses": {
            "200": {"description": "What is there.", "content": _describe_content(route, schemas)},
            "404": {"description": "There is no such page, or it is not shown yet."},
        },
    }
    return found | ({"security": [{_VUGRAPH: []}]} if route.audience is Audience.VUGRAPH else {})


def _describe_parameter(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer", "minimum": 1}
    if name == "format":
        schema = {"enum": list(urls.MATCH_FORMATS)}
    elif name == "table":
        schema = {"type": "string", "description": "a match and a room, such as `3-open`"}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _describe_content(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    if isinstance(route, DocumentRoute):
        return {JSON: {"schema": _schema_of(route, schemas)}}
    if isinstance(route, PageRoute):
        return {HTML: {}}
    assert isinstance(route, FileRoute)
    names = [route.path] if route.export_format else [f".{name}" for name in urls.MATCH_FORMATS]
    return {content_type_of(name): {} for name in names}


def _schema_of(route: DocumentRoute, schemas: dict[str, Any]) -> dict[str, Any]:
    types = document_types(REPORTS[route.report]) if route.report else [route.row_type]
    for each in types:
        derived: dict[str, Any] = json.loads(
            json.dumps(derive_schema(each, each.__name__)).replace("#/$defs/", _SCHEMAS)
        )
        del derived["$schema"]
        schemas.update(derived.pop("$defs"))
        schemas[each.__name__] = derived
    references = [{"$ref": f"{_SCHEMAS}{each.__name__}"} for each in types]
    return references[0] if len(references) == 1 else {"anyOf": references}
