"""Orders to tables: pause, resume, stop, send a player away, play a board again, answer about an alert."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Final

from tourney.bridge import SEATS, Seat
from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import RulingBasis, check_open, check_replayable
from tourney.coordinator.draw import rounds_begun_from, rounds_drawn_from
from tourney.coordinator.run_lease import load_activity
from tourney.director.action import ActionPreview, DirectorAction, Offer, Reason, Right, one_line
from tourney.director.parameters import BOARD, TABLE, ActionParameter, Choices, FilledForm, Input, InputKind
from tourney.errors import RuleError, UsageError
from tourney.event.drawn import DrawnEvent, seat_named
from tourney.movement.seating import TableInfo, TableState
from tourney.plurals import count
from tourney.protocol.alerts import parse_alert
from tourney.results.load import ResultsChange
from tourney.runtime import clock
from tourney.store.control.orders import NO_BOARD, give_orders, give_replay, hold_new_tables, load_holds
from tourney.store.control.tables import load_progress
from tourney.store.models import OrderKind
from tourney.store.record.live import QuestionInfo, load_live_tables, load_questions
from tourney.store.results.matches import load_match_boards
from tourney.store.rulings import DecisionOutcome, load_match_rulings
from tourney.views.schedule import format_ranges

ANSWER_MAX: Final = 1500
"""Maximum length of an answer in characters: that of the longest alerts that programs in use send each other."""

EVERYWHERE: Final = "the whole event"
"""What a form says of all tables."""


def _places(form: FilledForm) -> Choices:
    """Return the whole event, and the matches and tables that have not finished."""
    found = [(EVERYWHERE, EVERYWHERE)]
    for match in form.drawn.event.matches:
        tables = [table for table in match.tables if not table.is_over]
        if len(tables) > 1:
            found.append((str(match.number), f"match {match.number}: {match.home} - {match.away}"))
        found += [(table.place, f"{table.place}: {table.ns_team} - {table.ew_team}") for table in tables]
    return found


_ANYWHERE: Final = ActionParameter(
    "[PLACE]",
    inputs=(Input("table", "Where", InputKind.CHOICE, choices=_places),),
    convert=lambda text: None if text == EVERYWHERE else text,
)
_AFTER_BOARD: Final = ActionParameter(
    option="--after-board", help="Let the board in play be finished, and stop before the next."
)
_SEAT: Final = ActionParameter(
    "SEAT", choices=lambda _: [(seat.letter, seat.title) for seat in SEATS], convert=seat_named
)
_NO_FORFEIT: Final = ActionParameter(
    option="--no-forfeit", help="Have the board in play begun again, at nobody's cost."
)
_COSTS: Final = ActionParameter(
    inputs=(Input("costs", "Board that it may cost", InputKind.HIDDEN, is_required=False),)
)
_MEANING: Final = ActionParameter(
    "[TEXT]", label="Meaning", help="12 to 14 total points; empty: not alertable", chars_max=ANSWER_MAX
)
_NOT_ALERTABLE: Final = ActionParameter(
    option="--no", help="Answer that the call is not alertable.", read=lambda form: not form["text"]
)
_OLDEST: Final = ActionParameter(
    option="--board", metavar="N", help="Answer a question of this board; by default the oldest."
)
_CALL: Final = ActionParameter(
    option="--call", metavar="N", help="Answer on this call, counted from 1; by default the oldest."
)
_FORCE: Final = ActionParameter(
    option="--force", help="Send the text even if it does not follow the grammar of the protocol."
)


class Hold(DirectorAction):
    """An order to all tables of the event, of a match or of one of its rooms that have not finished."""

    kind: ClassVar[OrderKind]
    effect: ClassVar[str]
    """What it means at a table."""

    place: Annotated[str | None, _ANYWHERE] = None
    """A match, such as 3, or a room, such as 3-open; None for the whole event."""

    @property
    def ends_after_board(self) -> bool:
        """Whether a table that is stopped finishes its board first."""
        return False

    def subject(self, drawn: DrawnEvent) -> str:  # noqa: ARG002 # of the base class
        """Return the place."""
        return self.place or EVERYWHERE

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return which tables the order is for, and what it means there."""
        tables = self.tables(drawn)
        effect = "it stops after the board in play" if self.ends_after_board else self.effect
        if self.place is None:
            return ActionPreview((f"the whole event, {count(len(tables), 'table')}: {effect}",))
        return ActionPreview(
            tuple(f"{table.place} ({table.ns_team} - {table.ew_team}): {effect}" for table in tables)
        )

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Give the order to every table that is not over; the reason, if there is one, is kept with it."""
        tables = self.tables(drawn)
        ids = give_orders(
            drawn.database,
            [table.id for table in tables],
            self.kind,
            author=basis.author,
            now_ms=basis.at_ms,
            text=basis.reason,
            after_board=self.ends_after_board,
            whole_event=self.place is None,
        )
        if self.place is None:
            hold_new_tables(*drawn.record, basis.at_ms)  # a round may just have been drawn
        return DecisionOutcome((f"{self.kind.value} ordered at {count(len(tables), 'table')}",), tuple(ids))

    def tables(self, drawn: DrawnEvent) -> Sequence[TableInfo]:
        """Return the tables at the place that have not finished."""
        tables = [table for table in drawn.tables_at(self.place) if not table.is_over]
        if not tables:
            what = "every table of the event is" if self.place is None else f"{self.place} is"
            raise RuleError(f"{what} over: there is nothing to {self.kind.value}")
        return tables


class PauseTables(Hold):
    """Pause tables until they are resumed.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event pauses. That includes tables that have not begun or are drawn later. A call or card under way is
    finished first.
    """

    offer: ClassVar = Offer("pause", "table pause", "Pause", right=Right.HOLD, reason=Reason.CONSOLE, undo="resume")
    kind: ClassVar = OrderKind.PAUSE
    effect: ClassVar = "no play takes place there until it is resumed"


class ResumeTables(Hold):
    """Resume tables that were paused or stopped.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event resumes. A stopped table is started by the next `tourney run`.
    """

    offer: ClassVar = Offer("resume", "table resume", "Resume", right=Right.HOLD, reason=Reason.CONSOLE, undo="pause")
    kind: ClassVar = OrderKind.RESUME
    effect: ClassVar = "play goes on"


class StopTables(Hold):
    """Stop tables: their sessions end until they are resumed.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event stops. The current board stays unfinished and is played again, unless --after-board is given;
    finished boards count.
    """

    offer: ClassVar = Offer("stop", "table stop", "Stop", reason=Reason.CONSOLE)
    kind: ClassVar = OrderKind.STOP
    effect: ClassVar = "the session ends, and the board in play is played again after it is resumed"

    after_board: Annotated[bool, _AFTER_BOARD] = False

    @property
    def ends_after_board(self) -> bool:
        """Whether a table finishes its board first."""
        return self.after_board


class TableAction(DirectorAction):
    """An order to one table."""

    place: Annotated[str, TABLE]


class Kick(TableAction):
    """End the connection of a player. Its side forfeits a board in play; it may come back.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, SEAT North, East, South or West. The cost
    is printed first; on a terminal you are asked to confirm it. If no host acts on it at once, nothing is done and
    the exit status is 1.
    """

    offer: ClassVar = Offer(
        "kick", "table kick", "Disconnect", asks_first=True, instead=" With --no-forfeit it is begun again instead."
    )
    is_now_or_never: ClassVar[bool] = True

    seat: Annotated[Seat, _SEAT]
    no_forfeit: Annotated[bool, _NO_FORFEIT] = False
    """Whether the board in play is begun again, at nobody's cost."""
    board: Annotated[int | None, _COSTS] = None
    """The board that is meant: None for whichever is in play by then, `NO_BOARD` if none was."""

    def subject(self, drawn: DrawnEvent) -> str:  # noqa: ARG002 # of the base class
        """Return the seat."""
        return f"{self.place} {self.seat.title}"

    def fixed(self, drawn: DrawnEvent) -> "Kick":
        """Return it with the board in play, `NO_BOARD` if there is none: by the time of the act it may be another."""
        if self.board is not None:
            return self
        (live,) = load_live_tables(*drawn.record, self._table(drawn).id)
        return replace(self, board=NO_BOARD if live.board is None else live.board)

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what sending the player away costs at the moment."""
        table = self._table(drawn)
        board = self.fixed(drawn).board
        changes = (f"{table.place}: {self.seat.title} ({table.team(self.seat.side)}) is sent away",)
        if board == NO_BOARD or self.no_forfeit:
            return ActionPreview(changes)
        ours, theirs = table.team(self.seat.side), table.team(self.seat.side.other)
        cost = (
            f"{table.place}: board {board} is in play. If {self.seat.title} is sent away, {ours} forfeits it: "
            f"average minus to {ours}, average plus to {theirs}."
        )
        return ActionPreview(changes, cost, f"Disconnect {self.seat.title}?")

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Order the player to be sent away, at once or not at all."""
        table = self._table(drawn)
        ids = give_orders(
            drawn.database,
            [table.id],
            OrderKind.KICK,
            author=basis.author,
            now_ms=basis.at_ms,
            text=basis.reason,
            seat=self.seat,
            board=None if self.no_forfeit else self.board,
            no_forfeit=self.no_forfeit,
        )
        return DecisionOutcome((f"{table.place}: {self.seat.title} is to be sent away",), tuple(ids))

    def _table(self, drawn: DrawnEvent) -> TableInfo:
        table = drawn.table_at(self.place)
        if table.is_over:
            raise RuleError(f"{table.place} is over: nobody sits there")
        if table.state not in (TableState.OPEN, TableState.PLAYING):
            raise RuleError(f"{table.place} is not open ({table.state.value}): nobody sits there")
        return table


