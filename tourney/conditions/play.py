"""Conditions of contest, second half: what players must say and bear, and what follows when they do not."""

from collections import defaultdict
from typing import Final

from tourney.conditions.text import (
    Grid,
    Items,
    Section,
    code,
    count,
    items,
    listed,
    milliseconds,
    ordinal,
    paragraph,
    remedy_words,
    seconds,
    section,
    times,
)
from tourney.config import EventConfig, PortPlan, TeamConfig
from tourney.config.command import reachable
from tourney.protocol.bluechip.profile import ReadyForCards, SeatedForm, TeamsLineForm, WireProfile
from tourney.protocol.pass_phrases import SEPARATOR
from tourney.protocol.session.adjudication import IRREGULARITIES_END
from tourney.protocol.session.logon import GUESTS_MAX, VERSIONS
from tourney.protocol.session.rules import AlertMode, Penalty, Rejoin, RemedyName
from tourney.scoring.butler import Datum

_TEAMS_LINES: Final = {
    TeamsLineForm.PLAIN: 'Teams : N/S : "Alpha" E/W : "Beta"',
    TeamsLineForm.V18: 'Teams : N/S : "Alpha". E/W : "Beta"',
    TeamsLineForm.PLAYING: 'Teams : N/S : "Alpha" E/W : "Beta". Playing IMP',
}
_SEATED: Final = {SeatedForm.V18: 'North ("Alpha") seated', SeatedForm.PLAIN: "North Alpha seated"}
_READY: Final = {
    ReadyForCards.ASKED: "cards are dealt when the program asks for them",
    ReadyForCards.ASSUMED: "cards are dealt a moment after the line of the board, without being asked for",
}

_ASKED: Final = {
    AlertMode.OFF: "Nobody is asked to explain a call that its player has not explained.",
    AlertMode.CALLS: "After a call that is not on the protocol's list of usual ones an operator is asked to explain "
    "it.",
    AlertMode.KEYWORD: "After a call with the bare word Alert an operator is asked to explain it.",
    AlertMode.AUCTION: "At the end of the auction an operator is asked to explain the calls, but for those on the "
    "protocol's list of usual ones.",
}


def play_sections(config: EventConfig) -> list[Section]:
    """The sections, in order."""
    return [
        _time(config),
        _irregularities(config),
        _leaving(config),
        _claims_and_alerts(config),
        _connecting(config),
        _lines(config),
        _failures(config),
        _results(config),
    ]


def _time(config: EventConfig) -> Section:
    clock, penalty = config.clock, config.rules.penalty
    limits = [
        _limit(clock.call_s, "a single call or card", clock.call_remedy, penalty, "each time"),
        _limit(clock.board_s, "a side on one board", clock.board_remedy, penalty, "once a board"),
        _limit(
            clock.match_s, "a side on all boards of one room of a match", clock.match_remedy, penalty, "once a match"
        ),
    ]
    return section(
        "Time",
        paragraph(
            "A player's time runs from the line that lets it act to the first byte of its answer. The work of the "
            "table and its pauses are nobody's time."
        ),
        items(
            [
                *limits,
                f"A player that owes a call or card for {seconds(clock.stall_s)} has stalled, and its side forfeits "
                "the board; the same holds for one that owes any other line for "
                f"{seconds(clock.ready_s)}. Its program is disconnected.",
            ]
        ),
    )


def _limit(limit_s: int | None, what: str, remedy: RemedyName, penalty: Penalty, how_often: str) -> str:
    if limit_s is None:
        return f"There is no limit for {what}."
    return f"The limit for {what} is {seconds(limit_s)}; when it is passed, {_of_side(remedy, penalty)}, {how_often}."


def _of_side(remedy: RemedyName, penalty: Penalty) -> str:
    """What follows for the side that a sentence is on."""
    words = remedy_words(remedy, penalty)
    return f"the side{words.removeprefix('it')}" if words.startswith("it ") else words


def _irregularities(config: EventConfig) -> Section:
    rules = config.rules
    words = _of_side(rules.irregularity_remedy, rules.penalty)
    again = ", and so at every further one" if rules.irregularity_remedy is RemedyName.SUBSTITUTE else ""
    which = "first" if rules.irregularities == 1 else f"{ordinal(rules.irregularities)}"
    return section(
        "Irregularities",
        paragraph(
            "An illegal call or card, and one out of turn, is refused; the turn stays where it is, and the others do "
            "not see it. No call or card is ever taken back.",
            f"At the {which} such line of a side on one board {words}{again}.",
            f"At {max(IRREGULARITIES_END, rules.irregularities)} of a side on one board it forfeits the board "
            "whatever the remedy, and its program is disconnected.",
        ),
    )


