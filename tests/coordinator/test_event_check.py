"""What `tourney check` finds outside an event file: programs, hosts, times, open seats, a record that has begun."""

from pathlib import Path

import pytest

from tests.support.commands import converse
from tests.support.conversation import Step
from tests.support.played_event import BEGINS_AT_MS, draw_event, event_text, write_event
from tests.support.refusals import edited, golden_edits
from tourney.coordinator.event_check import EventCheckDocument, check_event_file
from tourney.movement.seating import Room

SWISS = 'format = "swiss"\nrounds = 3'
FOUR = ("Ants", "Bees", "Cats", "Dogs")


def check(folder: Path, text: str) -> EventCheckDocument:
    return check_event_file(write_event(folder, text), BEGINS_AT_MS).found


def with_command(command: str) -> str:
    return event_text().replace('"Beta"', f'"Beta"\ncommand = "{command}"')


def test_an_event_that_can_be_run_has_neither_problems_nor_warnings(tmp_path: Path) -> None:
    found = check(tmp_path, with_command("tourney bot --port {port} --seat {seat} --team {team} --host {host}"))
    assert (list(found.problems), list(found.warnings)) == ([], [])
    assert [path.name for path in tmp_path.iterdir()] == ["event.toml"]


@pytest.mark.parametrize(("edit", "told"), golden_edits("event_check"))
def test_what_a_file_names_and_the_machine_does_not_have_is_told(tmp_path: Path, edit: str, told: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("text", "bot.py", "program"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="ascii")
    (tmp_path / "program").chmod(0o755)
    found = check(tmp_path, edited(event_text(), edit))
    said = [*(f"problem: {each}" for each in found.problems), *(f"warning: {each}" for each in found.warnings)]
    Step(edit, told or ["nothing"]).check([each.replace(str(tmp_path), "FOLDER") for each in said])


# Times and the record


def test_a_start_in_the_past_is_a_warning_until_the_round_is_played(tmp_path: Path) -> None:
    text = event_text(stage="starts = [2020-01-01T10:00:00Z]")
    (warning,) = check(tmp_path, text).warnings
    assert warning.startswith("stage 1, starts: 2020-01-01 ")
    assert warning.endswith(" is past, so that round 1 starts as soon as it can")
    played = draw_event(tmp_path, text)
    played.begin(1, Room.OPEN, 1)
    played.database.close()
    assert list(check(tmp_path, text).warnings) == []


def test_a_start_that_clocks_show_twice_is_a_warning_with_the_time_that_is_taken(tmp_path: Path) -> None:
    def warnings(start: str) -> list[str]:
        text = event_text(stage=f"starts = [{start}]").replace("[event]\n", '[event]\ntimezone = "Europe/Berlin"\n')
        return check(tmp_path, text).warnings

    assert warnings("2996-10-30T02:30:00") == [
        "stage 1, starts: clocks in Europe/Berlin show 2996-10-30 02:30 twice: round 1 starts at the first, "
        "2996-10-30 02:30 CEST; the second is 2996-10-30T02:30:00+01:00"
    ]
    assert warnings("2996-10-30T02:30:00+01:00") == warnings("2996-10-30T03:00:00") == []


def test_a_file_that_the_record_will_refuse_is_a_problem_once_boards_have_been_begun(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*FOUR, stage=SWISS))
    changed = event_text(*FOUR, stage=SWISS, boards=8)
    assert list(check(tmp_path, changed).problems) == []  # it would be drawn anew
    played.begin(1, Room.OPEN, 1)
    played.database.close()
    assert list(check(tmp_path, changed).problems) == [
        "boards of 'Test Cup' have been played by its draw, the file no longer fits it: "
        "boards_per_match was 2 when it was drawn, now it is 8"
    ]
    late = event_text(*FOUR, "Eels", stage=SWISS).replace('"Eels"', '"Eels"\nenters = {}')
    assert list(check(tmp_path, late.replace("{}", "3")).problems) == []
    too_late = event_text(*FOUR, "Eels", stage=SWISS)
    (problem,) = check(tmp_path, too_late).problems
    assert problem.startswith("team 5, enters: round 1 of 'Swiss' has been drawn")


