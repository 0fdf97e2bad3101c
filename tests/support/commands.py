"""Commands without a process of their own, and what is expected of what they print."""

import csv
import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from tests.support.conversation import Step, steps_of
from tourney.cli._output import DIRECTOR_NOTE
from tourney.cli.main import cli

NOTE = f"for the director only: {DIRECTOR_NOTE}\n"


def run(*words: object, given: str = "") -> Result:
    """What comes of a command; `given` is what is typed."""
    return CliRunner().invoke(cli, [*map(str, words)], input=given)


def printed(result: Result, said: str = "") -> str:
    """What a command has printed that has nothing to complain of, and says no more to people than this."""
    assert (result.exit_code, result.stderr) == (0, said), result.output
    return result.stdout


def lines_of(result: Result, said: str = "") -> list[str]:
    """The same by lines, without blanks at their ends."""
    return [line.rstrip() for line in printed(result, said).splitlines()]


def document_of(result: Result, said: str = "") -> Any:  # what json.loads gives
    """The JSON document that a command has printed."""
    return json.loads(printed(result, said))


def check_record(event: object) -> None:
    """Check that `tourney verify` finds nothing in the record of an event."""
    verified = run("verify", event)
    assert (verified.exit_code, ", 0 findings" in verified.stdout) == (0, True), verified.output


def json_report(name: str, path: Path, *words: str) -> Any:  # what json.loads gives
    """The JSON document of a command on an event, whatever else it says to people."""
    result = run(name, path, *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def rows_of(result: Result, said: str = "") -> list[dict[str, str]]:
    """The CSV table that a command has printed."""
    return list(csv.DictReader(printed(result, said).splitlines()))


def refusal(result: Result, status: int = 1) -> str:
    """The sentence with which a command has refused something, and has printed nothing else but its usage."""
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    assert "Traceback" not in result.stderr
    assert "\nError: " in f"\n{result.stderr}"
    return result.stderr.removesuffix("\n").partition("Error: ")[2]


def converse(folder: Path, script: str, **names: str) -> None:
    """Give commands one after the other, and check what they tell; a step is `$ score FOLDER/results.pbn -> ...`."""
    for step in steps_of(script):
        check_told(step, tell(step.what.removeprefix("$ "), {"FOLDER": str(folder), **names}))


def check_told(step: Step, told: Sequence[str]) -> None:
    """Check what a command tells; where it is to be refused or to fail, a line of what is expected says so."""
    failed = ("refused", "status ")
    is_expected = any(each.startswith(failed) for each in step.expected)
    assert is_expected or not [each for each in told if each.startswith(failed)], told
    step.check(told)


def tell(line: str, names: Mapping[str, str], run: Callable[..., Result] = run) -> list[str]:
    """What a command tells, with `names` for paths and programs in what is given and told:

    table pause EVENT 1-open              the lines that it prints; those that it says to people in brackets, before
    table kick EVENT 1-open E << y        after this is typed
    rule withdraw EVENT 7                 `refused: ...`, `refused 2: ...` with that exit status, else `status 3`
    match EVENT 1 --json | boards[board=2]: imps imps_away    these values, in a line for each object at that place

    Lines without anything are left out, as are runs of blanks.
    """
    command, _, asked = line.partition(" | ")
    command, is_typed, typed = command.partition(" <<")
    for name, path in names.items():
        command = command.replace(name, path)
    result = run(*shlex.split(command), given=f"{typed.strip()}\n" if is_typed else "")
    assert "Traceback" not in result.output, result.output
    said, _, refused = f"\n{result.stderr}".partition("\nError: ")
    told = [f"({each})" for each in said.splitlines() if each and f"{each}\n" != NOTE]
    if result.exit_code and (refused or not asked):
        told = [each for each in told if not each.startswith(("(Usage: ", "(Try "))]
        number = "" if result.exit_code == 1 else f" {result.exit_code}"
        told += f"refused{number}: {refused}".splitlines() if refused else [f"status {result.exit_code}"]
    elif asked:
        is_table = "--csv" in command
        told += select(rows_of(result) if is_table else json.loads(result.stdout), asked)
    if not asked:
        told += result.stdout.splitlines()
    for name, path in names.items():
        told = [each.replace(path, name) for each in told]
    return [" ".join(each.split()) for each in told if each.strip()]


def select(document: Any, asked: str) -> list[str]:  # what json.loads gives
    """The values of `keys` in each object at a place of a document, `place: keys`, or what is there by itself."""
    place, _, keys = asked.partition(":")
    for part in re.findall(r"[^.\[\]]+=[^\]]+|[^.\[\]]+", place.strip()):
        key, is_filter, value = part.partition("=")
        if is_filter:
            document = [each for each in document if _text(each[key]) == value]
        elif key.isdecimal():
            document = document[int(key)]
        elif isinstance(document, list):
            document = [found for each in document for found in _listed(each[key])]
        else:
            document = document[key]
    values = [[_under(each, key) for key in keys.split()] if keys.strip() else [each] for each in _listed(document)]
    return [" ".join(map(_text, each)) for each in values]


def _listed(value: Any) -> Sequence[Any]:  # part of a document
    return value if isinstance(value, list) else [value]


def _under(value: Any, key: str) -> Any:  # part of a document
    for part in key.split("."):
        value = value[int(part)] if part.isdecimal() else None if value is None else value[part]
    return value


def _text(value: Any) -> str:  # part of a document
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return ",".join(map(_text, value)) or "none"
        case dict():
            return " ".join(f"{key}={_text(each)}" for key, each in value.items()) or "none"
        case _:
            return str(value)
