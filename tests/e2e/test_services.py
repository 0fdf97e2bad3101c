"""A match of a service over HTTP that fails in the play: the table rules, and the record is in order."""

from pathlib import Path

from tests.support.events import BOT, printed, write_event
from tests.support.stub_service import serve_stub
from tourney.config.api import DialectName

EXTRA = "[clock]\nrejoin_s = 1\nabsence_s = 1\n[rules]\nrejoins = 1\n[sandbox]\nkind = 'none'"


def test_a_service_that_fails_in_a_match_is_ruled_on_and_nothing_that_was_played_is_lost(tmp_path: Path) -> None:
    with serve_stub(DialectName.BEN) as stub:
        stub.missing = "/play"
        teams = [("Alpha", f"{BOT} --api 'ben {stub.url}'"), ("Beta", BOT)]
        event = write_event(tmp_path, teams, boards=1, extra=EXTRA)
        done = printed("run", event, "--hosts", "1")
    assert done.status == 0, done.out + done.err
    shown = printed("match", event, "1").out
    assert 'is not there (404): a service of dialect "ben" has it, so the address or the dialect is another' in shown
    assert "forfeited by Alpha" in shown
    verified = printed("verify", event)
    assert verified.status == 0, verified.out
