# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as an editor meets it: starts waferd and asks it as docs/protocol.md says.

Needs python3-websockets, and /proc for memory and idleness.
"""

import asyncio
import collections
import inspect
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.parse

import websockets

PATIENCE = 60  # seconds; only a hang takes that long
# waferd reads documents 5 ms after the last thing it had to do (kReadAfter of its engine): who
# sleeps longer than that has nothing left to read.
QUIET_SECONDS, SAMPLE_SECONDS = 0.008, 0.001
# What the editor asks with when it asks by itself (gui/store/settings.h); at line starts, behind a dot and
# after a wrong suggestion it asks for more (editor/assist/suggestion_gate.h).
USERS_LEAST_PROBABILITY = 0.75

# Text; why it ended; how likely the program holds it, with its end; seconds to its first piece (or
# its end, when there was none) and to its end; tokens of the prompt that had to be computed, and all
# of them.
Answer = collections.namedtuple("Answer", "text reason probability first whole computed prompt")


def shown_line(text):
    """What the editor shows of a suggestion on the cursor's own line when nothing is right of it
    (editor/assist/suggestion_filter.h: blanks at the end are held back)."""
    return text.split("\n")[0].rstrip(" \t\r")


class Program:
    """A running waferd; the first of its models is what is asked where nothing else is said."""

    def __init__(self, folder, *models):
        self.folder = tempfile.TemporaryDirectory()
        command = [os.path.join(folder, "waferd")]
        command += [part for model in models for part in ("--model", os.path.abspath(model))]
        command += ["--parent-pid", str(os.getpid())]
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ, XDG_RUNTIME_DIR=self.folder.name),
            text=True,
        )
        self.loop = asyncio.new_event_loop()
        try:
            self._greet(begun)
        except BaseException:
            self.stop()
            raise

    def _greet(self, begun):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"waferd ended: {self.process.stderr.read().strip()}")
        listening = json.loads(line)
        self.port = listening["port"]
        with open(listening["token_file"], encoding="ascii") as file:
            self.token = file.read().strip()
        with self.session() as session:
            self.load_seconds = time.perf_counter() - begun
            self.version = session.greeting["server"]
            self.model = session.status()["model"]
        self.loaded_bytes = self.memory("VmRSS")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.process.stderr.close()
            self.loop.close()
            self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def session(self):
        return Session(self)

    def memory(self, field):
        """Bytes, by a field of /proc/PID/status."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
        raise RuntimeError(f"/proc has no {field}")

    def settle(self):
        """Waits until waferd has nothing left to do, all its threads asleep."""
        begun = asleep_since = time.monotonic()
        while (now := time.monotonic()) - asleep_since < QUIET_SECONDS:
            time.sleep(SAMPLE_SECONDS)
            if not self._asleep():
                asleep_since = time.monotonic()
            if now - begun > PATIENCE:
                raise RuntimeError("waferd never comes to rest")

    def _asleep(self):
        tasks = f"/proc/{self.process.pid}/task"
        for thread in os.listdir(tasks):
            with open(f"{tasks}/{thread}/stat", encoding="ascii") as file:
                if file.read().rsplit(")", 1)[1].split()[0] != "S":
                    return False
        return True


