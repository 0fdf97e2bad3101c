"""The score of games at one table: rubber bridge, Chicago and Minibridge, from the deals that players wrote down."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from tourney.bridge import Side
from tourney.bridge.score import Laws
from tourney.contest.games import score_deals
from tourney.errors import FormatError, RuleError
from tourney.formats.file_kinds import GAME_KINDS, FileKind, read_text, recognise
from tourney.formats.unchecked import SourceFinding
from tourney.output.rows import NOTHING, Cell, Row
from tourney.output.tables import Part, TextTable, make_table
from tourney.plurals import count
from tourney.scorefile.deal_list import ListedDeal, deals_of_records, read_list
from tourney.scorefile.match import describe_findings
from tourney.scorefile.records import read_files
from tourney.scoring.chicago import ChicagoOrder, ChicagoScoring
from tourney.scoring.games import GameKind, GameSettings, PassedOut, Unfinished
from tourney.scoring.ledger import LedgerEntry, SidePoints
from tourney.scoring.score_sheet import draw_up_sheets
from tourney.views.report import Report
from tourney.views.score_sheet import FiguresOfSides, draw_sheets

CHICAGO_SCORINGS: Final = {
    "chicago": ChicagoScoring.PLAIN,
    "chicago-duplicate": ChicagoScoring.DUPLICATE,
    "russian": ChicagoScoring.RUSSIAN,
    "estonian": ChicagoScoring.ESTONIAN,
}
"""How Chicago is scored, by the name of the game."""

_HONOURS: Final = {"yes": True, "no": False}
_Term = TypeVar("_Term", bound=str)


class DealDocument(Row):
    """A deal. `by` and `tricks` are null if it was passed out; `totals` are those if play stopped after it."""

    number: int
    by: str | None
    contract: str
    tricks: int | None
    below: FiguresOfSides
    above: FiguresOfSides
    totals: FiguresOfSides


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


class GameReport(Report):
    """A game with its deals, each beside its entry in the ledger."""

    file: str
    name: str
    title: str
    """The name of the game, with the laws that it is scored by if they are older ones."""
    settings: GameSettings
    deals: tuple[tuple[ListedDeal, LedgerEntry], ...]
    findings: tuple[SourceFinding, ...]
    is_stopped: bool
    """Whether the file says that the match ended here, with something unfinished: the premiums for that count."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is unfinished, or play has stopped for good."""
        return self.is_stopped or self.deals[-1][1].after.is_finished

    @property
    def totals(self) -> SidePoints:
        """The points written so far, or the IMPs."""
        last = self.deals[-1][1]
        return last.if_stopped if self.is_stopped else last.after.totals

    def content(self) -> GameDocument:
        """Return the game; at Russian and Estonian scoring the totals are IMPs."""
        deals = [
            DealDocument.from_attributes(
                entry,
                number=number,
                by=listed.by or None,
                contract=str(entry.deal.contract or "Pass"),
                tricks=None if entry.deal.contract is None else entry.deal.tricks,
                totals=entry.if_stopped,
            )
            for number, (listed, entry) in enumerate(self.deals, 1)
        ]
        return GameDocument(self.name, self.is_over, deals, self.totals, deals[-1].totals)

    def text(self) -> Iterator[Part]:
        """Yield the sheets as on paper, the deals and the totals."""
        yield f"{self.file}: {self.title}"
        entries = [entry for _, entry in self.deals]
        if self.settings.has_line:
            sheets = draw_up_sheets(enumerate(entries, 1), is_over=self.is_stopped)
            yield from draw_sheets(sheets, self.name.capitalize())
        yield ""
        yield self._table()
        yield ""
        yield self._describe_state()
        for number, entry in enumerate(entries if self.settings.has_line else (), 1):
            # Where each hand is scored by itself, boards may be played at any vulnerability.
            if entry.vulnerability is not entry.expected:
                played, expected = entry.vulnerability.value, entry.expected.value
                yield f"deal {number} was played with {played} vulnerable; by the score it should be {expected}"
        yield from describe_findings(self.findings, "in this file")

    def _table(self) -> TextTable:
        in_imps = self.settings.scoring.is_in_imps
        unit = ">IMPs " if in_imps else ">"
        columns = [
            Cell(">Deal", lambda row: row[0]),
            Cell("Dlr", lambda row: row[2].dealer),
            Cell("Vul", lambda row: row[2].vulnerability.value),
            Cell("Contract", lambda row: str(row[2].deal.contract or "Pass")),
            Cell("By", lambda row: row[1].by or NOTHING),
            Cell(">Tricks", lambda row: row[2].deal.tricks if row[2].deal.contract is not None else None),
            *([Cell(">Target", lambda row: row[2].target_ns)] if in_imps else []),
            Cell(f"{unit}NS", lambda row: row[2].won.ns or ""),
            Cell(f"{unit}EW", lambda row: row[2].won.ew or ""),
        ]
        rows = ((number, *deal) for number, deal in enumerate(self.deals, 1))
        return make_table(columns, rows)

    def _describe_state(self) -> str:
        """Return how far the game is, and the totals."""
        totals, stopped = self.totals, self.deals[-1][1].if_stopped
        margin = abs(totals.ns - totals.ew)
        leader = Side.NS if totals.ns > totals.ew else Side.EW
        ahead = f"{leader.value} by {margin} {self.settings.board_scale.unit}" if margin else "level"
        state = "finished" if self.is_over else "not finished"
        text = f"{count(len(self.deals), 'deal')}, {state}: NS {totals.ns}, EW {totals.ew}, {ahead}."
        if stopped != totals:
            text += f" If play stopped here, with premiums: NS {stopped.ns}, EW {stopped.ew}."
        return text


