"""Filters of the templates: suits, cards, calls, contracts, scores and times as pages show them.

All text from outside is escaped by the templates; only what these filters produce is markup.
"""

import re
from collections.abc import Callable
from datetime import UTC
from functools import cache
from typing import Final

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from tourney.bridge import PASS, Bid, Call, Card, Contract, Hand, Result, Seat, Strain, Suit, Vulnerability
from tourney.output.content import (
    Content,
    EntrantLink,
    Instant,
    Lines,
    Link,
    Linked,
    RoundLink,
    Running,
    Toned,
    text_of,
)
from tourney.scoring.victory_points import format_hundredths
from tourney.times import format_duration, format_on_page, format_utc

NOTICED_MS: Final = 1000
"""Thinking times below this are not shown: a program's tenths of a second say nothing, and there are 52 of them."""

MINUS: Final = "\N{MINUS SIGN}"
NOTHING: Final = "\N{EN DASH}"
"""Shown for a missing value, and for a void."""

VULNERABLE: Final = {
    Vulnerability.NONE: "none",
    Vulnerability.NS: "North-South",
    Vulnerability.EW: "East-West",
    Vulnerability.ALL: "all",
}
"""Who is vulnerable, in words."""

_TEXT_STYLE: Final = "\N{VARIATION SELECTOR-15}"  # without it, phones draw hearts and diamonds as emoji
SIGNS: Final = {Suit.SPADES: "\u2660", Suit.HEARTS: "\u2665", Suit.DIAMONDS: "\u2666", Suit.CLUBS: "\u2663"}

_BETWEEN: Final = re.compile(r"(?<=\d)-(?=-?\d)")
"""What stands between two figures: `21-5`, or `21--3`."""


@cache
def mark_suit(suit: Suit) -> Markup:
    """Format the symbol of a suit in its colour; screen readers read its name."""
    name = suit.name.lower()
    return Markup('<span class="suit {}" role="img" aria-label="{}">{}</span>').format(
        name, name, SIGNS[suit] + _TEXT_STYLE
    )


@cache
def mark_strain(strain: Strain) -> Markup:
    return mark_suit(strain.trumps) if strain.trumps is not None else Markup("NT")


@cache
def mark_card(card: Card) -> Markup:
    """Format a card as suit, then rank, as people write it: the ten is `10`."""
    return Markup('<span class="card">{}{}</span>').format(mark_suit(card.suit), _rank(card.rank_letter))


@cache
def mark_pip(suit: Suit) -> Markup:
    """Draw the sign of a suit, in the colour of the text around it; `cards.svg` has to be on the page."""
    return Markup('<svg class="pip" aria-hidden="true"><use href="#pip-{}"></use></svg>').format(suit.letter)


@cache
def mark_face(card: Card) -> Markup:
    """Draw the face of a card: its rank, and the sign of its suit."""
    return Markup("<span>{}</span>{}").format(_rank(card.rank_letter), mark_pip(card.suit))


def format_rank(card: Card) -> str:
    """Format the rank of a card: `A`, `10`."""
    return _rank(card.rank_letter)


def mark_holding(hand: Hand, suit: Suit) -> str:
    """Format the ranks that a hand holds in a suit, highest first: `A K 10 4`; a dash for a void."""
    return " ".join(map(_rank, hand.suit_letters(suit))) or NOTHING


def _rank(letter: str) -> str:
    return "10" if letter == "T" else letter


@cache
def mark_call(call: Call) -> Markup:
    if isinstance(call, Bid):
        return Markup('<span class="bid">{}{}</span>').format(call.level, mark_strain(call.strain))
    if call is PASS:
        return Markup('<span class="pass">{}</span>').format(call)
    return Markup('<abbr class="double" title="{}">{}</abbr>').format(call.name.title(), call)


def mark_contract(contract: Contract | None) -> Markup:
    """Format a contract as level, strain and doubles; None is `Passed out`."""
    if contract is None:
        return Markup("Passed out")
    return Markup('<span class="bid">{}{}{}</span>').format(
        contract.level, mark_strain(contract.strain), "X" * contract.doubled
    )


def mark_name(name: str) -> Markup:
    """Isolate a name, so that right-to-left letters in it do not reorder the text around it (HTML, element `bdi`)."""
    return Markup("<bdi>{}</bdi>").format(name)


def mark_thinking(ms: int, at_ms: int) -> Markup:
    """Format the thinking time of a call or card, with the time of day in the title; nothing if it was too short."""
    if ms < NOTICED_MS:
        return Markup()
    seconds = f"{ms // 1000}.{ms % 1000:03}"
    # Figures only; `Markup.format`, which escapes, would take a quarter of the time of an export.
    return Markup(f'<time datetime="PT{seconds}S" title="{format_utc(at_ms)}">{format_seconds(ms)}</time>')  # noqa: S704