class Session:
    """A WebSocket session with documents of its own."""

    def __init__(self, program):
        self.program = program
        self.requests = 0
        self._run = program.loop.run_until_complete
        # The parameter was renamed in websockets 14.
        parameters = inspect.signature(websockets.connect.__init__).parameters
        name = "additional_headers" if "additional_headers" in parameters else "extra_headers"
        options = {"max_size": None, "compression": None, "ping_interval": None}
        options[name] = {"Authorization": f"Bearer {program.token}"}

        async def connect():
            return await websockets.connect(
                f"ws://127.0.0.1:{program.port}/v1/session", **options
            )

        self._socket = self._run(connect())
        try:
            self.greeting = told = self._run(self._receive())
            while told["state"] == "loading":
                told = self._event("status")
            if told["state"] != "ready":
                raise RuntimeError(f"waferd: {told['error']['message']}")
        except BaseException:
            self.close()
            raise

    def close(self):
        self._run(self._socket.close())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def status(self):
        self.send("status.get")
        return self._event("status")

    def send(self, kind, **fields):
        self._run(self._socket.send(json.dumps({"type": kind, **fields})))

    def place(self, project, path, language, prefix, suffix=""):
        """Opens a document with the cursor behind `prefix`."""
        return Place(self, project, path, language, prefix, suffix)

    def settle(self):
        """Waits until all that was sent has been taken in, documents into the index, too."""
        self.status()
        self.program.settle()

    def complete(self, **fields):
        return self._run(self._complete(fields))

    def hold(self, held):
        """What is sent while held leaves at once afterwards: between a key and its request waferd
        is to have no time to read, however busy this computer is."""
        tcp = self._socket.transport.get_extra_info("socket")
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, held)

    def _event(self, kind):
        while True:
            event = self._run(self._receive())
            if event["type"] == kind:
                return event

    async def _receive(self):
        event = json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE))
        if event["type"] == "error":
            raise RuntimeError(f"waferd: {event['error']['message']}")
        return event

    async def _complete(self, fields):
        self.requests += 1
        begun = time.perf_counter()
        request = {"type": "completion.create", "id": self.requests, **fields}
        await self._socket.send(json.dumps(request))
        self.hold(False)
        text, first = "", None
        while True:
            event = await self._receive()
            now = time.perf_counter() - begun
            if event["type"] == "completion.delta":
                text += event["text"]
                first = first or now
            elif event["type"] == "completion.done":
                if event["reason"] in ("cancelled", "stale", "failed"):
                    raise RuntimeError(f"waferd: a completion is {event['reason']}")
                prompt = event["usage"]["input_tokens"]
                cached = event["usage"]["input_tokens_details"]["cached_tokens"]
                said = text, event["reason"], event["probability"]
                return Answer(*said, first or now, now, prompt - cached, prompt)


class Place:
    """The cursor in an open document."""

    def __init__(self, session, project, path, language, prefix, suffix):
        self.session = session
        self.uri = "file:///" + urllib.parse.quote(f"{project}/{path}")
        self.version = 1
        self.text = prefix + suffix
        self.offset = len(prefix.encode("utf-8"))
        session.send(
            "document.open",
            uri=self.uri,
            language=language,
            version=self.version,
            text=prefix + suffix,
        )

    def type(self, text):
        """Takes effect with the next suggestion."""
        self.session.hold(True)
        self._edit(self.offset, self.offset, text)
        self.offset += len(text.encode("utf-8"))

    def rewrite(self, text):
        """Edits what differs; the cursor is nowhere then."""
        old, new = self.text.encode("utf-8"), text.encode("utf-8")
        if old == new:
            return
        # Whole lines, so no character is cut.
        same = os.path.commonprefix([old, new]).rfind(b"\n") + 1
        end = os.path.commonprefix([old[same:][::-1], new[same:][::-1]]).rfind(b"\n")
        end = max(end, 0)
        self._edit(same, len(old) - end, new[same : len(new) - end].decode("utf-8"))

    def close(self):
        self.session.send("document.close", uri=self.uri)

    def _edit(self, start, end, text):
        old = self.text.encode("utf-8")
        self.text = (old[:start] + text.encode("utf-8") + old[end:]).decode("utf-8")
        self.version += 1
        edit = {"start": start, "end": end, "text": text}
        self.session.send("document.change", uri=self.uri, version=self.version, edits=[edit])

    def suggest(self, least_probability=0.0, **wishes):
        """The suggestion as the editor asks for it, as far as the end of its first line. `wishes`:
        other fields of the request."""
        fields = dict(wishes)
        if least_probability > 0:
            fields["min_probability"] = least_probability
        return self.session.complete(
            uri=self.uri, version=self.version, offset=self.offset, max_lines=1, **fields
        )
