"""`tourney score`: the score of a match from a PBN or LIN file of any origin, or of a field of pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXISTING_FILE
from tourney.cli._output import Printer, json_option, print_json, print_text
from tourney.errors import FormatError, UsageError
from tourney.output.rows import NOTHING
from tourney.output.tables import TextTable
from tourney.plurals import count
from tourney.scoring import GAME_NAMES, SCALE_NAMES, WBF_CONTINUOUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.bridge.score import Laws
    from tourney.scorefile.checking import CheckedGame
    from tourney.scorefile.game_score import GameOptions
    from tourney.scorefile.score import FileFinding, ScoredBoard, ScoredMatch
    from tourney.scoring.board_scale import BoardScale

PAIRS_SCORINGS: Final = ("matchpoints", "cross-imps", "butler")
"""The values of `tourney.scoring.pairs.field.PairsScoring`, which is loaded only for them."""
AS_STATED: Final = "stated"
AGREED: Final = ("dealer", "honours", "passed-out", "no-honours", "no-passed-out")

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
"""Size of the largest file that is read, some 10,000 records with commentary; it limits the time per file."""


@click.command("score")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=EXISTING_FILE)
@click.option(
    "--vp-scale",
    "scale_name",
    type=click.Choice(SCALE_NAMES),
    default=WBF_CONTINUOUS,
    show_default=True,
    help="Victory point scale; seed-24 is for 24 boards only.",
)
@click.option(
    "--pairs",
    "scoring",
    type=click.Choice((AS_STATED, *PAIRS_SCORINGS)),
    help=f"Score a field of pairs so; {AS_STATED} is as FILE says, else at matchpoints. FILE is"
    " CSV with the columns board,ns,ew,score, where the"
    " score is North-South's and an unknown pair is empty, or PBN or LIN of a pairs event.",
)
@click.option(
    "--game",
    "game_name",
    type=click.Choice(GAME_NAMES),
    help="Score the deals of one table as this game. FILE is PBN, or has a deal on each line: 'N 4SX 9', 'W 3NT 10"
    " honours EW 150', 'pass'. Where the game needs them, 'hcp NS 23', 'fit NS S 9' and 'vul NS' follow. A deal of"
    " Minibridge is 'N part S 8', and with overcalls 'N 2S 9 calls pass open 2S pass', the calls from the dealer on.",
)
@click.option(
    "--laws",
    type=click.Choice(("before-1987", "before-1993")),
    help="Score by older laws. Not vulnerable, doubled undertricks cost 100 and then 200 each, however many; making a"
    " redoubled contract is worth 50. Those before-1987 are for duplicate, also in a match. Those before-1993 are for"
    " rubber bridge and Chicago, where an unfinished part score of a rubber is worth 50.",
)
@click.option(
    "--players",
    metavar="NAMES",
    help="With --game chicago: partners change after each chicago. Four names with commas between, of those who sit"
    " North, East, South and West in the first; then North stays, and the others move one seat clockwise.",
)
@click.option(
    "--agreed",
    metavar="WORDS",
    default="",
    help="With --game, what the players have agreed on, with commas between. 'dealer': at Chicago the dealer's side"
    " is vulnerable on the second and third hand. 'honours' or 'no-honours': whether these count; by"
    " default those that FILE states, and at rubber bridge those in the hands of a PBN file. 'passed-out' or"
    " 'no-passed-out': whether such a hand of Chicago counts, or is dealt again; by default it counts at Russian and"
    " Estonian scoring only.",
)
@json_option
def score_command(
    paths: tuple[Path, ...],
    scale_name: str,
    scoring: str | None,
    game_name: str | None,
    laws: str | None,
    players: str | None,
    agreed: str,
    as_json: bool,
) -> None:
    """Score a match from a file with both rooms, and check everything in it.

    FILE is PBN of any version, or LIN of a vugraph presentation; the two rooms may be in two files, and the tables of
    a field in one each. Every auction,
    play, result, score and IMP is checked against the rules. The contract and result that the file states are what
    counts; inconsistencies are listed with their lines. Scores are North-South's. A field of pairs is scored where
    the file says that it is one, or with --pairs; the deals of one table with --game.
    """
    from tourney.event.place import read_bytes
    from tourney.formats.file_kinds import FileKind, recognise
    from tourney.scorefile.score import read_files, score_document, score_matches

    if scoring is not None and game_name is not None:
        raise UsageError("a file is scored as a field of pairs or as a game: give --pairs or --game, got both")
    files = [(str(path), read_bytes(path, "file", FILE_BYTES_MAX)) for path in paths]
    if scoring is not None or (game_name is None and any(recognise(data) is FileKind.PAIRS_CSV for _, data in files)):
        _score_pairs(files, scoring, laws, as_json=as_json)
        return
    scored_by = _chosen_laws(laws, game_name)
    if game_name is not None:
        options = _game_options(game_name, scored_by, players, agreed)
        _score_game(files, game_name, options, as_json=as_json)
        return
    if players is not None:
        raise UsageError("--players is for Chicago: give --game chicago as well")
    read = read_files(files, scored_by)
    if read.has_pairs_only:
        _score_pairs(files, None, laws, as_json=as_json)
        return
    scored = score_matches(read, scale_name)
    if as_json:
        print_json(score_document(scored))
    else:
        for match in scored.matches:
            _print_match(match, scale_name)
        _print_findings(scored.findings, "outside of matches")
    if scored.boards_compared == 0:
        raise FormatError(f"{paths[0]}: no board has a result in both rooms, so nothing could be scored")


def _score_pairs(
    files: "Sequence[tuple[str, bytes]]", scoring: str | None, laws: str | None, *, as_json: bool
) -> None:
    from tourney.scorefile.pairs_score import draw_pairs, pairs_document, score_pairs_files
    from tourney.scoring.pairs.field import PairsScoring

    if laws is not None:
        raise UsageError(f"a field of pairs is scored by the current laws, got --laws {laws}")
    rule = PairsScoring(scoring) if scoring not in (None, AS_STATED) else None
    scored = score_pairs_files(files, rule)
    if as_json:
        print_json(pairs_document(scored))
    else:
        print_text(draw_pairs(scored))


def _chosen_laws(word: str | None, game_name: str | None) -> "Laws":
    """Return the laws to score a game by, or a match.

    Raises:
        UsageError: it has never been scored by these.
    """
    from tourney.bridge.score import Laws

    if word is None:
        return Laws.CURRENT
    from tourney.scorefile.game_score import OLDER_LAWS

    older = OLDER_LAWS.get(game_name) if game_name is not None else Laws.BEFORE_1987
    if older is None:
        raise UsageError(f"--laws: {game_name} has no older laws, got {word}")
    if word != older:
        raise UsageError(f"--laws: for {game_name or 'a match'} it is {older}, got {word}")
    return older


def _game_options(
    name: str,
    laws: "Laws",
    players: str | None,
    agreed: str,
) -> "GameOptions":
    """Return what the players of a game have agreed on.

    Raises:
        UsageError: partners do not change at this game, or the players are not four.
    """
    from tourney.scorefile.game_score import CHICAGO_SCORINGS, GameOptions
    from tourney.scoring.chicago import ChicagoOrder

    names = tuple(each.strip() for each in players.split(",")) if players is not None else ()
    if players is not None and name not in CHICAGO_SCORINGS:
        raise UsageError(f"--players is for Chicago, got --game {name}")
    if players is not None and (len(set(names)) != 4 or not all(names)):
        raise UsageError(f"--players: four different names with commas between, got {players!r}")
    words = {word.strip() for word in agreed.split(",")} - {""}
    if odd := words - set(AGREED):
        raise UsageError(f"--agreed: words are {', '.join(AGREED)}, got {min(odd)!r}")
    counts = {name: f"no-{name}" not in words if {name, f"no-{name}"} & words else None for name in AGREED[1:3]}
    return GameOptions(
        order=ChicagoOrder("dealer" if "dealer" in words else "modern"),
        honours=counts["honours"],
        counts_passed_out=counts["passed-out"],
        laws=laws,
        players=names,
    )


def _score_game(files: "Sequence[tuple[str, bytes]]", name: str, options: "GameOptions", *, as_json: bool) -> None:
    from tourney.scorefile import game_score

    if len(files) > 1:
        raise UsageError(f"--game takes one file, got {len(files)}")
    ((path, data),) = files
    scored = game_score.score_game(name, path, data, options)
    if as_json:
        print_json(game_score.game_document(scored))
        return
    console = Printer()
    laws = "" if options.laws == "current" else f", laws {options.laws.replace('-', ' ')}"
    console.print(f"{path}: {scored.game.title}{laws}")
    console.print()
    for line in game_score.draw_sheets(scored):
        console.print(line)
    console.print(game_score.deal_table(scored))
    console.print()
    if scored.players:
        console.print(game_score.player_table(scored))
        console.print()
    console.print(game_score.describe_state(scored))
    for note in game_score.vulnerability_notes(scored):
        console.print(note)
    _print_findings(scored.findings, "in this file")


def _print_match(match: "ScoredMatch", scale_name: str) -> None:
    from tourney.scoring.victory_points import format_vp

    console = Printer()
    console.print(f"{match.file}: {match.title}" if match.title else match.file)
    console.print(f"Home: {match.home}")
    console.print(f"Away: {match.away}")
    console.print()
    table = TextTable(">Board", "Dlr", "Vul", "Open", ">Score", "Closed", ">Score", ">Home", ">Away")
    for board in match.boards:
        table.add_row(*_board_row(board, match.scale))
    table.add_section()
    totals = map(match.scale.format, (match.imps_home, match.imps_away))
    if match.scale.is_board_a_match:
        table.add_row("Points", *[""] * 6, *totals)
    else:
        table.add_row("IMPs", *[""] * 6, *totals)
        table.add_row("VP", *[""] * 6, *(map(format_vp, match.vp) if match.vp is not None else [NOTHING] * 2))
    console.print(table)
    console.print()
    if match.compared < len(match.boards):
        console.print(f"{match.compared} of {count(len(match.boards), 'board')} compared")
    elif match.vp is None and not match.scale.is_board_a_match:
        console.print(f"VP scale {scale_name} has no table for {count(match.compared, 'board')}")
    _print_findings(match.findings, "in this match")


def _board_row(board: "ScoredBoard", scale: "BoardScale") -> list[str]:
    from tourney.movement.seating import Room

    cells = [
        board.board or NOTHING,
        board.dealer.letter if board.dealer is not None else NOTHING,
        board.vulnerability.value if board.vulnerability is not None else NOTHING,
    ]
    for room in Room:
        cells += _result_cells(board.records.get(room))
    if board.comparison is None:
        return [*cells, NOTHING, NOTHING]
    imps = (board.comparison.imps_home, board.comparison.imps_away)
    if scale.is_board_a_match or not scale.is_balanced(*imps):  # by a ruling, which the findings do not repeat
        return cells + [scale.format(own) for own in imps]
    return cells + [str(won) if won > 0 else "" for won in imps]


def _result_cells(game: "CheckedGame | None") -> list[str]:
    """Return the cells of a result, `4SX N +1`, and of the score of North-South."""
    from tourney.output.content import format_made

    if game is None or game.score_ns is None:
        return [NOTHING, NOTHING]
    result = game.result
    return [format_made(result.contract, result.tricks) if result is not None else NOTHING, str(game.score_ns)]


def _print_findings(findings: "tuple[FileFinding, ...]", where: str) -> None:
    from tourney.scorefile.score import describe_findings

    if not findings:
        return
    console = Printer()
    for line in describe_findings(findings, where):
        console.print(line)
    console.print()
