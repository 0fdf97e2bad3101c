"""Score sheets of games at one table: rubber bridge, Chicago and Minibridge, as players write them and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tourney.bridge import Side
from tourney.bridge.score import Laws
from tourney.contest.games import award_points, keep_hand
from tourney.errors import FormatError, RuleError
from tourney.output.rows import ABSENT, NOTHING, Row, document_of
from tourney.output.tables import TextTable
from tourney.plurals import count
from tourney.report import score_sheet as sheets
from tourney.report.score_sheet import FiguresOfSides
from tourney.scorefile.deal_list import DealListRules, ListedDeal, read_deals, read_game_rules
from tourney.scorefile.score import FileFinding
from tourney.scoring.changing_partners import PlayerPoints, add_up_players
from tourney.scoring.chicago import Chicago, ChicagoOrder, ChicagoRules, ChicagoScoring
from tourney.scoring.games import PassedOut, Unfinished
from tourney.scoring.ledger import DealGame, GameState, LedgerEntry, SidePoints
from tourney.scoring.minibridge import Minibridge, OvercallMinibridge
from tourney.scoring.rubber import Rubber, RubberRules
from tourney.scoring.score_sheet import draw_up_sheets

CHICAGO_SCORINGS: Final = {
    "chicago": ChicagoScoring.PLAIN,
    "chicago-duplicate": ChicagoScoring.DUPLICATE,
    "russian": ChicagoScoring.RUSSIAN,
    "estonian": ChicagoScoring.ESTONIAN,
}
"""How Chicago is scored, by the name of the game."""

OLDER_LAWS: Final = {
    "rubber": Laws.BEFORE_1993,
    "chicago": Laws.BEFORE_1993,
    "chicago-duplicate": Laws.BEFORE_1987,
    "russian": Laws.BEFORE_1987,
    "estonian": Laws.BEFORE_1987,
}
"""The older laws that a game can be scored by; Minibridge has no doubles, to which alone they differ."""

_WITH_SHEETS: Final = ("rubber", "chicago")
"""The games that are scored above and below a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """What the players of a game have agreed on; None where the usual rule of the game is meant."""

    order: ChicagoOrder = ChicagoOrder.MODERN
    honours: bool | None = None
    """Whether honours count, and are found in the hands of a PBN file. By default those that a list states count,
    and those in the hands count at rubber bridge."""
    counts_passed_out: bool | None = None
    """`ChicagoRules.counts_passed_out`."""
    laws: Laws = Laws.CURRENT
    players: tuple[str, ...] = ()
    """At Chicago with changing partners: who sits North, East, South and West in the first one. Otherwise empty."""


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """A game with its deals, each beside its entry in the ledger."""

    name: str
    game: DealGame
    deals: tuple[tuple[ListedDeal, LedgerEntry], ...]
    findings: tuple[FileFinding, ...]
    is_stopped: bool
    """Whether the file says that the match ended here, with something unfinished: the premiums for that count."""
    players: tuple[tuple[str, PlayerPoints], ...] = ()
    """At Chicago with changing partners: each player by name, the best first."""

    @property
    def is_over(self) -> bool:
        return self.is_stopped or self.deals[-1][1].after.is_finished

    @property
    def totals(self) -> SidePoints:
        """The points written so far, or the IMPs."""
        last = self.deals[-1][1]
        return last.if_stopped if self.is_stopped else last.after.totals

    @property
    def is_in_imps(self) -> bool:
        return isinstance(self.game, Chicago) and self.game.rules.scoring.is_in_imps


def score_game(name: str, file: str, data: bytes, options: GameOptions) -> ScoredGame:
    """Score the deals of a file as a game.

    Args:
        name: one of `tourney.scoring.GAME_NAMES`.
        file: the file's name, as shown in messages.
        data: its contents.
        options: what the players have agreed on.

    Raises:
        FormatError: it cannot be read, or the game cannot score one of its deals.
    """
    agreed = read_game_rules(data)
    game = _game(name, options, agreed)
    honours = options.honours
    if honours is None and "honours" in agreed:
        honours = agreed["honours"] == "yes"
    deals, findings = read_deals(
        file,
        data,
        DealListRules(
            is_minibridge=name == Minibridge.name,
            honours_from_cards=honours if honours is not None else name == Rubber.name,
            counts_honours=honours is not False,
            has_overcalls=name == OvercallMinibridge.name,
            laws=options.laws,
        ),
    )
    scored = []
    state = at_table = GameState()
    for listed in deals:
        try:
            listed.check_calls(state.dealer)
            entry = game.play(state, listed.deal)
            at_table = game.play(at_table, listed.at_table or listed.deal).after
        except RuleError as error:
            raise FormatError(f"{file} line {listed.line}: {error}") from None
        if isinstance(game, Chicago):
            entry = replace(entry, after=keep_hand(entry.after, at_table))
        if listed.awarded is not None:
            entry = award_points(entry, state.totals, listed.awarded)
        scored.append((listed, entry))
        state = entry.after
    players: list[tuple[str, PlayerPoints]] = []
    if options.players:
        points = add_up_players(entry for _, entry in scored)
        players = sorted(zip(options.players, points, strict=True), key=lambda player: -player[1].net)
    is_stopped = agreed.get("deals") == str(len(scored))
    return ScoredGame(name, game, tuple(scored), tuple(findings), is_stopped, tuple(players))


