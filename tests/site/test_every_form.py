"""One figure, one answer: what the terminal, CSV, JSON, exports, pages and the written site show of small events.

The JSON document of a report is what the other forms are compared with, cell by cell. Reports and pages are those of
the registry and of the routes: one that is added is compared too. It then needs a line in `SHOWN_ON` for its page,
and in `tests/golden/columns.csv` for each heading that no other has; the failure says which. What has no counterpart
is in the same file, with the reason.
"""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.forms import PageTables, Record, Table, records_in_csv, records_in_json, tables_in_text
from tests.support.golden_figures import golden_rows
from tests.support.pairs_events import export_pairs
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tests.support.ruled_events import EVENTS
from tourney.config.web import WebConfig
from tourney.errors import TourneyError, UsageError
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.site.routes import ROUTES, Route
from tourney.site.site import Site
from tourney.store.draw.objects import EventInfo
from tourney.views import strength
from tourney.views.registry import REPORTS, ReportEntry
from tourney.views.report import Report
from tourney.web.public import PublicSite, find

# What is read


@dataclass
class Shown:
    """An event in every form."""

    played: PlayedEvent
    folder: Path
    view: PublicView
    reports: dict[tuple[str, tuple[tuple[str, Any], ...]], Report | None] = field(default_factory=dict)
    documents: dict[int, list[tuple[str, Record]]] = field(default_factory=dict)

    def report(self, name: str, **given: Any) -> Report | None:  # the values of its parameters
        """Return a report as its command loads it; None if the event has none of that kind."""
        key = name, tuple(given.items())
        if key not in self.reports:
            try:
                self.reports[key] = _load(self.played, name, given)
            except TourneyError:
                self.reports[key] = None
        return self.reports[key]

    def records(self, report: Report) -> list[tuple[str, Record]]:
        """Return the objects of the document of a report."""
        if id(report) not in self.documents:
            self.documents[id(report)] = list(records_in_json(report.document()))
        return self.documents[id(report)]

    @cached_property
    def pages(self) -> "list[tuple[str, Route, Address, PageTables]]":
        """All pages, each with its address, its route and the values in that."""
        return list(_pages(self))

    @property
    def event(self) -> EventInfo:
        return self.played.event

    @property
    def has_half_matchpoints(self) -> bool:
        return self.played.file.config.reports.matchpoints is MatchpointScale.ONE


def _load(played: PlayedEvent, name: str, given: Mapping[str, Any]) -> Report:
    if name == "strength":
        return strength.load(played.drawn)
    entry = REPORTS[name]
    defaults = {each.name: each.default for each in entry.parameters if each.default is not None}
    return entry.load_report(played.drawn, **defaults | dict(given))


VALUES: Final[Mapping[str, Callable[[EventInfo], Iterable[Any]]]] = {
    "match_number": lambda event: (match.number for match in event.matches),
    "pair": lambda event: (team.name for team in event.teams),
    "first": lambda event: (team.name for team in event.teams[:2]),
    "second": lambda event: (team.name for team in event.teams[2:4]),
    "round_number": lambda event: (round_.number for round_ in event.rounds),
    "rounds": lambda event: (round_.number for round_ in event.rounds),
}
"""The values of parameters for which reports are compared; of any other that may be left out, there is one report."""


def _givens(entry: ReportEntry, event: EventInfo) -> Iterator[dict[str, Any]]:
    """Yield the values of the parameters of a report with which it is compared."""
    asked = [each for each in entry.parameters if each.is_required]
    assert all(each.name in VALUES for each in asked), f"VALUES has none for a parameter of {entry.name!r}"
    if asked:
        columns = [list(VALUES[each.name](event)) for each in asked]
        yield from (
            dict(zip((each.name for each in asked), row, strict=False)) for row in zip(*columns, strict=False)
        )
        return
    yield {}
    for each in entry.parameters:
        if each.name in ("round_number", "rounds"):
            yield from ({each.name: value} for value in VALUES[each.name](event))


