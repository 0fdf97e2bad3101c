"""The event file is edited while its event is run, on simulated time: the run says what changes when, and takes late
teams."""

from pathlib import Path

from tests.support.commands import run
from tests.support.events import bot, write_event
from tests.support.simulated_run import Step, simulated_runs

STARTS = 'format = "swiss"\nrounds = 3\nstarts = [{}]'
FIRST_DUE = STARTS.format("2020-01-01T00:00:00Z, 2999-01-01T00:00:00Z, 2999-01-02T00:00:00Z")
ALL_DUE = STARTS.format("2020-01-01T00:00:00Z, 2020-01-01T00:00:00Z, 2020-01-01T00:00:00Z")


def with_eels(text: str, enters: int) -> str:
    late = f"[[team]]\nname = 'Eels'\nprofile = 'tourney'\nenters = {enters}\ncommand = '{bot(5)}'\n"
    return text.replace("[[stage]]", f"{late}[[stage]]", 1)


def test_a_swiss_takes_a_late_team_and_new_times_without_a_stop(tmp_path: Path) -> None:
    teams = [(name, bot(seed)) for seed, name in enumerate(("Ants", "Bees", "Cats", "Dogs"), 1)]
    event = write_event(tmp_path, teams, boards=1, stage=FIRST_DUE, tables="connect_s = 50")
    text = event.read_text(encoding="utf-8")
    edited = text.replace(FIRST_DUE, f"{ALL_DUE}\nbye_vp = 7")
    edited = edited.replace("connect_s = 50", "connect_s = 55\nlease_s = 11").replace("seed = 7", "seed = 8")

    def step(told: str, edit: str) -> Step:
        return machine.has_told(told), lambda: _write(event, edit)

    with simulated_runs() as machine:
        done = machine.tourney(
            *("run", event),
            steps=[
                step("round 2 starts at 2999-01-01", text.replace("[deals]", "[dealz]")),
                step("the run goes by what it said before", with_eels(text, enters=2)),
                step("the event file has changed: the number of teams", with_eels(edited, enters=3)),
            ],
        )
    assert done.status == 0, done.out
    slip, late, rest = (
        part.partition(at)[2]
        for part, at in (
            (done.out, "round 2 starts at"),
            (done.out, "goes by what it said before"),
            (done.out, "number of teams"),
        )
    )
    assert "event.toml: 'dealz' is not known here" in slip
    assert "the event file can be used again" in late
    assert "round 2 of 'Swiss' has been drawn, a team that comes now enters in a later one, got 2" in late
    told, third, after = rest.partition("round 3:")
    for line in (
        "stage 1, starts, which takes effect at once",
        "stage 1, bye_vp, which takes effect at once",
        "tables, connect_s, which takes effect at tables that are opened from now on",
        "tables, lease_s, which takes effect when the run is started again",
        "deals, seed, which takes no effect, as boards have been played by the draw as it is",
        "team 5, Eels, enters in round 3",
    ):
        assert f"the event file has changed: {line}\n" in told
    assert third
    assert "Eels" in after.splitlines()[0]
    # The seed is not that of the draw, which the file has to say again.
    refused = run("schedule", event)
    assert (refused.exit_code, "seed was 7 when it was drawn, now it is 8" in refused.stderr) == (2, True)
    assert '"Eels"' in run("standings", event, "--json").stdout


def _write(event: Path, text: str) -> None:
    event.write_text(text, encoding="utf-8")
