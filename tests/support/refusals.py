"""Cases of `tests/golden`: what is given and what is told; what is refused, with the sentences that refuse it.

A case is a few lines of what is given, then each sentence behind `> `; an empty line ends it. A line behind `== ` is
the heading of the cases below it, whose meaning is the business of the test, and one behind `## ` is a comment.
"""

import shlex
from typing import Any

import pytest

from tests.support.golden_figures import GOLDEN
from tourney.config import parse_event_file
from tourney.config.toml import EventFileError


def refusals(name: str) -> list[Any]:  # of what pytest.param makes
    """The cases of a file of `refused`: heading, what is given, sentences."""
    return golden_cases(f"refused/{name}")


def golden_cases(name: str) -> list[Any]:  # of what pytest.param makes
    """The cases of a file: heading, what is given, what is told."""
    heading, cases, text = "", [], (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    for number, case in enumerate(text.strip().split("\n\n"), 1):
        lines = case.splitlines()
        if lines[0].startswith("== "):
            heading = lines.pop(0).removeprefix("== ")
        given = "\n".join(line for line in lines if not line.startswith(("> ", "## ")))
        if not given:  # comments
            continue
        said = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
        cases.append(pytest.param(heading, given, said, id=f"{number}: {' '.join(given.split())[:60]}"))
    return cases


def golden_edits(name: str) -> list[Any]:  # of what pytest.param makes
    """The cases of a file of edits, see `edited`: the edit, what is told then."""
    return [pytest.param(edit, told, id=case.id) for case in golden_cases(name) for _, edit, told in [case.values]]


def edited(text: str, edit: str) -> str:
    """A text in which what an edit says before `->` is replaced by what it says behind that."""
    before, after = (part.strip() for part in edit.split("->"))
    assert text.count(before) == 1
    return text.replace(before, after)


def refused_texts(name: str) -> list[Any]:  # of what pytest.param makes
    """The cases of a file without headings, of one sentence each: what is given, the sentence."""
    cases = [(case.id, *case.values) for case in refusals(name)]
    return [pytest.param(given, said, id=name) for name, _, given, (said,) in cases]


def refused_commands(name: str) -> list[Any]:  # of what pytest.param makes
    """The cases of a file whose headings are exit statuses: the words of a command, status, sentence."""
    return [
        pytest.param(shlex.split(line), int(status), sentence, id=line)
        for status, line, (sentence,) in (case.values for case in refusals(name))
    ]


def file_of(entrants: str, stages: str) -> str:
    """An event file of as many entrants as `8 pairs` says, with these stages."""
    number, kind = entrants.split()
    sections = "".join(f'[[{kind.removesuffix("s")}]]\nname = "T{n}"\n' for n in range(1, int(number) + 1))
    return f'[event]\nname = "Cup"\n{sections}[[stage]]\n{stages}\n'


def problems_of(text: str) -> list[str]:
    """What is wrong with an event file, sentence by sentence."""
    try:
        parse_event_file(text, "event.toml")
    except EventFileError as error:
        refused = error
    else:
        return []
    assert str(refused) == "\n".join(f"event.toml: {problem}" for problem in refused.problems)
    return list(refused.problems)
