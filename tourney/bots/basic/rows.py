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
`=` holds for any of several suits. A term is a sum of: a number; `6/10/12`, a number by the level of the bid, or of
the last bid for a call that is none (the last holds above); a name; `2*NAME`. A name is an attribute of `Situation`
or of `Evaluation`, with its arguments after dots: `top_honours.x.11>=2`. A kind of call and a bid stand for
themselves. Suits and strains are `C D H S NT`, or

    P  the strain of partner's last bid            L  that of the last bid
    O  that of the hand's own last bid             T  the suit the opponents offered last
    M  the suit shown by partner's transfer        x  that of `each`; `HS` or `OP` are several
"""

import itertools
import math
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from tourney.bots.basic.evaluation import Evaluation
from tourney.bots.basic.meaning import ANY_LENGTH, ANY_POINTS, CallKind, Force, Meaning, Range, lengths_of
from tourney.bots.basic.situation import Situation, game_bid
from tourney.bridge import Bid, Call, Strain, parse_call


class RowScope(NamedTuple):
    """What a term is about."""

    situation: Situation
    suit: int | None
    """That of `each`."""
    level: int = 0
    """That of the row's bid, or of the last bid for other calls."""
    hand: Evaluation | None = None
    """There for conditions of the hand alone."""


Term: TypeAlias = Callable[[RowScope], Any]

_STRAINS: Final = {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4}
_VARIABLES: Final = {
    "P": "situation.partner_strain",
    "O": "situation.own_strain",
    "M": "situation.transferred",
    "L": "situation.last_strain",
    "T": "situation.their_suit",
    "x": "suit",
    "level": "level",
}
_FORCES: Final = {"forcing": Force.ROUND, "game_forcing": Force.GAME}
_LITERALS: Final = {*CallKind, "bid", "double", "redouble"}
_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": lambda left, right: left in right if isinstance(right, list) else left == right,
    "!=": lambda left, right: left not in right if isinstance(right, list) else left != right,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


# Terms and conditions


def _constant(value: object) -> Term:
    return lambda _: value


@cache
def _parse_factor(text: str) -> Term:
    if re.fullmatch(r"[\d/]+", text):
        numbers = [int(number) for number in text.split("/")]
        return lambda scope: numbers[min(scope.level, len(numbers)) - 1]
    if text in _STRAINS or text in _LITERALS:
        return _constant(_STRAINS.get(text, text))
    if text in _VARIABLES:
        return operator.attrgetter(_VARIABLES[text])
    if re.fullmatch(r"[CDHSPOMLTx]+", text):
        strains = [_parse_factor(letter) for letter in text]
        return lambda scope: [strain(scope) for strain in strains]
    return _constant(parse_call(text)) if text[0].isdigit() else _parse_name(text)


def _parse_name(text: str) -> Term:
    name, *words = text.split(".")
    if not hasattr(Situation, name) and not _is_of_hand(name):
        raise ValueError(f"{name} is no word of the bidding system")
    get: Term = operator.attrgetter(f"hand.{name}" if _is_of_hand(name) else f"situation.{name}")
    arguments = [_parse_factor(word) for word in words]
    return (lambda scope: get(scope)(*[each(scope) for each in arguments])) if arguments else get


@cache
def _is_of_hand(text: str) -> bool:
    return any(hasattr(Evaluation, name) for name in re.findall(r"[a-z_]+", text))


@cache
def _parse_sum(text: str) -> Term:
    signed = [(part[0] == "-", part.lstrip("+-").split("*")) for part in re.split(r"(?=[+-])", text)]
    parts = [(minus, [_parse_factor(factor) for factor in factors]) for minus, factors in signed]
    if len(parts) == len(parts[0][1]) == 1:
        return parts[0][1][0]

    def total(scope: RowScope) -> int:
        products = [(minus, math.prod(factor(scope) for factor in factors)) for minus, factors in parts]
        return sum(-product if minus else product for minus, product in products)

    return total


@cache
def _parse_condition(text: str) -> Term:
    alternatives = [_parse_comparison(each) for each in text.split("|")]
    return alternatives[0] if len(alternatives) == 1 else lambda scope: any(each(scope) for each in alternatives)