def score_game(
    name: str,
    file: str,
    data: bytes,
    agreed: Mapping[str, str],
    laws: Laws,
) -> GameReport:
    """Score the deals of a file as a game.

    Args:
        name: one of `tourney.scoring.GAME_NAMES`.
        file: the file's name, as shown in messages.
        data: its contents.
        agreed: what the players have agreed on, as the tag GameRules of our exports has it, which it takes precedence
            over. By default honours that a list states count, and those in the hands of a PBN file at rubber bridge.
        laws: those that deals are scored by.

    Raises:
        FormatError: it cannot be read, or the game cannot score one of its deals.
    """
    text = read_text(data, file, *GAME_KINDS, FileKind.CSV, FileKind.TEXT)
    read = read_files([(file, data)], laws) if recognise(data) in GAME_KINDS else None
    records = read.records if read is not None else ()
    stated = next((said for record in records if (said := record.source.text("gamerules"))), "")
    terms = {**dict(word.split("=", 1) for word in stated.split() if "=" in word), **agreed}
    settings, honours = _settings(name, terms), _HONOURS.get(terms.get("honours", ""))
    game = settings.game(laws)
    if read is not None:
        deals = deals_of_records(file, records, settings)
    else:
        deals = read_list(file, text, settings.kind, counts_honours=honours is not False)
    entries = score_deals(game, ((each.deal, each.at_table or each.deal, each.awarded) for each in deals))
    scored = []
    for listed in deals:
        try:
            scored.append((listed, next(entries)))
        except RuleError as error:
            raise FormatError(f"{file} line {listed.line}: {error}") from None
    findings = [
        *(read.findings if read is not None else ()),
        *(f for record in records for f in record.findings),
    ]
    title = game.title if laws is Laws.CURRENT else f"{game.title}, older laws"
    is_stopped = terms.get("deals") == str(len(scored))
    return GameReport(file, name, title, settings, tuple(scored), tuple(findings), is_stopped)


def _settings(name: str, terms: Mapping[str, str]) -> GameSettings:
    """Return the settings of a game that its players have agreed on; `terms` are as the tag GameRules has them."""

    def said(values: Iterable[_Term], key: str) -> _Term | None:
        return next((value for value in values if value == terms.get(key)), None)

    keys: dict[str, Any] = dict.fromkeys(("chicagos", "rubbers", "deals"))
    return GameSettings.of_keys(
        GameKind.CHICAGO if name in CHICAGO_SCORINGS else GameKind(name),
        {
            **keys,
            "scoring": CHICAGO_SCORINGS.get(name, ChicagoScoring.PLAIN).lower(),
            "order": said(ChicagoOrder, "order"),
            "honours": _HONOURS.get(terms.get("honours", "")),
            "passed_out": said(PassedOut, "passed-out"),
            "unfinished": said(Unfinished, "unfinished"),
        },
    )
