"""The director's rulings, each a row with author, time, reason and law, and their effects.

A ruling on a match that has a score, or that gives it one, has the score computed again at once. Once the results are
final, no rulings are possible until they are opened again.

Each ruling is one transaction: that it is possible, its rows and the new score. Who rules begins it, with
`store.rulings.deciding`: nobody else rules in the event until its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.contest.draw import MatchInfo
from tourney.contest.record import AskedRuling, Ruling, finished_match
from tourney.coordinator.draw import rounds_begun_from
from tourney.errors import RuleError, UsageError
from tourney.movement.ranking import FinishedMatch
from tourney.movement.seating import Room, TableInfo
from tourney.plurals import count
from tourney.protocol.session.records import RulingKind
from tourney.results.load import ResultsChange
from tourney.results.scorecard import Scales, work_out_scorecard
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.board_scale import IMPS
from tourney.scoring.match import MatchScore
from tourney.store.control.table_state import WITH_HOST
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.record.live import load_board_attempts
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.results.matches import (
    load_match_boards,
    load_match_score,
    load_match_scores,
    lock_match,
    save_match_score,
)
from tourney.store.rulings import PENALTIES, load_finalisation, load_match_rulings, load_rulings, withdraw_ruling

LAWS: Final = {
    RulingKind.ADJUSTED_SCORE: "Law 12C2",
    RulingKind.ASSIGNED_SCORE: "Law 12C1",
    RulingKind.PENALTY_IMPS: "Law 90",
    RulingKind.PENALTY_VP: "Law 90",
    RulingKind.BOARD_FORFEIT: "Law 12C2",
}
"""The law named for a ruling if the director names none (Laws 2017)."""


@dataclass(frozen=True, slots=True)
class RulingBasis:
    """Who rules, why, by which law (None for the usual one), and when."""

    author: str
    reason: str
    law: str | None
    at_ms: int
    key: str = ""
    """Tells this decision from all others, so that it is carried out once however often it is asked for; empty if
    nobody asks again."""


def check_open(database: Database, event: EventInfo) -> None:
    """Check that results may still change.

    Raises:
        RuleError: the results are final.
        StoreError: the database cannot be used.
    """
    word = load_finalisation(database, event.id)
    if word is not None and word.is_final:
        raise RuleError(
            f"{word.author} has made the results of {event.name!r} final",
            remedy="`tourney results EVENT provisional` opens them again",
        )


def check_replayable(database: Database, match: MatchInfo, board: int, room: Room) -> None:
    """Check that the result of a board would count if it were played again in a room.

    A ruling given at that table goes with the result it was given on. Any other stays in force, and takes the place
    of whatever is played.

    Raises:
        RuleError: there is such a ruling.
        StoreError: the database cannot be used.
    """
    for ruling in scoring_rulings(database, match, board):
        goes_with_result = ruling.room is room and (ruling.is_automatic or ruling.attempt is not None)
        if ruling.room in (None, room) and not goes_with_result:
            raise _already_ruled_on(match, ruling)


def scoring_rulings(database: Database, match: MatchInfo, board: int) -> list[Ruling]:
    """Return the rulings in force that set the score of a board."""
    rulings = load_match_rulings(database, match)
    return [each for each in rulings if each.board == board and each.is_live and each.kind.scores_board]


def _already_ruled_on(match: MatchInfo, ruling: Ruling) -> RuleError:
    # Not what it gave: at the console this is read by directors who belong to a team that may still play the board.
    whose = f", for {ruling.team}" if ruling.team else ""
    return RuleError(
        f"board {ruling.board} of match {match.number} has ruling {ruling.id} on it{whose}: withdraw that first",
        remedy="`tourney rule withdraw` does",
    )


def unfinished_boards(database: Database, match: MatchInfo) -> list[int]:
    """Return the numbers of the boards of a match that have come to no end at any table, in the order of play.

    Raises:
        StoreError: the database cannot be used.
    """
    attempts = load_board_attempts(database, match.tables_by_id)
    final = {each.board for each in attempts if each.is_final}
    return [each.number for each in load_match_boards(database, match) if each.number not in final]


class Director:
    """Gives and withdraws rulings in one event. Methods that rule record the rulings and return their ids."""

    def __init__(self, database: Database, event: EventInfo, scales: Scales, basis: RulingBasis) -> None:
        """Prepare to rule.

        Args:
            database: the record.
            event: the event as drawn.
            scales: the victory point scale of each stage; None if the event file no longer has it.
            basis: author, reason, law and time of the rulings.

        Raises:
            RuleError: the results are final, or scores could not be computed.
            StoreError: the database cannot be used.
        """
        for stage in event.stages:
            if scales.get(stage.number) is None:
                raise RuleError(
                    f"the event file has no scale {stage.vp_scale!r} any more: no score could be worked out"
                )
        check_open(database, event)
        self._database = database
        self._event = event
        self._scales = scales
        self._basis = basis
        self.notes: dict[int, str] = {}
        """What becomes of matches of a knockout that are level with the rulings: sentences, by number."""
        self.finished: dict[int, FinishedMatch | None] = {}
        """Matches with the rulings, by number; None for those that are not finished."""
        self._teams = {team.name: team.id for team in event.sides}
        self._matches = event.matches_by_number

    def cancel(self, match: MatchInfo, board: int) -> list[int]:
        """Cancel a board for both teams; the match is scored without it, by the same scale.

        A match of a game is broken off by cancelling the first board that is not finished: it ends before that.

        Raises:
            UsageError: there is no such board.
            RuleError: a ruling already determines its score.
        """
        amounts = match.format.cancel_rest(unfinished_boards(self._database, match))
        return self.give(RulingKind.BOARD_CANCELLED, match, {"": amounts.get(board, 0)}, board=board)

    def withdraw(self, ids: Sequence[int]) -> list[Ruling]:
        """Withdraw rulings; return them as they were.

        Raises:
            RuleError: a ruling does not exist or was already withdrawn; then none is withdrawn.
        """
        on_record = {ruling.id: ruling for ruling in load_rulings(self._database, self._event.id)}
        for number in ids:
            if number not in on_record:
                raise UsageError(
                    f"{self._event.name!r} has no ruling {number}", remedy="`tourney rulings` lists them"
                )
            if not on_record[number].is_live:
                raise RuleError(f"ruling {number} was withdrawn already, by {on_record[number].withdrawn_by}")
        for number in ids:
            self._withdraw(on_record[number])
        rulings = [on_record[number] for number in ids]
        for match in {ruling.match for ruling in rulings if ruling.match is not None}:
            self._score(self._matches[match])
        return rulings

    def score_of(self, match: MatchInfo) -> MatchScore | None:
        """Return the current score of a match."""
        return load_match_scores(self._database, self._event.id).get(match.number)

    def give(
        self,
        kind: RulingKind,
        match: MatchInfo | None,
        amounts: Mapping[str, int],
        *,
        table: TableInfo | None = None,
        board: int | None = None,
        assigned: Sequence[AssignedResult] = (),
    ) -> list[int]:
        """Give a ruling to each team, with its amount, and score the match; return the ids.

        Args:
            kind: what it does.
            match: the match; None for the event.
            amounts: the amounts by name of the team; for both teams at once, by an empty name.
            table: the table, if it is about what happened there.
            board: the board, if it is about one.
            assigned: the results of an assigned score.

        Raises:
            UsageError: there is no such board.
            RuleError: a ruling already determines the score of the board, or an amount is not possible.
        """
        if match is not None and board is not None:
            teams = tuple(filter(None, amounts)) or match.teams
            asked = AskedRuling(kind, match.number, board, teams, len(assigned))
            self._check_board(match, asked, table.room if table is not None else None)
        basis, scale = self._basis, match.board_scale if match is not None else IMPS
        for amount in amounts.values():
            if kind in PENALTIES and amount < 1:
                unit = scale.count(1) if kind is RulingKind.PENALTY_IMPS else "1 hundredth of a victory point"
                raise RuleError(f"a {kind.value} is at least {unit}, got {amount}")
            if kind is RulingKind.ADJUSTED_SCORE and not scale.least <= amount <= scale.most:
                limits = f"{scale.format(scale.least)}..{scale.format(scale.most)} {scale.unit}"
                raise RuleError(f"an adjusted score is {limits}, got {scale.format(amount)}")
        ids = [
            self._save(
                Ruling(
                    0,
                    kind,
                    team,
                    match.number if match is not None else None,
                    table.room if table is not None else None,
                    board,
                    None,
                    None,
                    amount,
                    basis.reason,
                    basis.law if basis.law is not None else LAWS.get(kind, ""),
                    basis.author,
                    basis.at_ms,
                    assigned=tuple(assigned),
                    board_scale=scale,
                ),
                match,
                table,
            )
            for team, amount in amounts.items()
        ]
        if match is not None:
            self._score(match)
        return ids

    def _save(self, ruling: Ruling, match: MatchInfo | None, table: TableInfo | None) -> int:
        return save_ruling(
            self._database,
            NewRuling(
                event_id=self._event.id,
                match_id=match.id if match is not None else None,
                table_id=table.id if table is not None else None,
                team_id=self._teams[ruling.team] if ruling.team else None,
                kind=ruling.kind,
                board=ruling.board,
                amount=ruling.amount,
                assigned=ruling.assigned,
                reason=ruling.reason,
                law=ruling.law,
                author=ruling.author,
                now_ms=ruling.at_ms,
            ),
        )

    def _withdraw(self, ruling: Ruling) -> None:
        by, why, at_ms = self._basis.author, self._basis.reason, self._basis.at_ms
        withdraw_ruling(self._database, self._event.id, ruling.id, author=by, reason=why, now_ms=at_ms)

    def _score(self, match: MatchInfo) -> None:
        """Score a match by the rulings now in force.

        A match that is being played has no score before the run finds that its tables have ended: what they finish
        until then counts. Nor has a tied one, to which the run gives extra boards; one that a ruling ties loses its
        score for them, unless a round that was drawn from it has begun.
        """
        lock_match(self._database, match)
        had_score = load_match_score(self._database, match) is not None
        scale = self._scales[match.stage]
        assert scale is not None
        card = work_out_scorecard(self._database, match, scale)
        score = None if self._gets_extra_boards(match, card.finished) else card.score
        if had_score or (score is not None and not self._is_being_played(match)):
            save_match_score(self._database, match, score)

    def _gets_extra_boards(self, match: MatchInfo, made: FinishedMatch | None) -> bool:
        """Return whether extra boards are to decide a match, and note what becomes of one that is level."""
        stage = self._event.stage_of(match)
        self.finished[match.number] = made
        if made is None or not made.needs_extra_boards:
            return False
        begun = rounds_begun_from(self._database, self._event, match)
        if begun:
            why = f"round {begun[0].number}, drawn from its result, has begun"
            then = f"has no extra boards: {why}, and the team that plays on there stays in it"
        else:
            boards = count(stage.extra_boards, "extra board")
            then = f"is decided by {boards}, which the run in progress, or the next, gives it"
        self.notes[match.number] = f"match {match.number} is level and {then}"
        return not begun

    def _is_being_played(self, match: MatchInfo) -> bool:
        """Return whether its tables may still finish a board that counts: none counts after a game is broken off."""
        rulings = load_match_rulings(self._database, match)
        if any(each.is_live and each.breaks_off_match for each in rulings):
            return False
        progress = load_progress(self._database, match.tables_by_id)
        return any(seen.table.state in WITH_HOST for seen in progress.values())

    def _check_board(self, match: MatchInfo, asked: AskedRuling, room: Room | None) -> None:
        """Refuse a ruling on a board that there is none of, that would have no effect, or would replace another.

        A ruling at the table, by rule or by a kick, is overruled by a ruling on the board as a whole.
        """
        numbers = [each.number for each in load_match_boards(self._database, match)]
        if asked.board not in numbers:
            raise UsageError(
                f"match {match.number} has no board {asked.board}: it has {min(numbers)} to {max(numbers)}"
            )
        if why := match.format.ruling_problem(asked, unfinished_boards(self._database, match)):
            raise RuleError(why)
        for ruling in scoring_rulings(self._database, match, asked.board):
            if (ruling.is_automatic or ruling.attempt is not None) and room is None:
                continue
            both_in_rooms = room is not None and ruling.room is not None
            is_apart = (ruling.team and ruling.team not in asked.teams) or (both_in_rooms and ruling.room is not room)
            if not is_apart:
                raise _already_ruled_on(match, ruling)


class RulingPreview(Director):
    """Works out what rulings would change; nothing is recorded, and the ids that it returns are of no ruling."""

    def __init__(self, database: Database, event: EventInfo, scales: Scales) -> None:
        super().__init__(database, event, scales, RulingBasis("", "", None, 0))
        self.scores: dict[int, tuple[MatchScore | None, MatchScore | None]] = {}
        """The scores of matches, by number, without the rulings and with them."""
        self._given: list[Ruling] = []
        self._withdrawn: set[int] = set()

    @property
    def change(self) -> ResultsChange:
        """What the rulings would change of the results."""
        scores = {number: then for number, (_, then) in self.scores.items()}
        return ResultsChange(scores, tuple(self._given), frozenset(self._withdrawn))

    def score_of(self, match: MatchInfo) -> MatchScore | None:
        """Return the score of a match with the rulings."""
        return self.scores[match.number][1] if match.number in self.scores else super().score_of(match)

    def _save(self, ruling: Ruling, match: MatchInfo | None, table: TableInfo | None) -> int:  # noqa: ARG002
        number = len(self._given) + 1
        self._given.append(replace(ruling, id=-number))
        return number

    def _withdraw(self, ruling: Ruling) -> None:
        self._withdrawn.add(ruling.id)

    def _score(self, match: MatchInfo) -> None:
        now = load_match_score(self._database, match)
        on_record = [each for each in load_match_rulings(self._database, match) if each.id not in self._withdrawn]
        rulings = [*on_record, *(each for each in self._given if each.match == match.number)]
        then = work_out_scorecard(self._database, match, self._scales[match.stage], rulings).score
        made = finished_match(match, then, [each for each in rulings if each.is_live]) if then is not None else None
        self.scores[match.number] = now, None if self._gets_extra_boards(match, made) else then