class ReplayBoard(TableAction):
    """Have a board played again in one room. Its previous result stays on record as void.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, BOARD the number of a board that has been
    begun there. The result, the score of the match and automatic rulings on the board are cancelled. If the table has
    finished, the run in progress comes back to it, or else the next `tourney run`. If a later round was drawn from
    the result of the match, this is printed first; on a terminal you are asked to confirm it.
    """

    offer: ClassVar = Offer("replay", "table replay", "Replay a board", asks_first=True)

    board: Annotated[int, BOARD]

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what becomes of the result, and of the rounds that were drawn from it."""
        table = self._table(drawn)
        changes = (f"{table.place}: board {self.board} is played again, its result there is void",)
        drawn_from = _what_was_drawn(drawn, drawn.match(table.match))
        change = self._change(drawn, table)
        if not drawn_from:
            return ActionPreview(changes, change=change)
        question = f"Play board {self.board} again?"
        return ActionPreview(changes, f"{table.place}: {drawn_from}", question, change)

    def _change(self, drawn: DrawnEvent, table: TableInfo) -> ResultsChange:
        """Return what a void result changes: the score of its match, and rulings that were given with it."""
        match = drawn.match(table.match)
        given_there = frozenset(
            ruling.id
            for ruling in load_match_rulings(drawn.database, match)
            if (ruling.room, ruling.board) == (table.room, self.board)
            and (ruling.is_automatic or ruling.attempt is not None)
        )
        voided = frozenset({(match.number, table.room, self.board)})
        return ResultsChange({match.number: None}, withdrawn=given_there, voided=voided)

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Order the board to be played again."""
        table = self._table(drawn)
        by, why = basis.author, basis.reason
        try:
            order_id = give_replay(drawn.database, table.id, self.board, author=by, reason=why, now_ms=basis.at_ms)
        except RuleError as error:
            raise RuleError(f"{table.place}: {error.message}", remedy=error.remedy) from None
        return DecisionOutcome((f"{table.place}: board {self.board} is to be played again",), (order_id,))

    def carry_out(self, drawn: DrawnEvent, basis: RulingBasis) -> tuple[str, ...]:
        """Give the order, and say who plays the board."""
        table = self._table(drawn)
        lines = super().carry_out(drawn, basis)
        if load_progress(drawn.database, [table.id])[table.id].table.state is TableState.WAITING:
            is_run = load_activity(drawn.file, *drawn.record, clock.wall_ms()).is_run
            who = "the run in progress" if is_run else f"`tourney run {drawn.path}`"
            if table.id in load_holds(drawn.database, [table.id]):
                who = f"{table.place} is held: after `tourney table resume`, {who}"
            lines = (*lines, f"{who} plays it")
        return lines

    def _table(self, drawn: DrawnEvent) -> TableInfo:
        check_open(drawn.database, drawn.event)
        table = drawn.table_at(self.place, self.board)
        numbers = [each.number for each in load_match_boards(drawn.database, drawn.match(table.match))]
        if self.board not in numbers:
            raise UsageError(f"boards of match {table.match} are {format_ranges(numbers)}, got {self.board}")
        check_replayable(drawn.database, drawn.match(table.match), self.board, table.room)
        return table


