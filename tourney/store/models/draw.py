"""Tables of what is drawn: the event, who plays, the rounds and matches, their boards, and what matches came to."""

from sqlalchemy import ColumnClause, ForeignKey, String, false
from sqlalchemy import Text as LongText
from sqlalchemy.schema import UniqueConstraint

from tourney.bridge import Vulnerability
from tourney.config import SharedDeals
from tourney.movement.seating import SeatsRule
from tourney.store.db.declaring import Model, column
from tourney.store.models.kinds import StageWord, stored_enum


class Event(Model):
    """One competition. `settings` is what table hosts need of the event file, `plan` what the draw depends on.

    `run_holder` is who runs the event, `run_beat_at_ms` when that was last heard of; both null when nobody does.
    """

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("name_key"),)

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str] = column(String(100))
    # A letter may become three when case is set aside.
    name_key: ColumnClause[str] = column(String(300))
    seed: ColumnClause[str] = column(String(40))
    plan: ColumnClause[str] = column(LongText)
    settings: ColumnClause[str] = column(LongText)
    created_at_ms: ColumnClause[int]
    run_holder: ColumnClause[str | None] = column(LongText)
    run_beat_at_ms: ColumnClause[int | None]


class Host(Model):
    """A process that plays tables. `beat_at_ms` is when it was last heard of, null `ended_at_ms` means it goes on.

    `written` is the number of the last of its transactions that it counted (`Recorder`), so that one whose outcome
    got lost with the connection is not written twice.
    `pid_start` tells the process from a later one with its id. `address` is where players find its tables, null for
    that of the event file; `worker` is the worker of a cluster that it was started on, null without one. A draining
    host finishes the boards in play, releases its tables, and ends.
    """

    __tablename__ = "hosts"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    name: ColumnClause[str] = column(String(100))
    machine: ColumnClause[str] = column(String(200))
    pid: ColumnClause[int]
    pid_start: ColumnClause[str] = column(String(100))
    started_at_ms: ColumnClause[int]
    beat_at_ms: ColumnClause[int]
    written: ColumnClause[int]
    ended_at_ms: ColumnClause[int | None]
    reason: ColumnClause[str] = column(LongText)
    address: ColumnClause[str | None] = column(String(200))
    worker: ColumnClause[str | None] = column(String(100))
    is_draining: ColumnClause[bool] = column(server_default=false())


class Team(Model):
    """A team under its locked name (BC-09); `number` is its place in the draw.

    `second_command` starts the programs of its second pair, null when `command` does that too.
    `wire` holds the wire settings that differ from those of the profile, as JSON.
    """

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("event_id", "number"), UniqueConstraint("event_id", "name_key"))

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    number: ColumnClause[int]
    name: ColumnClause[str] = column(String(64))
    name_key: ColumnClause[str] = column(String(64))
    command: ColumnClause[str | None] = column(LongText)
    second_command: ColumnClause[str | None] = column(LongText)
    profile: ColumnClause[str] = column(String(40))
    wire: ColumnClause[str] = column(LongText, server_default="{}")


class StageRow(Model):
    """A part of the event with one format and one VP scale."""

    __tablename__ = "stages"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    number: ColumnClause[int]
    name: ColumnClause[str] = column(String(100))
    format: ColumnClause[StageWord] = column(stored_enum(StageWord, "stage_format"))
    boards_per_match: ColumnClause[int]
    vp_scale: ColumnClause[str] = column(String(100))
    shared_deals: ColumnClause[SharedDeals] = column(stored_enum(SharedDeals, "shared_deals"))
    groups: ColumnClause[int] = column(server_default="1")
    segments: ColumnClause[int] = column(server_default="1")
    seats: ColumnClause[SeatsRule] = column(
        stored_enum(SeatsRule, "seats_rule"), server_default=SeatsRule.FIXED.value
    )
    extra_boards: ColumnClause[int] = column(server_default="0")


