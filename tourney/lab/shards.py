"""Shares of a duel that are played apart, on any machines, each into a file of its own.

A share is every so many-th match: all boards of a deal, in both rooms, are in one. `tourney.lab.merging` makes one
record of them.
"""

import re
from dataclasses import replace
from typing import Final, NamedTuple

from tourney import __version__
from tourney.config.stages import MATCHES_MAX, StageConfig
from tourney.errors import LaunchError, UsageError
from tourney.event.file import EventFile
from tourney.lab.programs import noted_programs
from tourney.plurals import count
from tourney.store.control.host_settings import load_origin, save_origin
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo


class Shard(NamedTuple):
    """A share of a duel: its matches from one on, every so many-th."""

    number: int = 1
    of: int = 1
    suffix: str = ""
    """The end of the names of its files; none of all of a duel, whose files have the usual names."""

    @classmethod
    def parse(cls, text: str | None) -> "Shard":
        """Parse `2/4`; without a text it is all of a duel.

        Raises:
            UsageError: there is no such share.
        """
        if text is None:
            return WHOLE
        found = re.fullmatch(r"([1-9]\d?)/([1-9]\d?)", text, re.ASCII)
        shard = cls(int(found[1]), int(found[2]), f"-{found[1]}-of-{found[2]}") if found is not None else cls(0, 0)
        if not 1 <= shard.number <= shard.of <= MATCHES_MAX:
            raise UsageError(f"--shard: a share is 1/N to N/N, such as 2/4, N at most {MATCHES_MAX}, got {text!r}")
        return shard

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def check_share(self, matches: int) -> None:
        """Check that a duel has matches for each share.

        Raises:
            UsageError: it has not.
        """
        if self.of > matches:
            raise UsageError(
                f"--shard: the boards are divided into {count(matches, 'match', 'matches')}, so there are at most as "
                f"many shares, got {self}; --concurrency makes another number of matches"
            )

    def of_event(self, event: EventInfo) -> EventInfo:
        """Return the event with the matches of the share alone, whose deals nobody has to play any more elsewhere."""
        (stage,) = event.stages
        (round_,) = stage.rounds
        matches = round_.matches[self.number - 1 :: self.of]
        whole = event.seen_whole() if self.suffix else event
        return replace(whole, stages=(replace(stage, rounds=(replace(round_, matches=matches),)),))

    def of_stage(self, stage: StageConfig) -> StageConfig:
        """Return the stage with as many matches as the share has."""
        return stage.model_copy(update={"matches": len(range(self.number - 1, stage.matches, self.of))})

    def of_file(self, file: EventFile, stem: str) -> EventFile:
        """Return the event file with the record of the share, in a file beside it whose name begins with a stem."""
        if not self.suffix:
            return file
        place = {
            "results": f"{file.place.names.results_folder}{self.suffix}",
            "database": f"sqlite:///{stem}{self.suffix}.db",
        }
        return replace(
            file, config=file.config.model_copy(update={"event": file.config.event.model_copy(update=place)})
        )

    def note_origin(self, file: EventFile, database: Database, event: EventInfo) -> None:
        """Put on record which share is played, by which version and programs, unless that is on record.

        Raises:
            LaunchError: it was begun by another version.
        """
        origin = {"shard": [self.number, self.of], "version": __version__, "programs": noted_programs(file.results)}
        found = load_origin(database, event.id)
        if found is None:
            save_origin(database, event.id, origin)
        elif found != origin:
            raise LaunchError(
                f"{database.file} was begun by another version or other programs: tourney {found['version']}"
            )


WHOLE: Final = Shard()
"""A duel that is not divided."""
