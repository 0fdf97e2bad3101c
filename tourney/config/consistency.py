"""Checks the sections of an event file against each other: teams, stages and their sequence, ports, scales.

Each problem is a sentence; an invalid section is skipped here.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from tourney.config.sandbox import SandboxConfig
from tourney.config.stages import StageConfig, is_at_matchpoints, stage_rounds, stage_teams, teams_left
from tourney.config.tables import ClockConfig, RulesConfig, StatefulConfig, TablesConfig
from tourney.config.team import TeamConfig, names_of_pairs
from tourney.config.values import TEAM_NAME_CHARS_MAX, LaunchEngine, PortPlan, SandboxKind
from tourney.errors import ConfigError
from tourney.formats.ascii import to_ascii
from tourney.movement.knockout import knockout_rounds
from tourney.movement.pairs.planning import MITCHELL, OWN, CompareWithin, Phantom
from tourney.movement.tie_breaks import IN_IMPS, IN_POINTS
from tourney.protocol.lines import Charset, can_carry
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import RemedyName
from tourney.protocol.wires import PROFILES, Language
from tourney.scoring.games import GameKind, PassedOut
from tourney.scoring.victory_points import UserTable
from tourney.suggestions import suggest

TEAMS_MAX: Final = 256
STAGES_MAX: Final = 20


_NOTHING: Final[Mapping[int, frozenset[str]]] = MappingProxyType({})

_SHAPE: Final = frozenset(
    {
        *("format", "teams", "groups", "rounds", "arrow_switch", "phantom", "movement", "winners"),
        *("sections", "compare_within", "sessions"),
    }
)
"""The keys of a stage that say how many teams and rounds there are."""


def consistency_problems(
    teams: Sequence[TeamConfig | None] | None,
    stages: Sequence[StageConfig | None] | None,
    tables: TablesConfig | None,
    own_tables: Mapping[str, UserTable | None],
    doubtful: Mapping[int, frozenset[str]] = _NOTHING,
    entrant: str = "team",
) -> list[str]:
    """Returns inconsistencies between sections, a sentence each.

    Args:
        teams: the teams; None stands for an invalid one, and for all if they are no list.
        stages: likewise.
        tables: None if invalid.
        own_tables: the organiser's own scales by name, None for an invalid one.
        doubtful: keys of stages that are invalid, by number: they have their defaults, which nothing follows from.
        entrant: the name of the teams' sections.
    """
    problems: list[str] = []
    count = None
    if teams is not None:
        problems += _team_problems([team.name if team is not None else None for team in teams], entrant)
        problems += _letter_problems(teams, entrant)
        count = len(teams) if 2 <= len(teams) <= TEAMS_MAX else None
    if stages is not None and not 1 <= len(stages) <= STAGES_MAX:
        problems.append(f"stage: an event has 1 to {STAGES_MAX} stages, got {len(stages)}")
        stages = None
    for number, stage in enumerate(stages or (), 1):
        if stage is not None:
            doubts = doubtful.get(number, frozenset())
            problems += (
                f"stage {number}, {problem}"
                for problem in _stage_problems(number, stage, own_tables)
                if not doubts & _grounds(problem)
            )
    known = [
        stage
        for number, stage in enumerate(stages or (), 1)
        if stage is not None and not doubtful.get(number, frozenset()) & _SHAPE
    ]
    if stages is not None and len(known) == len(stages):
        if not any("name" in keys for keys in doubtful.values()):
            problems += _name_problems(known)
        if count is not None:
            problems += _sequence_problems(known, count)
    if stages and known and known[0] is stages[0] and teams is not None:
        problems += _entry_problems(known[0], teams)
    if tables is not None and count is not None:
        most = max((stage.format.most_at_once(stage, count) for stage in known), default=count // 2)
        each = max((stage.format.tables_per_match for stage in known), default=2)
        if tables.port_plan is PortPlan.PER_PAIR:
            problems += _door_problems(tables, known, count)
        else:
            problems += _port_problems(tables, most, each)
    return problems


def sandbox_problems(teams: Sequence[TeamConfig], sandbox: SandboxConfig, entrant: str) -> list[str]:
    """Returns what does not fit about the sandbox of programs, a sentence each."""
    problems = []
    first: dict[str, int] = {}
    for number, team in enumerate(teams, 1):
        if sandbox.kind is SandboxKind.USER and team.is_started_here and team.run_as is None:
            problems.append(f'{entrant} {number}, run_as: it is missing, [sandbox] has kind = "user"')
        if team.run_as is not None and first.setdefault(team.run_as, number) != number:
            problems.append(
                f"{entrant} {number}, run_as: {team.run_as!r} is the user of {entrant} {first[team.run_as]} already"
            )
    return problems


def label_problems(teams: Sequence[TeamConfig], engine: LaunchEngine, entrant: str) -> list[str]:
    """Returns the teams whose programs are to be started on machines with a label, where there are none."""
    if engine is LaunchEngine.DASK:
        return []
    return [
        f'{entrant} {number}, on: only the machines of a cluster have labels, and [launch] has no engine = "dask"'
        for number, team in enumerate(teams, 1)
        if team.on is not None
    ]


def stateful_problems(
    teams: Sequence[TeamConfig],
    stages: Sequence[StageConfig],
    stateful: StatefulConfig | None,
    tables: TablesConfig,
    entrant: str,
) -> list[str]:
    """Returns what does not fit about the stateful-server protocol, a sentence each."""
    problems = []
    minibridge = [number for number, stage in enumerate(stages, 1) if stage.format.game is GameKind.MINIBRIDGE]
    for number, team in enumerate(teams, 1):
        if team.protocol is not Language.STATEFUL:
            if minibridge:
                problems.append(
                    f"{entrant} {number}, protocol: stage {minibridge[0]} is Minibridge, for which "
                    f"{team.protocol} has no words: it must be 'stateful'"
                )
            continue
        if team.command is None and stateful is None:
            problems.append(
                f"{entrant} {number}, protocol: its programs connect to the port of [stateful], which is missing"
            )
        problems += [
            f"{entrant} {number}, {key}: it is for the lines of {Language.BLUE_CHIP}, and this one's programs speak "
            f"{team.protocol}; leave it out"
            for key, given in (("profile", "profile" in team.model_fields_set), ("wire", team.wire.model_fields_set))
            if given
        ]
    if stateful is not None and tables.ports.first <= stateful.port <= tables.ports.last:
        problems.append(f"stateful, port: {stateful.port} is one of the tables' ports {tables.ports}; take another")
    return problems


def team_port_problems(
    teams: Sequence[TeamConfig], stateful: StatefulConfig | None, tables: TablesConfig, entrant: str
) -> list[str]:
    """Returns what does not fit about the ports of teams, a sentence each."""
    ports, problems = tables.team_ports, []
    if ports is None:
        return []
    if len(ports) < len(teams):
        problems.append(
            f"tables, team_ports: {ports} is {len(ports)} of the {len(teams)} ports that as many {entrant}s need"
        )
    if ports.first <= tables.ports.last and tables.ports.first <= ports.last:
        problems.append(f"tables, team_ports: {ports} and the tables' own ports {tables.ports} overlap")
    if stateful is not None and ports.first <= stateful.port <= ports.last:
        problems.append(f"tables, team_ports: {stateful.port} of {ports} is the port of [stateful]")
    return problems


def penalty_problems(stages: Sequence[StageConfig], clock: ClockConfig, rules: RulesConfig) -> list[str]:
    """Returns stages in which a remedy would cost what they have not, or nothing much, a sentence each."""
    limits = (
        (clock.call_s, clock.call_remedy),
        (clock.board_s, clock.board_remedy),
        (clock.match_s, clock.match_remedy),
    )
    remedies = [remedy for seconds, remedy in limits if seconds is not None] + [rules.irregularity_remedy]
    if RemedyName.PENALTY not in remedies:
        return []
    problems = [
        f"rules, penalty_imps: a penalty is in {stage.board_scale.unit} in stage {number}, "
        f"{stage.format.with_article}; say with penalty_imps how many it costs there"
        for number, stage in enumerate(stages, 1)
        if stage.format.game is not None
        and (rules.penalty_imps is None if stage.board_scale.is_in_points else rules.penalty_vp is not None)
    ]
    problems += [
        f"rules, penalty_vp: a penalty is in IMPs in stage {number}, {stage.format.with_article} at "
        f"{stage.pairs_ranking.scoring.value}; give penalty_imps"
        for number, stage in enumerate(stages, 1)
        if stage.pairs_ranking is not None and not is_at_matchpoints(stage) and rules.penalty_vp is not None
    ]
    if rules.penalty.kind is not RulingKind.PENALTY_IMPS:
        return problems
    return problems + [
        f"rules, penalty_vp: a penalty is in IMPs, which stage {number} at board-a-match has not; give penalty_vp"
        for number, stage in enumerate(stages, 1)
        if stage.board_scale.is_board_a_match
    ]


def _grounds(problem: str) -> frozenset[str]:
    """Returns the keys of its stage that a problem follows from; it begins with the one that is wrong."""
    key = problem.partition(":")[0]
    return frozenset({key, "boards_per_match" if key in ("vp_scale", "segments") else "format"})


def _team_problems(names: Sequence[str | None], entrant: str) -> Iterator[str]:
    if not 2 <= len(names) <= TEAMS_MAX:
        yield f"{entrant}: an event has 2 to {TEAMS_MAX} {entrant}s, got {len(names)}"
    numbers: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if name is not None:
            earlier = numbers.setdefault(name.casefold(), number)
            if earlier != number:
                same = f"{name!r} is that of {entrant} {earlier}"
                yield f"{entrant} {number}, name: names differ in more than case, {same}"
            elif not name.isascii() or any(other and not other.isascii() for other in names):
                yield from _marks_problems(number, name, names, entrant)


def _marks_problems(number: int, name: str, names: Sequence[str | None], entrant: str) -> Iterator[str]:
    """Yields a problem if an earlier name is the same in ASCII, in which PBN and LIN are written."""
    plain = to_ascii(name).casefold()
    for earlier, other in enumerate(names[: number - 1], 1):
        if other is not None and other.casefold() != name.casefold() and to_ascii(other).casefold() == plain:
            yield (
                f"{entrant} {number}, name: names differ in ASCII too, for PBN and LIN: {name!r} and {other!r} of "
                f"{entrant} {earlier} are both {to_ascii(name)!r} there"
            )
            return


def _letter_problems(teams: Sequence[TeamConfig | None], entrant: str) -> Iterator[str]:
    """Yields a problem for each name with letters that the programs of another team cannot be sent (BC-10)."""
    for number, team in enumerate(teams, 1):
        if team is None or team.name.isascii():
            continue
        for other_number, other in enumerate(teams, 1):
            if other is None or other.profile not in PROFILES:
                continue
            charset = other.wire_profile.charset or Charset.UTF_8
            if not can_carry(team.name, charset):
                whose = "its own" if other is team else f"{entrant} {other_number}'s"
                yield (
                    f"{entrant} {number}, name: {team.name!r} has letters that cannot be sent to {whose} programs, "
                    f"whose charset is {charset}"
                )
                break


def _name_problems(stages: Sequence[StageConfig]) -> Iterator[str]:
    numbers: dict[str, int] = {}
    for number, stage in enumerate(stages, 1):
        earlier = numbers.setdefault(stage.name.casefold(), number)
        if earlier != number:
            yield f"stage {number}, name: names differ in more than case, {stage.name!r} is that of stage {earlier}"


def pairs_of_teams_problems(
    names: Sequence[str | None], stages: Sequence[StageConfig], *, has_pairs: bool
) -> Iterator[str]:
    """Yields problems of teams whose pairs are entrants of their own.

    Args:
        names: the names of the teams, None for an invalid one.
        stages: the stages.
        has_pairs: whether the event has `[[pair]]` sections.
    """
    if has_pairs:
        yield "event, pairs_of_teams: it is for [[team]] sections, the event has [[pair]] sections"
        return
    other = next((n for n, stage in enumerate(stages, 1) if not stage.format.is_of_pairs), None)
    if other is not None:
        yield (
            f"event, pairs_of_teams: both pairs of a team enter by themselves where all stages are of pairs, stage "
            f"{other} is {stages[other - 1].format.with_article}"
        )
    if 2 * len(names) > TEAMS_MAX:
        yield f"team: an event of pairs has at most {TEAMS_MAX} of them, {len(names)} teams have {2 * len(names)}"
    for number, name in enumerate(names, 1):
        if name is not None and len(names_of_pairs(name)[0]) > TEAM_NAME_CHARS_MAX:
            yield (
                f"team {number}, name: its pairs are {names_of_pairs(name)[0]!r} and so on, names have at most "
                f"{TEAM_NAME_CHARS_MAX} characters, got {len(names_of_pairs(name)[0])}"
            )


def _stage_problems(number: int, stage: StageConfig, own_tables: Mapping[str, UserTable | None]) -> Iterator[str]:
    """Yields problems of a stage that do not depend on its teams."""
    if stage.vp_scale not in own_tables or own_tables[stage.vp_scale] is not None:
        own = {name: table for name, table in own_tables.items() if table}
        try:
            stage.board_scale.vp_scale(stage.vp_scale, stage.boards_per_match, own)
        except ConfigError as error:
            yield f"vp_scale: {error}"
    if stage.boards_per_match % stage.segments:
        yield f"segments: {stage.boards_per_match} boards cannot be cut into {stage.segments} equal segments"
    yield from _format_problems(stage)
    yield from _pairs_problems(stage)
    yield from _scoring_problems(stage)
    yield from _game_problems(stage)
    if number == 1:
        for name in ("teams", "carry_over"):
            if getattr(stage, name) is not None:
                yield f"{name}: there is no stage before the first"
    elif stage.against_all is not None:
        who = f"who comes to stage {number} is not known, it is the best of them"
        yield f"against_all: {who}, got {stage.against_all!r}"


def _scoring_problems(stage: StageConfig) -> Iterator[str]:
    """Yields settings that do not fit how the stage scores boards."""
    is_bam = stage.board_scale.is_board_a_match
    for tie_break in stage.tie_breaks:
        if is_bam and tie_break in IN_IMPS:
            own = ", ".join(map(repr, map(str, IN_POINTS)))
            yield f"tie_breaks: there are no IMPs at board-a-match, its own criteria are {own}, got '{tie_break}'"
        if not is_bam and tie_break in IN_POINTS:
            yield f"tie_breaks: it is for board-a-match, the stage is scored in IMPs, got '{tie_break}'"
    if not is_bam and stage.board_points != 1:
        yield f"board_points: it is for board-a-match, the stage is scored in IMPs, got {stage.board_points}"


def _format_problems(stage: StageConfig) -> Iterator[str]:
    """Yields settings that do not apply to the stage's format."""
    kind, a = stage.format, stage.format.with_article
    if stage.groups > 1 and not kind.is_round_robin:
        yield f"groups: they are for round robins, {a} has 1, got {stage.groups}"
    if stage.rounds is None and kind.needs_rounds:
        yield f"rounds: {a} has to say how many it has"
    if stage.rounds is not None and not kind.takes_rounds:
        yield f"rounds: {a} has as many as its teams ask for, leave it out, got {stage.rounds}"
    if stage.matches > 1 and not kind.is_duel:
        yield f"matches: a duel is divided into them, {a} has as many as its teams ask for, got {stage.matches}"
    if stage.sprt is not None and not kind.is_duel:
        yield f"sprt: the test is for a duel, not for {a}"
    if kind.is_duel and stage.board_scale.is_board_a_match:
        yield "scoring: a duel is scored in IMPs"
    if stage.extra_boards and not kind.takes_extra_boards:
        yield f"extra_boards: they part teams of a knockout or a match, {a} has none, got {stage.extra_boards}"
    if kind.plays_halves_apart:
        for key in ("segments", "seats"):
            if getattr(stage, key) != StageConfig.model_fields[key].default:
                yield f"{key}: in {a} the movement says who sits where, leave it out"
    if stage.third_place and not kind.takes_third_place:
        yield f"third_place: that match is one of a knockout, {a} has none"
    if stage.against_all is not None and not kind.takes_head:
        yield f"against_all: one team meets all others in a gauntlet, not in {a}, got {stage.against_all!r}"


