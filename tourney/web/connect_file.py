"""`/connect.pyz`: the author's side of a tunnel as one file, handed out where teams may come that way."""

import asyncio
from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router

from tourney.connect.archive import FILE_NAME, build_archive
from tourney.web.answers import PUBLIC_HEADERS, Application
from tourney.web.doors import CONNECT_FILE


@cache
def _archive() -> bytes:
    return build_archive()


async def _send(_: Request) -> Response:
    archive = await asyncio.to_thread(_archive)
    headers = {"content-disposition": f'attachment; filename="{FILE_NAME}"', "cache-control": "no-cache"}
    return Response(archive, headers=headers, media_type="application/zip")


connect_file: Final = Application(
    Router(
        [Route(CONNECT_FILE, _send)],
        redirect_slashes=False,
        default=PlainTextResponse("404: there is no such page\n", 404),
    ),
    PUBLIC_HEADERS,
)
"""The ASGI application that answers it."""