def test_a_database_that_is_none_is_a_problem_and_one_out_of_reach_a_warning(tmp_path: Path) -> None:
    folder = tmp_path / "results" / "test-cup"
    folder.mkdir(parents=True)
    (folder / "event.db").write_text("no database at all, but a letter", encoding="ascii")
    (problem,) = check(tmp_path, event_text()).problems
    assert problem.startswith("event, database: ")
    far = event_text().replace("[[team]]", 'database = "postgresql://me:secret@127.0.0.1:9/cup"\n[[team]]', 1)
    found = check(tmp_path, far)
    assert list(found.problems) == []
    (warning,) = found.warnings
    assert warning.startswith("event, database: ")
    assert "secret" not in warning


# The command


def test_warnings_leave_the_exit_status_at_0_and_problems_do_not(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text(stage="starts = [2020-01-01T10:00:00Z]"))
    past = "event.toml: warning: stage 1, starts: 2020-01-01 ..."
    converse(tmp_path, f"$ check FOLDER/event.toml -> event.toml is fine -> {past} -> ...")
    text = path.read_text(encoding="utf-8").replace('"Beta"', '"Beta"\ncommand = "nothing"')
    path.write_text(text, encoding="utf-8")
    wrong = "refused: event.toml: team 2, command: the program 'nothing' is not on the path"
    converse(tmp_path, f"$ check FOLDER/event.toml -> {wrong} -> {past}")


def test_check_as_json_is_one_document_with_both(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text(*FOUR, stage=f"{SWISS}\nboard = 2"))
    all_of_it = "fine problems warnings event teams rounds matches results database sandbox"
    converse(
        tmp_path,
        """
        $ check FOLDER/event.toml --json | : fine event warnings -> no - none
        $ check FOLDER/event.toml --json | problems -> stage 1: 'board' is not known here...
        """,
    )
    path.write_text(event_text(*FOUR, stage=SWISS), encoding="utf-8")
    converse(
        tmp_path,
        f"""
        $ check FOLDER/event.toml --json | : file {all_of_it}
            -> FOLDER/event.toml yes none none Test Cup 4 3 6 FOLDER/results/test-cup sqlite:///FOLDER/... -
        """,
    )


def test_another_event_of_the_database_with_the_same_deals_is_named(tmp_path: Path) -> None:
    def text(name: str, deals: str) -> str:
        database = f'[event]\ndatabase = "sqlite:///{tmp_path}/both.db"'
        return event_text(name=name, deals=deals).replace("[event]", database)

    draw_event(tmp_path, text("One", "seed = 5")).database.close()
    assert check(tmp_path, text("One", "seed = 5")).warnings == []
    words = "deals: event 'One' in the same database has 2 deals of this one"
    not_drawn = check(tmp_path, text("Two", "seed = 5"))
    assert [warning[: len(words)] for warning in not_drawn.warnings] == [words]
    for deals in ("seed = 6", ""):
        assert check(tmp_path, text("Two", deals)).warnings == []
    draw_event(tmp_path, text("Two", "seed = 5")).database.close()
    both = check(tmp_path, text("One", "seed = 5"))
    assert ["event 'Two'" in warning for warning in both.warnings] == [True]


def test_live_pages_that_would_shut_browsers_out_are_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.coordinator.event_check.files_available", lambda: 2000)
    closed = with_command("sh run --seat {seat}")
    assert [each for each in check(tmp_path, event_text()).warnings if "web" in each] == []  # nobody asks for pages
    (warning,) = (each for each in check(tmp_path, f"{closed}[web]\nport = 80\n").warnings if "web" in each)
    assert warning == (
        "web: 2000 watchers take 3638 open files, and a process may have 2000 here, enough for 1386 "
        "connections: raise the limit (ulimit -n)"
    )
    monkeypatch.setattr("tourney.coordinator.event_check.files_available", lambda: 4000)
    text = "[web]\nproxies = ['127.0.0.1']\n"
    assert [each for each in check(tmp_path, f"{closed}{text}").warnings if each.startswith("web")] == []