_OF_PAIRS: Final = (
    *("boards_per_round", "arrow_switch", "phantom", "barometer", "movement", "winners", "ties"),
    *("sections", "compare_within", "sessions"),
)
_NOT_OF_PAIRS: Final = (
    *("segments", "seats", "vp_scale", "tie_breaks", "bye_vp", "late_vp", "early_leavers", "void_matches"),
)


def _pairs_problems(stage: StageConfig) -> Iterator[str]:
    """Yields settings of pairs in a stage of another kind, and the other way round."""
    kind, a = stage.format, stage.format.with_article
    for key in _NOT_OF_PAIRS if kind.is_of_pairs else _OF_PAIRS:
        if key == "boards_per_round" and kind.has_movement:
            continue
        if getattr(stage, key) == StageConfig.model_fields[key].get_default(call_default_factory=True):
            continue
        if not kind.is_of_pairs:
            yield f"{key}: it is for pairs, in a Mitchell, a Howell or a movement, not for {a}"
        elif key == "tie_breaks":
            yield "tie_breaks: they are for matches of teams, pairs have `ties`"
        else:
            yield f"{key}: it is for matches of teams, not for {a}"
    if kind.name == OWN and stage.movement is None:
        yield "movement: a stage with a movement of its own names the file of it"
    if kind.is_of_pairs and kind.name != OWN and stage.movement is not None:
        yield f"movement: a file is for the format {OWN!r}, {a} makes its own"
    if kind.is_of_pairs and stage.compare_within is not CompareWithin.FIELD and stage.sections == 1:
        yield f"compare_within: there is one section, got {stage.compare_within.value!r}"
    if not kind.is_of_pairs and stage.carry_over is not None and stage.carry_over.by_boards:
        yield f"carry_over, by_boards: it is for pairs, not for {a}"
    if kind.is_of_pairs and stage.carry_over is not None and stage.carry_over.lost is not None:
        yield f"carry_over, lost: it is for matches, in {a} a share is carried over by `won`"
    if kind.is_of_pairs and kind.name != MITCHELL:
        yield from _mitchell_problems(stage)


