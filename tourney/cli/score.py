"""`tourney score`: the score of a match from a PBN or LIN file of any origin, or of a field of pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXISTING_FILE, flag_option
from tourney.cli._output import json_option, print_report
from tourney.cli.vp import scale_option
from tourney.errors import FormatError, UsageError
from tourney.scoring import GAME_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.bridge.score import Laws
    from tourney.views.report import Report

PAIRS_SCORINGS: Final = ("matchpoints", "cross-imps", "butler")
"""The values of `tourney.scoring.pairs.field.PairsScoring`, which is loaded only for them."""
AS_STATED: Final = "stated"
AGREED: Final = {
    "dealer": ("order", "dealer"),
    "honours": ("honours", "yes"),
    "passed-out": ("passed-out", "counts"),
    "no-honours": ("honours", "no"),
    "no-passed-out": ("passed-out", "next-dealer"),
}
"""The words of `--agreed`, with what the tag GameRules of a PBN file has for each."""

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
"""Size of the largest file that is read, some 10,000 records with commentary; it limits the time per file."""


@click.command("score")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=EXISTING_FILE)
@scale_option
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
    " Minibridge is 'N part S 8'.",
)
@flag_option(
    "--older-laws",
    help="Score by the laws of duplicate before 1987, or of rubber bridge and Chicago before 1993. Not vulnerable,"
    " doubled undertricks cost 100 and then 200 each, however many; making a redoubled contract is worth 50, and so"
    " is an unfinished part score of a rubber.",
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
    older_laws: bool,
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
    from tourney.bridge.score import Laws
    from tourney.event.place import read_bytes
    from tourney.scorefile.kinds import is_field
    from tourney.scorefile.match import score_matches
    from tourney.scorefile.pairs import score_pairs
    from tourney.scorefile.records import read_files
    from tourney.scoring.pairs.field import PairsScoring

    if scoring is not None and game_name is not None:
        raise UsageError("a file is scored as a field of pairs or as a game: give --pairs or --game, got both")
    files = [(str(path), read_bytes(path, "file", FILE_BYTES_MAX)) for path in paths]
    laws = Laws.OLDER if older_laws else Laws.CURRENT
    if game_name is not None:
        print_report(_score_game(files, game_name, laws, agreed), as_json=as_json)
        return
    read = read_files(files, laws)
    if scoring is not None or is_field(read):
        rule = PairsScoring(scoring) if scoring not in (None, AS_STATED) else None
        print_report(score_pairs(read, rule), as_json=as_json)
        return
    scored = score_matches(read, scale_name)
    print_report(scored, as_json=as_json)
    if not any(match.compared for match in scored.matches):
        raise FormatError(f"{paths[0]}: no board has a result in both rooms, so nothing could be scored")


def _score_game(files: "Sequence[tuple[str, bytes]]", name: str, laws: "Laws", agreed: str) -> "Report":
    """Score a game as its players have agreed on it.

    Raises:
        UsageError: a word is none of `AGREED`, or there are several files.
    """
    from tourney.scorefile.game import score_game

    words = list(filter(None, map(str.strip, agreed.split(","))))
    if odd := set(words) - AGREED.keys():
        raise UsageError(f"--agreed: words are {', '.join(AGREED)}, got {min(odd)!r}")
    if len(files) > 1:
        raise UsageError(f"--game takes one file, got {len(files)}")
    ((path, data),) = files
    return score_game(name, path, data, dict(map(AGREED.__getitem__, words)), laws)