class AnswerAlert(TableAction):
    """Answer whether a call is alertable, and what it means.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, whose oldest question is answered. TEXT
    says what the call means. `tourney status --director` shows which calls wait, with their auctions.

    \b
        tourney table alert club.toml 3-open "12 to 14 total points"
        tourney table alert club.toml 3-open --no

    The exit status is 1 if no host takes the answer at once; then nothing is answered.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself

    offer: ClassVar = Offer("alert", "table alert", "Answer", right=Right.ANSWER, reason=Reason.NONE)
    is_now_or_never: ClassVar[bool] = True

    text: Annotated[str | None, _MEANING]
    """What the call means; None if it is not alertable."""
    is_not_alertable: Annotated[bool, _NOT_ALERTABLE]
    """Whether it is not, and so has no text."""
    board: Annotated[int | None, _OLDEST] = None
    call: Annotated[int | None, _CALL] = None
    """The call that is meant, counted from 1; None for the oldest that waits."""
    is_forced: Annotated[bool, _FORCE] = False
    """Whether the text is sent even if it does not follow the grammar of the protocol (BC-22)."""

    def fixed(self, drawn: DrawnEvent) -> "AnswerAlert":
        """Return it with the call that waits now: by the time of the act it may be another."""
        question = self.question(drawn)
        return replace(self, board=question.board, call=question.seq + 1)

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return which call is answered, and how."""
        answer = self._checked()
        table = drawn.table_at(self.place, self.board)
        question = self.question(drawn)
        said = f"alerted, {answer!r}" if answer else "not alertable"
        return ActionPreview((f"{_call_of(table, question)}: {said}",))

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Have the answer given, at once or not at all."""
        answer = self._checked()
        table = drawn.table_at(self.place, self.board)
        question = self.question(drawn)
        ids = give_orders(
            drawn.database,
            [table.id],
            OrderKind.ALERT,
            author=basis.author,
            now_ms=basis.at_ms,
            text=answer,
            seat=question.seat,
            board=question.board,
            call=question.seq,
        )
        return DecisionOutcome((_call_of(table, question),), tuple(ids))

    def carry_out(self, drawn: DrawnEvent, basis: RulingBasis) -> tuple[str, ...]:
        """Answer it, at once or not at all; the line names the call."""
        begun = self.begin(drawn, basis)
        return tuple(f"{begun.lines[0]}: {outcome}" for _, outcome in self.wait(drawn, begun.orders))

    def _checked(self) -> str:
        if (self.text is None) is not self.is_not_alertable:
            got = "both" if self.is_not_alertable else "neither"
            raise UsageError(f"an answer is either a TEXT or --no, got {got}")
        if self.text is None:
            return ""
        line = one_line(self.text, "the answer", ANSWER_MAX)
        findings = parse_alert(line).findings
        if findings and not self.is_forced:
            raise UsageError(
                f"the answer is not in the words of the protocol: {'; '.join(findings)}", remedy="--force sends it"
            )
        return line

    def question(self, drawn: DrawnEvent) -> QuestionInfo:
        """Return the question that is answered at the moment.

        Raises:
            UsageError: there is no such table.
            RuleError: no such call waits for an answer.
        """
        table = drawn.table_at(self.place, self.board)
        for question in load_questions(*drawn.record):
            is_asked_for = self.board in (None, question.board) and self.call in (None, question.seq + 1)
            if question.table_id == table.id and is_asked_for:
                return question
        of_board = f" of board {self.board}" if self.board is not None else ""
        what = "no call" if self.call is None else f"call {self.call}"
        waits = "does not wait" if self.call is not None else "waits"
        raise RuleError(f"{table.place}: {what}{of_board} {waits} for an answer")


def _call_of(table: TableInfo, question: QuestionInfo) -> str:
    return f"{table.place}, board {question.board}, {question.seat.title}'s {question.calls[-1]}"


def _what_was_drawn(drawn: DrawnEvent, match: MatchInfo) -> str:
    """Return what becomes of the rounds that were drawn from the result of a match; empty if there are none."""
    rounds = rounds_drawn_from(drawn.event, match)
    begun = rounds_begun_from(drawn.database, drawn.event, match)
    of = f"drawn from the result of match {match.number}"
    sentences = []
    for each in rounds:
        becomes = "stays as it is: it has begun" if each in begun else "is drawn again if the result is in by then"
        sentences.append(f"round {each.number} was {of} and {becomes}")
    return "; ".join(sentences)
