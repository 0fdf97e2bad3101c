"""The command `tourney verify`."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from tests.support.commands import run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.cli import _common
from tourney.config import Durability
from tourney.movement.seating import Room
from tourney.store.control.host_settings import save_settings
from tourney.store.models import CardRow, DealRow, MatchResult


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams, three rounds, six matches of one board; all of it played."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", boards=1))
    played.play_all()
    return played


def change_a_card(played: PlayedEvent, match: int) -> str:
    """What card 17 of the open room was, and by whom."""
    table = played.match(match).tables_at(0)[Room.OPEN]
    with played.database.write() as connection:
        row = connection.execute(
            update(CardRow)
            .where(CardRow.table_id == table.id, CardRow.seq == 16)
            .values(thinking_ms=CardRow.thinking_ms + 1)
            .returning(CardRow.seat, CardRow.card)
        ).one()
    return f"{row.seat.title}'s {row.card}"


def test_a_record_that_is_whole_is_told_in_one_line(played: PlayedEvent) -> None:
    converse(played, "$ verify EVENT -> Test Cup: ... records of 12 boards checked, 0 findings")


def test_what_a_power_cut_may_have_taken_is_said_whatever_the_event_file_says_by_now(played: PlayedEvent) -> None:
    settings = replace(played.file.host_settings, durability=Durability.PROCESS)
    save_settings(played.database, played.event.id, settings)
    save_settings(played.database, played.event.id, played.file.host_settings)
    lost = "a power cut may have taken the last moments of boards in play, never a finished board"
    converse(
        played,
        f"""
        $ verify EVENT -> recorded with durability = "process": {lost} -> ...
        $ verify EVENT --json | durability -> process
        """,
    )


def test_a_row_that_was_changed_is_named_and_the_exit_status_is_1(played: PlayedEvent) -> None:
    card, place = change_a_card(played, 3), "match 3, open room, board 1, attempt 1"
    converse(
        played,
        f"""
        $ verify EVENT
            -> status 1
            -> {place}, card 17 ({card}): its chain does not fit: the row was changed after it was written
            -> {place}, result: ...
            -> ... records of 12 boards checked, 2 findings
        $ verify EVENT --match 2 -> ... records of 2 boards checked, 0 findings
        $ verify EVENT --match 3 -> status 1 -> ...
        """,
    )


def test_processes_that_share_the_work_find_the_same_in_the_same_order(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    for match in (5, 2, 3):
        change_a_card(played, match)
    assert len(run("verify", played.path).stdout.splitlines()) == 7
    with played.database.write() as connection:
        connection.execute(update(DealRow).where(DealRow.id == 2).values(hands="N:- - - -"))
    alone = run("verify", played.path)
    monkeypatch.setattr("tourney.cli.verify.processes_for", lambda _: 2)
    shared = run("verify", played.path)
    assert alone.stdout.count("it is not the deck: the hand of North is not given") == 1, (
        "once, by however many processes it is checked"
    )
    assert (shared.exit_code, shared.stdout, shared.stderr) == (1, alone.stdout, "")


def test_only_a_big_event_is_verified_by_a_process_for_each_core(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_common, "available_cores", lambda: 5)
    monkeypatch.setattr(_common, "ONE_PROCESS_BOARDS_MAX", 12)
    assert _common.processes_for(played.event.matches) == 1, "12 boards at tables"
    monkeypatch.setattr(_common, "ONE_PROCESS_BOARDS_MAX", 11)
    assert _common.processes_for(played.event.matches) == 5


def test_findings_as_csv_are_a_row_each_and_a_sound_record_has_none(played: PlayedEvent) -> None:
    converse(played, "$ verify EVENT --csv -> match,room,board,attempt,record,number,text")
    with played.database.write() as connection:
        connection.execute(update(MatchResult).where(MatchResult.match_id == played.match(2).id).values(imps_home=-1))
    converse(
        played,
        """
        $ verify EVENT --csv
            -> status 1
            -> match,room,board,attempt,record,number,text
            -> 2,,,,score,,"match 2, score: it says -1 - ..."
        """,
    )
