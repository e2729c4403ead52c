# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the real waferd with a tiny random model and talks to it as docs/protocol.md says.

WAFERPAIR_BIN names the folder with waferd, make_tiny_model, make_scripted_model and make_tiny_adapter.
"""

import asyncio
import functools
import http.client
import inspect
import json
import logging
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import messages

try:
    import websockets
except ImportError:
    websockets = None

BIN = os.environ.get("WAFERPAIR_BIN", "build/release/bin")
PATIENCE = 60  # seconds; only a hang takes that long
CONTEXT = 16384
RESPONSE_ENDS = ("response.completed", "response.incomplete", "response.cancelled", "response.failed")


def main():
    """Runs the tests of the calling module; exit code 77 tells CTest that they were skipped."""
    if websockets is None:
        print("skipped: python3-websockets is not installed")
        sys.exit(77)
    # asyncio's remarks on how long things take on a busy machine.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    unittest.main(verbosity=2)


def make_model(folder, context=CONTEXT, seed=7, chat_template=None, large=False, embedding=False, ranking=False, encoder=False):
    kind = "large" if large else "embedding" if embedding else "ranking" if ranking else "encoder" if encoder else ""
    name = kind or "tiny"
    path = os.path.join(folder, f"{name}-{context}-{seed}-{hash(chat_template)}.gguf")
    if not os.path.exists(path):
        command = [os.path.join(BIN, "make_tiny_model"), path, str(context), str(seed)]
        subprocess.run([*command, chat_template or "", *([kind] if kind else [])], check=True)
    return path


def make_scripted_model(folder, says, **script):
    """A model that says these tokens whatever it is asked; `script` has "template", "controls",
    "user_defined", "context" and "name" as make_scripted_model takes them."""
    script = {"says": says, **script}
    path = os.path.join(folder, f"scripted-{abs(hash(json.dumps(script)))}.gguf")
    command = [os.path.join(BIN, "make_scripted_model"), path]
    subprocess.run(command, input=json.dumps(script), text=True, check=True)
    return path


def make_adapter(folder, model):
    """An adapter of all matrices of a model."""
    path = os.path.join(folder, "adapter of " + os.path.basename(model))
    subprocess.run([os.path.join(BIN, "make_tiny_adapter"), path, model], check=True)
    return path


class Server:
    """A running waferd; `folder` holds its model and is its XDG_RUNTIME_DIR. With `threads` None it
    takes as many as it sees fit."""

    def __init__(self, folder, *flags, model=None, wait=True, threads=1):
        self.folder = folder
        command = [os.path.join(BIN, "waferd")]
        command += [] if threads is None else ["--threads", str(threads)]
        models = model if isinstance(model, list) else [model or make_model(folder)]
        command += [part for each in models for part in ("--model", each)] + [*flags]
        # Servers of other tests run beside it, and the user may have a token.
        environment = {"WAFERD_PORT": "0", **os.environ, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
        )
        self.port = None
        if wait:
            self.wait_until_listening()

    def wait_until_listening(self):
        line = self.process.stdout.readline()
        self.listening = json.loads(line)
        assert self.listening["event"] == "listening", line
        self.port = self.listening["port"]
        self.token_file = self.listening["token_file"]

    def wait_until_loaded(self):
        """A large model is read while the server listens already."""
        deadline = time.monotonic() + PATIENCE
        while self.request("POST", "/v1/responses", {"input": "hi", "max_output_tokens": 1})[0].status != 200:
            assert time.monotonic() < deadline, "the model is not loaded"
            time.sleep(0.1)

    @functools.cached_property
    def token(self):
        """Read when first wanted: a server that ends by itself may have removed it before that."""
        with open(self.token_file, encoding="ascii") as file:
            return file.read().strip()

    def stop(self):
        """Ends it, if it has not ended. One that does not end well, as a sanitizer found something,
        fails the test."""
        was_running = self.process.poll() is None
        if was_running:
            self.process.terminate()
        try:
            self.process.wait(PATIENCE)
            errors = self.process.stderr.read() if was_running else ""
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.process.stderr.close()
        code = self.process.returncode
        assert not was_running or code in (0, -signal.SIGKILL), f"exit code {code}: {errors}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def request(self, method, path, body=None, token=None, headers=None):
        """Asks over HTTP and returns (answer, its bytes); a body that is no text is sent as JSON,
        and `token` "" sends no Authorization at all."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE)
        headers = dict(headers or {})
        if token != "":
            headers["Authorization"] = f"Bearer {token or self.token}"
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer, data

    def connect(self, token=None, origin=None, path="/v1/session", **options):
        """An awaitable connection; `token` "" sends no Authorization at all."""
        headers = {}
        if token != "":
            headers["Authorization"] = f"Bearer {token or self.token}"
        if origin:
            headers["Origin"] = origin
        # The parameter was renamed in websockets 14.
        parameters = inspect.signature(websockets.connect.__init__).parameters
        name = "additional_headers" if "additional_headers" in parameters else "extra_headers"
        options = {"max_size": None, "compression": None, "ping_interval": None, **options}
        return websockets.connect(f"ws://127.0.0.1:{self.port}{path}", **{name: headers}, **options)

    async def session(self, **options):
        """A session whose model is ready."""
        session = Session(await self.connect(**options))
        await session.until_ready()
        return session


