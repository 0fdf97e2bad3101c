"""Conversations as people write them down: a step a line and, behind `->`, what somebody is told in return.

    N: bids 1NT
    E: passes -> nothing
    W: ready for South's bid
        -> ...
        -> West to lead

Where no `->` follows, what is told does not matter. `...` stands for any lines and, within one, for any words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.refusals import golden_cases


@dataclass(frozen=True)
class Step:
    """A step of a conversation, and the lines that are told in return: none where they do not matter."""

    what: str
    expected: Sequence[str]

    def __str__(self) -> str:
        return self.what

    def check(self, told: Sequence[str]) -> None:
        """Check what was told."""
        pattern = "".join(map(_pattern, self.expected)) if self.expected != ["nothing"] else ""
        is_so = not self.expected or re.fullmatch(pattern, "".join(f"{line}\n" for line in told))
        assert is_so, f"at {self.what!r}, in place of {self.expected}: {told}"


def _pattern(line: str) -> str:
    return "(?:.*\n)*" if line == "..." else f"{'.*'.join(map(re.escape, line.split('...')))}\n"


def steps_of(script: str) -> Iterator[Step]:
    """Yield the steps of a conversation; a line that begins with # is a comment."""
    for lines in re.split(r"\n(?!\s*->)", script.strip()):
        what, *told = (part.strip() for part in re.split(r"(?<=\s)-> ", lines))
        if what and not what.startswith("#"):
            yield Step(what, told)


def conversations(name: str) -> list[Any]:  # of what pytest.param makes
    """The cases of a file of `tests/golden/conversations`: where each begins, what is said.

    The first line of a case is what it promises, with the clauses that it proves: `the dealer calls first (BC-16)`.
    """
    cases = []
    for case in golden_cases(f"conversations/{name}"):
        start, given, _ = case.values
        promise, _, script = given.partition("\n")
        clauses = re.findall(r"[BS][CS]-\d\d", promise)
        cases.append(pytest.param(start, script, id=promise, marks=pytest.mark.clause(*clauses) if clauses else ()))
    return cases
