"""The matches that do not count because a team left before half of its matches were played (White Book 2.4.2)."""

from collections.abc import Callable
from dataclasses import replace

from tourney.protocol.session.records import RulingKind
from tourney.results.load import EventRules
from tourney.results.standings import Standings, load_standings
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.rulings import load_rulings


def cancelled_in(standings: Standings) -> frozenset[int]:
    """Return the numbers of the finished matches that standings leave out because a team has left."""
    cancelled: set[int] = set()
    for field in standings.fields or (standings,):
        cancelled |= field.over - {match.number for match in field.counted}
    return frozenset(cancelled)


def load_cancelled(database: Database, event: EventInfo, load_rules: Callable[[], EventRules]) -> frozenset[int]:
    """Load the numbers of the matches that do not count; most events have none, which one query tells.

    Args:
        database: where the record is.
        event: the event, or only the round of it that is asked about.
        load_rules: reads those of the event file, where a team has left.

    Raises:
        ConfigError: a team has left, and something is wrong with the event file, which says what that means.
        StoreError: the database cannot be used.
    """
    rulings = load_rulings(database, event.id)
    if not any(ruling.is_live and ruling.kind is RulingKind.WITHDRAWAL for ruling in rulings):
        return frozenset()
    whole = load_event(database, event.name)
    if whole is None:
        return frozenset()
    return cancelled_in(load_standings(database, replace(whole, visibility=event.visibility), load_rules()))
