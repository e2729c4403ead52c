# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts Waferpair and drives it: its keys, its commands, what it shows and says. Python's standard library alone.

    import waferpair
    with waferpair.Window("/path/to/project") as window:
        window.key("Ctrl+P")

The program is that of this installation, or else the one in PATH; WAFERPAIR_BIN names another folder. The platform is that of
QT_QPA_PLATFORM, offscreen by default. The methods are those of JSON-RPC that docs/automation.md lists.
"""

import base64
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile

from . import png


def _programs():
    """The folder of the programs."""
    if named := os.environ.get("WAFERPAIR_BIN"):
        return named
    installed = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../bin"))
    if os.path.exists(os.path.join(installed, "waferpair")):
        return installed
    found = shutil.which("waferpair")
    return os.path.dirname(found) if found else installed


BIN = _programs()
PATIENCE = 120  # seconds; only a hang takes that long
# Of a picture's pixels: fonts of another release differ by less, a mark that is gone by more.
MOST_DIFFERING = 0.0005


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


def assert_same(picture, golden, most_differing=MOST_DIFFERING):
    """Fails where more than this share of the pixels of `picture`, the bytes of a PNG, differs from the file `golden`; what was,
    what is and the difference are put side by side into a file beside that, which the failure names. A golden picture that is
    not there yet is made, and the first run fails: look at it. Where WAFERPAIR_RENEW is set, one that differs is made anew."""
    is_new = not os.path.exists(golden)
    if is_new or (os.environ.get("WAFERPAIR_RENEW") and png.digest(_read(golden)) != png.digest(picture)):
        _write(golden, png.small(picture))
    if is_new:
        raise AssertionError(f"{golden} was not there and is made: look at it, then run this again")
    beside = os.path.splitext(golden)[0] + ".differs.png"
    if wrong := png.compared(_read(golden), picture, most_differing):
        share, difference = wrong
        _write(beside, difference)
        raise AssertionError(f"{share:.2%} of the pixels differ from {golden}: see {beside}; WAFERPAIR_RENEW=1 keeps what is shown")
    if os.path.exists(beside):
        os.remove(beside)


def _read(file):
    with open(file, "rb") as opened:
        return opened.read()


def _write(file, content):
    with open(file, "wb") as opened:
        opened.write(content)
