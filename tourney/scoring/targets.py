"""What a side is expected to score with its cards, where one table plays alone: the Russian and the Estonian table.

The Russian table is that of pagat.com's rules of contract bridge. The Estonian one is Tanel Teinemaa's Compensation
Table, www.compensationtable.com, which may be used freely wherever that address is given.
"""

from dataclasses import dataclass
from typing import Final

from tourney.bridge import Deal, Side, Suit

FIT_CARDS: Final = 8
"""The cards of a suit that partners have a fit with."""

RUSSIAN_HCP_MAX: Final = 37
"""The high-card points that the Russian table ends with."""

ESTONIAN_HCP_MAX: Final = 33
"""The high-card points that the Estonian table ends with."""


def _parse_table(text: str) -> dict[int, list[int]]:
    """Parse a table of targets: a line for each number of high-card points, which it begins with."""
    lines = (map(int, line.split()) for line in text.strip().splitlines())
    return {hcp: targets for hcp, *targets in lines}


_RUSSIAN: Final = _parse_table("""
20     0    0
21    50   50
22    70   70
23   110  110
24   200  290
25   300  440
26   350  520
27   400  600
28   430  630
29   460  660
30   490  690
31   600  900
32   700 1050
33   900 1350
34  1000 1500
35  1100 1650
36  1200 1800
37  1300 1950
""")
"""Russian targets of the side with more points: not vulnerable, vulnerable."""

_ESTONIAN: Final = _parse_table("""
20    30   10    90   70   120  120   -20  -40   -40  -60   -60  -70    20  -10
21    60   30   140  130   160  240    30    0    20  -10    40   40    40   20
22   100  100   170  200   230  310    60   50    60   70    70  100    60   50
23   140  180   260  330   280  380    80   80    90  110   160  260    90   80
24   190  310   330  450   370  510   160  180   170  200   260  320   160  150
25   270  410   390  550   400  570   190  270   260  400   320  450   220  290
26   350  500   430  630   440  640   320  440   340  500   420  560   310  480
27   400  580   470  690   510  730   360  490   410  590   480  680   390  580
28   420  630   540  750   640  920   390  580   470  680   590  870   420  600
29   450  660   600  860   720 1050   420  640   530  770   670 1000   440  630
30   550  770   730 1050   920 1320   490  740   670  990   850 1250   470  660
31   620  900   890 1280  1020 1470   560  840   820 1210   950 1400   510  710
32   770 1120   970 1400  1070 1550   710 1060   900 1330  1000 1480   640  900
33   910 1310  1010 1460  1110 1610   840 1240   940 1390  1040 1540   820 1170
""")
"""Estonian targets of the side with more points. A line has those with 8, 9, and 10 or more cards in a major, the
same in a minor, and those without a fit: not vulnerable, vulnerable."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The suit by which the Estonian table values the cards of two partners."""

    is_major: bool
    cards: int
    """How many cards of it the partners have together, 0..13; with fewer than `FIT_CARDS` there is no fit."""


def find_fits(deal: Deal) -> dict[Side, Fit]:
    """Return the fit of each side: its longer major if it has a fit there, else its longer minor."""
    fits = {}
    for side in Side:
        cards = {suit: sum(len(deal[seat].suit(suit)) for seat in side.seats) for suit in Suit}
        major, minor = max(cards[Suit.SPADES], cards[Suit.HEARTS]), max(cards[Suit.DIAMONDS], cards[Suit.CLUBS])
        fits[side] = Fit(is_major=True, cards=major) if major >= FIT_CARDS else Fit(is_major=False, cards=minor)
    return fits


def russian_target(hcp: int, *, vulnerable: bool) -> int:
    """Return what a side is expected to score with its high-card points.

    Args:
        hcp: the side's points, at least as many as its opponents' (20..40).
        vulnerable: whether the side is.
    """
    return _RUSSIAN[min(hcp, RUSSIAN_HCP_MAX)][vulnerable]


def estonian_target(hcp: int, fit: Fit, *, vulnerable: bool) -> int:
    """Return what a side is expected to score with its high-card points and its fit.

    Args:
        hcp: the side's points, at least as many as its opponents' (20..40).
        fit: its fit.
        vulnerable: whether the side is.
    """
    column = 6
    if fit.cards >= FIT_CARDS:
        column = min(fit.cards, 10) - FIT_CARDS + (0 if fit.is_major else 3)
    target = _ESTONIAN[min(hcp, ESTONIAN_HCP_MAX)][2 * column + vulnerable]
    return target + (150 if vulnerable else 100) * max(hcp - ESTONIAN_HCP_MAX, 0)
