"""Common slips of people who write TOML: each is answered with its line and its mend."""

import pytest

from tests.config.test_file import LEAST, problems
from tourney.config import parse_event_file

TWO = '[event]\nname = "Cup"\n[[team]]\nname = "A"\n[[team]]\nname = "B"\n[[stage]]\n'
PATH = "a backslash in double quotes begins an escape: put the text in single quotes, as in 'C:\\bots\\run.exe'"
MOMENT = "a time has its date, seconds and zone, such as 2026-11-21T14:00:00Z"


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        ("name “A”", 'quotes are straight, as in "Cup", not typographic'),
        ('name\u00a0= "A"', "it has a blank that no keyboard has: type its blanks again"),
        ('name = "A \u2019s" // home', "a comment begins with #"),
        ("timing = True", "write true, in small letters and without quotes"),
        ("enters = None", "a setting without a value is left out: put a # before it"),
        ("starts = [2026-11-21 14:00]", MOMENT),
        ("bye_vp = 0,5", "a number has no comma, as in 0.5 and 1000"),
        ("rounds = 08", "a number does not begin with 0"),
        ("butler_trim = 10%", "a number has no unit, and text stands in quotes"),
        ('name = "A, B",', "nothing follows a value: leave out the , at the end of the line"),
        ("rounds == 3", "between key and value stands one ="),
        ("boards per match = 8", "a key has no blanks, as in boards_per_match"),
        ("stage:", "a heading stands in brackets, as in [event] and [[team]], and a setting has a value"),
        ('name: "A"', "between key and value stands =, not a colon"),
        ('name "A"', "between key and value stands ="),
        ("name =", "the value is missing"),
        ("name = A", "text stands in quotes"),
        ("name = \"A'", "a text ends with the same quote that it began with"),
        ('ties = ["wins" "lot"]', "a list has a comma between two values, and ends with ]"),
        ("[[stage]", "a heading has as many brackets at its end as at its beginning"),
        ("[event]", "a section in single brackets stands once: put its settings together"),
        (r'command = "C:\Users\run.exe"', PATH),
    ],
)
def test_what_is_not_toml_is_answered_with_its_line_and_the_mend(line: str, mend: str) -> None:
    (problem,) = problems(f"{TWO}{line}\nrounds = 1\n")
    assert problem.startswith("this is not TOML: ")
    assert problem.endswith(f"; {mend}")
    assert "(at line 8, " in problem or "(at line 9, " in problem or "(at line 10, " in problem


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (TWO.replace("[[team]]", "[team]", 1), "double brackets, line 3 has [team]"),
        (
            "teams = 8\n" + TWO,
            "; each has its own section: `tourney init --teams 8 FILE` writes that many (line 1)",
        ),
        (f"{TWO}[team.wire]\n[tables]\nclaims = true\n", "; it is a key of [rules] (line 10)"),
        (f'{TWO}Format = "swiss"\n', "; did you mean 'format'? (line 8)"),
        (f'{TWO}[rules]\nclaims = "True"\n', "got 'True'; write it without quotes"),
    ],
)
def test_what_is_toml_but_stands_elsewhere_is_answered_with_its_line_and_the_mend(text: str, end: str) -> None:
    assert any(problem.endswith(end) for problem in problems(text)), problems(text)


def test_a_path_on_windows_whose_backslashes_are_escapes_is_not_taken_for_what_it_says() -> None:
    assert problems(f'{TWO}[[team]]\nname = "C"\ncommand = "C:\\temp\\new.exe"\n') == [f"line 10: {PATH}"]
    for command in (r"'C:\temp\new.exe'", r'"C:\\temp\\new.exe"', "'''C:\\temp'''"):
        text = TWO.replace('name = "A"', f'name = "A"\ncommand = {command}\n# command = "C:\\temp"')
        assert parse_event_file(text, "event.toml").team[0].command is not None


def test_a_byte_order_mark_tabs_and_a_comma_at_the_end_of_a_list_are_no_mistakes() -> None:
    text = "\ufeff" + LEAST.replace('name = "A"', '\tname\t=\t"A"') + 'tie_breaks = ["wins", ]\n'
    assert parse_event_file(text, "event.toml").team[0].name == "A"