def _leaving(config: EventConfig) -> Section:
    clock = config.clock
    return section(
        "Leaving and coming back",
        items(
            [
                *_within_a_board(config),
                "Where a side has forfeited a board, the table calls and plays for it to the end, so that nobody "
                "else is kept from the next one.",
                f"Between two boards the others wait {seconds(clock.absence_s)} for a seat to be taken again; then "
                "its side forfeits the match. When players of both sides are missing nobody is judged for it, and "
                "the table goes on later.",
            ]
        ),
    )


def _within_a_board(config: EventConfig) -> list[str]:
    """What follows when a program is lost in the middle of a board."""
    rules, wait = config.rules, seconds(config.clock.rejoin_s)
    bounds = [
        f"A seat may be left and taken again {times(rules.rejoins)} in one board, and the others wait {wait} for it; "
        "then its side forfeits the board.",
        f"A board is begun again because of one side at most {times(rules.restarts)}; then that side forfeits it."
        if rules.restarts
        else "A board is never begun again because of one side: where it would have to be, that side forfeits it.",
    ]
    match rules.rejoin:
        case Rejoin.REPLAY:
            return [
                "A program that is lost in the middle of a board may come back. It is told the board from its "
                "beginning and says again what it had said, while the others wait; if it says anything else, the "
                "board is begun again.",
                *bounds,
            ]
        case Rejoin.RESTART:
            return [
                "A program that is lost in the middle of a board may come back; the board is then begun again for "
                "all four players.",
                *bounds,
            ]
        case Rejoin.FORFEIT:
            return [
                "A side that loses a connection in the middle of a board forfeits the board; its program may join "
                "the next one.",
                f"When the table itself has been gone, the others wait {wait} for each player.",
            ]


def _claims_and_alerts(config: EventConfig) -> Section:
    rules = config.rules
    claims = (
        "Claims are allowed. A claim that is accepted by both defenders, or by declarer, ends the board."
        if rules.claims
        else "Claims are not allowed: all cards are played."
    )
    wait = f"The table waits {seconds(rules.alert_wait_s)} for the operator; then the call counts as not alertable."
    by_list = rules.alerting in (AlertMode.CALLS, AlertMode.AUCTION)
    return section(
        "Claims and alerts",
        paragraph(claims),
        paragraph(
            "Players alert with the call, in the words of the protocol. The opponents of the player are told the "
            "alert and what it says, the partner is told the call alone.",
            _ASKED[rules.alerting],
            None if rules.alerting is AlertMode.OFF else wait,
        ),
        items(_methods(team) for team in config.team) if by_list else None,
    )


def _methods(team: TeamConfig) -> str:
    raises = "strong" if team.methods.inverted_minors else "not strong"
    doubles = "for take-out" if team.methods.negative_doubles else "for penalties"
    return f"{team.name}: the raise of a minor to two is {raises}, responder's double of an overcall {doubles}."


def _connecting(config: EventConfig) -> Section:
    tables = config.tables
    ports = {
        PortPlan.PER_TABLE: "The four seats of a table share one port.",
        PortPlan.PER_SEAT: "Every seat of a table has a port of its own.",
    }
    span = (
        f"port {tables.ports.first}"
        if len(tables.ports) == 1
        else f"ports {tables.ports.first} to {tables.ports.last}"
    )
    phrased = [team for team in config.team if team.pass_phrase]
    phrase = None
    if phrased:
        phrase = (
            "A team with a pass phrase says it after its name, with the phrase that it was given in the place of the "
            f"dots: {_log_on(f'{phrased[0].name}{SEPARATOR}...')}. Nobody is shown the phrase."
        )
    started = any(team.command for team in config.team)
    return section(
        "Programs and connections",
        paragraph(
            "Each team brings a program that plays one seat; four of them sit at a table, two of each team. They "
            f"speak the Blue Chip table manager protocol, version {listed([str(v) for v in VERSIONS], 'or')}, over "
            "TCP, in lines of ASCII. The table ends its lines with CR LF, and takes those that end with CR LF or LF.",
            f"A program begins with {_log_on(config.team[0].name)}.",
            phrase,
        ),
        paragraph(
            f"Tables listen on {_address(tables.host)}, {span}. {ports[tables.port_plan]} The organiser says which "
            "table is where.",
            f"A program that the organiser starts has {seconds(tables.connect_s)} to sit down." if started else None,
        ),
        Grid(
            "What each team shows to sit down",
            ("Team", "Its programs are started by", "Pass phrase", "May connect from"),
            tuple(
                (
                    team.name,
                    _starter(team),
                    "asked for" if team.pass_phrase else "none",
                    _allowed(team),
                )
                for team in config.team
            ),
        ),
        _doors(config),
    )


