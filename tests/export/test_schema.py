"""The JSON Schema of event.json: exports keep to it, and it leaves nothing of them out."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.support.analysed import put_costs, put_worth
from tests.support.event_conversation import converse
from tests.support.exports import export_json
from tests.support.golden_documents import closed_schema
from tests.support.played_event import CLOSED, OPEN, draw_event, event_text
from tourney.bridge import Seat
from tourney.export.json import EventDocument
from tourney.output.json_schema import derive_schema, format_schema
from tourney.protocol.session.records import BoardEnd, IncidentKind, RulingKind


@cache
def schema() -> dict[str, Any]:
    return derive_schema(EventDocument, "event.json")


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(closed_schema(schema()))


def _errors(document: Any) -> list[str]:  # what json.loads gives
    return [f"{error.json_path}: {error.message}" for error in validator().iter_errors(document)]


STARTS = "starts = [2027-02-03T23:30:00Z, 2027-02-04T10:00:00.250Z, 2027-02-04T12:00:00Z]"


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:  # what json.loads gives
    """Boards played, passed out, claimed, forfeited in one room, forfeited without being begun; many rulings."""
    folder = tmp_path_factory.mktemp("schema")
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", boards=5, stage=STARTS))
    converse(
        played,
        """
        match 1 is played
        match 2 board 1 is played
        2-open board 2: Pass
        """,
    )
    played.claim(2, CLOSED, 2, cards=7, tricks=4)
    played.play(2, rooms=[OPEN], boards=[3])
    played.forfeit(2, CLOSED, 3, Seat.EAST, cards=5)
    converse(
        played,
        """
        2-open board 4 is played
        rule 2-closed board 4 board-forfeit Bees: never came
        rule 1 penalty-imps Bees 2: late
        """,
    )
    played.withdraw(played.rule(1, "Cats", RulingKind.PENALTY_VP, "late", amount=50))
    played.rule(None, "Ants", RulingKind.WITHDRAWAL, "went home")
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.NORTH, "NORTH bids 8NT")
    played.incident(1, OPEN, None, IncidentKind.PAUSED, None, "")
    put_worth(played, 1, 1)
    put_costs(played, 1, CLOSED, 1, {1: 2, 30: 1})
    put_worth(played, 2, 3, par_ns=0, contracts=[])
    played.score()
    return export_json(played, folder)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_every_part_of_the_schema_is_used() -> None:
    text = format_schema(schema())
    assert [name for name in schema()["$defs"] if f'"#/$defs/{name}"' not in text] == []


def test_an_export_keeps_to_the_schema_and_has_no_field_that_it_does_not_name(document: Any) -> None:
    assert _errors(document) == []
    assert [len(match["boards"]) for match in document["matches"]] == [5, 4, 0]


def test_an_event_not_begun_keeps_to_the_schema(tmp_path: Path) -> None:
    assert _errors(export_json(draw_event(tmp_path), tmp_path)) == []


def test_the_schema_knows_every_kind_of_ruling_and_every_end_of_a_board() -> None:
    ruling = schema()["$defs"]["RulingDocument"]["properties"]["kind"]
    assert ruling["enum"] == [*(kind.value for kind in RulingKind), "penalty-percent"]
    ended = schema()["$defs"]["PlayedBoardDocument"]["properties"]["ended"]
    assert ended["enum"] == [end.value for end in BoardEnd if end.is_final]
