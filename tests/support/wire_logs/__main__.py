"""`python -m tests.support.wire_logs --record [NAME ...]` plays scenarios and writes their logs into their files.

Without `--record` it shows what would change. `tests/golden/wire/README.md` says when to record.
"""

import argparse
import difflib
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from tests.support.wire_logs.scenario import DIVIDER, parse_scenario, scenario_files, split_file
from tests.support.wire_logs.table import play

_DIFFERENCES_SHOWN = 40


def differences(name: str, recorded: str, played: str) -> list[str]:
    """Return the first differences between two logs, as a unified diff whose lines begin with their times."""
    diff = difflib.unified_diff(
        recorded.splitlines(), played.splitlines(), f"{name}, recorded", f"{name}, played", lineterm="", n=2
    )
    return list(islice(diff, _DIFFERENCES_SHOWN))


def played_log(path: Path) -> str:
    """Return the log of the scenario in a golden file."""
    head, _ = split_file(path)
    return "".join(f"{line}\n" for line in play(parse_scenario(head)))


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.wire_logs")
    parser.add_argument("names", nargs="*", help="scenarios, all by default")
    parser.add_argument("--record", action="store_true", help="write the logs")
    asked = parser.parse_args()
    return _show(_changes(asked.names, record=asked.record))


def _changes(names: Iterable[str], *, record: bool) -> Iterator[list[str]]:
    for path in scenario_files():
        if names and path.stem not in names:
            continue
        head, log = split_file(path)
        played = played_log(path)
        if played != log:
            yield differences(path.stem, log, played)
            if record:
                path.write_text(head + DIVIDER + played, encoding="utf-8")


def _show(changes: Iterator[list[str]]) -> int:
    status = 0
    for lines in changes:
        status = 1
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    return status


if __name__ == "__main__":
    sys.exit(_main())
