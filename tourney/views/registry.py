"""The list of reports, in the order in which commands list them.

A report is one module and one entry here. Commands with their options and help, `--json` and `--csv`, pages of the
web site and JSON Schemas are made from the entry; the module of a report is imported only when it is needed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints

from tourney.errors import RuleError

if TYPE_CHECKING:
    from tourney.contest.draw import StageInfo
    from tourney.event.drawn import DrawnEvent
    from tourney.output.rows import Row
    from tourney.views.report import Report


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A keyword argument of a report's `load`, as users give it."""

    name: str
    """The keyword of `load`."""
    option: str = ""
    """The command line option, such as `--round`; empty for a positional argument."""
    kind: type[int] | type[str] | type[bool] = int
    """The type of the value; an option of type bool is a flag."""
    help: str = ""
    """The help text of the option."""
    metavar: str = "N"
    is_required: bool = False
    default: int | None = None
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, kw_only=True)
class ReportEntry:
    """An entry of the list of reports."""

    name: str
    """The name of its command."""
    module: str = ""
    """The module of `tourney.views` with the function `load`, which takes the event and the parameters as keyword
    arguments; empty if it has the name of the report."""
    parameters: tuple[Parameter, ...] = ()
    help: str
    """The help text of its command; EVENT is the path of an event file."""
    tells_progress: bool = False
    """Whether its text says how much of the event it is of, or that makes no difference to it."""
    page_title: str = ""
    """The title of its page in the web site, in braces what the event calls it; empty for a report without a page."""
    on_page: Mapping[str, int] = field(default_factory=dict)
    """The parameters of its page that are not as the command has them by default."""
    template: str = "report.html"
    """The template of its page: one of its own where that is more than lines and tables."""
    is_in_navigation: bool = False
    """Whether every page leads to it; the front page leads to the others."""

    @property
    def summary(self) -> str:
        """The first line of the help text."""
        return self.help.partition("\n")[0]

    @property
    def load(self) -> "Callable[..., Report]":
        """The function that loads the report, of its module, which is imported."""
        load: Callable[..., Report] = import_module(f"tourney.views.{self.module or self.name}").load
        return load

    @property
    def document_types(self) -> "list[type[Row]]":
        """The types of the documents of the report, which may have another of pairs."""
        report_type = get_type_hints(self.load)["return"]
        return [each.document_type() for each in get_args(report_type) or (report_type,)]

    def load_report(self, drawn: "DrawnEvent", **given: Any) -> "Report":  # as its parameters say
        """Load the report by the kinds of contest of what it is asked about: a match, a round, or the whole event.

        Raises:
            RuleError: it is for the other kind of contest.
            UsageError: there is no such round or match, or as the report says.
        """
        stages = self._stages_asked(drawn, given)
        if stages and all(self.name in stage.format.instead for stage in stages):
            stage, event = stages[0], drawn.event.name
            why = stage.format.instead[self.name]
            said = why.format(stage=stage.name, event=event, entrant=stage.format.entrant)
            raise RuleError(f"`tourney {self.name}` {said}")
        return self.load(drawn, **given)

    def describe_left_out(self, drawn: "DrawnEvent", **given: Any) -> str | None:
        """Say which stages a report has left out, and what shows them; None for none."""
        left_out = [stage for stage in self._stages_asked(drawn, given) if self.name in stage.format.instead]
        if not left_out:
            return None
        names, kind = ", ".join(repr(stage.name) for stage in left_out), left_out[0].format
        return f"without {names}, of {kind.entrant}s: {kind.instead[self.name].partition(': ')[2]}"

    def _stages_asked(self, drawn: "DrawnEvent", given: Mapping[str, Any]) -> "Sequence[StageInfo]":
        """Return the stage of the match or round that is asked about, else all."""
        event = drawn.event
        if given.get("match_number") is not None:
            return [event.stage_of(drawn.match(given["match_number"]))]
        if given.get("round_number") is not None:
            drawn.check_round(given["round_number"])
            return [event.stages[event.all_rounds[given["round_number"] - 1].stage - 1]]
        return event.stages


