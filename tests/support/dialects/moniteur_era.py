"""Clients written for Bridge Moniteur: the plain `seated` line, and alerts without a space."""

import re

from tests.support.dialects.base import DialectError, DialectPlayer, Reading, read_call
from tourney.bridge import Call, PlayerView, Seat

_RANGES = "C=0-8,D=4-8,H=0-5,S=0-5,HCP=17-19,Total=19-21."


class MoniteurEra(DialectPlayer):
    """A client from the time of Bridge Moniteur, with the habits of bridge-player.

    It reads only `North x seated`, and fails on a full stop between the team names. It says `Alert.C=0-8,...` without
    a space, and `1H.Infos.C=...`. As dummy it asks for `dummy's card`, whoever plays it. It asks for dummy before the
    lead, and for the lead once it has seen dummy; it says `received dummy`. It reads calls without a text, or with
    the full stop that its server adds.
    """

    profile = "bridge-moniteur-era"

    def _alert(self, text: str) -> str:
        if not text:
            return ""
        return f" Alert.{_RANGES}" if len(text) % 2 else f".Infos.{_RANGES}"

    def _whose_card(self, hand: Seat) -> str:
        assert self.view is not None
        return "dummy's" if self.view.is_dummy else super()._whose_card(hand)

    def _before_the_lead(self, view: PlayerView) -> Reading[None]:
        assert view.contract is not None
        if self.seat not in (view.contract.leader, view.contract.dummy):
            yield from self._see_dummy(view)

    def _see_dummy(self, view: PlayerView) -> Reading[None]:
        yield from super()._see_dummy(view)
        self._say(f"{self._name} received dummy")

    def _read_seated(self, line: str) -> None:
        if line != f"{self.seat.title} {self.team} seated":
            raise DialectError(f"{line!r} in place of the seat")

    def _read_teams(self, line: str) -> None:
        if re.fullmatch(r'Teams : N/S : "[^"]*" E/W : "[^"]*"', line) is None:
            raise DialectError(f"{line!r} in place of the teams")

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        return read_call(line.removesuffix("."), turn), ""
