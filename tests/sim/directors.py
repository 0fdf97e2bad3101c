"""Directors of a simulated event: rulings, boards played again, backups and edits of the event file, amid everything.

Two of them decide at moments of the plan, each by what is on record then. They go by the actions of the house, as the
commands and the pages do: each is previewed, then begun. An action may be refused in a sentence; what it has recorded
has to hold whatever else happens.
"""

import re
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TypeVar

from tests.sim.machines import SimulatedClock
from tests.sim.plan import Act, Part, Verb
from tests.sim.store import SimulatedDatabase
from tourney.config.toml import EventNames
from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import RulingBasis
from tourney.director.action import DirectorAction
from tourney.director.extension import ExtendTables
from tourney.director.orders import ReplayBoard
from tourney.director.rulings import Adjust, Assign, Cancel, Fine, Forfeit, WithdrawRulings, WithdrawTeam
from tourney.errors import StoreError, TourneyError
from tourney.event.drawn import DrawnEvent
from tourney.event.place import EventLocation
from tourney.movement.seating import TableInfo
from tourney.store.db.backup import backup_database
from tourney.store.draw.reader import load_event
from tourney.store.results.matches import load_match_boards
from tourney.store.rulings import load_rulings

_AWARDS = ("avg+", "avg", "avg-", "3", "-5")
_RESULTS = (("Pass",), ("1N N 7",), ("4S E 8",), ("60: 2C S 8", "40: Pass"))
_EDITS = (
    ("trick_pause_ms = 0", "trick_pause_ms = 3"),
    ("wire_log = false", "wire_log = false\nat_once = 200"),
    ("[record]", '[reports]\ntotals = "own"\n[record]'),
    ("seed =", "seed : no TOML\nseed ="),
)
"""What an editor changes in the event file, and into what; the last leaves a file that cannot be read."""

_UNDECIDED = re.compile(
    r"match (\d+): board (\d+)(?:, (\w+) room,)? has neither a result nor a ruling(?: for (.+))?: "
)

T = TypeVar("T")


