"""Edits of an event file during its run: what has changed, when it takes effect, what the run goes by."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.played_event import event_text, write_event
from tests.support.refusals import edited, golden_edits
from tourney.config import EventConfig, parse_event_file
from tourney.coordinator.file_changes import (
    LINES_MAX,
    Change,
    Effect,
    EventFileWatch,
    added_teams,
    describe_changes,
    list_changes,
    merge_config,
)
from tourney.errors import ConfigError
from tourney.event.file import EventFile, load_event_file

SWISS = 'format = "swiss"\nrounds = 3'


def config(text: str) -> EventConfig:
    return parse_event_file(text, "event.toml")


def four(stage: str = SWISS, *, deals: str = "seed = 1") -> str:
    return event_text("Ants", "Bees", "Cats", "Dogs", stage=stage, deals=deals)


@pytest.mark.parametrize(("edit", "expected"), golden_edits("file_edits"))
def test_each_setting_takes_effect_when_what_it_concerns_is_next_looked_at(edit: str, expected: list[str]) -> None:
    changes = list_changes(config(four()), config(edited(four(), edit)))
    assert [f"{change.place} {change.effect.name}" for change in changes] == expected


def test_before_the_first_board_a_new_draw_is_made_by_the_next_run() -> None:
    (change,) = list_changes(config(four()), config(four(deals="seed = 2")), is_begun=False)
    assert change.effect is Effect.NEXT_RUN


def test_the_run_goes_by_what_takes_effect_and_by_the_old_draw() -> None:
    old = config(four(f"{SWISS}\nstarts = [2030-01-01T10:00:00Z, 2030-01-02T10:00:00Z, 2030-01-03T10:00:00Z]"))
    new = config(
        four(
            'name = "Swiss"\nformat = "round-robin"\nbye_vp = 5\n'
            "starts = [2031-01-01T10:00:00Z, 2031-01-02T10:00:00Z, 2031-01-03T10:00:00Z]"
        )
        .replace('"Bees"', '"Wasps"\ncommand = "wasps"')
        .replace("seed = 1", "seed = 2\n[clock]\ncall_s = 9\n[rules]\nstrikes = 2")
    )
    merged = merge_config(old, new)
    assert (merged.team[1].name, merged.team[1].command) == ("Bees", None), "the command is another team's"
    assert (merged.stage[0].format, merged.stage[0].bye_vp, merged.deals.seed) == (old.stage[0].format, 500, 1)
    assert merged.stage[0].starts == new.stage[0].starts
    assert (merged.clock.call_s, merged.rules.strikes) == (9, 0)
    assert list_changes(old, merged) == [change for change in list_changes(old, new) if change.effect in _TAKEN]


_TAKEN = (Effect.NOW, Effect.TABLES)


def test_teams_that_change_places_keep_their_own_commands() -> None:
    old = config(four().replace('"Ants"', '"Ants"\ncommand = "ants"'))
    new = config(
        event_text("Bees", "Ants", "Cats", "Dogs", stage=SWISS).replace('"Ants"', '"Ants"\ncommand = "emmets"')
    )
    assert [(team.name, team.command) for team in merge_config(old, new).team[:2]] == [
        ("Ants", "emmets"),
        ("Bees", None),
    ]
    assert list_changes(old, new) == [
        Change("team 2, command", Effect.TABLES),
        Change("the order of the teams", Effect.NEVER),
    ]


@pytest.mark.parametrize(
    ("names", "added"),
    [
        (("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs"), ["Eels", "Frogs"]),
        (("Ants", "Eels", "Bees", "Cats", "Dogs"), []),
        (("Ants", "Bees", "Cats"), []),
        (("Ants", "Wasps", "Cats", "Dogs", "Eels"), []),
    ],
)
def test_teams_come_late_after_the_others(names: tuple[str, ...], added: list[str]) -> None:
    new = config(event_text(*names, stage=SWISS))
    assert [team.name for team in added_teams(config(four()), new)] == added


def test_what_is_said_of_another_stage_is_not_taken_for_this_one() -> None:
    old, new = config(four()), config(four('name = "Other"\nformat = "swiss"\nrounds = 3\nbye_vp = 5'))
    assert {change.effect for change in list_changes(old, new)} == {Effect.NEVER}
    assert merge_config(old, new).stage == old.stage


def test_times_of_another_draw_are_left_aside() -> None:
    old = config(four(f"{SWISS}\nstarts = [2030-01-01T10:00:00Z, 2030-01-02T10:00:00Z, 2030-01-03T10:00:00Z]"))
    new = config(four('format = "swiss"\nrounds = 2\nstarts = [2031-01-01T10:00:00Z, 2031-01-02T10:00:00Z]'))
    assert merge_config(old, new).stage[0].starts == old.stage[0].starts


def test_many_changes_are_not_all_said() -> None:
    lines = describe_changes([Change("tables, host", Effect.TABLES)] * (LINES_MAX + 2))
    assert len(lines) == LINES_MAX + 1
    assert lines[-1] == "the event file has changed: 2 settings more"


# The watch


def watch_file(folder: Path) -> tuple[Path, EventFileWatch, Callable[[], EventFile | None]]:
    """A file, its watch, and a look at it for a run that goes by what the file said at first."""
    path = write_event(folder, four())
    watch = EventFileWatch(path)
    return path, watch, partial(watch.poll, load_event_file(path))


def test_an_edit_is_read_once_it_is_finished_and_only_once(tmp_path: Path) -> None:
    path, watch, poll = watch_file(tmp_path)
    assert poll() is None, "it says what the run goes by"
    path.write_text(four(deals="seed = 22"), encoding="utf-8")
    assert poll() is None, "somebody may still be writing it"
    edited = poll()
    assert edited is not None
    assert edited.config.deals.seed == 22
    assert poll() is None
    watch.read_again()
    assert poll() is not None


def test_an_edit_between_reading_the_file_and_watching_it_is_found(tmp_path: Path) -> None:
    path = write_event(tmp_path, four())
    read = load_event_file(path)
    path.write_text(four(deals="seed = 22"), encoding="utf-8")
    assert EventFileWatch(path).poll(read) is not None


def test_a_file_that_cannot_be_used_is_said_once_with_its_first_sentence(tmp_path: Path) -> None:
    path, watch, poll = watch_file(tmp_path)
    path.write_text(four(deals='shared = "x"\nsee = 1'), encoding="utf-8")
    assert poll() is None
    with pytest.raises(ConfigError, match=r"^event.toml: deals, shared: expected one of .*, and 1 more$"):
        poll()
    assert watch.is_refused
    assert poll() is None


def test_a_file_that_is_gone_is_said_and_its_return_is_read(tmp_path: Path) -> None:
    path, watch, poll = watch_file(tmp_path)
    aside = path.rename(tmp_path / "aside")
    assert poll() is None
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        poll()
    aside.rename(path)
    assert watch.is_refused
    assert [poll(), poll()] == [None, None], "it says what it has said before"
    assert not watch.is_refused
