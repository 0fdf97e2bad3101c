"""What one side of a pair has on a board where that is no plain score, as one word for tables and spreadsheets.

`A+`, `A` and `A-` are an average plus, an average and an average minus; `60:420/40:-50` is a weighted score, 60 parts
of +420 and 40 of -50, always North-South's points.
"""

import re
from typing import Final

from tourney.errors import FormatError
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.pairs.traveller import Average, SideResult

_AVERAGES: Final = {Average.PLUS: "A+", Average.AVERAGE: "A", Average.MINUS: "A-"}
_BY_WORD: Final = {
    **{word: average for average, word in _AVERAGES.items()},
    "A60": Average.PLUS,
    "A50": Average.AVERAGE,
    "A40": Average.MINUS,
}
_PART: Final = re.compile(r"([0-9]{1,5}):([+-]?[0-9]{1,5})")


def format_side_result(result: SideResult) -> str:
    """Format it: `420` for a plain score, else as above."""
    if isinstance(result, Average):
        return _AVERAGES[result]
    if len(result) == 1:
        return str(result[0].score_ns)
    return "/".join(f"{part.weight}:{part.score_ns}" for part in result)


def parse_side_result(text: str) -> SideResult:
    """Undo `format_side_result`.

    Raises:
        FormatError: it is none of these.
    """
    average = _BY_WORD.get(text.upper())
    if average is not None:
        return average
    if re.fullmatch(r"[+-]?[0-9]{1,5}", text):
        return (WeightedScore(1, int(text)),)
    parts = [_PART.fullmatch(part) for part in text.split("/")]
    found = [WeightedScore(int(part[1]), int(part[2])) for part in parts if part is not None]
    if len(found) < len(parts) or not sum(part.weight for part in found):
        raise FormatError(f"an adjusted score is A+, A, A- or weighted such as 60:420/40:-50, got {text[:80]!r}")
    return tuple(found)