def _mitchell_problems(stage: StageConfig) -> Iterator[str]:
    """Yields settings of a Mitchell in another stage of pairs."""
    a = stage.format.with_article
    if stage.arrow_switch is not False:
        yield f"arrow_switch: it is for a Mitchell, in {a} directions are as they are"
    if stage.phantom is Phantom.ROVER:
        yield f"phantom: a rover is for a Mitchell, in {a} a pair sits out each round with `phantom = true`"


_KEYS_OF_GAMES: Final[Mapping[GameKind | None, tuple[str, ...]]] = {
    None: (),
    GameKind.RUBBER: ("rubbers", "deals", "honours", "passed_out", "unfinished"),
    GameKind.CHICAGO: ("chicagos", "order", "honours", "passed_out"),
    GameKind.MINIBRIDGE: ("deals",),
}
"""The keys that are for the games of one table."""

_PASSED_OUT: Final = {
    GameKind.RUBBER: (PassedOut.NEXT_DEALER, PassedOut.REDEAL),
    GameKind.CHICAGO: (PassedOut.REDEAL, PassedOut.COUNTS),
    GameKind.MINIBRIDGE: (),
}


def _game_problems(stage: StageConfig) -> Iterator[str]:
    """Yields settings that do not apply to the game of the stage's matches."""
    game, a = stage.format.game, stage.format.with_article
    for key in dict.fromkeys(key for keys in _KEYS_OF_GAMES.values() for key in keys):
        if getattr(stage, key) is not None and key not in _KEYS_OF_GAMES[game]:
            meant = " or ".join(each for each, keys in _KEYS_OF_GAMES.items() if each is not None and key in keys)
            yield f"{key}: it is for {meant}, not for {a}"
    if stage.scoring is not None and stage.scoring not in stage.format.scorings:
        *others, last = stage.format.scorings or ("",)
        choice = " or ".join(filter(None, (", ".join(others), last)))
        yield f"scoring: {f'in {a} it is {choice}' if choice else f'{a} has but one'}, got {stage.scoring!r}"
    if game is None:
        return
    if stage.passed_out is not None and _PASSED_OUT[game] and stage.passed_out not in _PASSED_OUT[game]:
        yield f"passed_out: {game} has {' or '.join(_PASSED_OUT[game])}, got {stage.passed_out.value!r}"
    if stage.honours and stage.scoring not in (None, "plain"):
        yield f"honours: at {stage.scoring} scoring they count for nothing"
    for key in ("segments", "seats", "vp_scale", "carry_over"):
        if getattr(stage, key) != StageConfig.model_fields[key].default:
            yield f"{key}: a match of {game} is played at one table and counted in points, leave it out"


