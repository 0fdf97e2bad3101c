"""Commands without a process of their own, and what is expected of what they print."""

import csv
import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

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


def shown(*words: object) -> Any:  # what json.loads gives
    """The JSON document of a command, whatever else it says."""
    return json.loads(run(*words, "--json").stdout)


def check_record(event: object) -> None:
    """Check that `tourney verify` finds nothing in the record of an event."""
    verified = run("verify", event)
    assert (verified.exit_code, ", 0 findings" in verified.stdout) == (0, True), verified.output


def json_report(name: str, path: Path, *words: str) -> Any:  # what json.loads gives
    """The JSON document of a report on an event."""
    return document_of(run(name, path, *words, "--json"))


def rows_of(result: Result, said: str = "") -> list[dict[str, str]]:
    """The CSV table that a command has printed."""
    return list(csv.DictReader(printed(result, said).splitlines()))


def refusal(result: Result, status: int = 1) -> str:
    """The sentence with which a command has refused something, and has printed nothing else but its usage."""
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    assert "Traceback" not in result.stderr
    assert "\nError: " in f"\n{result.stderr}"
    return result.stderr.removesuffix("\n").partition("Error: ")[2]
