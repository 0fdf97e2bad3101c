"""The golden figures of games at one table: `tests/golden/money_games.json` and `further_games.json`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.golden_figures import golden_json
from tourney.bridge import Contract, Seat, Vulnerability
from tourney.formats import lenient
from tourney.scoring.ledger import NO_POINTS, DealGame, GameState, LedgerEntry, PlayedDeal, SidePoints


def money_games() -> Any:  # JSON: its shape is the business of the test that asks
    """The whole file."""
    return golden_json("money_games")


def further_games() -> Any:  # JSON: its shape is the business of the test that asks
    """The figures of older laws and Estonian scoring."""
    return golden_json("further_games")


def points_of(figures: Mapping[str, int]) -> SidePoints:
    """Points of both sides; a side that is not named has none."""
    return SidePoints(figures.get("NS", 0), figures.get("EW", 0))


@dataclass(frozen=True)
class Ledger:
    """A game with all its deals so far."""

    start: GameState
    entries: tuple[LedgerEntry, ...]

    @property
    def state(self) -> GameState:
        return self.entries[-1].after if self.entries else self.start


def play_all(game: DealGame, deals: Iterable[PlayedDeal], start: GameState | None = None) -> Ledger:
    """The ledger of deals, in the order of play."""
    first = state = start or GameState()
    entries = []
    for deal in deals:
        entries.append(game.play(state, deal))
        state = entries[-1].after
    return Ledger(first, tuple(entries))


def played(row: Mapping[str, Any], *, vulnerability: str | None = None, hcp_ns: int | None = None) -> PlayedDeal:
    """A deal of the file, played as it says."""
    if row["contract"] == "Pass":
        return PlayedDeal(
            contract=None, hcp_ns=hcp_ns, vulnerability=Vulnerability(vulnerability) if vulnerability else None
        )
    found = lenient.parse_contract(row["contract"])
    assert found is not None, row
    bid, doubled = found
    honours = row.get("honours")
    return PlayedDeal(
        contract=Contract(bid.level, bid.strain, doubled, Seat.from_letter(row["by"][0])),
        tricks=row["tricks"],
        honours=points_of({honours["side"]: honours["points"]}) if honours else NO_POINTS,
        hcp_ns=hcp_ns,
        vulnerability=Vulnerability(vulnerability) if vulnerability else None,
    )
