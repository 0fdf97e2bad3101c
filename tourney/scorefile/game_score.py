"""The score of games at one table: rubber bridge, Chicago and Minibridge, from the deals that players wrote down."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge.score import Laws
from tourney.contest.games import award_points, keep_hand
from tourney.errors import FormatError, RuleError
from tourney.formats.file_kinds import GAME_KINDS, FileKind, read_text, recognise
from tourney.formats.unchecked import SourceFinding
from tourney.scorefile.deal_list import DealListRules, ListedDeal, deals_of_records, read_list
from tourney.scorefile.score import read_records
from tourney.scoring.changing_partners import PlayerPoints, add_up_players
from tourney.scoring.chicago import Chicago, ChicagoOrder, ChicagoRules, ChicagoScoring
from tourney.scoring.games import PassedOut, Unfinished
from tourney.scoring.ledger import DealGame, GameState, LedgerEntry, SidePoints
from tourney.scoring.minibridge import Minibridge, OvercallMinibridge
from tourney.scoring.rubber import Rubber, RubberRules
from tourney.scoring.score_sheet import GameSheet, draw_up_sheets

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
    """What the players of a game have agreed on."""

    agreed: Mapping[str, str] = field(default_factory=dict)
    """As the tag GameRules of our exports has it, which these take precedence over. By default honours that a list
    states count, and those in the hands of a PBN file at rubber bridge."""
    laws: Laws = Laws.CURRENT
    players: tuple[str, ...] = ()
    """At Chicago with changing partners: who sits North, East, South and West in the first one. Otherwise empty."""


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """A game with its deals, each beside its entry in the ledger."""

    name: str
    game: DealGame
    deals: tuple[tuple[ListedDeal, LedgerEntry], ...]
    findings: tuple[SourceFinding, ...]
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
    def sheets(self) -> list[GameSheet]:
        """The sheets of a rubber or a plain chicago; no other game is scored above and below a line."""
        if not self.has_line:
            return []
        return list(draw_up_sheets(enumerate((entry for _, entry in self.deals), 1), is_over=self.is_stopped))

    @property
    def has_line(self) -> bool:
        """Whether the game is scored above and below a line."""
        return self.name in _WITH_SHEETS

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
    text = read_text(data, file, *GAME_KINDS, FileKind.CSV, FileKind.TEXT)
    findings: list[SourceFinding] = []
    records = read_records(file, data, findings, options.laws) if recognise(data) in GAME_KINDS else None
    stated = next((said for record in records or () if (said := record.game.source.text("gamerules"))), "")
    agreed = {**dict(word.split("=", 1) for word in stated.split() if "=" in word), **options.agreed}
    game = _game(name, agreed, options.laws)
    honours = agreed["honours"] == "yes" if "honours" in agreed else None
    rules = DealListRules(
        is_minibridge=name == Minibridge.name,
        honours_from_cards=honours if honours is not None else name == Rubber.name,
        counts_honours=honours is not False,
        has_overcalls=name == OvercallMinibridge.name,
    )
    deals = read_list(file, text, rules) if records is None else deals_of_records(file, records, rules)
    findings += (finding for record in records or () for finding in record.game.findings)
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


def _game(name: str, agreed: Mapping[str, str], laws: Laws) -> DealGame:
    """Return a game with the rules that its players have agreed on."""
    passed_out = agreed.get("passed-out")
    if name == Rubber.name:
        return Rubber(
            RubberRules(
                both_unfinished=agreed.get("unfinished") == Unfinished.BOTH,
                same_dealer_redeals=passed_out == PassedOut.REDEAL,
                laws=laws,
            )
        )
    if name not in CHICAGO_SCORINGS:
        return OvercallMinibridge() if name == OvercallMinibridge.name else Minibridge()
    return Chicago(
        ChicagoRules(
            scoring=CHICAGO_SCORINGS[name],
            order=ChicagoOrder.DEALER if agreed.get("order") == ChicagoOrder.DEALER else ChicagoOrder.MODERN,
            counts_passed_out=passed_out == PassedOut.COUNTS if passed_out is not None else None,
            laws=laws,
        )
    )
