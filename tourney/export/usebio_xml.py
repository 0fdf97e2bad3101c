"""Writes the XML of USEBIO, whatever kind of event is in it; nothing but ASCII, other letters as references."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, TextIO

from tourney.bridge import Card, Result
from tourney.movement.ranking import StandingRow
from tourney.report.rulings import describe_ruling
from tourney.results.standings import Standings
from tourney.store.draw.objects import EventInfo
from tourney.store.rulings import RulingInfo

HEAD: Final = (
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    '<!DOCTYPE USEBIO SYSTEM "http://www.ebu.co.uk/usebio/usebio_v1_2.dtd">\n'
)


class UsebioSection(NamedTuple):
    """A section of an event: a group of a stage."""

    session: int
    """The number of its stage."""
    name: str
    participants: ET.Element
    results: Iterable[ET.Element]
    """Its matches, or its boards."""


class UsebioWriter:
    """Writes elements one after the other, so that a long event need not fit into memory."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._depth = 0
        self._is_flat = False

    @contextmanager
    def parent(self, name: str, attributes: dict[str, str]) -> Iterator[None]:
        """Writes an element whose children are added inside the `with` block."""
        end = f"</{name}>"
        whole = ET.tostring(ET.Element(name, attributes), encoding="us-ascii", short_empty_elements=False)
        self._file.write(f"{self._indent}{whole.decode('ascii').removesuffix(end)}\n")
        self._depth += 1
        yield
        self._depth -= 1
        self._file.write(f"{'' if self._is_flat else self._indent}{end}\n")
        self._is_flat = False

    def add(self, element: ET.Element) -> None:
        """Writes a whole element, indented."""
        ET.indent(element, " ", level=self._depth)
        self._file.write(f"{self._indent}{_format(element)}\n")

    def add_flat(self, elements: Iterable[ET.Element]) -> None:
        """Writes the last children of a parent without indentation, because there are many of them."""
        self._file.write(f"{' ' * (self._depth - 1)}\n")
        for element in elements:
            ET.indent(element, " ")
            self._file.write(f"{_format(element)}\n")
        self._is_flat = True

    @property
    def _indent(self) -> str:
        return " " * self._depth


def _format(element: ET.Element) -> str:
    data: bytes = ET.tostring(element, encoding="us-ascii", xml_declaration=False)
    return data.decode("ascii")


def add_element(parent: ET.Element, name: str, value: object = "") -> ET.Element:
    """Appends a new element; characters that XML cannot hold become blanks."""
    element = ET.SubElement(parent, name)
    element.text = clean_text(str(value))
    return element


def clean_text(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def add_place(participant: ET.Element, ranking: Standings, row: StandingRow) -> None:
    """Appends the place of a team or pair, once there is one."""
    if ranking.rank_of(row) is not None:
        add_element(participant, "PLACE", ranking.format_rank(row))


def add_players(participant: ET.Element, name: str, players: int) -> None:
    """Appends the players, who have the name of their team or pair."""
    for _ in range(players):
        add_element(ET.SubElement(participant, "PLAYER"), "PLAYER_NAME", name)


def add_play(line: ET.Element, result: Result | None, lead: Card | None) -> None:
    """Appends contract, declarer, lead and tricks as played at a table, all empty without a result."""
    contract = result.contract if result is not None else None
    add_element(line, "CONTRACT", contract if contract is not None else "Pass" if result is not None else "")
    add_element(line, "PLAYED_BY", contract.declarer.letter if contract is not None else "")
    add_element(line, "LEAD", lead.pbn if lead is not None and contract is not None else "")
    add_element(line, "TRICKS", result.tricks if contract is not None and result is not None else "")


def add_ruled(element: ET.Element, figures: str, rulings: Iterable[RulingInfo]) -> None:
    """Appends a comment on rulings: the figures or the line that they are on, and what was ruled."""
    ruled = "; ".join(describe_ruling(ruling, with_match=False) for ruling in rulings)
    element.append(ET.Comment(f" {clean_text(re.sub('-(?=-)|-$', '- ', f'{figures}: {ruled}'))} "))


def make_leaf(name: str, value: object) -> ET.Element:
    """Returns an element with only text."""
    return add_element(ET.Element("parent"), name, value)


def make_club(event: EventInfo) -> ET.Element:
    club = ET.Element("CLUB")
    add_element(club, "CLUB_NAME", event.name)
    add_element(club, "CLUB_ID_NUMBER")
    return club
