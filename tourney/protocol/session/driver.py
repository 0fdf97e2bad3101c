"""Carries out the effects of a table core, and tells the core what it is to know: the same for every shell.

A shell has the sockets, timers and logs, or stands in for them; what a line, a write or an end of a connection means
for the core is said here, so that a table in a test is told what a table of a host is told, and when.
"""

from typing import Generic, Protocol, TypeAlias, TypeVar

from tourney.bridge import Seat
from tourney.protocol.lines import Charset
from tourney.protocol.session.connection import ConnectionOrigin, PlayerConnection
from tourney.protocol.session.effects import (
    Close,
    Effect,
    EndTable,
    LogRemark,
    Probe,
    RestartProgram,
    StartTimer,
)
from tourney.protocol.session.records import Recorded, SeatTaken, TableRecord
from tourney.protocol.session.table import TableCore


class Link(ConnectionOrigin, Protocol):
    """A connection as the shell has it. One that derives from this has nothing between the table and its player."""

    line_began_ms: int = 0
    """When the first byte arrived of the line that is being passed on."""
    line_own_ms: int | None = None
    """How long its program took for it, as the client says that has it in a tunnel; None where there is none."""
    player: PlayerConnection | None = None
    """The same connection as the core sees it."""

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        """Write a line as soon as its gap allows; return whether it has been written.

        If it has not, `TableDriver.note_written` is called when it is.
        """

    def admit(self, gap_ms: int, charset: Charset) -> None:
        """Note that its player has logged on, the least gap between two lines to it, and its letters."""
        return

    def close(self) -> None:
        """Close it once everything sent before has been written."""
        return

    def probe(self) -> None:
        """Find out soon whether its other end is still there; one that is not is closed."""
        return


LinkType = TypeVar("LinkType", bound=Link)


LogEntry: TypeAlias = tuple[int, Seat | None, bool, str, str | bytes]
"""An entry of a table's log: its time, the seat, whether it is of ours (not limited as those of outsiders without a
seat are), the direction (`in`, `out` or `note`), and a line or a remark."""


class Shell(Protocol):
    """What a driver needs from around it. What one that derives from this leaves out does nothing."""

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:
        """Have the core's `receive_timer` called at `at_ms`; a timer of the same name is replaced."""

    def note_record(self, record: TableRecord, now_ms: int) -> None:
        """Act on what is on record now."""
        return

    def restart_program(self, seat: Seat) -> None:
        """End the program of a seat, and start it again."""
        return

    def log_remark(self, remark: LogRemark) -> None:
        """Keep a remark for the log."""

    def end(self, reason: str | None) -> None:
        """Note that the table has finished; `reason` is None if every board was finished."""
        return

    def break_off(self, error: Exception) -> None:
        """Act on an error of ours in carrying out effects, which drops those that are left: raise it, by default."""
        raise error


class TableDriver(Generic[LinkType]):
    """Stands between one table core and its shell."""

    def __init__(self, core: TableCore, shell: Shell, log: list[LogEntry] | None = None) -> None:
        """Prepare a driver; each line that has been written is added to the log, if there is one."""
        self.links: dict[int, LinkType] = {}
        """The open connections, by number."""
        self._core = core
        self._shell = shell
        self._log = log

    # From the shell to the core: what is returned is to be carried out

    def open(self, link: LinkType) -> list[Effect]:
        """Pass on a new connection."""
        self.links[link.number] = link
        effects = self._core.open_connection(link)
        link.player = self._core.state.connections.get(link.number)
        return effects

    def close(self, link: LinkType, reason: str, now_ms: int, *, is_aborted: bool = False) -> list[Effect]:
        """Pass on the end of a connection."""
        self.links.pop(link.number, None)
        return self._core.close_connection(link.number, now_ms, reason, is_aborted=is_aborted)

    def note_written(self, link: LinkType, line: str, clock: int | None, now_ms: int) -> None:
        """Note that a line has been written; one with a clock is that from which its player is charged."""
        if clock is not None and (board := self._core.state.board) is not None:
            board.state.clock.note_written(clock, now_ms)
        if self._log is not None and link.player is not None:
            self._log.append((now_ms, link.player.seat, link.player.is_ours, "out", line))

    # From the core to the shell

    def carry_out(self, effects: list[Effect], now_ms: int) -> None:
        """Carry out effects in order; the records among them are already durable."""
        links, log = self.links, self._log
        try:
            for effect in effects:
                if isinstance(effect, tuple):
                    number, line, clock = effect
                    link = links.get(number)
                    if link is not None and link.send(line, clock, now_ms):
                        # Like `note_written`, without the extra call: this runs for every line.
                        if clock is not None and (board := self._core.state.board) is not None:
                            board.state.clock.note_written(clock, now_ms)
                        if log is not None and link.player is not None:
                            log.append((now_ms, link.player.seat, link.player.is_ours, "out", line))
                elif isinstance(effect, Recorded):
                    if isinstance(effect, SeatTaken):
                        link = links.get(effect.connection)
                        if link is not None and link.player is not None:
                            link.admit(link.player.wire.line_gap_ms, link.player.wire.charset)
                    self._shell.note_record(effect, now_ms)
                else:
                    self._carry_out_one(effect, now_ms)
        except Exception as error:  # noqa: BLE001 # whatever it is: the other tables of a host play on
            self._shell.break_off(error)

    def _carry_out_one(
        self, effect: RestartProgram | Probe | StartTimer | Close | LogRemark | EndTable, now_ms: int
    ) -> None:
        match effect:
            case StartTimer():
                self._shell.start_timer(effect.name, effect.at_ms, now_ms)
            case Close():
                link = self.links.get(effect.connection)
                if link is not None:
                    link.close()
            case Probe():
                link = self.links.get(effect.connection)
                if link is not None:
                    link.probe()
            case RestartProgram():
                self._shell.restart_program(effect.seat)
            case LogRemark():
                self._shell.log_remark(effect)
            case EndTable():
                self._shell.end(effect.reason)
