"""`tourney export`: the record as files for other programs."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import event_argument, jobs_option, open_event, processes_for
from tourney.errors import UsageError
from tourney.report.registry import REPORTS

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.export.pbn import MatchText
    from tourney.results.played import PlayedMatch
    from tourney.store.draw.objects import MatchInfo


FORMATS: Final = ("pbn", "csv", "json", "html", "lin", "usebio")


def _print_schema(context: click.Context, _parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from tourney.export.json import EventDocument
        from tourney.report.json_schema import derive_schema, format_schema

        click.echo(format_schema(derive_schema(EventDocument, "event.json")), nl=False)
        context.exit()


@click.command("export")
@event_argument
@click.option("--format", "file_format", type=click.Choice(FORMATS), required=True, help="Which files.")
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder to write into; made when it is not there, files in it are replaced.",
)
@click.option("--match", "number", type=int, metavar="N", help="This match only, by its number in the schedule.")
@jobs_option(" of pbn")
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema that event.json keeps to, and do nothing else.",
)
def export_command(event_path: Path, file_format: str, folder: Path, number: int | None, jobs: int | None) -> None:
    """Write the boards that both rooms have finished, and print the names of the files.

    EVENT is the path of an event file.

    \b
    pbn   match-001-Home-Away.pbn for each match with such a board, and all.pbn
    csv   standings.csv, matches.csv, boards.csv, calls.csv, cards.csv, rulings.csv, incidents.csv, analysis.csv
    json  event.json, with everything
    html  a web site, read without scripts: standings, rounds, teams, matches, boards; its first page is index.html
    lin   match-001-Home-Away.lin, both rooms like a vugraph file, and ...-boards.lin, a line a board for hand viewers
    usebio  event.xml, USEBIO 1.2: teams, matches, and the results of both rooms

    With --match the files are match-001-Home-Away.pbn, .lin, .json, .xml, ...-boards.csv and so on without standings;
    html is a folder match-001-Home-Away, complete in itself. Of a web site only the name of the first page is
    printed; pages of boards that are being played again are removed. What `tourney analyse` has solved until then is
    in pbn, csv, json and html: what can be made, par, and the cards that cost tricks.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.export.files import make_export_folder

    if jobs is not None and file_format != "pbn":
        raise UsageError(f"--jobs is for the format pbn, which several processes can write, got {file_format}")
    with open_event(event_path) as drawn:
        match = drawn.match(number) if number is not None else None
        make_export_folder(folder)
        boards = _Counter()
        paths = (
            _write_pbn(drawn, folder, match, boards, jobs)
            if file_format == "pbn"
            else _write(drawn, file_format, folder, match, boards)
        )
        for path in paths:
            click.echo(path)
    if boards.seen == 0:
        click.echo("no board is finished in both rooms yet", err=True)


class _Counter:
    """Counts the boards that pass by."""

    def __init__(self) -> None:
        self.seen = 0

    def watch(self, played: "Iterator[PlayedMatch]") -> "Iterator[PlayedMatch]":
        for match in played:
            self.seen += len(match.boards)
            yield match

    def watch_texts(self, texts: "Iterator[MatchText]") -> "Iterator[MatchText]":
        for match in texts:
            self.seen += match.boards
            yield match


def _write_pbn(
    drawn: "DrawnEvent", folder: Path, match: "MatchInfo | None", boards: _Counter, jobs: int | None
) -> Iterator[Path]:
    """Write the files; the path of each, once it is complete."""
    from tourney.export.pbn import match_texts, share_match_texts, write_event_pbn, write_match_pbn
    from tourney.results.played import iter_played

    database, event = drawn.database, drawn.event
    matches = event.matches if match is None else (match,)
    jobs = jobs or processes_for(matches)
    if match is None and jobs > 1:
        texts = share_match_texts(database, event, drawn.scales, jobs)
    else:
        texts = match_texts(event, iter_played(database, event, matches, drawn.scales))
    texts = boards.watch_texts(texts)
    if match is None:
        yield from write_event_pbn(texts, folder)
    else:
        yield write_match_pbn(next(texts), folder)


def _write(
    drawn: "DrawnEvent", file_format: str, folder: Path, match: "MatchInfo | None", boards: _Counter
) -> Iterator[Path]:
    """The same of every other format."""
    from tourney.export import csv, json
    from tourney.export.files import match_file_stem
    from tourney.results.played import iter_played
    from tourney.results.standings import load_standings

    database, event = drawn.database, drawn.event
    matches = event.matches if match is None else (match,)
    played = boards.watch(iter_played(database, event, matches, drawn.scales))
    if file_format == "csv":
        standings = load_standings(database, event, drawn.ranking_rules) if match is None else None
        prefix = f"{match_file_stem(match)}-" if match is not None else ""
        yield from csv.write_csv(standings, played, folder, prefix)
    elif file_format == "html":
        from tourney.site.write import write_event_html, write_match_html  # with it comes a template engine

        if match is None:
            reports = [(entry, entry.load(drawn)) for entry in REPORTS.values() if entry.page_title]
            yield write_event_html(
                event, load_standings(database, event, drawn.ranking_rules), played, folder, reports
            )
        else:
            yield write_match_html(event, next(played), folder)
    elif file_format == "lin":
        from tourney.export import lin

        write_lin = lin.write_event_lin(event, played, folder)
        yield from write_lin if match is None else lin.write_match_lin(event, next(played), folder)
    elif file_format == "usebio":
        from tourney.export.usebio import write_usebio

        path = folder / f"{'event' if match is None else match_file_stem(match)}.xml"
        write_usebio(event, load_standings(database, event, drawn.ranking_rules), played, path)
        yield path
    else:
        path = folder / f"{'event' if match is None else match_file_stem(match)}.json"
        json.write_json(event, load_standings(database, event, drawn.ranking_rules), played, path)
        yield path
