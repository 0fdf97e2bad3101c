"""Writes the XML of USEBIO, whatever kind of event is in it; nothing but ASCII, other letters as references."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from tourney.store.draw.objects import EventInfo

HEAD: Final = (
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    '<!DOCTYPE USEBIO SYSTEM "http://www.ebu.co.uk/usebio/usebio_v1_2.dtd">\n'
)


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


def make_leaf(name: str, value: object) -> ET.Element:
    """Returns an element with only text."""
    element = ET.Element(name)
    element.text = clean_text(str(value))
    return element


def make_club(event: EventInfo) -> ET.Element:
    club = ET.Element("CLUB")
    add_element(club, "CLUB_NAME", event.name)
    add_element(club, "CLUB_ID_NUMBER")
    return club
