"""Rulings in the words of what they are about: a match in two rooms, a match at one table, or a table of pairs."""

from dataclasses import replace

from tourney.protocol.session.records import RulingKind
from tourney.report.rulings import describe_author, describe_cause, describe_kind, describe_ruling
from tourney.site.views.pairs import PairsViews
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.rulings import RulingInfo


class RulingWords:
    """Describes the rulings of an event."""

    def __init__(self, event: EventInfo, pairs: PairsViews) -> None:
        self._matches = {match.number: match for match in event.matches}
        self._pairs = pairs

    def describe(self, ruling: RulingInfo, *, with_match: bool = True) -> str:
        """Describe a ruling in one line: `match 3, board 7, open room: Beta: board forfeited: ... (BC-45, by rule)`.

        A match at one table has no room, and in pairs events the round and the table stand for the match.
        """
        match = self._match_of(ruling)
        if match is None or not match.format.ranks_by_boards:
            return describe_ruling(self._without_room(ruling), with_match=with_match)
        places = [self._table(match) if with_match else "", f"board {ruling.board}" if ruling.board else ""]
        source = ", ".join(filter(None, (ruling.law, describe_author(ruling))))
        words = [", ".join(filter(None, places)), ruling.team, self.kind(ruling), describe_cause(ruling)]
        return f"{': '.join(filter(None, words))} ({source})"

    def here(self, ruling: RulingInfo) -> str:
        """Describe a ruling on the page of its match."""
        return self.describe(ruling, with_match=False)

    def kind(self, ruling: RulingInfo) -> str:
        """Describe what a ruling does: `board forfeited`, `penalty of 10 % of a top`."""
        match = self._match_of(ruling)
        if match is None or not match.format.ranks_by_boards:
            return describe_kind(ruling)
        return "rest of the round forfeited" if ruling.kind is RulingKind.MATCH_FORFEIT else describe_kind(ruling)

    def place(self, ruling: RulingInfo) -> str:
        """Return the number of the match of a ruling; in pairs events, its round and table."""
        match = self._match_of(ruling)
        if match is not None and match.format.ranks_by_boards:
            return self._table(match)
        return "" if ruling.match is None else str(ruling.match)

    def board(self, ruling: RulingInfo) -> str:
        """Return the board of a ruling, and the room if it is about one: `7, open`."""
        room = self._without_room(ruling).room
        if ruling.board is None:
            return ""
        return f"{ruling.board}, {room.value}" if room is not None else str(ruling.board)

    def _match_of(self, ruling: RulingInfo) -> MatchInfo | None:
        return self._matches.get(ruling.match) if ruling.match is not None else None

    def _without_room(self, ruling: RulingInfo) -> RulingInfo:
        match = self._match_of(ruling)
        has_one = match is not None and len(match.segments[0].tables) == 1
        return replace(ruling, room=None) if has_one else ruling

    def _table(self, match: MatchInfo) -> str:
        number = self._pairs.table_number(match)
        return f"round {match.round}" + (f", table {number}" if number is not None else "")
