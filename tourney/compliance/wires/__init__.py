"""The wire languages that a program can be checked in."""

from typing import Final

from tourney.compliance.wires.bluechip import BLUE_CHIP
from tourney.compliance.wires.stateful import STATEFUL
from tourney.protocol.wires import Language

VOCABULARIES: Final = {Language.BLUE_CHIP: BLUE_CHIP, Language.STATEFUL: STATEFUL}