def _parse_comparison(text: str) -> Term:
    match = re.fullmatch(r"(\w[^!<>=]*)([!<>=]+)(.+)", text)
    if match is not None:
        left, compare, right = _parse_sum(match[1]), _COMPARISONS[match[2]], _parse_sum(match[3])
        return lambda scope: compare(left(scope), right(scope))
    term = _parse_sum(text.removeprefix("!"))
    return (lambda scope: not term(scope)) if text.startswith("!") else term


@cache
def _parse_range(text: str, widest: Range) -> Callable[[RowScope], Range]:
    low, _, high = text.partition("..")
    lowest, highest = _parse_sum(low or str(widest.low)), _parse_sum(high or str(widest.high))
    return lambda scope: Range(lowest(scope), highest(scope))


def _parse_call(text: str) -> Callable[[RowScope], Call]:
    match = re.fullmatch(r"(\d|lowest\.|jump\.|game\.)(\w+)", text)
    if match is None:
        return _constant(parse_call(text))
    height, strain = match[1], _parse_factor(match[2])
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
        self._count = _parse_name("hcp" if "balanced" in words else "points")
        self._lengths: list[tuple[Term, Callable[[RowScope], Range]]] = []
        self._force = _constant(Force.NONE)
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
            self._force = _constant(_FORCES[word])
        elif name == "forcing_unless":
            released = _parse_name(argument)
            self._force = lambda scope: Force.NONE if released(scope) else Force.ROUND
        else:
            (self._tests if _is_of_hand(word) else self.guards).append(_parse_condition(word))

    def _add_range(self, subject: str, text: str) -> None:
        if subject and not _is_of_hand(subject):
            self._lengths.append((_parse_factor(subject), _parse_range(text, ANY_LENGTH)))
            return
        self._points = _parse_range(text, ANY_POINTS)
        if subject:
            self._count = _parse_factor(subject)

    def meaning(self, call: Call, scope: RowScope) -> Meaning:
        """Return what a call means in a situation in which the row applies."""
        lengths: dict[int, Range] = {}
        for suits, span in self._lengths:
            found = suits(scope)
            lengths |= dict.fromkeys([found] if isinstance(found, int) else found, span(scope))
        known, tests, count = scope[:3], self._tests, self._count
        return Meaning(
            call=call,
            points=self._points(scope),
            worth=lambda hand: count(RowScope(*known, hand)),
            lengths=lengths_of(lengths),
            condition=lambda hand: _hold(tests, RowScope(*known, hand)),
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


@dataclass(frozen=True, slots=True)
class _Section:
    """The rows for one kind of situation."""

    headings: list[tuple[str, list[Term]]]
    blocks: list[_Block]

    def applies(self, situation: Situation) -> bool:
        scope = RowScope(situation, None)
        return any(phase == situation.phase and _hold(guards, scope) for phase, guards in self.headings)


def _hold(conditions: list[Term], scope: RowScope) -> bool:
    return all(condition(scope) for condition in conditions)


class System:
    """A bidding system: what calls mean in each kind of situation."""

    def __init__(self, *tables: str) -> None:
        self._sections: list[_Section] = []
        for line in re.sub(r"(#.*)?(\n {5,}|$)", " ", "\n".join(tables), flags=re.MULTILINE).splitlines():
            if line.strip():
                self._add(line)

    def _add(self, line: str) -> None:
        if line.startswith("== "):
            _, phase, *words = line.split()
            if not self._sections or self._sections[-1].blocks:
                self._sections.append(_Section([], []))
            self._sections[-1].headings.append((phase, [_parse_condition(word) for word in words]))
            return
        blocks = self._sections[-1].blocks
        if line.startswith("each x "):
            _, _, letters, *words = line.split()
            blocks.append(_Block([_STRAINS[letter] for letter in letters], [_parse_condition(w) for w in words], []))
            return
        if not line.startswith(" ") and (not blocks or blocks[-1].suits != [None]):
            blocks.append(_Block([None], [], []))
        blocks[-1].rows.append(_Row(line))

    def meanings(self, situation: Situation) -> list[Meaning]:
        """List what the system's legal calls mean here, in order of preference; empty where it has no calls."""
        section = next((each for each in self._sections if each.applies(situation)), None)
        return [meaning for block in section.blocks for meaning in block.meanings(situation)] if section else []