def _sequence_problems(stages: Sequence[StageConfig], teams: int) -> Iterator[str]:
    """Yields problems of stages that depend on their numbers of teams."""
    counts = stage_teams(stages, teams)
    for number, (stage, count) in enumerate(zip(stages, counts, strict=True), 1):
        where = f"stage {number}"
        if number > 1:
            problem = _following_problem(number, stages[number - 2], counts[number - 2], stage, count)
            if problem is not None:
                yield f"{where}, {problem}"
                return  # what follows depends on it
        problem = stage.format.size_problem(stage, count)
        if problem is not None:
            yield f"{where}, {problem}"
            return
        rounds = stage_rounds(stage, count)
        if stage.starts is not None and len(stage.starts) != rounds:
            yield (f"{where}, starts: expected one time a round, {rounds} for {count} teams, got {len(stage.starts)}")
        by_rank = stage.carry_over.by_rank if stage.carry_over is not None else None
        if by_rank is not None and len(by_rank) > count:
            yield f"{where}, carry_over, by_rank: {count} teams come to the stage, got {len(by_rank)} amounts"
        before = [each.format.is_knockout for each in stages[: number - 1]]
        if stage.carry_over is not None and before and (all(before) or (before[-1] and not stage.format.is_knockout)):
            yield f"{where}, carry_over: no stage before it has ranked the teams, a knockout does not"
        unlike = _differing_source(stages[: number - 1], stage)
        if stage.carry_over is not None and stage.carry_over.by_rank is None and unlike is not None:
            yield f"{where}, carry_over: {unlike}, so that a share of it means nothing there; give by_rank"
        if stage.third_place and (count < 4 or rounds < knockout_rounds(count)):
            yield f"{where}, third_place: two beaten semi-finalists and a final are needed for it"
    times = [time for stage in stages for time in stage.starts or ()]
    for number, stage in enumerate(stages, 1):
        if stage.starts is not None and stage.starts != sorted(stage.starts):
            yield f"stage {number}, starts: a round starts no earlier than the one before it"
            return
    if times != sorted(times):
        yield "stage, starts: a stage starts no earlier than the rounds of the one before it"