ONE_OF_A_KIND: Final = ("groups and knockout", "board-a-match", "Howell that a pair leaves", "individual", "rubbers")
"""The events that the suite compares; campaigns compare the others."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name in ONE_OF_A_KIND else pytest.mark.campaign) for name in EVENTS],
)
def shown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("event")
    played = EVENTS[request.param](folder)
    played.reload()
    return Shown(played, folder, PublicView(played.drawn, WebConfig(), BEGINS_AT_MS))


# What is compared

Expected = Callable[[Record], Any] | str
"""What a cell shows: the value under a key of the document, or what is made from its values; a tuple of several."""


def first_of(*keys: str) -> Callable[[Record], Any]:
    """The first of these keys that a document has a value under."""
    return lambda row: next((row[key] for key in keys if row.get(key) is not None), None)


def counted(key: str) -> Callable[[Record], Any]:
    """A figure of the boards of a pair that count; nothing before there is one."""
    return lambda row: row[key] if row["boards"] else None


def margin(won: str, lost: str) -> Callable[[Record], Any]:
    """Return one figure less another."""

    def less(row: Record) -> Any:
        one, other = (first_of(f"imps_{key}", f"points_{key}")(row) for key in (won, lost))
        return None if one is None or other is None else Fraction(str(one)) - Fraction(str(other))

    return less


def won_by(place: str) -> Callable[[Record], Any]:
    """What a team has won on a board; nothing where the other has won it, or nobody."""

    def figure(row: Record) -> Any:
        both = [first_of(*keys)(row) for keys in (("imps", "points"), ("points_away", "imps_away"))]
        own, other = both if place == "home" else both[::-1]
        if own is None or row["cancelled"] or Fraction(str(own)) == 0:
            return None  # a team that has won nothing may have a 0
        return own if Fraction(str(own)) > 0 or Fraction(str(own)) != -Fraction(str(other)) else None

    return figure


def with_carry(place: str) -> Callable[[Record], Any]:
    """The total of a team in a match, what it has carried over included; nothing before a board counts."""

    def total(row: Record) -> Any:
        score = first_of(f"imps_{place}", f"points_{place}")(row)
        if score is None or (row.get("boards_over") == 0 and row.get("state") != "over"):
            return None
        return Fraction(str(score)) + Fraction(str(row.get(f"carry_{place}") or 0))

    return total


@dataclass(frozen=True)
class Columns:
    """What the columns of a kind of table are compared with."""

    paths: tuple[str, ...]
    """The lists of the document that have what its rows are of."""
    keys: Mapping[str, str]
    """The columns that say what a row is of, each with its key."""
    figures: Mapping[str, Expected]
    across: str = ""
    """The key that columns whose headings are whole numbers are values of."""
    each: Expected = ""
    """What a cell in them shows."""
    below: Mapping[str, Expected] = field(default_factory=dict)
    """What rows show that sum up, by their first cell."""


OTHERWISE: Final = "*"
"""A score that a ruling gives to one side alone, which has an own key and other words in each form."""

FIGURES: Final[Mapping[str, Expected]] = {
    "": "",
    "margin": margin("for", "against"),
    "won by home": won_by("home"),
    "won by away": won_by("away"),
    "totals with carry-over": lambda row: (with_carry("home")(row), with_carry("away")(row)),
    "own score": lambda row: OTHERWISE if row["own_score"] is None else row["own_score"],
    "size of the swing": lambda row: abs(row["imps"]),
}
"""What `columns.csv` names beside keys of the document."""


def figure(text: str) -> Expected:
    """What is said as one of `FIGURES`, as a key, as the first of several `a | b`, or as several figures `a & b`."""
    if text in FIGURES:
        return FIGURES[text]
    if text.endswith(" if boards"):
        return counted(text.removesuffix(" if boards"))
    parts = [first_of(*part.split(" | ")) for part in text.split(" & ")]
    return parts[0] if len(parts) == 1 else lambda row: tuple(part(row) for part in parts)


def read_columns() -> Iterator[tuple[str, Columns]]:
    """Yield the kinds of tables of `tests/golden/columns.csv`, each with its report."""
    for table, rows in groupby(golden_rows("columns"), key=itemgetter("table")):
        name, _, paths = table.partition(": ")
        roles: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for row in rows:
            roles[row["role"]][row["heading"]] = row["shows"]
        figures, below = ({key: figure(text) for key, text in roles[role].items()} for role in ("figure", "sum"))
        ((across, each),) = roles["across"].items() or [("", "")]
        yield name, Columns(tuple(paths.split()), roles["row"], figures, across, figure(each), below)


COLUMNS: Final[defaultdict[str, list[Columns]]] = defaultdict(list)
"""The tables of each report, in the terminal and on pages."""
for _name, _columns in read_columns():
    COLUMNS[_name].append(_columns)

NOT_COMPARED: Final = {
    row["heading"]: row["shows"] for row in golden_rows("columns") if row["role"] == "not compared"
}
"""Columns without a counterpart in the document, for the reason that the file gives."""

TABLES_NOT_COMPARED: Final[Mapping[str, str]] = {
    "N-S": "who sits at which table of a round",
    "Day": "when rounds start",
}
"""Tables without a counterpart in the document, by what one of their headings is like, with the reason."""

Address = tuple[int | str, ...]

WHOLE_REPORTS: Final = {
    "": "standings swings",
    "schedule": "rounds",
    **dict.fromkeys(("live", "live/wall", "embed/standings", "entrants"), "standings"),
    **{name: name for name in ["crosstable", "rulings", "butler", "opening-leads", "strength"]},
}
"""The reports that a page shows as they are, by its path."""


def show_whole(names: Sequence[str], *_: Any) -> list[tuple[str, Record, Record]]:
    return [(name, {}, {}) for name in names]


SHOWN_ON: Final[Mapping[str, Callable[[EventInfo, Address], Sequence[tuple[str, Record, Record]]]]] = {
    **{path: partial(show_whole, names.split()) for path, names in WHOLE_REPORTS.items()},
    "swings": lambda _, __: [("swings", {"top": 100}, {})],
    "round/{round}": lambda _, at: [("rounds", {}, {"round": at[0]})],
    "round/{round}/board/{board}": lambda _, at: [("boards", {"round_number": at[0]}, {"board": at[1]})],
    "entrant/{entrant}": lambda event, at: [
        ("pair", {"pair": event.teams[int(at[0]) - 1].name}, {}),
        ("team", {}, {"team": event.teams[int(at[0]) - 1].name}),
    ],
    "board/{board}": lambda _, at: [("boards", {}, {"board": at[0]})],
    "stage/{stage}/board/{board}": lambda event, at: [
        ("boards", {"round_number": round_.number}, {"board": at[1]})
        for round_ in event.stages[int(at[0]) - 1].rounds
    ],
    "match/{match}": lambda event, at: [
        ("match", {"match_number": at[0]}, {}),
        ("boards", {"round_number": event.matches[int(at[0]) - 1].round}, {"match": at[0]}),
    ],
}
"""The reports that a page shows, by its path: name, parameters, and what all that is on the page is of."""

WITHOUT_A_REPORT: Final[Mapping[str, str]] = {
    "conditions": "rules",
    "play": "boards in play",
    "vugraph": "boards in play",
    "vugraph/login": "a form",
    "match/{match}/board/{board}": "the play of a board, with its results at the tables",
    "embed/match/{match}/board/{board}": "the play of a board",
}
"""Pages that no report has the figures of, with the reason."""


# How it is compared

_NOTES: Final = re.compile(r" ?\(\d+\)| ?[*]")


def numbers_in(text: str) -> list[Fraction]:
    """Return the numbers in a text: `21--3` has 21 and -3, `17.58* (21-0)` has 17.58, 21 and 0."""
    found = re.findall(r"(?:(?<![\d)])[-+])?\d+(?:\.\d+)?", text)
    return [Fraction(each) for each in found]


def says(shown: str, expected: Any) -> bool:
    """Return whether a cell says what a document has; a figure with more digits is rounded to those shown."""
    if expected == OTHERWISE:
        return True
    if isinstance(expected, tuple):
        values = [value for value in expected if value is not None]
        found = numbers_in(shown.replace("*", ""))
        return len(found) == len(values) and all(map(_is_rounded, found, values, [shown] * len(found)))
    text = _NOTES.sub("", shown).strip()
    if expected is None:
        return text == "0" or not re.fullmatch(r"[-+]?[\d.]+", text)
    if isinstance(expected, bool):
        return True
    if not isinstance(expected, str) or re.fullmatch(r"-?\d+(\.\d+)?", expected):
        if re.fullmatch(r"\d+-\d+", text):  # a rank that is not decided
            text = text.partition("-")[0]
        if re.fullmatch(r"(\d+:)?\d+:\d\d\.\d", text):  # a duration
            parts = [Fraction(part) for part in text.split(":")]
            seconds = sum((part * 60**power for power, part in enumerate(reversed(parts))), Fraction())
            return bool(abs(1000 * seconds - Fraction(str(expected))) <= 50)
        found = numbers_in(text)
        if text.endswith("%") and isinstance(expected, float) and abs(expected) <= 1:
            expected = 100 * expected
        return len(found) == 1 and _is_rounded(found[0], expected, text)
    return text.removesuffix(" (not played)").casefold() == str(expected).casefold()


def _is_rounded(found: Fraction, expected: Any, text: str) -> bool:
    value = Fraction(str(expected))
    digits = max((len(part) for part in re.findall(r"\.(\d+)", text)), default=0)
    if (value * 10**digits).denominator == 1:
        return found == value
    return abs(found - value) <= Fraction(51, 100 * 10**digits)


def _named(table: Table, home: str, away: str) -> list[str]:
    """Return the columns of a table, the second of one name as such, those of the teams of a match by their place."""
    names: list[str] = []
    for heading in table.columns:
        words = "Run" if " ahead | " in heading else heading
        if home and heading in ("N-S", "E-W", "Table"):
            words = f"Open {heading}"
        for team, place in ((home, "home"), (away, "away")):
            if (
                home
                and heading in (team, f"IMPs {team}", f"Points {team}", place.title())
                and heading not in ("Home", "Away")
            ) or (home and heading == place.title()):
                words = place
        names.append(f"{words} 2" if words in names else words)
    return names


def compare(  # noqa: PLR0912 # one row of a table is as good as another
    name: str,
    records: Sequence[tuple[str, Record]],
    table: Table,
    about: Record,
    form: str,
    *,
    is_halved: bool = False,
) -> list[str]:
    """Return what a table says otherwise than the document of the report, a line a cell.

    With `is_halved` it shows a half of the matchpoints, which a document has as two for each result that is beaten.
    """
    root = records[0][1]
    home, away = (str(root.get(key, "")) if name == "match" else "" for key in ("home", "away"))
    columns = _named(table, home, away)
    kinds = [kind for kind in COLUMNS[name] if not _unknown(kind, columns)]
    if not kinds:
        unknown = min((_unknown(kind, columns) for kind in COLUMNS[name]), key=len)
        return [f"{form}: no columns of {name!r} are {unknown} (of {columns}): say in columns.csv what they show"]
    kind = kinds[0]
    of_kind = [row for path, row in records if path in kind.paths]
    ruled_on = _assigned(records) if name == "match" else set()
    wrong: list[str] = []
    for cells in table.rows:
        row = dict(zip(columns, cells, strict=True))
        both = re.fullmatch(r"(\d+) ?/ ?(\d+)", row.get("Board", ""))
        if both is not None:
            row |= {"Match": both[1], "Board": both[2]}
        if cells[0] in kind.below:
            told, figures = _sums(kind, name, row, cells, root)
            if any(value is not None for value in figures) and not says(told, figures):
                wrong.append(f"{form}: {name}, row {cells[0]!r}: shows {told!r}, the document {figures!r}")
            continue
        keys = {kind.keys[column]: cell for column, cell in row.items() if column in kind.keys}
        if len(set(cells)) == 1 or not all(keys.values()):
            continue
        where = f"{form}: {name}, {table.under!r}, row {' '.join(keys.values())!r}"
        candidates = [
            each
            for each in of_kind
            if all(_is(each.get(key), cell) for key, cell in keys.items())
            and all(str(each.get(key, value)) == str(value) for key, value in about.items())
        ]
        of_stage = _nearest(candidates, row.get("Stage", table.under))
        candidates = _nearest(candidates, table.under)
        if not candidates and not any(re.search(r"\d", row[column]) for column in row if column in kind.figures):
            continue  # a board that is still to be played
        if not candidates:
            wrong.append(f"{where}: is not in the document")
            continue
        for column, cell in row.items():
            if "Score" in column and (cells[0], column) in ruled_on:
                continue  # what a ruling assigns stands there, in words
            if kind.figures.get(column):
                expected = kind.figures[column]
                records_shown = of_stage if column == "Result" else candidates
                values = [expected(each) if callable(expected) else each.get(expected) for each in records_shown]
                if is_halved and {"MP", "of"} & set(column.split()):
                    values = [value / 2 if value is not None else None for value in values]
                if not any(says(cell, value) for value in values):
                    wrong.append(f"{where}, column {column!r}: shows {cell!r}, the document {values[0]!r}")
            elif kind.across and column.isdecimal():
                wrong += _across(kind, records, candidates[0], column, cell, f"{where}, column {column!r}")
    return wrong


def _assigned(records: Iterable[tuple[str, Record]]) -> set[tuple[str, str]]:
    """Return the boards and the columns in which the score of a room stands that a ruling has assigned."""
    columns = {"open": "Score", "closed": "Score 2"}
    return {
        (str(each["board"]), columns[each["room"]])
        for path, each in records
        if path == "rulings" and each["kind"] == "assigned-score"
    }


def _sums(
    kind: Columns, name: str, row: Mapping[str, str], cells: Sequence[str], root: Record
) -> tuple[str, tuple[Any, ...]]:
    """Return what a row below the others shows, and the figures of the document, if it has any."""
    expected = kind.below[cells[0]]
    shown = f"{row.get('home', '')} {row.get('away', '')}" if name == "match" else " ".join(cells[1:])
    return shown, expected(root) if callable(expected) else ()


def _unknown(kind: Columns, columns: Sequence[str]) -> list[str]:
    known = {*kind.keys, *kind.figures, *NOT_COMPARED}
    unknown = [each for each in columns if each not in known and not (kind.across and each.isdecimal())]
    return unknown if any(each in kind.keys for each in columns) else [*unknown, "one that says what a row is of"]


def _is(value: Any, cell: str) -> bool:
    """Return whether a cell that says what a row is of names a value."""
    text = _NOTES.sub("", cell).replace("(left the event)", "").partition(",")[0].strip().casefold()
    return str(getattr(value, "value", value)).casefold() == text or (value is None and text == "-")


def _nearest(candidates: Sequence[Record], under: str) -> list[Record]:
    """Return the records of the stage and the group that stand above a table; else those of the whole event."""

    def is_under(record: Record) -> bool:
        group, side = record.get("group"), record.get("direction")
        words = {"NS": "North-South", "EW": "East-West"}.get(str(getattr(side, "value", side)), f"Group {group}")
        return str(record.get("stage")) in under and (group is None or words.casefold() in under.casefold())

    of_stage = [each for each in candidates if is_under(each)]
    whole = [each for each in candidates if "stage" not in each]
    return of_stage or whole or list(candidates)


def _across(
    kind: Columns, records: Sequence[tuple[str, Record]], row: Record, column: str, cell: str, where: str
) -> Iterator[str]:
    """Compare a cell of a cross-table, or of the rounds of a pair."""
    entrant, key = next(iter(set(kind.keys.values()))), kind.across
    numbers = {each["number"]: each[entrant] for path, each in records if path in kind.paths}
    other = numbers.get(int(column)) if key == "opponent" else int(column)
    below = [
        each
        for path, each in records
        if any(path.startswith(f"{above}.") for above in kind.paths)
        and (each.get(entrant), each.get("stage"), each.get(key)) == (row[entrant], row.get("stage"), other)
        and (path.endswith((".matches", ".rounds")))
    ]
    assert callable(kind.each)
    if not below:
        if re.search(r"\d", cell):
            yield f"{where}: shows {cell!r}, the document has no such match"
        return
    values: list[Any] = []
    for each in below:
        values += (
            [first_of("vp", "ranking_score")(each), *kind.each(each)] if key == "opponent" else [kind.each(each)]
        )
    shown, expected = numbers_in(cell.replace("*", "")), [value for value in values if value is not None]
    texts = [[Fraction(str(value)) for value in part] for part in (expected, expected[::3], expected[1:])]
    if sorted(shown) not in [sorted(each) for each in texts]:
        yield f"{where}: shows {cell!r}, the document {expected}"


def report_failures(wrong: Iterable[str]) -> None:
    """Fail with every cell that differs, one a line."""
    lines = list(dict.fromkeys(wrong))
    assert not lines, f"{len(lines)} cells differ:\n" + "\n".join(lines[:40])


# The tests


def _loaded(shown: Shown) -> Iterator[tuple[str, Report]]:
    for name, entry in REPORTS.items():
        for given in _givens(entry, shown.event):
            report = shown.report(name, **given)
            if report is not None:
                yield name, report


def test_the_terminal_shows_what_the_json_document_has(shown: Shown) -> None:
    wrong: list[str] = []
    for name, report in _loaded(shown):
        for table in tables_in_text(report):
            wrong += compare(name, shown.records(report), table, {}, "terminal", is_halved=shown.has_half_matchpoints)
    report_failures(wrong)


def test_a_tie_is_told_with_the_figure_that_the_ranking_has(shown: Shown) -> None:
    report = shown.report("standings", explain=True)
    assert report is not None
    wrong: list[str] = []
    document = report.document()
    for ranking in document.get("fields") or [document]:
        rows = {row["team"]: row for row in ranking["standings"]}
        for tie in ranking["explained"]:
            for row in (rows[team] for team in tie["teams"]):
                figure = first_of("result", "percentage", "imps_per_board", "vp", "ranking_score")(row)
                is_average = ranking.get("format", shown.event.stages[0].format.name) == "gauntlet"
                whole = Fraction(str(figure)) / (row["played"] if is_average else 1)
                if abs(whole - Fraction(tie["vp"])) > Fraction(is_average, 200):
                    wrong.append(f"standings --explain, {row['team']}: {tie['vp']}, in the ranking {figure}")
    report_failures(wrong)


def test_csv_has_what_the_json_document_has(shown: Shown) -> None:
    wrong: list[str] = []
    for name, report in _loaded(shown):
        documents = [row for _, row in shown.records(report)]
        wrong += _not_in(f"csv: {name}", records_in_csv(report.csv()), documents)
    report_failures(wrong)


_OTHER_NAMES: Final = {"imps": "imps_home", "points": "points_home"}
"""Keys of JSON that have another name in CSV."""


def _not_in(form: str, rows: Iterable[Mapping[str, str]], documents: Sequence[Record]) -> Iterator[str]:
    """Yield the rows of which no object of a document has all values, with where the nearest differs."""
    plain = [
        {key: _plain(value) for key, value in row.items()}
        | {_OTHER_NAMES[key]: _plain(row[key]) for key in _OTHER_NAMES if key in row and "board" in row}
        for row in documents
    ]
    for row in rows:
        if row.get("state") == "bye":
            continue  # a list of names in JSON
        best: tuple[int, list[str]] = 0, ["no object of the document has these keys"]
        for document in plain:
            shared = row.keys() & document.keys()
            different = [
                f"{key} {row[key]!r}, in JSON {document[key]!r}"
                for key in shared
                if row[key] not in (document[key], "" if key in ("rank", "stage") else document[key])
            ]
            if len(shared) > 2:
                best = max(best, (len(shared) - 2 * len(different), different), key=lambda found: found[0])
            if best == (len(shared), []) and shared:
                break
        if best[1]:
            yield f"{form}, row {' '.join(list(row.values())[:6])!r}: {'; '.join(best[1][:3])}"


def _plain(value: Any) -> str:
    value = getattr(value, "value", value)
    if value is None or isinstance(value, list | Mapping):
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def test_addresses_have_the_documents_and_tables_of_the_commands(shown: Shown) -> None:
    site, wrong = PublicSite(shown.view, BEGINS_AT_MS), []
    numbers = {team.name: team.number for team in shown.event.teams}
    for route in ROUTES:
        keywords = route.arguments([1] * len(route.parameters)) if route.report else {}
        for given in _givens(REPORTS[route.report], shown.event) if route.report else ():
            report = shown.report(route.report, **given)
            if report is None or given.keys() != keywords.keys():
                continue
            address = route.address(*(numbers.get(value, value) for value in given.values()))
            command = f"tourney {route.report} {given}"
            if _served(site, f"{address}.json") != f"{json.dumps(report.document(), ensure_ascii=False)}\n":
                wrong.append(f"{address}.json: is not the document of `{command} --json`")
            if _served(site, f"{address}.csv") != _csv_of(report):
                wrong.append(f"{address}.csv: is not the table of `{command} --csv`")
    report_failures(wrong)


def _served(site: PublicSite, address: str) -> str:
    content = site.content(address)
    return content.body.decode() if content is not None else ""


def _csv_of(report: Report) -> str:
    try:
        return report.csv().text()
    except UsageError:  # it has none
        return ""


EXPORTED: Final[Mapping[str, Sequence[tuple[str, Record]]]] = {
    "standings": [("standings", {})],
    "matches": [("rounds", {})],
    "rulings": [("rulings", {})],
    "travellers": [("boards", {"round_number": None})],
}
"""The tables of an export by their files, each with the report that has the same figures."""


def test_exported_tables_have_what_the_documents_of_reports_have(shown: Shown) -> None:
    folder = shown.folder / "csv"
    paths = {path.stem: path for path in export_pairs(shown.played, "csv", folder)}
    wrong: list[str] = []
    for name, reports in EXPORTED.items():
        if name not in paths:
            continue
        with paths[name].open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for report_name, given in reports:
            numbers = VALUES["round_number"](shown.event) if given else [None]
            found = [
                shown.report(report_name, **({"round_number": number} if number is not None else {}))
                for number in numbers
            ]
            # Nothing yet is 0 in a file; nothing is compared at a table of pairs.
            rows = [row for row in rows if row.get("boards_finished") != "0" and row.get("lead") != ""]
            documents = [
                {key: value for key, value in row.items() if key not in ("stage", "boards", "withdrawn")}
                for report in found
                if report is not None
                for _, row in shown.records(report)
            ]
            if documents:
                wrong += _not_in(f"{name}.csv", rows, documents)
    report_failures(wrong)


def test_a_ruling_comes_in_the_same_place_in_every_list(shown: Shown) -> None:
    report = shown.report("rulings")
    assert report is not None
    (path,) = (path for path in export_pairs(shown.played, "csv", shown.folder / "csv") if path.stem == "rulings")
    with path.open(encoding="utf-8", newline="") as file:
        exported = [row["ruling"] for row in csv.DictReader(file)]
    assert exported == [row["ruling"] for row in records_in_csv(report.csv())]


def _pages(shown: Shown) -> Iterator[tuple[str, Route, Address, PageTables]]:
    site = Site(shown.view, BEGINS_AT_MS)
    served = ((route.path, site.render(route)) for route in ROUTES if not (route.is_written or route.parameters))
    of_matches = (  # without those of their boards, which no report has the figures of
        (route.address(match.number), site.render(route, [match.number]))
        for route in ROUTES
        if route.is_of_match and route.is_written and len(route.parameters) == 1
        for match in shown.event.matches
    )
    for address, page in chain(site.pages(), of_matches, served):
        found = find(address)
        if page is not None and found is not None and address != urls.FEED:
            yield address, found[0], found[1], PageTables(page.decode())


def test_pages_show_what_the_json_documents_of_reports_have(shown: Shown) -> None:
    wrong: list[str] = []
    matches: defaultdict[str, list[Record]] = defaultdict(list)
    rounds = shown.report("rounds")
    if rounds is not None:
        for _, row in shown.records(rounds):
            if "home" in row:
                matches[row["home"]].append(row)
    for address, route, values, page in shown.pages:
        wrong += _lines_of_matches(f"page {address}", page.lines, matches)
        if route.path in WITHOUT_A_REPORT:
            continue
        if route.path not in SHOWN_ON:
            wrong.append(f"page {address}: say in SHOWN_ON which reports have its figures")
            continue
        for table in page.tables:
            wrong += _compare_with_any(shown, f"page {address}", table, SHOWN_ON[route.path](shown.event, values))
    report_failures(wrong)


def _compare_with_any(
    shown: Shown, form: str, table: Table, asked: Sequence[tuple[str, Record, Record]]
) -> list[str]:
    """Compare a table of a page with the report, of those on the page, that has its columns."""
    if any(re.fullmatch(pattern, heading) for pattern in TABLES_NOT_COMPARED for heading in table.columns):
        return []
    least: tuple[bool, int, list[str]] | None = None
    matches = shown.report("rounds")
    for name, given, about in asked:
        report = matches if name == "team" else shown.report(name, **given)
        if report is not None:
            records = shown.records(report) if name != "team" else list(_of_teams(shown.records(report)))
            wrong = compare(name, records, table, about, form, is_halved=shown.has_half_matchpoints)
            has_other_columns = any("say in columns.csv" in each for each in wrong)
            least = min(filter(None, (least, (has_other_columns, len(wrong), wrong))))
    return least[2] if least is not None else [f"{form}: no report has {table.columns}: say in SHOWN_ON which does"]


def _of_teams(records: Iterable[tuple[str, Record]]) -> Iterator[tuple[str, Record]]:
    """Yield the matches in the document of all rounds from the side of each of its teams."""
    yield "", {}
    for path, row in records:
        if path == "rounds.matches":
            for own, other in (("home", "away"), ("away", "home")):
                figures = {
                    "won": with_carry(own)(row),
                    "lost": with_carry(other)(row),
                    "vp": first_of(f"vp_{own}", f"ranking_score_{own}")(row),
                    "vp_against": first_of(f"vp_{other}", f"ranking_score_{other}")(row),
                }
                yield "matches", {"match": row["match"], "team": row[own], "opponent": row[other], **figures}


def _lines_of_matches(form: str, lines: Sequence[str], matches: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    """Compare lines such as `Alpha 15 - 28 Delta 3.91 - 16.09 VP` with the documents of matches."""
    for line in lines:
        found = re.match(r"(\w+) (-?[\d.]+) - (-?[\d.]+) (\w+)(?: (-?[\d.]+) - (-?[\d.]+))?", line)
        if found is None or found[1] not in matches:
            continue
        of_both = [row for row in matches[found[1]] if row["away"] == found[4]]
        expected = [
            [with_carry("home")(row), with_carry("away")(row), row["vp_home"], row["vp_away"]] for row in of_both
        ]
        shown = [found[2], found[3], found[5], found[6]]
        if of_both and not any(
            all(one is None or says(one, other) for one, other in zip(shown, each, strict=True)) for each in expected
        ):
            yield f"{form}: {line!r}, the document {expected}"
