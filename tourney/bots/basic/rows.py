"""Reads the tables of `system`: what their words mean, and what calls they list in a situation.

A table is a list of sections. A section begins with lines `== PHASE CONDITIONS`, one of which must hold: a phase is
that of `Situation.phase`. The first section of which one does is the system in that situation. Its other lines are
rows, in order of preference:

    CALL WORDS "PHRASE"              a meaning of a call; the phrase, if any, is for its alert. It may go on in lines
                                     that are indented by more than four
    each x SUITS CONDITIONS          the rows indented below it hold for each suit `x` of these, in this order

A call is `Pass`, `X`, `XX`, a bid such as `2C` or `3x`, or `lowest.x`, `jump.x` (a level above the lowest) or
`game.x`. The words of a row:

    6..9  12..  ..9                  points promised; `hcp:15..17` and `support_points.P:6..9` are other counts
    H:4..  HS:0..3  x:6..6           cards promised in a suit, or in several
    balanced                         promised, and high-card points are counted
    raise, stayman ...               the kind of call, see `CallKind`; natural, or a pass, if left out
    forcing, game_forcing            what is asked of partner; `forcing_unless.NAME`: nothing if that holds
    alerted                          the call is artificial
    last_resort                      partner does not count on this meaning
    anything else                    a condition: of the situation, or of the hand, where it is not promised

A condition is `NAME`, `!NAME` or two terms with `=`, `!=`, `<`, `<=`, `>` or `>=` between them; `A|B` is either.
`=` holds for any of several suits, and `!=` for none of them. A term is a sum of: a number; `6/10/12`, a number by
the level of the bid, or of the last bid for a call that is none (the last holds above); a name; `2*NAME`. A name is
an attribute of `Situation` or of `Evaluation`, with its arguments after dots: `top_honours.x.11>=2`. A kind of call
stands for itself. Suits and strains are `C D H S NT`, or

    P  the strain of partner's last bid            L  that of the last bid
    O  that of the hand's own last bid             T  the suit the opponents offered last
    M  the suit shown by partner's transfer        x  that of `each`; `HS` or `OP` are several
"""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, TypeAlias, cast

from tourney.bots.basic.meaning import ANY_LENGTH, ANY_POINTS, CallKind, Evaluation, Force, Meaning, Range, lengths_of
from tourney.bots.basic.situation import Situation, game_bid
from tourney.bridge import Bid, Call, Strain, parse_call
from tourney.bridge.cards import STRAINS_BY_TEXT


@dataclass(frozen=True, slots=True)
class RowScope:
    """What a term is about: the words in it have their values here."""

    situation: Situation
    suit: int | None
    """That of `each`."""
    level: int = 0
    """That of the row's bid, or of the last bid for other calls."""
    hand: Evaluation | None = None
    """There for conditions of the hand alone."""

    def __getitem__(self, word: str) -> Any:
        if word in STRAINS_BY_TEXT:
            return STRAINS_BY_TEXT[word]
        owner = self if word in ("x", "level") else self.hand if _is_of_hand(word) else self.situation
        return getattr(owner, _NAMES.get(word, word))


Term: TypeAlias = Callable[[RowScope], Any]

_NAMES: Final = {
    "x": "suit",
    "P": "partner_strain",
    "O": "own_strain",
    "M": "transferred",
    "L": "last_strain",
    "T": "their_suit",
}
_FORCES: Final = {"forcing": Force.ROUND, "game_forcing": Force.GAME}
_IN_PYTHON: Final[tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]] = (
    (r"(\w*kind|right)(!?=)(\w+)", r"\1\2'\3'"),
    (r"([a-z_]{2,})\.([\w.]+)", lambda found: f"{found[1]}({found[2].replace('.', ',')})"),
    (r"\d+(?:/\d+)+", lambda found: f"[{found[0].replace('/', ',')}][:level or None][-1]"),
    (r"\b[CDHSPOMLTx]{2,}\b", lambda found: f"({','.join(found[0])})"),
    (r"!=(?=\(|their_suits)", " not in "),
    (r"(?<![!<>])=(?=\(|their_suits)", " in "),
    (r"(?<![!<>])=", "=="),
    (r"!(?!=)", "not "),
    (r"\|", " or "),
)
"""What stands for what where a term is written in Python, one after the other."""


# Terms and conditions


@cache
def _parse_term(text: str) -> Term:
    """Return the function that a term, or a condition, is of what it is about."""
    source = text
    for pattern, replacement in _IN_PYTHON:
        source = re.sub(pattern, replacement, source)
    code = compile(source, text, "eval")
    return lambda scope: eval(code, {}, cast("Any", scope))  # noqa: S307 # the tables are ours


@cache
def _is_of_hand(text: str) -> bool:
    return any(hasattr(Evaluation, name) for name in re.findall(r"[a-z_]+", text))


@cache
def _parse_range(text: str, widest: Range) -> Callable[[RowScope], Range]:
    low, _, high = text.partition("..")
    lowest, highest = _parse_term(low or str(widest.low)), _parse_term(high or str(widest.high))
    return lambda scope: Range(lowest(scope), highest(scope))