def _differing_source(earlier: Sequence[StageConfig], stage: StageConfig) -> str | None:
    """Returns how the stage that teams carry from differs in its unit from this one; None if it does not."""
    source = next((each for each in reversed(earlier) if not each.format.is_knockout), None)
    if source is None:
        return None
    if source.format.is_of_pairs or stage.format.is_of_pairs:
        units, values = (_carried_unit(source), _carried_unit(stage)), (0, 0)
    elif stage.format.is_knockout:
        units = source.board_scale.unit, stage.board_scale.unit
        values = (source.board_scale.most, stage.board_scale.most) if units == ("points", "points") else (0, 0)
    else:
        units, values = (source.board_scale.vp_unit, stage.board_scale.vp_unit), (0, 0)
    if units[0] != units[1]:
        return f"the stage before it is scored in {units[0]}, this one in {units[1]}"
    return "boards of the stage before it are worth other points" if values[0] != values[1] else None


def _carried_unit(stage: StageConfig) -> str:
    if stage.format.is_of_pairs:
        return "percent" if is_at_matchpoints(stage) else "IMPs per board"
    return stage.board_scale.unit if stage.format.is_knockout else stage.board_scale.vp_unit


def _following_problem(
    number: int, before: StageConfig, teams_before: int, stage: StageConfig, count: int
) -> str | None:
    if stage.teams is not None and stage.teams > teams_before:
        return f"teams: {teams_before} teams come from stage {number - 1}, got {stage.teams}"
    left = teams_left(before, teams_before)
    if left == 1:
        hint = "; give it `rounds`, and it ends before" if before.format.takes_rounds else ""
        return f"teams: it cannot follow stage {number - 1}, {before.format.with_article} that leaves 1 team{hint}"
    if left is not None and count != left:
        return f"teams: {left} teams are left after stage {number - 1}, which has no order among them, got {count}"
    groups = before.format.count_groups(before, teams_before)
    if groups > 1:
        what, one = ("lists", "list") if before.format.is_of_pairs else ("groups", "group")
        if count % groups:
            return f"teams: as many go on from each of {groups} {what}, got {count}"
        smallest, each = teams_before // groups, count // groups
        if each > smallest:
            return f"teams: the smallest {one} of stage {number - 1} has {smallest}, got {each} of each"
    return None


