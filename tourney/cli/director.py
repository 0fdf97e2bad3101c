"""`tourney pause`, `resume`, `stop`, `kick`, `replay-board` and `publish`, made from the director's actions."""

from typing import Final

from tourney.cli.actions import action_command
from tourney.director.orders import Kick, PauseTables, ReplayBoard, ResumeTables, StopTables
from tourney.director.results import Publish

pause_command: Final = action_command(PauseTables, "pause")
resume_command: Final = action_command(ResumeTables, "resume")
stop_command: Final = action_command(StopTables, "stop")
kick_command: Final = action_command(Kick, "kick")
replay_board_command: Final = action_command(ReplayBoard, "replay-board")
publish_command: Final = action_command(Publish, "publish")
