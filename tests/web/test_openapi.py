"""The description of the JSON interface: a path for each route, and schemas that every document keeps to."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.support.played_event import draw_half_played
from tests.support.web_conversation import browse
from tests.support.web_server import WatchedEvent, browser
from tourney.site.routes import ROUTES
from tourney.web.openapi import describe_api


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return describe_api()


def test_there_is_a_path_for_each_document_table_and_file_with_each_of_its_parameters(
    described: dict[str, Any],
) -> None:
    expected = {
        f"/{route.path}{suffix}": list(route.parameters)
        for route in ROUTES
        for suffix in route.suffixes
        if suffix or route.export_format
    }
    found = {path: operations["get"]["parameters"] for path, operations in described["paths"].items()}
    assert {path: [each["name"] for each in parameters] for path, parameters in found.items()} == expected


def test_every_schema_is_one_and_is_there(described: dict[str, Any]) -> None:
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    text = json.dumps(described)
    references = {part.partition('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert references <= described["components"]["schemas"].keys()


async def test_the_description_is_served_for_every_site(described: dict[str, Any], tmp_path: Path) -> None:
    async with browser(WatchedEvent(draw_half_played(tmp_path))) as client:
        assert (await client.get("/openapi.json")).json() == described
        await browse(client, "/openapi.json -> access-control-allow-origin: *\n/openapi.json again -> 304")
