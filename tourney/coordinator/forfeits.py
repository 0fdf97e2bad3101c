"""Matches decided away from the table: forfeited by a ruling, or by a team's withdrawal, or given up.

This module reads the record and writes rulings and orders; tables learn of decisions through the orders.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from tourney.contest.draw import MatchInfo
from tourney.contest.record import GIVEN_UP_LAW, Ruling
from tourney.coordinator.run_context import RulingGiven, RunContext
from tourney.protocol.session.records import RULE_AUTHOR, IncidentKind, RulingKind
from tourney.results.scorecard import work_out_scorecard
from tourney.store.changes import CONDUCT, ChangeWatch
from tourney.store.control.orders import give_orders, load_holds
from tourney.store.control.table_state import finish_tables, reopen_table
from tourney.store.control.tables import load_progress
from tourney.store.db.transactions import one_transaction
from tourney.store.models import OrderKind
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.results.event_results import count_incidents
from tourney.store.rulings import deciding, load_rulings

_ENDED: Final = "a ruling has ended the match"

_STRIKES_LAW: Final = "strikes"
"""What rulings name in place of a law that withdraw a team after too many crashes."""


class Forfeits:
    """Applies the rules that concern more than one table: strikes, withdrawals, forfeited matches."""

    def __init__(self, run: RunContext) -> None:
        """Prepare to look at the record of a run; rulings that are on it already are not new."""
        self.decided: frozenset[int] = frozenset()
        """Numbers of the matches that are forfeited, broken off, or given up, as of the last look."""
        self._run = run
        self._watch = ChangeWatch(run.database, CONDUCT, run.event.id)
        self._seen = max((ruling.id for ruling in load_rulings(*run.record)), default=0)

    def poll(self, unfinished: Iterable[MatchInfo]) -> None:
        """Apply the rules to what has happened, report new rulings, and note which matches are decided.

        Args:
            unfinished: the matches without a score; a withdrawn team forfeits its own matches among them.

        Raises:
            StoreError: the database cannot be used.
        """
        unfinished = list(unfinished)
        rulings, crashes = self._watch.latest(self._load)
        if self._find_due(rulings, crashes, unfinished):
            # Found again where no director decides anything meanwhile: what he takes back is not ruled on.
            with deciding(*self._run.record) as database:
                for due in self._find_due(load_rulings(database, self._run.event.id), crashes, unfinished):
                    save_ruling(database, due)
            rulings, _ = self._watch.latest(self._load)
        self.decided = frozenset(
            ruling.match for ruling in rulings if ruling.is_live and ruling.match is not None and ruling.ends_match
        )
        seen, self._seen = self._seen, max((ruling.id for ruling in rulings), default=0)
        for ruling in sorted(rulings, key=lambda ruling: ruling.id):
            if ruling.id > seen:
                self._run.report(RulingGiven(ruling))

    def _load(self) -> tuple[list[Ruling], dict[str, int]]:
        """Load the rulings, and how often the programs of each team have crashed."""
        counts = count_incidents(*self._run.record)
        crashes = {team: found for (team, kind), found in counts.items() if kind is IncidentKind.CRASH}
        return load_rulings(*self._run.record), crashes

    def give_up(self, match: MatchInfo, reason: str) -> None:
        """Cancel every board of a match that is not finished: it ends, through no fault of its teams.

        What that makes of the match, `void_matches` says, as for boards that the director cancels.

        Raises:
            StoreError: the database cannot be used.
        """
        database, event_id = self._run.database, self._run.event.id
        card = work_out_scorecard(database, match, None)
        left = [line.number for line in card.boards if line.comparison is None]
        with database.write() as connection:
            for number, amount in match.format.cancel_rest(left).items():
                save_ruling(
                    connection,
                    NewRuling(
                        event_id=event_id,
                        match_id=match.id,
                        kind=RulingKind.BOARD_CANCELLED,
                        board=number,
                        amount=amount,
                        reason=reason,
                        law=GIVEN_UP_LAW,
                        now_ms=self._run.wall_ms(),
                    ),
                )

    def stop_tables(self, match: MatchInfo, reason: str = _ENDED, author: str = RULE_AUTHOR) -> None:
        """Order the tables of a decided match to disconnect their players."""
        database, now_ms = self._run.database, self._run.wall_ms()
        give_orders(database, match.tables_by_id, OrderKind.STOP, author=author, now_ms=now_ms, text=reason)

    def finish_tables(self, match: MatchInfo) -> None:
        """Mark the tables of a decided match that nobody plays at any more as finished, which is not a failure."""
        finish_tables(self._run.database, match.tables_by_id, _ENDED, self._run.wall_ms())

    def reopen_tables(self, match: MatchInfo) -> bool:
        """Have a match played on that a ruling had ended, and that has no score now as the ruling was withdrawn.

        Return whether anything is left to play at its tables.
        """
        now_ms = self._run.wall_ms()
        with one_transaction(self._run.database) as database:
            progress = load_progress(database, match.tables_by_id)
            unplayed = [id_ for id_, seen in progress.items() if seen.boards_finished < seen.table.boards]
            with database.write() as connection:
                for table_id in unplayed:
                    reopen_table(connection, table_id, now_ms)
            stopped = load_holds(database, progress, RULE_AUTHOR)  # those that have finished too
            give_orders(database, stopped, OrderKind.RESUME, author=RULE_AUTHOR, now_ms=now_ms)
        return bool(unplayed)

    def _find_due(
        self, rulings: Iterable[Ruling], crashes: dict[str, int], unfinished: Iterable[MatchInfo]
    ) -> list[NewRuling]:
        """Return the rulings due: a team with too many strikes withdraws, a withdrawn one forfeits its matches."""
        rule, teams = partial(NewRuling, event_id=self._run.event.id, now_ms=self._run.wall_ms()), self._run.teams
        withdrawals = [ruling for ruling in rulings if ruling.kind is RulingKind.WITHDRAWAL]
        laws = {ruling.team: ruling.law for ruling in withdrawals if ruling.is_live}
        # A ruling by rule that the director has withdrawn is not given again.
        withdrawn_for = {ruling.team for ruling in withdrawals if not ruling.is_live and ruling.author == RULE_AUTHOR}
        strikes = self._run.config.rules.strikes  # 0 means never
        struck = {
            team: f"{times} crashes of its programs, {strikes} are borne"
            for team, times in sorted(crashes.items() if strikes else ())
            if times >= strikes and team not in laws and team not in withdrawn_for
        }
        laws |= dict.fromkeys(struck, _STRIKES_LAW)
        done = {(r.team, r.match) for r in rulings if r.is_live and r.kind is RulingKind.MATCH_FORFEIT}
        withdrawing = [
            rule(kind=RulingKind.WITHDRAWAL, team_id=teams[team].id, reason=reason, law=_STRIKES_LAW)
            for team, reason in struck.items()
        ]
        return withdrawing + [
            rule(
                kind=RulingKind.MATCH_FORFEIT,
                match_id=match.id,
                team_id=teams[team].id,
                reason=f"{withdrawn} has left the event",
                law=laws[withdrawn],
            )
            for match in unfinished
            for team in match.teams
            for withdrawn in laws.keys() & {team, *match.entrants_of(team)}
            if (team, match.number) not in done
        ]
