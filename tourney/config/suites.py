"""Suites: deals that many programs are measured on, known by a name and by the hash of their boards.

One suite is dealt from a seed. The others are not ours to ship: who has the file gives it, and its number of deals is
checked. Nobody has published hashes of them, so the hash of a first use is what later ones can require.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from tourney.bridge import Board, boards_from_seed, format_deal
from tourney.errors import UsageError
from tourney.plurals import count
from tourney.suggestions import suggest

SET_NAME: Final = "1.1"
"""The set of boards of a seed whose deals are played with every dealer and vulnerability, that of `deals make`."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A number of deals that has a name."""

    name: str
    deals: int
    file: str
    """The usual name of the file that has it."""
    origin: str
    """Where that file is to be had, or the command that writes it."""
    seed: int | None = None
    """What it is dealt from; None for one that is read from a file."""
    sha256: str = ""
    """The hash that its boards must have; empty where none was published."""

    def deal(self) -> list[Board]:
        """Deal the boards, with dealer and vulnerability by their numbers.

        Raises:
            UsageError: it is one that is read from a file.
        """
        if self.seed is None:
            raise UsageError(
                f"{self.name} is not shipped with tourney: give it as {self.name}={self.file}, {self.origin}"
            )
        return boards_from_seed(self.seed, SET_NAME, self.deals)


SUITES: Final = {
    suite.name: suite
    for suite in (
        Suite(
            "tourney-10000",
            10_000,
            "tourney-10000.pbn",
            "written by tourney deals make --seed 2026 --boards 10000 --out tourney-10000.pbn",
            seed=2026,
            sha256="c5f528152641d5311693e62adb15ae192968feb87a20c9f890959469de28c42a",
        ),
        Suite("fair-1000", 1000, "vs_wb5.db", "of bridge_dataset.tar.gz of github.com/facebookresearch/jps"),
        Suite("kita-1000", 1000, "dataset_for_vs_wb5.json", "in the folder wb5 of github.com/harukaki/brl"),
        Suite("pidgin-10000", 10_000, "deals.pbn", "the deals of the bench of github.com/hsperr/pidgin as PBN"),
    )
}
"""The suites, by name."""


_DIGITS: Final = 16
"""How many digits of a hash a file is named after."""


@dataclass(slots=True)
class DealSource:
    """Where boards come from: a file, a suite, or a file that has the boards of a suite."""

    path: Path | None
    suite: Suite | None = None
    wanted: str = ""
    """How the hash of the suite's boards must begin; empty for any."""
    sha256: str = ""
    """Their hash, once they have been read."""

    @classmethod
    def parse(cls, text: str) -> "DealSource":
        """Parse the path of a file, or `NAME`, `NAME=FILE` or `NAME@HASH=FILE` of a suite."""
        head, _, file = text.partition("=")
        name, _, wanted = head.partition("@")
        suite = SUITES.get(name)
        path = Path(file if suite is not None else text) if file or suite is None else None
        return cls(path, suite, wanted.lower())

    def check_file(self) -> None:
        """Check that there is such a file, if one was given.

        Raises:
            UsageError: there is none, nor a suite of the name.
        """
        if self.path is not None and not self.path.is_file():
            suites, meant = ", ".join(SUITES), suggest(self.path.name, SUITES)
            raise UsageError(f"{self.path} is no file, nor a suite: suites are {suites}{meant}")

    @property
    def is_varied(self) -> bool:
        """Whether it is our suite, each deal of which is played with every dealer and vulnerability."""
        return self.suite is not None and self.suite.seed is not None

    def __str__(self) -> str:
        """Return what messages call it."""
        return str(self.path or name_boards(self))

    def check(self, boards: Sequence[Board]) -> None:
        """Check that boards are those of the suite, and keep their hash.

        Raises:
            UsageError: they are not.
        """
        suite = self.suite
        assert suite is not None
        if len(boards) != suite.deals:
            has = "more" if len(boards) > suite.deals else count(len(boards), "board")
            raise UsageError(f"{suite.name} has {suite.deals} deals, {self.path} has {has}")
        found = hash_boards(boards)
        wanted = next((each for each in (suite.sha256, self.wanted) if not found.startswith(each)), None)
        if wanted is not None:
            what = self.path or suite.name
            raise UsageError(f"{what} has other boards than {suite.name}: SHA-256 {found}, not {wanted}")
        self.sha256 = found


def name_boards(source: DealSource | None) -> str:
    """Return what a file of boards is called: if they are of a suite, after that, with the beginning of its hash."""
    if source is None or source.suite is None:
        return "boards"
    return f"{source.suite.name}@{source.sha256[:_DIGITS]}"


def hash_boards(boards: Iterable[Board]) -> str:
    """Return the hash of boards, whatever their order and their numbers."""
    lines = [f"{board.dealer.letter} {board.vulnerability.value} {format_deal(board.deal)}\n" for board in boards]
    return sha256("".join(sorted(lines)).encode("ascii")).hexdigest()
