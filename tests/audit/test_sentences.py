"""What is said of a record that does not hold together, where no hash helps: somebody worked all of them out anew."""

from collections.abc import Iterator

import pytest

from tests.support.audited import AuditedMatch, PlayedRecord
from tourney.audit.event import verify_event
from tourney.output.rows import document_of

OPEN_1 = "table_id = 1 AND board = 1 AND attempt = 2"
OPEN_3 = "table_id = 1 AND board = 3"
ONE = "match 1, open room, board 1, attempt 2"
THREE = "match 1, open room, board 3, attempt 1"
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


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            f"UPDATE calls SET seat = 'S' WHERE {OPEN_3} AND seq = 1",
            f"{THREE}, call 2 (South's X): it was West's turn",
        ),
        (
            f"UPDATE calls SET call = '1C' WHERE {OPEN_3} AND seq = 1",
            f"{THREE}, call 2 (West's 1C): 1C is not higher than 1NT",
        ),
        (
            f"UPDATE calls SET call = '8C' WHERE {OPEN_3} AND seq = 1",
            f"{THREE}, call 2 (West's 8C): there is no such call",
        ),
        (
            f"UPDATE calls SET thinking_ms = -5 WHERE {OPEN_3} AND seq = 1",
            f"{THREE}, call 2 (West's X): a thinking time is 0 ms or more, not -5",
        ),
        (
            f"DELETE FROM calls WHERE {OPEN_3} AND seq = 1",
            f"{THREE}, call 3 (North's Pass): call 2 of the attempt is gone, this one stands in its place",
        ),
        (
            f"DELETE FROM calls WHERE {OPEN_3} AND seq = 4",
            f"{THREE}, card 1 (West's 6S): there is no contract to play",
        ),
        (
            f"DELETE FROM cards WHERE {OPEN_1} AND seq = 50",
            f"{ONE}, card 52 (East's 4C): card 51 of the attempt is gone, this one stands in its place",
        ),
        (
            f"DELETE FROM cards WHERE {OPEN_1} AND seq = 51",
            f"{ONE}: it ended as played, and 5 calls and 51 cards are there",
        ),
        (
            f"UPDATE cards SET card = 'XX' WHERE {OPEN_1} AND seq = 50",
            f"{ONE}, card 51 (North's XX): there is no such card",
        ),
        (
            f"UPDATE cards SET card = '2S' WHERE {OPEN_1} AND seq = 50",
            f"{ONE}, card 51 (North's 2S): North does not hold 2S",
        ),
        (
            f"UPDATE cards SET seat = 'Q' WHERE {OPEN_1} AND seq = 50",
            f"{ONE}, card 51 (seat Q's 2D): it was North's turn",
        ),
        (
            f"UPDATE cards SET thinking_ms = thinking_ms + 1 WHERE {OPEN_1} AND seq = 51",
            f"{ONE}, result: EW thought for 1216 ms, it says; its calls and cards took 1217 ms",
        ),
        (
            f"UPDATE board_attempts SET ended = 'boo' WHERE {OPEN_1}",
            f"{ONE}: it ended as 'boo', which no attempt does",
        ),
        (
            f"UPDATE board_attempts SET ended = NULL WHERE {OPEN_1}",
            f"{ONE}: it has no end, and yet there is: ended_at_ms, chain, final, a result",
        ),
        (
            f"UPDATE board_attempts SET ended = 'claimed' WHERE {OPEN_1}",
            f"{ONE}: it ended as claimed, and 5 calls and 52 cards are there",
        ),
        (
            f"UPDATE board_attempts SET ended = 'passed-out' WHERE {OPEN_1}",
            f"{ONE}: it ended as passed-out, and 5 calls and 52 cards are there",
        ),
        (
            f"UPDATE board_attempts SET ended_at_ms = NULL WHERE {OPEN_1}",
            f"{ONE}: it ended as played, and it is not said when",
        ),
        (
            f"UPDATE board_attempts SET ended_at_ms = 5 WHERE {OPEN_1}",
            f"{ONE}, result: it came at 1790000001184, and the attempt ended at 5",
        ),
        (
            f"UPDATE board_attempts SET final = 7 WHERE {OPEN_1}",
            f"{ONE}: it ended as played, and whether it is final is 7, not True",
        ),
        (
            "UPDATE board_attempts SET final = 1 WHERE table_id = 1 AND board = 1 AND attempt = 1",
            "match 1, open room, board 1, attempt 1: it is final, and the board was begun again",
        ),
        (
            f"UPDATE board_attempts SET final = 0 WHERE {OPEN_1}",
            f"{ONE}: it was not played to an end, and the table is finished",
        ),
        (
            "UPDATE board_attempts SET fault = 'Q' WHERE table_id = 1 AND board = 4",
            f"{FOUR}: whose fault it was is N, E, S or W, not 'Q'",
        ),
        (
            "UPDATE board_attempts SET fault = NULL WHERE table_id = 1 AND board = 4",
            f"{FOUR}: it ended as stall, and the fault is nobody's",
        ),
        (
            f"UPDATE board_attempts SET fault = 'N' WHERE {OPEN_3}",
            f"{THREE}: it ended as claimed, and the fault is North's",
        ),
        (
            "UPDATE board_attempts SET ended = 'void', fault = 'N' WHERE table_id = 1 AND board = 1 AND attempt = 1",
            "match 1, open room, board 1, attempt 1: it ended as void, and the fault is North's",
        ),
        (
            "UPDATE board_attempts SET fault = 'Q' WHERE table_id = 1 AND board = 1 AND attempt = 1",
            "match 1, open room, board 1, attempt 1: whose fault it was is N, E, S or W, not 'Q'",
        ),
        (
            "UPDATE rulings SET table_id = NULL",
            "match 1, board 4, attempt 1, ruling: number 1 is on an attempt that is not on record",
        ),
        (
            "UPDATE board_attempts SET attempt = 3 WHERE table_id = 1 AND board = 1 AND attempt = 1",
            "match 1, open room, board 1, attempt 1: there is none; "
            "3 rows of calls, cards or results say that they are of it",
        ),
        (
            "DELETE FROM board_attempts WHERE table_id = 1 AND board = 1 AND attempt = 1",
            "match 1, open room, board 1, attempt 1: it is gone, later ones are there",
        ),
        (
            f"UPDATE results SET tricks = 14 WHERE {OPEN_3}",
            f"{THREE}, result: it says 1NTX by S, 14 tricks, 580 for North-South; "
            "the calls and cards make 1NTX by S, 1 tricks, -1400 for North-South",
        ),
        (
            "UPDATE results SET contract = '2NTX' WHERE table_id = 1 AND board = 2",
            "match 1, open room, board 2, attempt 1, result: it says 2NTX, 0 for North-South; "
            "the calls and cards make Pass, 0 for North-South",
        ),
        (
            "UPDATE results SET attempt = 1 WHERE table_id = 1 AND board = 1",
            "match 1, open room, board 1, attempt 1, result: the attempt ended as abandoned, which has none",
        ),
        (f"DELETE FROM results WHERE {OPEN_1}", f"{ONE}: it ended as played, and there is no result"),
        ("DELETE FROM rulings", f"{FOUR}: it ended as stall, and there is no ruling on it"),
        (
            "UPDATE rulings SET attempt = 2",
            "match 1, open room, board 4, attempt 2, ruling: number 1 is on an attempt that is not on record",
        ),
        (
            "UPDATE rulings SET withdrawn_at_ms = 2",
            "match 1, score: there is one, though boards are left to be played",
        ),
        (
            "UPDATE deals SET hands = 'N:A.K.Q.J' WHERE id = 1",
            "match 1, board 1: it is not the deck: a deal has 4 hands, got 1",
        ),
        (
            "UPDATE boards SET dealer = 'Q' WHERE number = 2",
            "match 1, board 2: its dealer or vulnerability is none: 'Q'",
        ),
        (
            "UPDATE boards SET number = 22 WHERE number = 2",
            "match 1, open room, board 2, attempt 1: the match has no such board",
        ),
        (
            "UPDATE match_results SET imps_home = 99",
            "match 1, score: it says 99 - 5 IMPs, 15.00 - 5.00 VP on 4 boards; "
            "results and rulings make 15 - 5 IMPs, 15.00 - 5.00 VP on 4 boards",
        ),
        (
            "UPDATE match_results SET vp_home_hundredths = 'much'",
            "match 1, score: it says 15 - 5 IMPs, 'much' - 5.00 VP on 4 boards; "
            "results and rulings make 15 - 5 IMPs, 15.00 - 5.00 VP on 4 boards",
        ),
        (
            "DELETE FROM match_results",
            "match 1, score: there is none, though both rooms are finished: `tourney run` writes it",
        ),
    ],
)
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
