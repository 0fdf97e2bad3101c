"""Orders of the director at the tables of a run, and what they leave on record, on simulated time."""

from pathlib import Path

import pytest

from tests.support.events import bot, write_event
from tests.support.simulated_run import simulated_runs


def direct(folder: Path, boards: int, stage: str, script: str) -> None:
    """Hold a conversation about a match of bots that think, of which backups are made."""
    teams = [("Alpha", bot(1, think_ms=20)), ("Beta", bot(2, think_ms=20))]
    event = write_event(folder, teams, boards=boards, stage=f'format = "match"\n{stage}')
    event.write_text(event.read_text().replace("[event]\n", "[event]\nbackup_every_s = 1\n"))
    with pytest.MonkeyPatch.context() as patch, simulated_runs() as machine:
        patch.setenv("TOURNEY_DIRECTOR", "Ada")
        machine.converse(script, EVENT=event)
    assert [*folder.glob("results/backups/test-*.db")]


def test_a_board_lost_by_a_kick_in_a_match_of_segments_is_sound_on_record(tmp_path: Path) -> None:
    kick = 'table kick EVENT 1-open East --reason "it was told to go" --yes'
    direct(
        tmp_path,
        4,
        "segments = 2",
        f"""
        once there are 1 calls WHERE table_id = 1 AND board = 1 => $ {kick}
            -> (1-open: board 1 is in play. If East is sent away, Beta forfeits it...
            -> ...
            -> 1-open: East was sent away; board 1 is forfeited: average minus to Beta, average plus to Alpha
        ~ run EVENT
        SELECT board, ended, fault FROM board_attempts WHERE ended = 'disconnect' -> 1 disconnect E
        # The table had sent the program away.
        SELECT count(*) FROM incidents WHERE kind = 'crash' -> 0
        SELECT count(*) FROM tables WHERE segment = 2 AND state = 'finished' -> 2
        $ rulings EVENT --json | rulings: author kind team -> Ada board-forfeit Beta
        the record is sound
        """,
    )


def test_a_stop_after_the_board_lets_it_be_finished_and_begins_no_other(tmp_path: Path) -> None:
    stop = "$ table stop EVENT 1-open --after-board -> 1-open: stops when board 1 is over"
    direct(
        tmp_path,
        3,
        "",
        f"""
        once there are 1 calls WHERE table_id = 1 AND board = 1 => {stop}
        ~ run EVENT -> ... -> status 1 -> ...
        SELECT board, ended FROM board_attempts WHERE table_id = 1 -> 1 played
        SELECT count(*) FROM board_attempts WHERE table_id = 2 AND ended = 'played' -> 3
        $ table resume EVENT 1-open -> 1-open: ...
        ~ run EVENT -> ...
        SELECT board, attempt, ended FROM board_attempts WHERE table_id = 1 ORDER BY board
            -> 1 1 played -> 2 1 played -> 3 1 played
        """,
    )
