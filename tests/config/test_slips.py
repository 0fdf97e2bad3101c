"""Common slips of people who write TOML: each is answered with its place and its mend."""

import pytest

from tests.config.test_file import LEAST
from tests.support.refusals import problems_of
from tourney.config import parse_event_file

PATH = "a backslash in double quotes begins an escape: put the text in single quotes, as in 'C:\\bots\\run.exe'"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (f"{LEAST}[event]\n", "this is not TOML: Cannot declare ('event',) twice (at line 8, column 7)"),
        (f'{LEAST}command = "C:\\Users\\run.exe"\n', f"; {PATH}"),
        (LEAST.replace("[[team]]", "[team]", 1), "double brackets, line 3 has [team]"),
        ("teams = 8\n" + LEAST, "; each has its own section: `tourney init --teams 8 FILE` writes that many"),
        (f"{LEAST}[team.wire]\n[tables]\nclaims = true\n", "; it is a key of [rules]"),
        (f'{LEAST}Format = "swiss"\n', "; did you mean 'format'?"),
        (f'{LEAST}[rules]\nclaims = "True"\n', "got 'True'; write it without quotes"),
    ],
)
def test_a_slip_is_answered_with_its_place_and_the_mend(text: str, end: str) -> None:
    assert any(problem.endswith(end) for problem in problems_of(text)), problems_of(text)


def test_a_path_on_windows_whose_backslashes_are_escapes_is_not_taken_for_what_it_says() -> None:
    assert problems_of(f'{LEAST}[[team]]\nname = "C"\ncommand = "C:\\temp\\new.exe"\n') == [f"line 10: {PATH}"]
    for command in (r"'C:\temp\new.exe'", r'"C:\\temp\\new.exe"', "'''C:\\temp'''"):
        text = LEAST.replace('name = "A"', f'name = "A"\ncommand = {command}\n# command = "C:\\temp"')
        assert parse_event_file(text, "event.toml").team[0].command is not None


def test_a_byte_order_mark_tabs_and_a_comma_at_the_end_of_a_list_are_no_mistakes() -> None:
    text = "\ufeff" + LEAST.replace('name = "A"', '\tname\t=\t"A"') + 'tie_breaks = ["wins", ]\n'
    assert parse_event_file(text, "event.toml").team[0].name == "A"