class Session:
    def __init__(self, socket):
        self.socket = socket
        self.frames = []  # telemetry, in order of arrival

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def send(self, kind, **fields):
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def receive(self, timeout=PATIENCE):
        """The next event, as the table knows it; telemetry that comes before it goes to `frames`."""
        while True:
            message = await asyncio.wait_for(self.socket.recv(), timeout)
            if isinstance(message, str):
                event = json.loads(message)
                messages.check_event(event)
                return event
            self.frames.append(Frame(message))

    async def until(self, *kinds):
        """Events up to and with the first of these kinds."""
        events = []
        while not events or events[-1]["type"] not in kinds:
            events.append(await self.receive())
        return events

    async def until_ready(self):
        self.greeting = await self.receive()
        state = self.greeting["state"]
        while state == "loading":
            state = (await self.until("status"))[-1]["state"]
        assert state == "ready", state

    async def complete(self, identity, **fields):
        """Asks and returns (text, done event)."""
        await self.send("completion.create", id=identity, **fields)
        events = await self.until("completion.done")
        deltas = [e for e in events if e["type"] == "completion.delta" and e["id"] == identity]
        return "".join(e["text"] for e in deltas), events[-1]

    async def alive(self):
        await self.send("status.get")
        return (await self.until("status"))[-1]


class Frame:
    """A telemetry frame, taken apart by offsets alone."""

    HEADER = struct.Struct("<4sHHII6Q2I4f4I")
    FIELDS = (
        "sequence host_ns host_interval_ns wafer_cycles interval_cycles tokens_decoded "
        "interval_decoded interval_prefilled host_rate wafer_rate first_host_ms first_wafer_ms "
        "context_used context_limit interval_drafted interval_accepted"
    ).split()

    def __init__(self, data):
        magic, version, zero, regions, spans, *values = self.HEADER.unpack_from(data)
        assert self.HEADER.size == 104 and magic == b"WPTF" and version == 2 and zero == 0
        assert len(data) == 104 + 12 * regions + 12 * spans
        for name, value in zip(self.FIELDS, values, strict=True):
            setattr(self, name, value)
        at = self.HEADER.size
        self.regions = list(struct.iter_unpack("<3I", data[at : at + 12 * regions]))
        self.spans = [
            (op, start, end)
            for op, _, start, end in struct.iter_unpack("<HHII", data[at + 12 * regions :])
        ]


class WaferdTest(unittest.IsolatedAsyncioTestCase):
    """A test class whose tests share one server."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = Server(cls.folder.name, *cls.flags)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.folder.cleanup()