def _parse_call(text: str) -> Callable[[RowScope], Call]:
    match = re.fullmatch(r"(\d|lowest\.|jump\.|game\.)(\w+)", text)
    if match is None:
        call = parse_call(text)
        return lambda _: call
    height, strain = match[1], _parse_term(match[2])
    if height.isdigit():
        return lambda scope: Bid(int(height), Strain(strain(scope)))
    if height == "game.":
        return lambda scope: game_bid(strain(scope))
    above = ("lowest.", "jump.").index(height)
    return lambda scope: scope.situation.cheapest(strain(scope), above)


# Rows and sections


class _Row:
    """A meaning of a call, before the situation is known."""

    def __init__(self, line: str) -> None:
        text, phrase, *_ = [*line.split('"'), ""]
        call, *words = text.split()
        self.call = _parse_call(call)
        self.guards: list[Term] = []
        """Conditions of the situation."""
        self._tests: list[Term] = []
        """Conditions of the hand."""
        self._points = _parse_range("..", ANY_POINTS)
        self._count = _parse_term("hcp" if "balanced" in words else "points")
        self._lengths: list[tuple[Term, Callable[[RowScope], Range]]] = []
        self._force: Callable[[RowScope], Force] = lambda _: Force.NONE
        self._same: dict[str, Any] = {
            "kind": CallKind.PASS if call == "Pass" else CallKind.NATURAL,
            "phrase": phrase,
            "alerted": bool(phrase),
        }
        for word in words:
            self._add(word)

    def _add(self, word: str) -> None:
        name, _, argument = word.partition(".")
        if ".." in word:
            self._add_range(*word.rpartition(":")[::2])
        elif word in ("alerted", "balanced", "last_resort"):
            self._same[word] = True
        elif word in {*CallKind}:
            self._same["kind"] = CallKind(word)
        elif word in _FORCES:
            self._force = lambda _: _FORCES[word]
        elif name == "forcing_unless":
            released = _parse_term(argument)
            self._force = lambda scope: Force.NONE if released(scope) else Force.ROUND
        else:
            (self._tests if _is_of_hand(word) else self.guards).append(_parse_term(word))

    def _add_range(self, subject: str, text: str) -> None:
        if subject and not _is_of_hand(subject):
            self._lengths.append((_parse_term(subject), _parse_range(text, ANY_LENGTH)))
            return
        self._points = _parse_range(text, ANY_POINTS)
        if subject:
            self._count = _parse_term(subject)

    def meaning(self, call: Call, scope: RowScope) -> Meaning:
        """Return what a call means in a situation in which the row applies."""
        lengths: dict[int, Range] = {}
        for suits, span in self._lengths:
            found = suits(scope)
            lengths |= dict.fromkeys([found] if isinstance(found, int) else found, span(scope))
        tests, count = self._tests, self._count
        return Meaning(
            call=call,
            points=self._points(scope),
            worth=lambda hand: count(replace(scope, hand=hand)),
            lengths=lengths_of(lengths),
            condition=lambda hand: _hold(tests, replace(scope, hand=hand)),
            force=self._force(scope),
            **self._same,
        )


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows that hold for each of some suits, or once."""

    suits: list[int | None]
    guards: list[Term]
    rows: list[_Row]

    def meanings(self, situation: Situation) -> Iterator[Meaning]:
        """List the meanings of legal calls."""
        for suit, row in itertools.product(self.suits, self.rows):
            call = row.call(RowScope(situation, suit))
            if situation.is_legal(call):
                scope = RowScope(situation, suit, call.level if isinstance(call, Bid) else situation.last_level)
                if _hold(self.guards, scope) and _hold(row.guards, scope):
                    yield row.meaning(call, scope)


def _hold(conditions: list[Term], scope: RowScope) -> bool:
    return all(condition(scope) for condition in conditions)


class System:
    """A bidding system: what calls mean in each kind of situation."""

    def __init__(self, *tables: str) -> None:
        self._sections: list[tuple[list[tuple[str, list[Term]]], list[_Block]]] = []
        """The headings of each section, and its blocks."""
        for line in re.sub(r"(#.*)?(\n {5,}|$)", " ", "\n".join(tables), flags=re.MULTILINE).splitlines():
            if line.strip():
                self._add(line)

    def _add(self, line: str) -> None:
        if line.startswith("== "):
            _, phase, *words = line.split()
            if not self._sections or self._sections[-1][1]:
                self._sections.append(([], []))
            self._sections[-1][0].append((phase, [_parse_term(word) for word in words]))
            return
        _, blocks = self._sections[-1]
        if line.startswith("each x "):
            _, _, letters, *words = line.split()
            blocks.append(
                _Block([STRAINS_BY_TEXT[letter] for letter in letters], [_parse_term(w) for w in words], [])
            )
            return
        if not line.startswith(" ") and (not blocks or blocks[-1].suits != [None]):
            blocks.append(_Block([None], [], []))
        blocks[-1].rows.append(_Row(line))

    def meanings(self, situation: Situation) -> list[Meaning]:
        """List what the system's legal calls mean here, in order of preference; empty where it has no calls."""
        scope = RowScope(situation, None)
        for headings, blocks in self._sections:
            if any(phase == situation.phase and _hold(guards, scope) for phase, guards in headings):
                return [meaning for block in blocks for meaning in block.meanings(situation)]
        return []
