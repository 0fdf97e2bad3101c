"""What is said of a record that does not hold together, where no hash helps: somebody worked all of them out anew."""

from collections.abc import Iterator

import pytest

from tests.support.audited import AuditedMatch, PlayedRecord
from tests.support.refusals import refused_texts
from tourney.audit.event import verify_event
from tourney.output.rows import document_of

OPEN_1 = "table_id = 1 AND board = 1 AND attempt = 2"
ONE = "match 1, open room, board 1, attempt 2"
FOUR = "match 1, open room, board 4, attempt 1"


@pytest.fixture(autouse=True)
def _hashes_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.audit.match.check_chain", lambda *_: ())


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedRecord]:
    record = PlayedRecord(tmp_path_factory.mktemp("changed") / "event.db")
    yield record
    record.database.close()


def _findings(record: PlayedRecord) -> list[str]:
    return [found.text for found in record.findings()]


@pytest.mark.parametrize(("change", "sentence"), refused_texts("audit"))
def test_what_does_not_hold_together_is_said_in_a_sentence(record: PlayedRecord, change: str, sentence: str) -> None:
    record.change(change)
    assert sentence in _findings(record)


def test_two_rooms_that_seat_the_home_team_the_same_way_cannot_be_compared(record: PlayedRecord) -> None:
    record.change("UPDATE tables SET ns_team_id = 1, ew_team_id = 2")
    assert _findings(record) == ["match 1, score: board 1 cannot be compared: one team sat NS in both rooms"]


def test_two_attempts_under_way_at_one_table_are_a_finding(record: PlayedRecord) -> None:
    record.change(
        "DROP INDEX uq_board_attempts_open",  # which does not let it happen any more
        "UPDATE board_attempts SET ended = NULL, ended_at_ms = NULL, reason = '', final = 0, fault = NULL"
        " WHERE table_id = 1 AND board IN (3, 4)",
        "UPDATE tables SET state = 'playing'",
    )
    assert f"{FOUR}: it is under way, and so is another at this table" in _findings(record)


def test_scores_of_a_scale_that_the_event_file_has_no_more_are_not_checked_and_that_is_said(
    record: PlayedRecord,
) -> None:
    event = record.change("UPDATE match_results SET imps_home = 99")
    outcome = verify_event(record.database, event, event.matches, {}, 0)
    note = "scores of matches were not checked: the event file has no scale 'wbf-continuous' any more"
    assert (outcome.findings, outcome.notes) == ([], [note])


def test_the_document_has_every_figure_and_every_finding(record: PlayedRecord) -> None:
    event = record.change(f"UPDATE cards SET card = '2S' WHERE {OPEN_1} AND seq = 50")
    outcome = verify_event(record.database, event, event.matches, {}, 0)
    document = document_of(outcome)
    assert document.pop("findings") == [
        {
            "match": 1,
            "room": "open",
            "board": 1,
            "attempt": 2,
            "record": "card",
            "number": 51,
            "text": f"{ONE}, card 51 (North's 2S): North does not hold 2S",
        }
    ]
    assert document == {
        "event": "Spring Cup",
        "matches": 1,
        "boards": 8,
        "records": outcome.records,
        "durability": None,
        "notes": outcome.notes,
    }


def test_a_match_that_is_over_may_wait_a_moment_for_its_score(record: PlayedRecord) -> None:
    event = record.change("DELETE FROM match_results")
    match = AuditedMatch(record.database, event, {})
    with record.database.read() as connection:
        (over_ms,) = connection.exec_driver_sql("SELECT max(changed_at_ms) FROM tables").one()
    assert match.verify(over_ms + 60_000).findings == []
    assert [found.text for found in match.verify(over_ms + 60_001).findings] == [
        "match 1, score: there is none, though both rooms are finished: `tourney run` writes it"
    ]
