"""Files of a whole event from the server: made by a process of its own, as the public may see the event."""

import asyncio
from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_half_played
from tests.support.web_conversation import browse
from tests.support.web_server import NOW_MS, WatchedEvent, browser
from tourney.config.web import WebConfig
from tourney.export.registry import FORMATS
from tourney.export.request import ExportRequest
from tourney.web import exports as exports_module
from tourney.web import reader as reader_module
from tourney.web.exports import Exports, main, write_files


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "POLL_S", 0.01)


async def test_a_file_is_what_the_command_would_write(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    folder = tmp_path / "out"
    folder.mkdir()
    list(FORMATS["json"].export(ExportRequest(drawn=played.drawn, match=None, folder=folder, written_at_ms=NOW_MS)))
    async with browser(WatchedEvent(played)) as client:
        await browse(
            client,
            """
            /export/event.json -> 200 -> content-type: application/json -> access-control-allow-origin: *
            /export/event.json again -> 304
            """,
        )
        assert (await client.get("/export/event.json")).content == (folder / "event.json").read_bytes()


async def test_a_download_that_was_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    async with browser(WatchedEvent(draw_half_played(tmp_path))) as client:
        answer = await client.get("/export/event.json", headers={"accept-encoding": "gzip"})
        whole, tag = answer.content, answer.headers["etag"]
        assert "content-encoding" not in answer.headers
        for more, status, body in (
            ({}, 206, whole[100:]),
            ({"if-range": tag}, 206, whole[100:]),
            ({"if-range": '"another"'}, 200, whole),  # the file has changed in the meantime
        ):
            answer = await client.get("/export/event.json", headers={"range": "bytes=100-"} | more)
            assert (answer.status_code, answer.content) == (status, body)


class CountedExports(Exports):
    """Exports made in this process, which takes until they are let go; counts how often."""

    def __init__(self, played: PlayedEvent) -> None:
        self.version = 1, WebConfig()
        super().__init__(played.path, lambda: self.version)
        self.played = played
        self.runs: list[str] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.status = 0

    async def _run(self, format_name: str, folder: Path) -> int:
        self.runs.append(format_name)
        await self.go_on.wait()
        if not self.status:
            write_files(self.played.drawn, self.version[1], format_name, folder, NOW_MS)
        return self.status


async def test_files_are_made_once_for_all_who_ask_and_again_only_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports_module, "OPENED_S", 0.0)
    exports = CountedExports(draw_half_played(tmp_path))
    exports.go_on.clear()
    asked = [asyncio.ensure_future(exports.file("export/event.json")) for _ in range(5)]
    await asyncio.sleep(0)
    exports.go_on.set()
    files = await asyncio.gather(*asked)
    assert len(set(files)) == 1
    assert exports.runs == ["json"]
    exports.version = 2, exports.version[1]
    assert await exports.file("export/event.json") == files[0]  # something has changed, but they are not old
    assert exports.runs == ["json"]
    assert await exports.file("export/standings.csv") is not None
    assert await exports.file("export/travellers.csv") is None  # they are of pairs
    assert exports.runs == ["json", "csv"]
    exports.runs.clear()
    exports.version = 2, WebConfig(freeze_rounds=1)
    await exports.file("export/event.json")  # what may be shown is another matter
    assert exports.runs == ["json"]
    monkeypatch.setattr(exports_module, "KEPT_S", 0.0)
    monkeypatch.setattr(exports_module, "MAKING_SHARE", 1e9)
    exports.version = 3, exports.version[1]
    newest = await exports.file("export/event.json")
    await asyncio.sleep(0)
    assert exports.runs == ["json"] * 2
    assert newest is not None
    folders = {path.name.partition("-")[0] for path in newest.parent.parent.iterdir()}
    assert len(list(newest.parent.parent.iterdir())) == len(folders)  # earlier ones are removed
    exports.version, exports.status = (4, exports.version[1]), 1
    assert await exports.file("export/event.json") == newest  # the record is away: what there was
    with pytest.raises(exports_module.ExportFailed):
        await exports.file("export/all.pbn")
    await exports.close()
    assert not newest.exists()


async def test_who_waits_long_is_asked_to_come_back_and_finds_the_file_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports = CountedExports(draw_half_played(tmp_path))
    exports.go_on.clear()
    monkeypatch.setattr(exports_module, "WAIT_S", 0.0)
    with pytest.raises(exports_module.ExportsBusy):
        await exports.file("export/all.pbn")
    exports.go_on.set()
    await asyncio.gather(*exports._making.values())
    assert await exports.file("export/all.pbn") is not None
    assert exports.runs == ["pbn"]
    await exports.close()


def test_a_record_that_cannot_be_read_is_no_reason_for_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = draw_half_played(tmp_path)
    file = Path(str(played.database.file))
    played.database.close()
    file.rename(file.with_suffix(".away"))
    assert main([str(played.path), "json", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