_ROUND: Final = Parameter(name="round_number", option="--round", help="This round only.")
_MATCH: Final = Parameter(name="match_number", option="--match", help="This match only.")

SWINGS_LISTED: Final = 20
"""How many swings are listed by default: as many as fit on a screen of 24 lines."""

_ENTRIES: Final = (
    ReportEntry(
        name="standings",
        tells_progress=True,
        parameters=(
            Parameter(name="rounds", option="--round", help="Count rounds 1 to N only."),
            Parameter(
                name="explain",
                option="--explain",
                kind=bool,
                help="Explain how ties were broken.",
            ),
        ),
        help="""Rank the teams by victory points and tie-breaks.

        EVENT is the path of an event file, which says how ties are broken. Matches count once both rooms have
        finished all boards, or one team has forfeited. P, W, D and L are matches played, won, drawn and lost, Form is
        the last five of them, Move how many places a team has gone up or down since the round before. A star marks a
        team with rulings against it. They are listed below the table, or counted by team if there are more than 12.
        With --explain, it also says which team came before which by which tie-break, with the figures of the teams in
        that order.

        Pairs are ranked by percentage or by IMPs per board, North-South and East-West separately where they were
        never compared; 2= is a shared place.
        """,
    ),
    ReportEntry(
        name="match",
        tells_progress=True,
        parameters=(
            Parameter(name="match_number", metavar="MATCH", is_required=True),
            Parameter(
                name="times",
                option="--times",
                kind=bool,
                help="Add thinking times, and the table manager's own share, board by board.",
            ),
        ),
        help="""Show the scorecard of a match.

        EVENT is the path of an event file, MATCH the number of a match in the schedule. A board is shown once both
        rooms have finished it; scores are North-South's. Rulings are numbered and listed below. With --times a
        second table has what North-South, East-West and the table itself took in each room; the JSON document and the
        CSV table always have it. Once `tourney analyse` has solved boards, there are columns for par and for the
        IMPs that North-South won against it in each room. Par is North-South's score when both sides bid and play as
        well as possible.
        """,
    ),
    ReportEntry(
        name="crosstable",
        tells_progress=True,
        page_title="{crosstable}",
        is_in_navigation=True,
        help="""Show the result of each team's match against each other team.

        EVENT is the path of an event file. Teams are in the order of the draw; a cell has victory points, then IMPs
        for and against. A star marks a score that a ruling has reduced; the rulings are listed below the table.

        In pairs events it is the recapitulation: what each pair has won in each round, in percent or in IMPs, over
        the boards that all tables have played. An event with stages of both kinds has both, in this order.
        """,
    ),
    ReportEntry(
        name="rounds",
        tells_progress=True,
        parameters=(
            Parameter(name="team", kind=str, metavar="[TEAM]"),
            Parameter(name="opponent", kind=str, metavar="[OPPONENT]"),
            _ROUND,
        ),
        help="""Show the results round by round.

        EVENT is the path of an event file. With TEAM, in upper or lower case, only the matches of that team are
        shown, and with OPPONENT only those of the two against each other. Byes and matches that are still being
        played are listed too; an unfinished match shows its IMPs so far, over the boards that both rooms have
        finished. A star marks a score that a ruling has reduced; the rulings are listed below the tables.
        """,
    ),
    ReportEntry(
        name="boards",
        module="travellers",
        parameters=(
            Parameter(name="board", metavar="[BOARD]"),
            Parameter(name="round_number", option="--round", help="Boards of this round; by default the newest."),
        ),
        help="""Compare what all tables of a round made of the same boards.

        EVENT is the path of an event file, BOARD the number of a board; by default all boards of the round are shown.
        If the matches of a round share their deals, the tables of all of them are compared, otherwise the two tables
        of each match. Scores and IMPs are North-South's, IMPs over both rooms of the match. A board of a match is
        shown once both rooms have finished it. A star marks a score that a ruling has changed; the rulings are listed
        below.

        In pairs events these are the travellers: every table of a board with its score and its worth for both
        pairs, in matchpoints and percent or in IMPs. By default all boards of the stage are shown, with --round
        those that were played in it. A board is shown once its last table has finished the round in which it plays
        it. A+, A and A- are average plus, average and average minus.
        """,
    ),
    ReportEntry(
        name="pair",
        parameters=(Parameter(name="pair", kind=str, metavar="PAIR", is_required=True),),
        help="""Show the card of a pair: its boards, rounds and total.

        EVENT is the path of the file of a pairs event, PAIR the name of a pair, in upper or lower case, or its number
        in the draw. Each board has the opponents, the contract, the pair's own score, what it was worth, and the
        pair's running total. Boards that another table still has to play are left out. Rounds in which the pair sat
        out, artificial scores and penalties are shown. A star marks a score that a ruling has changed; the rulings
        are listed below.
        """,
    ),
    ReportEntry(
        name="swings",
        page_title="Swings",
        is_in_navigation=True,
        on_page={"top": 100},
        parameters=(
            Parameter(
                name="team", option="--team", kind=str, metavar="TEAM", help="Only boards that this team lost."
            ),
            _ROUND,
            _MATCH,
            Parameter(
                name="least",
                option="--min",
                metavar="IMPS",
                minimum=1,
                maximum=24,
                default=1,
                help="Only swings of at least this many IMPs, 1 to 24.",
            ),
            Parameter(
                name="top",
                option="--limit",
                minimum=1,
                default=SWINGS_LISTED,
                help=f"At most this many; by default {SWINGS_LISTED}.",
            ),
        ),
        help="""List the boards that were won by the most IMPs.

        EVENT is the path of an event file. Each board has what was played in both rooms. Boards are shown once both
        rooms have finished them; scores are North-South's. Boards whose score a ruling has changed are left out.
        """,
    ),
    ReportEntry(
        name="butler",
        page_title="Butler",
        is_in_navigation=True,
        parameters=(_ROUND,),
        help="""Rank pairs against all tables that played the same deals.

        EVENT is the path of an event file. Each score is compared with the datum of its board, and the difference is
        converted to IMPs. The datum is the mean of North-South's scores at all tables to the nearest 10, unless
        `[reports]` says otherwise. A pair is a team in one direction, whichever room it sits in. Pairs are ranked by
        IMPs per board. Boards count once both rooms have finished them; those whose score a ruling has changed are
        left out.
        """,
    ),
    ReportEntry(
        name="opening-leads",
        module="opening_leads",
        page_title="Opening leads",
        parameters=(_ROUND, _MATCH),
        help="""Show what opening leads cost, by team and overall.

        EVENT is the path of an event file. Boards count once both rooms have finished them. What a lead cost, in
        tricks double dummy, is known once `tourney analyse` has solved the play of the board. The table lists the
        leads that cost tricks; the JSON document and the CSV table have every lead.
        """,
    ),
    ReportEntry(
        name="times",
        module="times_used",
        help="""Show how much time each team has used.

        EVENT is the path of an event file. Times are minutes and seconds of thinking, of both players of a side
        together, over the boards that both rooms have finished. A team's boards are counted at each table.
        `tourney match --times` shows the times of every board of a match.
        """,
    ),
    ReportEntry(
        name="rulings",
        tells_progress=True,
        page_title="Rulings",
        is_in_navigation=True,
        parameters=(
            _MATCH,
            Parameter(
                name="with_incidents",
                option="--incidents",
                kind=bool,
                help="List incidents too; with --csv, instead of rulings.",
            ),
        ),
        help="""List the rulings of an event, newest last.

        EVENT is the path of an event file. Rulings that were withdrawn are listed, and do not count. Those on boards
        that somebody still has to play are listed with --director only.
        """,
    ),
)

REPORTS: Final = {entry.name: entry for entry in _ENTRIES}
"""The reports by name."""

_PAGES_ALONE: Final = (
    ReportEntry(name="duel", page_title="Duel", template="duel.html", help=""),
    ReportEntry(name="strength", page_title="Strength", help=""),
)
"""Pages of reports that have no command, or one that does more."""

PAGES: Final = {entry.name: entry for entry in (*_PAGES_ALONE, *_ENTRIES) if entry.page_title}
"""The reports that have a page in the web site, by name, in the order in which the front page lists them."""
