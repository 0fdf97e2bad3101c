"""The tunnel between a remote team's programs and their tables: many streams of bytes through one WebSocket.

The author's side (`tourney.connect`) is the *client*, the organiser's (`tourney.host`) the *server*. A program that
connects at the author's machine becomes a stream; only the client opens streams. The connection below may be lost
and made again at any time: neither end's streams notice, but for the time that it takes.

**How nothing is lost.** Messages that matter are numbered, in each direction from 1, and kept until the other end
says how many it has received. A new connection begins with those counts, and what is missing is sent again. The
server's *incarnation* tells the client whether it still speaks to the process that knew its streams: where it does
not, they are reset. A stream's bytes are kept up to `KEPT_BYTES_MAX` (not yet taken by the reader at the far end);
then its source must wait. So a stream ends in one of two ways: every byte was taken at the other end, in both
directions (`StreamClosed`), or it is reset with a reason at both ends (`StreamReset`).

**What a shell does.** This module does no input or output and knows no clock: times are milliseconds of a monotonic
clock that the shell gives. A shell has one `TunnelEnd` for a session, and:

1. A WebSocket is there. Client: `connect(now_ms)`. Server: within `HELLO_MS` the first message comes; `hello =
   parse_hello(message)`, then the `TunnelEnd` of `hello.session`, or a new one, and `connect(now_ms, hello)`.
   A server that refuses sends `format_bye(reason)` and closes the WebSocket; one that has a client of that team
   already closes it with `TRY_AGAIN`, and the newcomer comes again. `connect` may be called while an older
   WebSocket seems to be open: the shell closes that one, and gives the core nothing more from it.
2. Each further binary message: `receive(message, now_ms)`. A `ProtocolError` is the other end's fault: close the
   WebSocket and call `disconnect(now_ms)`. The message has changed nothing, and the session may be resumed.
3. After every call, take `next_event()` until it is None, and carry the events out. Then take `next_message()` until
   it is None, and send each one as a binary message, waiting until the WebSocket has taken it before the next.
4. A program's bytes: read at most `room(stream)` of them, and pass them on with `send`. While there is no room read
   nothing; `RoomMade` says when to go on. Its end of file: `send_eof`. When its connection fails: `reset`.
5. `DataReceived`: write the bytes to the program; when it has taken them, `acknowledge(stream, length)`.
   `EofReceived`: shut down writing to it, after what came before. `StreamReset`, `StreamClosed`: close it.
6. At `wake_at_ms`, or later: `tick(now_ms)`. On `ConnectionDead` close the WebSocket, without `disconnect`.
7. The WebSocket is closed or fails: `disconnect(now_ms)`. The client connects again, with growing pauses.
8. To end for good: `send_bye(reason)`, send `next_message()`, close. `ByeReceived` says that the other end has done
   so: its reason is for people, and the client does not come back.

An end is in `end`, what it reports in `events`, the messages themselves in `frames`.
"""