def _log_on(name: str) -> str:
    return code(f'Connecting "{name}" as North using protocol version {VERSIONS[0]}')


def _address(host: str) -> str:
    return f"every address of the organiser's computer ({code(host)})" if reachable(host) != host else code(host)


def _starter(team: TeamConfig) -> str:
    if team.second_command is not None:
        return "the organiser, each pair by a command of its own"
    return "the organiser" if team.command is not None else "the team"


def _allowed(team: TeamConfig) -> str:
    if not team.allow:
        return "anywhere"
    return f"{count(len(team.allow), 'address', 'addresses')} agreed with the organiser"


def _doors(config: EventConfig) -> Items:
    doors = config.doors
    return items(
        [
            f"A program logs on within {seconds(doors.log_on_s)} of its connection.",
            f"A line has at most {doors.line_bytes} bytes; a longer one, and one that is not of the protocol, is "
            "refused. A program that will not stop sending such lines is disconnected.",
            f"At most {count(doors.lines_per_s, 'line', 'lines')} a second are read from a connection, a long line "
            f"counting more than once; one that sends faster for {seconds(doors.flood_s)} is closed.",
            f"A connection that leaves {doors.unread_bytes} bytes unread is closed.",
            f"A table takes {GUESTS_MAX} connections at once, at most {doors.connections_per_address} of them from "
            "one address.",
            f"After {count(doors.failed_log_ons, 'log-on', 'log-ons')} with a wrong name or pass phrase within a "
            "minute an address is refused until the minute is over.",
        ]
    )


def _lines(config: EventConfig) -> Section:
    groups: defaultdict[WireProfile, list[str]] = defaultdict(list)
    for team in config.team:
        groups[team.wire_profile].append(team.name)
    return section(
        "What the programs are sent",
        paragraph(
            "Programs differ in what they read and how fast. The table sends to each what it was found to need; what "
            "is told of the game is the same for all."
        ),
        items(f"{listed(names)}: {_wire(profile)}." for profile, names in groups.items()),
    )


def _wire(profile: WireProfile) -> str:
    infos = {
        None: f"only to programs that log on with version {VERSIONS[-1]}",
        True: "too",
        False: "never",
    }
    alerts = (
        f"the opponents' alerts are told, information without an alert {infos[profile.infos]}"
        if profile.alerts
        else "the opponents' alerts are not told"
    )
    return "; ".join(
        [
            f"the teams' names come as {code(_TEAMS_LINES[profile.teams_line])}",
            f"a seat comes as {code(_SEATED[profile.seated])}",
            _READY[profile.ready_for_cards],
            alerts,
            "times are sent after every board" if profile.timing else "times are not sent",
            f"two lines with no answer in between are at least {milliseconds(profile.line_gap_ms)} apart",
            f"before a lead there is a pause of {milliseconds(profile.lead_gap_ms)} at least"
            if profile.lead_gap_ms
            else "before a lead there is no pause but that of the table",
            "a board may be begun again without a new connection"
            if profile.board_restart
            else "a board is begun again only with a new connection",
        ]
    )


def _failures(config: EventConfig) -> Section:
    tables = config.tables
    return section(
        "When something of the organiser's fails",
        items(
            [
                "Every call and card is on record before another player sees it: nothing that was seen is lost.",
                f"A table whose computer or program has been silent for {seconds(tables.lease_s)} is taken over by "
                "another one. The players connect again and are led through the board in hand; what is finished "
                "stays finished.",
                f"Without the program that conducts the event tables play on for {seconds(tables.orphan_s)}, finish "
                "the boards in hand, and go on when it is back.",
                f"While the record cannot be written tables wait, up to {seconds(tables.outage_s)}; then they stop, "
                "and go on later.",
                "Nothing of this is counted as a player's time.",
            ]
        ),
    )


def _results(config: EventConfig) -> Section:
    reports = config.reports
    kept = (
        "All calls and cards with their times are kept, and every line to and from the players."
        if config.tables.wire_log
        else "All calls and cards with their times are kept; the lines to and from the players are not."
    )
    datum = {Datum.MEAN: "mean", Datum.MEDIAN: "median"}[reports.butler_datum]
    trim = reports.butler_trim
    share = str(trim) if isinstance(trim, int) else f"{(trim * 100).normalize():f} percent"
    trimmed = f", the {share} best and the {share} worst of a board left out" if trim else ""
    return section(
        "Results and record",
        paragraph(
            "Results, scores and standings are worked out from the record of calls and cards alone.",
            kept,
            "Whoever doubts a result asks the director, who can have it worked out anew.",
        ),
        paragraph(
            "If a ranking of pairs is published (Butler), it compares the scores of a board with the "
            f"{datum} of the results of all tables{trimmed}. It has no part in the standings."
        ),
    )
