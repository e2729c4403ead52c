# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands between a client and waferd and changes what the client asks, but nothing of how it asks: a model with
random weights calls a tool, or comes to an end, only where the request says so."""

import asyncio
import contextlib
import http.client
import http.server
import json
import threading

import waferd

try:
    import websockets
except ImportError:
    websockets = None

YES = {"format": {"type": "json_schema", "name": "word", "schema": {"enum": ["yes"]}}}


def call(name):
    """A change: that tool is called, once."""
    return {"tool_choice": {"type": "function", "name": name}, "parallel_tool_calls": False}


def end(text=YES):
    """A change: the answer is "yes", and no tool is called."""
    return {"tool_choice": "none", "text": text}


class Relay:
    """`changes`: of the first request that generates, the second, and so on; the last is that of all further ones.
    Without any nothing is changed. `requests` are these as the client sent them, `warm_ups` those that only read, `paths`
    what was asked over HTTP, in order, and `answers` what came, a text for each of `requests`."""

    GENERATING = ("/responses", "/chat/completions", "/messages")

    def __init__(self, server, changes=()):
        self.server = server
        self.changes = changes
        self.lock = threading.Lock()
        self.requests = []
        self.warm_ups = []
        self.paths = []
        self.answers = []

    def changed(self, text):
        """The text of a request to the Responses API, changed."""
        request = json.loads(text)
        if request.get("generate") is False:
            self.warm_ups.append(request)
            return text
        change = self.changes[min(len(self.requests), len(self.changes) - 1)] if self.changes else None
        self.requests.append(request)
        self.answers.append("")
        if change is None:
            return text
        return json.dumps({**request, **change})

    @contextlib.contextmanager
    def over_http(self):
        """Yields the port."""
        relay = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def pass_on(self):
                relay.paths.append(f"{self.command} {self.path.replace(relay.server.token, 'TOKEN')}")
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                place = None
                if self.command == "POST" and self.path.split("?")[0].endswith(relay.GENERATING):
                    with relay.lock:
                        place = len(relay.requests)
                        body = relay.changed(body.decode()).encode()
                headers = {name: value for name, value in self.headers.items()
                           if name.lower() not in ("host", "content-length", "connection", "accept-encoding")}
                connection = http.client.HTTPConnection("127.0.0.1", relay.server.port, waferd.PATIENCE)
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
                self.send_header("Connection", "close")
                self.end_headers()
                while piece := answer.read1():
                    if place is not None and place < len(relay.answers):
                        relay.answers[place] += piece.decode(errors="replace")
                    self.wfile.write(piece)
                    self.wfile.flush()
                connection.close()
                self.close_connection = True

            do_GET = do_POST = pass_on

            def log_message(self, *_):
                pass

        listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=listener.serve_forever, daemon=True)
        thread.start()
        try:
            yield listener.server_address[1]
        finally:
            listener.shutdown()
            listener.server_close()

    @contextlib.asynccontextmanager
    async def over_websocket(self):
        """Yields the port."""

        async def serve(client):
            # The attribute was moved in websockets 14.
            path = client.path if hasattr(client, "path") else client.request.path
            upstream = await self.server.connect(path=path)

            async def forth():
                async for text in client:
                    await upstream.send(self.changed(text))

            async def back():
                async for text in upstream:
                    if self.answers:
                        self.answers[-1] += f"data: {text}\n"
                    await client.send(text)

            # Whichever side leaves first, the other is told.
            ways = [asyncio.ensure_future(way()) for way in (forth, back)]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            await upstream.close()

        async with websockets.serve(serve, "127.0.0.1", 0, max_size=None) as listener:
            yield listener.sockets[0].getsockname()[1]