class StageEntry(Model):
    """A team in a stage. There are none before it is known who goes on into the stage.

    `seed` is its place among them, from 1; `rank` that in its group of the stage before, 0 in the first stage;
    `from_round` the first round in which it plays; `carry_vp` hundredths of victory points carried over.
    """

    __tablename__ = "stage_entries"
    __table_args__ = (UniqueConstraint("stage_id", "seed"),)

    stage_id: ColumnClause[int] = column(ForeignKey("stages.id"), primary_key=True, autoincrement=False)
    team_id: ColumnClause[int] = column(ForeignKey("teams.id"), primary_key=True, autoincrement=False)
    seed: ColumnClause[int]
    group_number: ColumnClause[int] = column(server_default="1")
    rank: ColumnClause[int] = column(server_default="0")
    from_round: ColumnClause[int] = column(server_default="1")
    carry_vp: ColumnClause[int] = column(server_default="0")


class Round(Model):
    """Matches that are played side by side. `drawn_at_ms` is null until the round is drawn."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("stage_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    stage_id: ColumnClause[int] = column(ForeignKey("stages.id"))
    number: ColumnClause[int]
    starts_at_ms: ColumnClause[int | None]
    drawn_at_ms: ColumnClause[int | None]


class Bye(Model):
    """A team that sits out in a round."""

    __tablename__ = "byes"

    round_id: ColumnClause[int] = column(ForeignKey("rounds.id"), primary_key=True, autoincrement=False)
    team_id: ColumnClause[int] = column(ForeignKey("teams.id"), primary_key=True, autoincrement=False)


class BoardSet(Model):
    """Boards that belong together: those of a round, or of one match; extra ones for tied matches come last."""

    __tablename__ = "board_sets"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    name: ColumnClause[str] = column(String(100))


class DealRow(Model):
    """Four hands, as the value of a PBN Deal tag from North."""

    __tablename__ = "deals"

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    hands: ColumnClause[str] = column(String(80))


class BoardRow(Model):
    """A board of a set; `position` is its place in the order of play, from 0."""

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("board_set_id", "position"),)

    board_set_id: ColumnClause[int] = column(ForeignKey("board_sets.id"), primary_key=True)
    number: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    position: ColumnClause[int]
    dealer: ColumnClause[str] = column(String(1))
    vulnerability: ColumnClause[Vulnerability] = column(stored_enum(Vulnerability, "vulnerability"))
    deal_id: ColumnClause[int] = column(ForeignKey("deals.id"))


class Match(Model):
    """Two teams over the first `boards` of a set; `number` counts through the event and is what commands name.

    `carry_home`, `carry_away`: hundredths of IMPs carried over from the previous stage.
    """

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    round_id: ColumnClause[int] = column(ForeignKey("rounds.id"), index=True)
    number: ColumnClause[int]
    home_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    away_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    board_set_id: ColumnClause[int] = column(ForeignKey("board_sets.id"))
    boards: ColumnClause[int]
    carry_home: ColumnClause[int] = column(server_default="0")
    carry_away: ColumnClause[int] = column(server_default="0")
    third_place: ColumnClause[bool] = column(server_default=false())


class MatchResult(Model):
    """The score of a finished match, written after its last board and again when a ruling changes it.

    `lost_home`, `lost_away`: IMPs that a team lost and its opponents did not win, less those that it won and they did
    not lose (`tourney.scoring.match.ImpTotals`); up to version 1.0 without the latter.
    """

    __tablename__ = "match_results"

    match_id: ColumnClause[int] = column(ForeignKey("matches.id"), primary_key=True, autoincrement=False)
    boards: ColumnClause[int]
    imps_home: ColumnClause[int]
    imps_away: ColumnClause[int]
    vp_home_hundredths: ColumnClause[int]
    vp_away_hundredths: ColumnClause[int]
    lost_home: ColumnClause[int] = column(server_default="0")
    lost_away: ColumnClause[int] = column(server_default="0")
    finished_at_ms: ColumnClause[int]
