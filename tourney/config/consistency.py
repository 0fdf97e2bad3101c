"""Checks the sections of an event file against each other: teams, stages and their sequence, ports, scales."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tourney.config.api import REQUEST_S
from tourney.config.base import Problems
from tourney.config.stages import StageConfig, stage_teams
from tourney.config.tables import RulesConfig, TablesConfig
from tourney.config.team import NOT_OF_PAIRS, TeamConfig
from tourney.config.values import TEAM_NAME_CHARS_MAX, Processes
from tourney.errors import ConfigError
from tourney.formats.ascii import to_ascii
from tourney.movement.knockout import knockout_rounds
from tourney.movement.pairs.individual import name_partnership
from tourney.protocol.lines import Charset, can_carry
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import AlertMode, RemedyName, UndoRule
from tourney.protocol.wires import Language
from tourney.scoring.victory_points import UserTable
from tourney.suggestions import suggest

if TYPE_CHECKING:
    from tourney.config.event import EventConfig

TEAMS_MAX: Final = 256
STAGES_MAX: Final = 20
PLAYER_NAME_CHARS_MAX: Final = (TEAM_NAME_CHARS_MAX - len(name_partnership("", ""))) // 2
"""The most characters in the name of a player, so that two and a word between them are a team's name."""


def consistency_problems(config: "EventConfig") -> Problems:
    """Yields what does not fit between the sections of an event file, each of which is valid."""
    teams, stages, entrant = config.team, config.stage, config.entrant_section
    is_sized = 2 <= len(teams) <= TEAMS_MAX
    yield from _team_problems(teams, entrant)
    if not 1 <= len(stages) <= STAGES_MAX:
        yield "stage", f"an event has 1 to {STAGES_MAX} stages, got {len(stages)}"
        return
    for number, stage in enumerate(stages, 1):
        for key, sentence in _stage_problems(number, stage, config.own_scales):
            yield f"stage {number}, {key}", sentence
    yield from _same_names([stage.name for stage in stages], "stage")
    if is_sized:
        yield from _sequence_problems(stages, len(teams))
    yield from _entry_problems(stages[0], teams, entrant)
    if is_sized:
        yield from _port_problems(config.tables, stages, len(teams))
    yield from _process_problems(config)
    yield from _request_problems(config)
    yield from _penalty_problems(config)
    yield from _stateful_problems(config)
    yield from _undo_problems(stages, config.rules)
    yield from _team_port_problems(config)
    yield from _individual_problems(config)


def _process_problems(config: "EventConfig") -> Problems:
    """Yields the teams of which a process is to play more seats than the conditions of contest allow."""
    teams, stages, rules, entrant = config.team, config.stage, config.rules, config.entrant_section
    usual = Processes(stages[0].format.usual_processes)
    for number, team in enumerate(teams, 1):
        wanted = team.processes
        if wanted is not None and not (usual.allows(wanted) or rules.process_plays.allows(wanted)):
            yield (
                f"{entrant} {number}, processes",
                f'a process of "{wanted}" sees more than one hand, which the conditions of contest have to allow: '
                f'[rules] has process_plays = "{rules.process_plays}"',
            )


def _stateful_problems(config: "EventConfig") -> Problems:
    """Yields what does not fit about the stateful-server protocol."""
    teams, stages, stateful, tables = config.team, config.stage, config.stateful, config.tables
    entrant = config.entrant_section
    for number, team in enumerate(teams, 1):
        protocol = f"{entrant} {number}, protocol"
        for stage_number, stage in enumerate(stages, 1):
            if team.protocol not in stage.format.languages:
                wordless = f"stage {stage_number} is {stage.format.title}, for which {team.protocol} has no words"
                has_words = " or ".join(f"{language.value!r}" for language in stage.format.languages)
                yield protocol, f"{wordless}: it must be {has_words}"
                break
        if team.protocol is not Language.STATEFUL:
            continue
        if team.command is None and stateful is None:
            yield protocol, "its programs connect to the port of [stateful], which is missing"
        for key, given in (("profile", "profile" in team.model_fields_set), ("wire", team.wire.model_fields_set)):
            if given:
                lines = f"it is for the lines of {Language.BLUE_CHIP}, and this one's programs speak {team.protocol}"
                yield f"{entrant} {number}, {key}", f"{lines}; leave it out"
    if stateful is None and config.web.seats:
        yield "web, seats", "people play at the port of [stateful], which is missing"
    if stateful is not None and stateful.port in tables.ports:
        yield "stateful, port", f"{stateful.port} is one of the tables' ports {tables.ports}; take another"