def format_seconds(ms: int) -> str:
    """Format a thinking time as `0.3 s`, `41.2 s` or `3:07.4`."""
    return f"{ms / 1000:.1f} s" if ms < 59_950 else format_duration(ms)


@pass_context
def mark_moment(context: Context, at_ms: int) -> Markup:
    """Format a point in time in the time zone of the page, with what machines read in the element."""
    text = format_on_page(at_ms, context.get("zone", UTC))
    return Markup('<time datetime="{}">{}</time>').format(format_utc(at_ms), text)


def mark_outcome(result: Result) -> Markup:
    """Format what was played in one cell: `4H N +3`, or `Pass`."""
    if result.contract is None:
        return Markup('<span class="outcome">Pass</span>')
    return Markup('<span class="outcome">{} {} {}</span>').format(
        mark_contract(result.contract), result.contract.declarer.letter, format_over(result)
    )


def mark_step(running: Running) -> Markup:
    """Draw the step that a board makes in the line of a match, the home team to the left, for a cell of its row."""

    def place(margin: int) -> float:
        return round(50 - 42 * margin / max(running.most, 1), 1)

    was, now, score = place(running.before), place(running.margin), mark_minus(text_of(running))
    lead = format_hundredths(abs(running.margin))
    side = "home" if running.margin >= 0 else "away"
    is_new = running.margin != running.before
    return Markup(
        '<svg role="img" aria-label="{}"><rect class="{}" x="{}%" width="{}%" height="100%"></rect>'
        '<line class="zero" x1="50%" x2="50%" y2="100%"></line><line x1="{}%" x2="{}%"></line>'
        '<line x1="{}%" x2="{}%" y2="100%"></line>{}</svg>'
    ).format(
        *(score, side, min(now, 50), round(abs(50 - now), 1), was, now, now, now),
        Markup('<text class="{}" x="{}%" dx="{}" y="70%">{}</text>').format(
            side, now, -5 if side == "home" else 5, lead
        )
        if is_new
        else "",
    )


_MARKS: Final[dict[type, Callable[..., Markup]]] = {
    Card: mark_card,
    Contract: mark_contract,
    Result: mark_outcome,
    Running: mark_step,
}


@pass_context
def mark_content(context: Context, content: Content, *, is_figure: bool = False) -> Markup:
    """Format what a cell shows, with a link where it leads somewhere that has a page."""
    match content:
        case Linked(content=str() as name, to=EntrantLink(side)):
            if name != side:
                return _link(context, mark_name(name), EntrantLink(side))
            entrants = context["entrants_of"](side)
            return Markup(" and ").join(_link(context, mark_name(each), EntrantLink(each)) for each in entrants)
        case Linked(content=shown, to=to):
            return _link(context, mark_content(context, shown, is_figure=is_figure), to, content.words)
        case Toned(content=shown):
            inner = mark_content(context, shown, is_figure=is_figure)
            return Markup('<span class="{}">{}</span>').format(content.tone, inner)
        case Lines(contents):
            return Markup("<br>\n").join(mark_content(context, each, is_figure=is_figure) for each in contents)
        case Instant():
            return mark_moment(context, content.at_ms)
        case Card() | Contract() | Result() | Running():
            return _MARKS[type(content)](content)
        case Seat():
            return escape(content.letter)
        case str():
            return escape(mark_minus(content) if is_figure or content == "-" else content)
        case _:
            return Markup(" ").join(mark_content(context, each, is_figure=is_figure) for each in content)


def _link(context: Context, shown: Markup, to: Link, words: str = "") -> Markup:
    address = context["link"](context["address_of"](to))
    if address is None:
        return shown
    title = Markup(' title="{}"').format(words) if words else Markup()
    if isinstance(to, RoundLink):
        shown = mark_name(shown)  # with the name of its stage
    return Markup('<a href="{}"{}>{}</a>').format(address, title, shown)


def mark_minus(figure: str) -> str:
    """Format a figure with a typographic minus sign, and a dash between two or in place of one that there is not."""
    if figure == "-":
        return NOTHING
    return _BETWEEN.sub("\N{EN DASH}", figure).replace("+-", "\N{PLUS-MINUS SIGN}").replace("-", MINUS)


def format_total(hundredths: int) -> str:
    """Format hundredths of IMPs or points, `28.5`, with a typographic minus sign."""
    return format_hundredths(hundredths).replace("-", MINUS)


def format_over(result: Result) -> str:
    """Format overtricks and undertricks: `+1`, `=`, or with a minus sign; empty if passed out."""
    return mark_minus(result.contract.format_over(result.tricks)) if result.contract is not None else ""