def _game(name: str, options: GameOptions, agreed: Mapping[str, str]) -> DealGame:
    """Return a game with the rules that its players have agreed on, by options or by the file."""
    if name == Rubber.name:
        return Rubber(
            RubberRules(
                both_unfinished=agreed.get("unfinished") == Unfinished.BOTH,
                same_dealer_redeals=agreed.get("passed-out") == PassedOut.REDEAL,
                laws=options.laws,
            )
        )
    if name not in CHICAGO_SCORINGS:
        return OvercallMinibridge() if name == OvercallMinibridge.name else Minibridge()
    is_dealer = ChicagoOrder.DEALER in (options.order, agreed.get("order"))
    counts_passed_out = options.counts_passed_out
    if counts_passed_out is None and "passed-out" in agreed:
        counts_passed_out = agreed["passed-out"] == PassedOut.COUNTS
    return Chicago(
        ChicagoRules(
            scoring=CHICAGO_SCORINGS[name],
            order=ChicagoOrder.DEALER if is_dealer else options.order,
            counts_passed_out=counts_passed_out,
            laws=options.laws,
        )
    )


# JSON


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


def game_document(scored: ScoredGame) -> Any:  # JSON
    """Return a scored game as a document. At Russian and Estonian scoring the totals are IMPs."""
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
    if_stopped = scored.deals[-1][1].if_stopped
    players = [PlayerDocument(name, points.won, points.lost, points.net) for name, points in scored.players]
    return document_of(GameDocument(scored.name, scored.is_over, deals, scored.totals, if_stopped, players or ABSENT))


# Text


def deal_table(scored: ScoredGame) -> TextTable:
    """Return the deals of a game as a table, a line each."""
    last = (">Target", ">IMPs NS", ">IMPs EW") if scored.is_in_imps else (">NS", ">EW")
    table = TextTable(">Deal", "Dlr", "Vul", "Contract", "By", ">Tricks", *last)
    for number, (listed, entry) in enumerate(scored.deals, 1):
        contract = entry.deal.contract
        cells = [
            str(number),
            entry.dealer.letter,
            entry.vulnerability.value,
            str(contract) if contract is not None else "Pass",
            listed.by or NOTHING,
            str(entry.deal.tricks) if contract is not None else NOTHING,
        ]
        if scored.is_in_imps:
            assert entry.imps_ns is not None
            cells += [str(entry.target_ns), _points(max(entry.imps_ns, 0)), _points(max(-entry.imps_ns, 0))]
        else:
            points = entry.below + entry.above
            cells += [_points(points.ns), _points(points.ew)]
        table.add_row(*cells)
    table.add_section()
    totals = scored.totals
    blank = [""] * (6 if scored.is_in_imps else 5)
    table.add_row("Total", *blank, str(totals.ns), str(totals.ew))
    return table


def _points(points: int) -> str:
    return str(points) if points else ""


def draw_sheets(scored: ScoredGame) -> list[str]:
    """Return the lines of the sheets of a rubber or a plain chicago, each above and below the line as on paper.

    Other games have no line, so they have no sheet.
    """
    if scored.name not in _WITH_SHEETS:
        return []
    drawn = draw_up_sheets(enumerate((entry for _, entry in scored.deals), 1), is_over=scored.is_stopped)
    return sheets.draw_sheets(drawn, scored.name.capitalize())


def player_table(scored: ScoredGame) -> TextTable:
    """Return the players of Chicago with changing partners as a table, the best first."""
    table = TextTable("Player", ">Won", ">Lost", ">Net")
    for name, points in scored.players:
        table.add_row(name, str(points.won), str(points.lost), f"{points.net:+}")
    return table


def describe_state(scored: ScoredGame) -> str:
    """Return one sentence on how far the game is, and the totals."""
    last = scored.deals[-1][1]
    deals = count(len(scored.deals), "deal")
    unit = "IMPs" if scored.is_in_imps else "points"
    totals, margin = scored.totals, abs(scored.totals.ns - scored.totals.ew)
    leader = Side.NS if totals.ns > totals.ew else Side.EW
    ahead = f"{leader.value} by {margin} {unit}" if margin else "level"
    text = f"{deals}, {'finished' if scored.is_over else 'not finished'}: NS {totals.ns}, EW {totals.ew}, {ahead}."
    if last.if_stopped != totals:
        text += f" If play stopped here, with premiums: NS {last.if_stopped.ns}, EW {last.if_stopped.ew}."
    return text


def vulnerability_notes(scored: ScoredGame) -> list[str]:
    """Return a sentence for each deal of a rubber or chicago played at a vulnerability that its score does not give.

    Where each hand is scored by itself, boards may be played at any.
    """
    if scored.name not in _WITH_SHEETS:
        return []
    return [
        f"deal {number} was played with {entry.vulnerability.value} vulnerable; by the score it should be "
        f"{entry.expected.value}"
        for number, (_, entry) in enumerate(scored.deals, 1)
        if entry.vulnerability is not entry.expected
    ]