def _undo_problems(stages: Sequence[StageConfig], rules: RulesConfig) -> Problems:
    """Yields what does not fit about taking calls and cards back."""
    if rules.undo is UndoRule.NEVER:
        return
    if why := max(stage.format.why_no_undo for stage in stages):
        yield "rules, undo", f"{why}: leave it out, or take 'never'"
    if rules.alerting is not AlertMode.OFF:
        yield (
            "rules, undo",
            "where an operator explains calls nothing is taken back: take 'never', or alerting = 'off'",
        )


def _team_port_problems(config: "EventConfig") -> Problems:
    """Yields what does not fit about the ports of teams."""
    teams, stateful, tables, entrant = config.team, config.stateful, config.tables, config.entrant_section
    connect = tables.connect_port
    if connect is not None:
        if connect in tables.ports:
            yield "tables, connect_port", f"{connect} is one of the tables' own ports {tables.ports}"
        if stateful is not None and connect == stateful.port:
            yield "tables, connect_port", f"{connect} is the port of [stateful]"
        if tables.team_ports is not None and connect in tables.team_ports:
            yield "tables, connect_port", f"{connect} is one of team_ports, {tables.team_ports}"
    ports, where = tables.team_ports, "tables, team_ports"
    if ports is None:
        return
    if len(ports) < len(teams):
        yield where, f"{ports} is {len(ports)} of the {len(teams)} ports that as many {entrant}s need"
    if ports.first <= tables.ports.last and tables.ports.first <= ports.last:
        yield where, f"{ports} and the tables' own ports {tables.ports} overlap"
    if stateful is not None and stateful.port in ports:
        yield where, f"{stateful.port} of {ports} is the port of [stateful]"


def _request_problems(config: "EventConfig") -> Problems:
    """Yields the teams whose services are waited for so long that the table's clock has run out before."""
    teams, clock, entrant = config.team, config.clock, config.entrant_section
    for number, team in enumerate(teams, 1):
        waits_s = team.request_s or REQUEST_S
        if team.api is not None and clock.call_s is not None and waits_s >= clock.call_s:
            where = f"{entrant} {number}, request_s"
            yield where, f"an answer may take {waits_s} s, and a call or card {clock.call_s} s (call_s): give less"


def _penalty_problems(config: "EventConfig") -> Problems:
    """Yields stages in which a remedy would cost what they do not have, or nothing much."""
    stages, rules, time = config.stage, config.rules, config.table_rules.time
    limits = time.call, time.board, time.match
    remedies = [limit.remedy for limit in limits if limit.ms is not None] + [rules.irregularity_remedy]
    if RemedyName.PENALTY not in remedies:
        return
    where, in_vp = "rules, penalty", rules.penalty.kind is RulingKind.PENALTY_VP
    for number, stage in enumerate(stages, 1):
        unfit = stage.board_scale.penalty_problem(in_vp=in_vp, is_given="penalty" in rules.model_fields_set)
        if unfit is not None:
            yield where, f"in stage {number}, {stage.format.with_article}, {unfit}"


def _team_problems(teams: Sequence[TeamConfig], entrant: str) -> Problems:
    names = [team.name for team in teams]
    if not 2 <= len(names) <= TEAMS_MAX:
        yield entrant, f"an event has 2 to {TEAMS_MAX} {entrant}s, got {len(names)}"
    yield from _same_names(names, entrant)
    for number, name in enumerate(names, 1):
        if not name.isascii() or any(not other.isascii() for other in names):
            yield from _marks_problems(number, name, names, entrant)
    for number, team in enumerate(teams, 1):
        for key in NOT_OF_PAIRS if entrant != "team" else ():
            if key in team.model_fields_set:
                yield f"{entrant} {number}, {key}", f"it is a key of [[team]], a {entrant} has none"
    for number, team in enumerate(teams, 1):
        if team.name.isascii():
            continue
        for other_number, other in enumerate(teams, 1):
            charset = other.wire_profile.charset or Charset.UTF_8
            if not can_carry(team.name, charset):
                whose = "its own" if other is team else f"{entrant} {other_number}'s"
                letters = f"{team.name!r} has letters that cannot be sent to {whose} programs"
                yield f"{entrant} {number}, name", f"{letters}, whose charset is {charset}"
                break


