"""A strict reader of the HTML pages that we write, for tests."""

import posixpath
import re
from dataclasses import dataclass, field
from html import unescape
from html.entities import html5
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

VOID = {"meta", "link", "br", "input"}
CELLS = {"td", "th", "caption"}
BLOCKS = {"p", "table", "ul", "ol", "section", "div", "nav", "h1", "h2", "details", "header", "footer", "main"}
AS_TYPED = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{RIGHT SINGLE QUOTATION MARK}": "'"})
"""Signs of print as tests write them."""
OF_KNOCKOUTS = {"bracket", "side", "through"}
"""Classes that only the pages of a knockout have."""
OF_DUELS = {
    *("at", "band", "chart", "charts", "grid", "interval", "level", "name", "other", "reach", "series"),
    *("unseen", "x", "y", "zero"),
}
"""Classes of charts of duels and of bars of ratings, which pages of other events do not have."""
NARROW = "narrow"
"""The class of what is shown on a narrow screen only; a page is read as on a wide one."""
INSIDE = {
    "li": {"ul", "ol"},
    "caption": {"table"},
    "thead": {"table"},
    "tbody": {"table"},
    "tfoot": {"table"},
    "tr": {"thead", "tbody", "tfoot"},
    "td": {"tr"},
    "th": {"tr"},
    "summary": {"details"},
}


@dataclass
class Table:
    """Its rows, each a list of the texts of its cells, header cells among them."""

    rows: list[list[str]] = field(default_factory=list)
    classes: list[list[str]] = field(default_factory=list)
    """CSS classes of the cells, row by row."""


class Page(HTMLParser):
    """A page, refused at the first thing that is not as HTML asks: nesting, entities, ids, headings, tables."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=False)
        self.path = path
        self.source = path.read_text(encoding="utf-8")
        self.open: list[tuple[str, dict[str, str]]] = []
        self._narrow = 0
        """How many of the open elements are for narrow screens only."""
        self._cells = 0
        """How many of them are cells or captions of tables."""
        self.tags: set[str] = set()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.named_by: list[str] = []
        self.classes: set[str] = set()
        self.headings: list[int] = []
        self.tables: list[Table] = []
        self.times: list[tuple[str, str]] = []
        """For each call and card: how long it took, and when it was made."""
        self.texts: list[str] = []
        assert self.source.startswith('<!DOCTYPE html>\n<html lang="en"'), path
        self.feed(self.source)
        self.close()
        assert not self.open, (path, self.open)
        assert not self.rawdata, (path, self.rawdata)
        assert set(self.named_by) <= self.ids, path
        assert self.headings[0] == 1, path
        assert self.headings.count(1) == 1, path
        steps = zip(self.headings, self.headings[1:], strict=False)
        assert all(after <= before + 1 for before, after in steps), (path, self.headings)
        assert {"html", "head", "title", "meta", "body", "main", "header", "footer"} <= self.tags, path

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def table(self, caption: str) -> Table:
        return next(table for table in self.tables if table.rows[0][0].startswith(caption))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        where = (self.path, tag, self.getpos())
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), where
        found = {name: value for name, value in attrs if value is not None}
        assert len(found) == len(attrs), where
        assert not any(name.startswith("on") or name == "style" for name in names), where
        above = [name for name, _ in self.open]
        assert tag not in BLOCKS or not {"p", "span", "a"} & set(above), where
        assert tag != "a" or "a" not in above, where
        assert tag not in INSIDE or above[-1] in INSIDE[tag], where
        assert above[-1:] != ["ul"] or tag == "li", where
        assert tag != "th" or "scope" in found, where
        assert found.get("role") != "img" or found.get("aria-label"), where
        self.tags.add(tag)
        self.classes |= set(found.get("class", "").split())
        if "id" in found:
            assert found["id"] not in self.ids, where
            self.ids.add(found["id"])
        self.named_by += found.get("aria-labelledby", "").split()
        if "href" in found:
            self.links.append(found["href"])
        if tag == "time" and "title" in found:
            self.times.append((found["datetime"], found["title"]))
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))
        if tag == "table":
            self.tables.append(Table())
        if tag in ("caption", "tr"):
            self.tables[-1].rows.append([])
            self.tables[-1].classes.append([])
        if tag in CELLS:
            self.tables[-1].rows[-1].append("")
            self.tables[-1].classes[-1].append(found.get("class", ""))
        if tag not in VOID:
            self.open.append((tag, found))
            self._narrow += NARROW in found.get("class", "").split()
            self._cells += tag in CELLS

    def handle_endtag(self, tag: str) -> None:
        assert self.open, (self.path, tag, self.getpos())
        last, found = self.open.pop()
        assert tag == last, (self.path, tag, last, self.getpos())
        is_narrow = NARROW in found.get("class", "").split()
        self._narrow -= is_narrow
        if tag in CELLS:
            self._cells -= 1
            row = self.tables[-1].rows[-1]
            row[-1] = " ".join(row[-1].split())
            if is_narrow:
                row.pop()
                self.tables[-1].classes[-1].pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError((self.path, tag, self.getpos()))

    def handle_data(self, data: str) -> None:
        assert "<" not in data, (self.path, data, self.getpos())
        assert not re.search(r"&[#\w]", data), (self.path, data, self.getpos())
        self._add(data)

    def handle_entityref(self, name: str) -> None:
        assert f"{name};" in html5, (self.path, name)
        self._add(unescape(f"&{name};"))

    def handle_charref(self, name: str) -> None:
        self._add(unescape(f"&#{name};"))

    def handle_comment(self, data: str) -> None:
        raise AssertionError((self.path, data))

    def _add(self, text: str) -> None:
        text = text.translate(AS_TYPED)
        if self._narrow:
            return
        self.texts.append(text)
        if self._cells:
            self.tables[-1].rows[-1][-1] += text


def read_pages(folder: Path) -> dict[str, Page]:
    """All pages of a folder by their path in it."""
    return {path.relative_to(folder).as_posix(): Page(path) for path in sorted(folder.rglob("*.html"))}


def check_links(folder: Path, pages: dict[str, Page]) -> None:
    """Every link leads to a file in the folder, by a relative path, and to a place that is on the page."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            assert (parts.scheme, parts.netloc, parts.query) == ("", "", ""), (page.path, link)
            assert not link.startswith("/"), (page.path, link)
            target = _target(name, unquote(parts.path))
            assert target in files, (page.path, link)
            if parts.fragment:
                assert parts.fragment in pages[target].ids, (page.path, link)


def _target(name: str, path: str) -> str:
    """Where a relative path on a page of this name leads to, from the folder of all pages."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name


def reached_from(pages: dict[str, Page], first: str) -> set[str]:
    """The pages to which links lead from one of them, over others too."""
    reached, waiting = set[str](), [first]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            paths = {link.partition("#")[0] for link in pages[name].links if link[0] != "#"}
            targets = {_target(name, path) for path in paths}
            waiting += [target for target in targets if target.endswith(".html")]
    return reached


def read_site(folder: Path) -> dict[str, Page]:
    """All pages of a written site: every link leads to a place that is there, and every page is reached."""
    pages = read_pages(folder)
    check_links(folder, pages)
    assert reached_from(pages, "index.html") == set(pages)
    return pages