def _entry_problems(stage: StageConfig, teams: Sequence[TeamConfig | None]) -> Iterator[str]:
    """Yields entries that the first stage does not allow."""
    late = [
        (number, team.enters) for number, team in enumerate(teams, 1) if team is not None and team.enters is not None
    ]
    for number, enters in late:
        if not stage.format.takes_late_teams:
            yield f"team {number}, enters: a team comes late to a swiss only, stage 1 is {stage.format.with_article}"
        elif stage.rounds is not None and not 2 <= enters <= stage.rounds:
            late_rounds = f"stage 1 has {stage.rounds} rounds, 2 to {stage.rounds} are late"
            yield f"team {number}, enters: {late_rounds}, got {enters}"
    if late and len(teams) - len(late) < 2:
        yield f"team: at least 2 teams play from the first round on, got {len(teams) - len(late)}"
    names = [team.name if team is not None else None for team in teams]
    if stage.against_all is not None and None not in names and stage.against_all not in names:
        meant = suggest(stage.against_all, [name for name in names if name is not None])
        yield f"stage 1, against_all: it is the name of a team, got {stage.against_all!r}{meant}"


def _door_problems(tables: TablesConfig, stages: Sequence[StageConfig], count: int) -> Iterator[str]:
    other = next((stage for stage in stages if not stage.format.is_of_pairs), None)
    if other is not None:
        yield (
            f"tables, port_plan: '{tables.port_plan}' is for events of pairs, stage {other.name!r} is "
            f"{other.format.with_article}"
        )
    elif count > len(tables.ports):
        yield f"tables, ports: {count} pairs need a port each, {tables.ports} has {len(tables.ports)}"


def _port_problems(tables: TablesConfig, matches: int, tables_per_match: int) -> Iterator[str]:
    side_by_side = min(tables.at_once, matches)
    needed = tables_per_match * side_by_side * tables.port_plan.ports_per_table
    if needed > len(tables.ports):
        yield (
            f"tables, ports: {side_by_side} matches side by side need {needed} ports, "
            f"{tables.ports} has {len(tables.ports)}"
        )