class Directors(Part):
    """Decide what the plan says."""

    def __init__(self, part: Part, is_over: Callable[[], bool]) -> None:
        super().__init__(**vars(part))
        self._text = self.file.path.read_text("utf-8") if self.file.path.exists() else ""
        self._clock = SimulatedClock(self.loop)
        self._database = SimulatedDatabase(self.store, None)
        self._chance = Random(f"{self.plan.seed}|directors at work")
        self._chance_of_time = Random(f"{self.plan.seed}|extensions at work")
        self._is_over = is_over
        self._folder = tempfile.TemporaryDirectory()

    def begin(self) -> None:
        """Decide in time what there is to decide."""
        for act in self.plan.acts:
            self.loop.call_at_us(act.at_us, self._carry_out, act)

    def close(self) -> None:
        """Remove the backups."""
        self._folder.cleanup()

    def _carry_out(self, act: Act) -> None:
        if self._is_over():
            return
        try:
            outcome = self._do(act)
        except StoreError:
            outcome = "the database is away"
        except TourneyError as error:
            outcome = f"refused: {error}"
        except Exception as error:  # noqa: BLE001 # whatever it is, it is a fault
            self.complain(f"{act.author}'s {act.verb.value} ends with {error!r}")
            return
        else:
            self.note(act.verb.value)
        self.told(f"{act.author}, {act.verb.value}: {outcome}")

    def settle(self, failures: list[str]) -> None:
        """Do for boards with neither a result nor a ruling what a run says that can be done."""
        for failure in failures:
            if (found := _UNDECIDED.match(failure)) is None:
                continue
            number, board, room, team = found.groups()
            is_ruled = "table replay" not in failure
            place = f"{number}-{room}" if room else number
            action = Assign(place, int(board), ("Pass",), team) if is_ruled else ReplayBoard(place, int(board))
            try:
                outcome = self._begin(self._load(), action, "Ada", f"Ada settles {self.loop.now_us} {action}")
            except TourneyError as error:
                outcome = f"refused: {error}"
            self.told(f"Ada, at the end of a run: {outcome}")

    def _do(self, act: Act) -> str:
        match act.verb:
            case Verb.BACKUP:
                return self._make_backup()
            case Verb.EDIT:
                return self._edit()
            case _:
                return self._decide(act)

    # Rulings and orders

    def _decide(self, act: Act) -> str:
        drawn = self._load()
        action = self._choose(act.verb, drawn)
        if action is None:
            return "there is nothing to decide"
        return self._begin(drawn, action, act.author, f"{act.author} {act.at_us} {act.verb.value}")

    def _begin(self, drawn: DrawnEvent, action: DirectorAction, author: str, key: str) -> str:
        action.preview(drawn)
        basis = RulingBasis(author, "so it is", None, self._clock.now_ms(), key)
        first = action.begin(drawn, basis)
        again = action.begin(drawn, basis)  # as a browser that has not heard the answer
        if again.lines != first.lines:
            self.complain(f"{action} done twice: {first.lines}, then {again.lines}")
        return f"{action}: {'; '.join(first.lines)}"

    def _load(self) -> DrawnEvent:
        name = self.file.config.event.name
        event = load_event(self._database, name)
        assert event is not None
        drawn = DrawnEvent(self.file.path, EventLocation(self.file.path, EventNames(name)), self._database, event)
        drawn.__dict__["file"] = self.file
        return drawn

    def _choose(self, verb: Verb, drawn: DrawnEvent) -> DirectorAction | None:
        """Return what is decided; None if there is nothing to decide on."""
        if verb is Verb.EXTEND:
            return self._choose_time(drawn)
        match = self._one_of(drawn.event.matches)
        table = self._one_of(match.tables)
        board = self._one_of(load_match_boards(drawn.database, match)).number
        team = self._one_of(match.teams)
        place = _place_of(match, table)
        match verb:
            case Verb.ADJUST:
                return Adjust(match.number, board, tuple(f"{name}={self._one_of(_AWARDS)}" for name in match.teams))
            case Verb.ASSIGN:
                return Assign(place, board, self._one_of(_RESULTS), self._one_of((None, None, team)))
            case Verb.CANCEL:
                return Cancel(board, match.number)
            case Verb.FINE:
                return Fine(match.number, team, str(self._chance.randint(1, 9)), in_vp=self._chance.random() < 0.3)
            case Verb.WARN:
                return Fine(match.number, team, "warning")
            case Verb.FORFEIT_BOARD:
                return Forfeit(place, team, board)
            case Verb.FORFEIT_MATCH:
                return Forfeit(str(match.number), team)
            case Verb.RETIRE:
                return WithdrawTeam(team)
            case Verb.REPLAY:
                return ReplayBoard(place, board)
            case Verb.WITHDRAW:
                live = [each.id for each in load_rulings(drawn.database, drawn.event.id) if each.is_live]
                return WithdrawRulings((self._one_of(live),)) if live else None
            case _:
                raise AssertionError(verb)

    def _choose_time(self, drawn: DrawnEvent) -> DirectorAction:
        chance = self._chance_of_time
        time_s, board = chance.choice((30, 90, -30)), chance.choice((None, None, 1))
        if chance.random() < 0.4:
            return ExtendTables(None, time_s, board, round=chance.randint(1, len(drawn.event.all_rounds)))
        match = chance.choice(drawn.event.matches)
        return ExtendTables(_place_of(match, chance.choice(match.tables)), time_s, board)

    def _one_of(self, things: "list[T] | tuple[T, ...]") -> T:
        return self._chance.choice(things)

    # The files

    def _make_backup(self) -> str:
        """Make a backup, and find in it what is on record now."""
        folder, now = Path(self._folder.name), datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC)
        path = backup_database(self._database, folder, "simulated", 2, now)
        counts = "SELECT (SELECT count(*) FROM calls), (SELECT count(*) FROM cards), (SELECT count(*) FROM rulings)"
        with closing(sqlite3.connect(path)) as copy:
            found = copy.execute(counts).fetchall()
        if found != self.store.query(counts):
            self.complain(f"backup {path.name} has {found}, the database {self.store.query(counts)}")
        return f"{found[0]} calls, cards and rulings"

    def _edit(self) -> str:
        """Write the event file anew, as an editor does."""
        old, new = self._one_of(_EDITS)
        written = self.file.path.with_suffix(".new")
        written.write_text(self._text.replace(old, new), "utf-8")
        written.replace(self.file.path)
        return new


def _place_of(match: MatchInfo, table: TableInfo) -> str:
    return f"{match.number}-{table.room.value}" if len(match.tables) > 1 else str(match.number)
