"""Programs on machines with labels, as the run has them started, started again, ended and taken over."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.support.live_event import put, sit, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import Reported, run_context
from tourney.bridge import Seat
from tourney.coordinator.label_programs import LEFT_MS, LabelledSeat, LabelPrograms
from tourney.launch.program import FoundProgram, ProgramEvent, ProgramNews, ProgramOrder
from tourney.launch.supervisor import STARTS_AGAIN, STARTS_MAX
from tourney.protocol.seat_handover import TableTerms
from tourney.protocol.session.records import BoardBegan, SeatLeft

NORTH, SOUTH = Seat.NORTH, Seat.SOUTH

LABELLED = event_text(
    more='[clock]\ncall_s = 7\nmatch_s = 90\n[launch]\nengine = "dask"\nscheduler = "tls://192.0.2.1:8786"\n'
).replace('name = "Alpha"\n', 'name = "Alpha"\ncommand = "bot {seat}"\non = "gpu"\npass_phrase = "open sesame"\n')


@dataclass
class Cluster:
    """A cluster as the run sees it; tests play the machines."""

    scope: str = "cup"
    labels: Collection[str] = ("gpu",)
    found: Mapping[str, FoundProgram] | None = field(default_factory=dict)
    is_quiet: bool = True
    orders: list[ProgramOrder] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    news: list[ProgramNews] = field(default_factory=list)

    def start(self, order: ProgramOrder) -> None:
        self.orders.append(order)

    def end(self, key: str) -> None:
        self.ended.append(key)

    def take_news(self) -> list[ProgramNews]:
        news, self.news = self.news, []
        return news

    def tell(self, event: ProgramEvent, text: str, key: str | None = None) -> None:
        self.news.append(ProgramNews(key if key is not None else self.orders[-1].key, event, text))


class Run:
    """A run of an event with a table whose North-South pair has a label; `look` is what it does now and then."""

    def __init__(self, folder: Path, cluster: Cluster | None = None) -> None:
        folder.mkdir(exist_ok=True)
        self.played: PlayedEvent = draw_event(folder, LABELLED)
        self.table = take_up(self.played)
        self.cluster = cluster if cluster is not None else Cluster()
        self.reported = Reported()
        self.results = self.played.file.results
        self.now_ms = 0
        self.seats = [self.seat(NORTH)]
        self.begin()

    def begin(self) -> None:
        """Begin another run of the event."""
        self.programs = LabelPrograms(run_context(self.played, self.reported.append, rejoins=1), self.cluster)

    def seat(self, seat: Seat) -> LabelledSeat:
        return LabelledSeat(self.table, seat, "192.0.2.7")

    def poll(self, later_ms: int = 5000) -> None:
        self.now_ms += later_ms
        self.programs.poll(self.seats, self.now_ms)

    @property
    def told(self) -> list[str]:
        return self.reported.notices

    @property
    def output(self) -> str:
        return (self.results / "bots/match-001-open/north-alpha.log").read_text(encoding="utf-8")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_a_program_is_ordered_once_with_all_that_its_machine_has_to_know(run: Run) -> None:
    run.poll()
    run.poll()
    (order,) = run.cluster.orders
    assert order.key == f"program-cup-{run.table.id}-{run.table.attempt}-N-1"
    values = order.values
    assert (order.label, order.command, values.host, values.port) == ("gpu", "bot {seat}", "192.0.2.7", 2000)
    assert (values.team, values.seat, values.match, values.room) == ("Alpha", NORTH, 1, "open")
    assert order.terms == TableTerms(scoring="imps", call_ms=7000, match_ms=90_000)
    assert "sesame" not in repr(order)
    assert run.told == []


def test_what_it_prints_is_in_the_results_folder(run: Run) -> None:
    run.poll()
    run.cluster.tell(ProgramEvent.STARTED, "LAPTOP2")
    run.cluster.tell(ProgramEvent.PRINTED, "net loaded\n")
    run.cluster.tell(ProgramEvent.ENDED, "Alpha's program for North ended with status 3")
    run.poll()
    first, *rest = run.output.splitlines()
    assert first.startswith("==== start 1, ")
    assert rest == ["on LAPTOP2", "net loaded", "==== Alpha's program for North ended with status 3 ===="]


def test_a_program_that_fails_is_started_again_and_given_up_like_one_beside_its_table(run: Run) -> None:
    run.poll()
    for number in range(1, STARTS_MAX + 1):
        assert [order.number for order in run.cluster.orders] == list(range(1, number + 1))
        run.cluster.tell(ProgramEvent.ENDED, "Alpha's program for North ended with status 3")
        run.poll(1)  # not at once
        assert len(run.cluster.orders) == number
        run.poll()
    run.poll()
    assert len(run.cluster.orders) == STARTS_MAX
    assert run.told == [
        "1-open: Alpha's program for North ended with status 3, 3 times in a row, and is not started again on gpu"
    ]


def test_a_board_that_has_begun_makes_up_for_failures_before_it(run: Run) -> None:
    run.poll()
    put(run.played, run.table, BoardBegan(1, BEGINS_AT_MS))
    for _ in range(STARTS_AGAIN + 1):
        run.cluster.tell(ProgramEvent.ENDED, "it ended")
        run.poll(1)
        run.poll()
    assert len(run.cluster.orders) == 1 + STARTS_AGAIN  # BC-48 lets it rejoin once
    assert len(run.told) == 1


def test_a_machine_that_has_gone_is_no_failure_of_the_program(run: Run) -> None:
    run.poll()
    for _ in range(10):
        run.cluster.tell(ProgramEvent.LOST, "its machine has gone")
        run.poll(1)
        run.poll()
    assert len(run.cluster.orders) == 11
    assert run.told == []


def test_a_program_that_goes_on_without_its_seat_is_ended_so_that_another_can_take_it(run: Run) -> None:
    run.poll()
    sit(run.played, run.table, NORTH)
    run.poll()
    assert run.cluster.ended == []
    put(run.played, run.table, SeatLeft(NORTH + 1, NORTH, "kicked", BEGINS_AT_MS))
    run.poll()
    assert run.cluster.ended == []  # it may be about to end
    run.poll(LEFT_MS)
    assert run.cluster.ended == [run.cluster.orders[0].key]
    run.cluster.tell(ProgramEvent.ENDED, "was told to end")
    run.poll(1)
    run.poll()
    run.poll(LEFT_MS)
    assert [order.number for order in run.cluster.orders] == [1, 2]
    assert len(run.cluster.ended) == 1  # what has left is not the new one


def test_programs_end_with_their_table_and_are_started_for_the_next_attempt_at_it(run: Run) -> None:
    run.poll()
    first = run.cluster.orders[0]
    run.table = replace(run.table, attempt=run.table.attempt + 2)
    run.seats = [run.seat(NORTH)]
    run.poll()
    assert run.cluster.ended == [first.key]
    assert [order.place for order in run.cluster.orders] == [first.place, run.seats[0].place]
    run.seats = []
    run.poll()
    assert run.cluster.ended == [order.key for order in run.cluster.orders]


def test_programs_wait_for_a_machine_with_their_label_and_the_organiser_is_told_once(run: Run) -> None:
    run.cluster.labels = ("windows",)
    run.poll()
    run.poll()
    assert run.cluster.orders == []
    waits = (
        "no worker or agent is labelled gpu, which the programs of Alpha wait for: start one with "
        "`tourney cluster agent --labels gpu`; their tables wait for connect_s seconds"
    )
    assert run.told == [waits]
    run.cluster.labels = ("windows", "gpu")
    run.poll()
    assert len(run.cluster.orders) == 1
    assert run.told == [waits, "a machine labelled gpu is there: programs are started on it"]


def test_a_run_takes_over_what_an_earlier_one_has_started_and_ends_the_rest(tmp_path: Path) -> None:
    run = Run(tmp_path, Cluster(found=None))
    run.seats = [run.seat(NORTH), run.seat(SOUTH)]
    run.poll()
    assert run.cluster.orders == []  # not before it is known
    north, south = (seat.place for seat in run.seats)
    run.cluster.found = {
        north: FoundProgram(4, is_alive=True),
        south: FoundProgram(2, is_alive=False),
        "99-1-E": FoundProgram(1, is_alive=True),
    }
    run.poll()
    assert run.cluster.ended == ["program-cup-99-1-E-1"]
    assert [(order.place, order.number) for order in run.cluster.orders] == [(south, 3)]
    run.cluster.tell(ProgramEvent.ENDED, "it ended", f"program-cup-{north}-4")
    run.poll(1)
    run.poll()
    assert [(order.place, order.number) for order in run.cluster.orders][1:] == [(north, 5)]


async def test_a_run_that_stops_ends_all_programs(run: Run) -> None:
    run.poll()
    await run.programs.stop()
    assert run.cluster.ended == [run.cluster.orders[0].key]