def _same_names(names: Sequence[str], section: str) -> Problems:
    """Yields a problem for each name that an earlier section of its kind has, perhaps in other case."""
    numbers: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if (earlier := numbers.setdefault(name.casefold(), number)) != number:
            same = f"{name!r} is that of {section} {earlier}"
            yield f"{section} {number}, name", f"names must differ in more than case: {same}"


def _marks_problems(number: int, name: str, names: Sequence[str], entrant: str) -> Problems:
    """Yields a problem if an earlier name is the same in ASCII, in which PBN and LIN are written."""
    plain = to_ascii(name).casefold()
    for earlier, other in enumerate(names[: number - 1], 1):
        if other.casefold() != name.casefold() and to_ascii(other).casefold() == plain:
            both = f"{name!r} and {other!r} of {entrant} {earlier} are both {to_ascii(name)!r} there"
            yield f"{entrant} {number}, name", f"names must differ in ASCII too, for PBN and LIN: {both}"
            return


def _individual_problems(config: "EventConfig") -> Problems:
    """Yields what does not fit about players who change partners, or about stages for others."""
    players, stages, tables, stateful = config.team, config.stage, config.tables, config.stateful
    entrant = config.entrant_section
    for number, stage in enumerate(stages, 1):
        if unfit := stage.format.sections_problem(entrant):
            yield f"stage {number}, format", unfit
    if entrant != "player":
        return
    if len(stages) > 1:
        yield "stage", f"an individual is the only stage of its event, got {len(stages)}"
    if tables.connect_port is not None:
        yield "tables, connect_port", "players sit down one by one, and only teams come through a tunnel"
    if tables.team_ports is not None:
        yield "tables, team_ports", "players have no ports of their own, for they sit down with a partner"
    for number, player in enumerate(players, 1):
        if len(player.name) > PLAYER_NAME_CHARS_MAX:
            most = f"a partnership has the names of both players: each has at most {PLAYER_NAME_CHARS_MAX} characters"
            yield f"player {number}, name", f"{most}, got {len(player.name)}"
        for key, given in (("pass_phrase", player.pass_phrase), ("allow", player.allow)):
            if given is not None and stateful is not None:
                why = "partners come to the port of [stateful] under one name, and cannot be told apart there"
                yield f"player {number}, {key}", why
        if player.wire_profile != players[0].wire_profile:
            yield (
                f"player {number}, profile",
                "partners are sent the same lines, so they have the same settings",
            )


def _stage_problems(number: int, stage: StageConfig, own_tables: Mapping[str, UserTable]) -> Problems:
    """Yields problems of a stage that do not depend on its teams, by their keys."""
    try:
        stage.board_scale.vp_scale(stage.vp_scale, stage.boards_per_match, own_tables)
    except ConfigError as error:
        yield "vp_scale", str(error)
    yield from stage.problems()
    if number == 1:
        for key, given in (("teams", stage.teams), ("carry_over", stage.carry_over)):
            if given is not None:
                yield key, "there is no stage before the first"
    elif stage.against_all is not None:
        who = f"who comes to stage {number} is not known, it is the best of them"
        yield "against_all", f"{who}, got {stage.against_all!r}"


def _sequence_problems(stages: Sequence[StageConfig], teams: int) -> Problems:
    """Yields problems of stages that depend on their numbers of teams."""
    counts = stage_teams(stages, teams)
    for number, (stage, count) in enumerate(zip(stages, counts, strict=True), 1):
        following = None
        if number > 1:
            following = _following_problem(number, stages[number - 2], counts[number - 2], stage, count)
        unfit = ("teams", following) if following is not None else stage.format.size_problem(stage, count)
        if unfit is not None:
            key, sentence = unfit
            yield f"stage {number}, {key}", sentence
            return  # what follows depends on it
        for key, sentence in _size_problems(stages[: number - 1], stage, count):
            yield f"stage {number}, {key}", sentence
    times = [time for stage in stages for time in stage.starts or ()]
    for number, stage in enumerate(stages, 1):
        if stage.starts is not None and stage.starts != sorted(stage.starts):
            yield f"stage {number}, starts", "a round starts no earlier than the one before it"
            return
    if times != sorted(times):
        yield "stage, starts", "a stage starts no earlier than the rounds of the one before it"


