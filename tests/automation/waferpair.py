# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the real waferpair and drives it as docs/automation.md says.

WAFERPAIR_BIN names the folder with waferpair, waferd and waferctl. The platform is that of
QT_QPA_PLATFORM, offscreen by default.
"""

import base64
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BIN = os.environ.get("WAFERPAIR_BIN", os.path.join(SOURCE, "build/release/bin"))
PATIENCE = 120  # seconds; only a hang takes that long


class Refused(Exception):
    """An error of the window: `code`, the message, and the remedy."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.remedy = error.get("data", {}).get("remedy", "")


class Connection:
    """A connection to the socket of a window."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.ids = itertools.count(1)

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        """The next answer; None when the window hung up."""
        line = self.lines.readline()
        return json.loads(line) if line else None

    def call(self, method, **params):
        """The result; raises Refused. Parameters that are None are left out."""
        identity = next(self.ids)
        params = {name: value for name, value in params.items() if value is not None}
        request = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        self.send(json.dumps(request).encode() + b"\n")
        answer = self.receive()
        if answer is None:
            raise ConnectionError("the window hung up")
        assert answer["id"] == identity, answer
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def close(self):
        self.lines.close()
        self.socket.close()


class Window(Connection):
    """A running waferpair with a profile of its own. `folder` keeps that from one start to the
    next; it is made, and removed at the end, if none is given. What it opens is trusted, unless
    `trust` is false."""

    def __init__(self, *targets, folder=None, flags=(), model=True, trust=True):
        self.temporary = None if folder else tempfile.TemporaryDirectory(prefix="waferpair-")
        self.folder = folder or self.temporary.name
        os.chmod(self.folder, 0o700)
        command = [os.path.join(BIN, "waferpair"), "--automation"]
        command += ["--new-profile", os.path.join(self.folder, "profile")]
        command += [] if model else ["--no-runtime"]
        command += ["--trust"] if trust else []
        command += [*flags, *targets]
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder, HOME=self.folder)
        self.environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        with open(os.path.join(self.folder, "errors.log"), "w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env=self.environment, text=True
            )
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(PATIENCE)
            self.process.stdout.close()
            raise RuntimeError(f"waferpair did not start: {self.errors()}")
        self.path = json.loads(line)["automation"]
        super().__init__(self.path)

    def errors(self):
        with open(os.path.join(self.folder, "errors.log"), encoding="utf-8") as file:
            return file.read()

    def stop(self):
        """Ends it at once; what is unsaved is kept for its next start."""
        try:
            if self.process.poll() is None:
                self.call("quit", at_once=True)
                self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process.stdout.close()
            self.close()
            if self.temporary:
                self.temporary.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # -- What it is told to do

    def run(self, command):
        self.call("run", command=command)

    def key(self, keys):
        self.call("key", keys=keys)

    def type(self, text, compose=None):
        self.call("type", text=text, compose=compose)

    def click(self, *element, **options):
        self.call("click", element=list(element) or None, **options)

    def open(self, path, line=None, column=None):
        self.call("open", path=path, line=line, column=column)

    def resize(self, width, height):
        self.call("resize", width=width, height=height)

    def screenshot(self, *element):
        """The bytes of a PNG."""
        return base64.b64decode(self.call("screenshot", element=list(element) or None)["png"])

    # -- What it says

    def state(self, at=None):
        return self.call("state", at=at)

    def text(self, path=None):
        return self.call("text", path=path)["text"]

    def idle(self):
        self.call("wait", timeout_ms=PATIENCE * 1000)

    def wait(self, at, equals=None, contains=None):
        self.call("wait", at=at, equals=equals, contains=contains, timeout_ms=PATIENCE * 1000)


def sample_project(folder):
    """A copy of the sample project below `folder`."""
    copy = os.path.join(folder, "sample_project")
    shutil.copytree(os.path.join(SOURCE, "resources/sample_project"), copy)
    return copy


class WindowTest(unittest.TestCase):
    """A window without a model on a project of its own for each test; `flags` and `model` may say
    otherwise."""

    flags = ()
    model = False
    files = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        self.project = os.path.join(folder.name, "project")
        for name, text in self.files.items():
            self.write(name, text)
        os.makedirs(self.project, exist_ok=True)
        self.window = Window(self.project, flags=self.flags, model=self.model)
        self.addCleanup(self.window.stop)

    def path(self, name):
        return os.path.join(self.project, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()
