"""The score of a game at one table, as a document and as players write it on paper."""

from collections.abc import Iterator

from tourney.bridge import Side
from tourney.output.rows import ABSENT, NOTHING, Row
from tourney.output.tables import Part, TextTable
from tourney.plurals import count
from tourney.report.report import Report
from tourney.report.score_sheet import FiguresOfSides, sheet_text
from tourney.scorefile.game_score import ScoredGame
from tourney.scorefile.match_report import describe_findings


class DealDocument(Row):
    """A deal. `by` and `tricks` are null if it was passed out; `totals` are those if play stopped after it."""

    number: int
    by: str | None
    contract: str
    tricks: int | None
    below: FiguresOfSides
    above: FiguresOfSides
    totals: FiguresOfSides


class PlayerDocument(Row):
    """A player of Chicago with changing partners: what its sides have scored, what their opponents have, the net."""

    name: str
    won: int
    lost: int
    net: int


class GameDocument(Row):
    """A game.

    `totals` are the points written so far, and `if_stopped` those if play stopped here, as in `totals` of the last
    deal: with premiums for what is unfinished. If the file says that the match ended with its last deal, these count,
    and both are the same.
    """

    game: str
    finished: bool
    deals: list[DealDocument]
    totals: FiguresOfSides
    if_stopped: FiguresOfSides
    players: list[PlayerDocument] = ABSENT
    """Where partners change, the players, the best first."""


class GameReport(Report):
    """A game as it is shown."""

    file: str
    scored: ScoredGame
    laws: str
    """Said after the name of the game: the laws that it is scored by, if they are older ones."""

    def content(self) -> GameDocument:
        """Return the game; at Russian and Estonian scoring the totals are IMPs."""
        scored = self.scored
        deals = [
            DealDocument(
                number=number,
                by=listed.by or None,
                contract=str(entry.deal.contract or "Pass"),
                tricks=None if entry.deal.contract is None else entry.deal.tricks,
                below=entry.below,
                above=entry.above,
                totals=entry.if_stopped,
            )
            for number, (listed, entry) in enumerate(scored.deals, 1)
        ]
        players = [PlayerDocument(name, points.won, points.lost, points.net) for name, points in scored.players]
        return GameDocument(
            scored.name, scored.is_over, deals, scored.totals, deals[-1].totals, players=players or ABSENT
        )

    def text(self) -> Iterator[Part]:
        """Yield the sheets as on paper, the deals, the players where partners change, and the totals."""
        scored = self.scored
        yield f"{self.file}: {scored.game.title}{self.laws}"
        yield from sheet_text(scored.sheets, scored.name.capitalize())
        yield ""
        yield _deal_table(scored)
        yield ""
        if scored.players:
            table = TextTable("Player", ">Won", ">Lost", ">Net")
            for name, points in scored.players:
                table.add_row(name, str(points.won), str(points.lost), f"{points.net:+}")
            yield table
            yield ""
        yield _describe_state(scored)
        for number, (_, entry) in enumerate(scored.deals if scored.has_line else (), 1):
            # Where each hand is scored by itself, boards may be played at any vulnerability.
            if entry.vulnerability is not entry.expected:
                played, expected = entry.vulnerability.value, entry.expected.value
                yield f"deal {number} was played with {played} vulnerable; by the score it should be {expected}"
        yield from describe_findings(scored.findings, "in this file")


def _deal_table(scored: ScoredGame) -> TextTable:
    last = (">Target", ">IMPs NS", ">IMPs EW") if scored.is_in_imps else (">NS", ">EW")
    table = TextTable(">Deal", "Dlr", "Vul", "Contract", "By", ">Tricks", *last)
    for number, (listed, entry) in enumerate(scored.deals, 1):
        contract = entry.deal.contract
        cells = [
            str(number),
            entry.dealer.letter,
            entry.vulnerability.value,
            str(contract or "Pass"),
            listed.by or NOTHING,
            str(entry.deal.tricks) if contract is not None else NOTHING,
        ]
        won = entry.below + entry.above
        ns, ew = won.ns, won.ew
        if entry.imps_ns is not None:
            cells.append(str(entry.target_ns))
            ns, ew = max(entry.imps_ns, 0), max(-entry.imps_ns, 0)
        table.add_row(*cells, str(ns or ""), str(ew or ""))
    table.add_section()
    blank = [""] * (len(table.headings) - 3)
    table.add_row("Total", *blank, str(scored.totals.ns), str(scored.totals.ew))
    return table


def _describe_state(scored: ScoredGame) -> str:
    """Return how far the game is, and the totals."""
    totals, stopped = scored.totals, scored.deals[-1][1].if_stopped
    margin = abs(totals.ns - totals.ew)
    leader = Side.NS if totals.ns > totals.ew else Side.EW
    ahead = f"{leader.value} by {margin} {'IMPs' if scored.is_in_imps else 'points'}" if margin else "level"
    state = "finished" if scored.is_over else "not finished"
    text = f"{count(len(scored.deals), 'deal')}, {state}: NS {totals.ns}, EW {totals.ew}, {ahead}."
    if stopped != totals:
        text += f" If play stopped here, with premiums: NS {stopped.ns}, EW {stopped.ew}."
    return text