def _size_problems(earlier: Sequence[StageConfig], stage: StageConfig, count: int) -> Problems:
    """Yields settings that do not fit a stage of so many teams after those stages, by their keys."""
    rounds, carry_over = stage.format.count_rounds(stage, count), stage.carry_over
    if stage.starts is not None and len(stage.starts) != rounds:
        yield "starts", f"expected one time a round, {rounds} for {count} teams, got {len(stage.starts)}"
    if carry_over is not None:
        by_rank = carry_over.by_rank
        if by_rank is not None and len(by_rank) > count:
            yield "carry_over, by_rank", f"{count} teams come to the stage, got {len(by_rank)} amounts"
        source = stage.format.carry_source(earlier)
        if earlier and source is None:
            yield "carry_over", "no stage before it has ranked the teams, a knockout does not"
        unlike = _difference(source, stage) if source is not None else None
        if by_rank is None and unlike is not None:
            yield "carry_over", f"{unlike}, so that a share of it means nothing there; give by_rank"
    if stage.third_place and (count < 4 or rounds < knockout_rounds(count)):
        yield "third_place", "two beaten semi-finalists and a final are needed for it"


def _difference(source: StageConfig, stage: StageConfig) -> str | None:
    """Returns how the stage that teams carry from differs in its unit from this one; None if it does not."""
    there, here = source.unit_into(stage.format), stage.carried_unit
    if there != here:
        return f"the stage before it is scored in {there}, this one in {here}"
    if there == "points" and source.board_scale.most != stage.board_scale.most:
        return "boards of the stage before it are worth other points"
    return None


def _following_problem(
    number: int, before: StageConfig, teams_before: int, stage: StageConfig, count: int
) -> str | None:
    """Returns why so many teams cannot come from the stage before."""
    if stage.teams is not None and stage.teams > teams_before:
        return f"{teams_before} teams come from stage {number - 1}, got {stage.teams}"
    left = before.format.teams_left(before, teams_before)
    if left == 1:
        hint = "; give it `rounds`, and it ends before" if "rounds" in before.format.keys else ""
        return f"it cannot follow stage {number - 1}, {before.format.with_article} that leaves 1 team{hint}"
    if left is not None and count != left:
        return f"{left} teams are left after stage {number - 1}, which has no order among them, got {count}"
    groups = before.format.count_groups(before, teams_before)
    if groups > 1:
        one = before.format.group_word
        if count % groups:
            return f"as many go on from each of {groups} {one}s, got {count}"
        smallest, each = teams_before // groups, count // groups
        if each > smallest:
            return f"the smallest {one} of stage {number - 1} has {smallest}, got {each} of each"
    return None


def _entry_problems(stage: StageConfig, teams: Sequence[TeamConfig], entrant: str) -> Problems:
    """Yields entries that the first stage does not allow."""
    late = [
        (number, team.enters) for number, team in enumerate(teams, 1) if entrant == "team" and team.enters is not None
    ]
    for number, enters in late:
        if not stage.format.takes_late_teams:
            only = "a team can come late only to a swiss"
            yield f"team {number}, enters", f"{only}, stage 1 is {stage.format.with_article}"
        elif stage.rounds is not None and not 2 <= enters <= stage.rounds:
            late_rounds = f"stage 1 has {stage.rounds} rounds, 2 to {stage.rounds} are late"
            yield f"team {number}, enters", f"{late_rounds}, got {enters}"
    if late and len(teams) - len(late) < 2:
        yield "team", f"at least 2 teams play from the first round on, got {len(teams) - len(late)}"
    names = [team.name for team in teams]
    if stage.against_all is not None and stage.against_all not in names:
        meant = suggest(stage.against_all, names)
        sentence = f"it is the name of a team, got {stage.against_all!r}{meant}"
        yield "stage 1, against_all", sentence


def _port_problems(tables: TablesConfig, stages: Sequence[StageConfig], count: int) -> Problems:
    """Yields why the tables' ports do not suffice for so many teams."""
    fit = (stage for stage in stages if stage.format.size_problem(stage, count) is None)
    most = max((stage.format.most_at_once(stage, count) for stage in fit), default=count // 2)
    tables_per_match = max((stage.format.tables_per_match for stage in stages), default=2)
    side_by_side = min(tables.at_once, most)
    needed, ports = tables_per_match * side_by_side * tables.port_plan.ports_per_table, tables.ports
    if needed > len(ports):
        yield "tables, ports", f"{side_by_side} matches side by side need {needed} ports, {ports} has {len(ports)}"
