# SPDX-License-Identifier: GPL-3.0-or-later
"""The real program in a real X server, driven by real key events, and ended without mercy.

WAFERPAIR_BIN names the folder with waferpair, waferd and the shim of this suite.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time

BIN = pathlib.Path(os.environ.get("WAFERPAIR_BIN", "build/release/bin")).resolve()
SHIM = BIN / "libwaferpair_faults.so"
PATIENCE = 60  # seconds; only a hang takes that long
MEMORY = 8 << 30  # bytes of address space: what eats more is stopped before the computer suffers


def until(condition, what, patience=PATIENCE):
    """The first true value of condition()."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.02)
    return value


class Display:
    """An X server of its own, without a window manager."""

    def __init__(self):
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"]
        self.process = subprocess.Popen(
            command + ["-nolisten", "tcp", "-noreset"], pass_fds=[write], stderr=subprocess.DEVNULL
        )
        os.close(write)
        with os.fdopen(read) as file:
            self.name = ":" + file.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def xdotool(self, *arguments, check=True):
        environment = dict(os.environ, DISPLAY=self.name)
        done = subprocess.run(
            ["xdotool", *map(str, arguments)], env=environment, capture_output=True, text=True
        )
        if check and done.returncode != 0:
            raise AssertionError(f"xdotool {arguments}: {done.stderr}")
        return done.stdout.strip()


class Place:
    """A project and a profile, gone with the case."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="waferpair-faults-"))
        self.project = self.root / "project"
        self.profile = self.root / "profile"
        self.runtime = self.root / "runtime"
        for folder in (self.project, self.profile):
            folder.mkdir()
        self.runtime.mkdir(mode=0o700)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def write(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, name):
        return (self.project / name).read_text(encoding="utf-8")

    @property
    def state(self):
        return self.profile / "state" / "waferpair"

    def copies(self):
        """The recovery copies that are whole: the text by path, or by title where it has none."""
        texts = {}
        for path in self.state.glob("recovery/*/*.copy"):
            with contextlib.suppress(FileNotFoundError):  # replaced or removed just now
                head, _, text = path.read_bytes().partition(b"\n")
                assert head, f"{path.name} is empty"
                header = json.loads(head)
                assert header["sha1"] == hashlib.sha1(text).hexdigest(), f"{path.name} is damaged"
                texts[header["path"] or header["title"]] = text.decode()
        return texts

    def texts(self):
        """Returns the texts of all copies, also where two are of one file."""
        found = []
        for path in self.state.glob("recovery/*/*.copy"):
            with contextlib.suppress(FileNotFoundError):
                found.append(path.read_bytes().partition(b"\n")[2].decode())
        return found

    def session(self):
        """Returns the names of the files that the project's session keeps."""
        for path in self.state.glob("sessions/*.json"):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["folder"] == str(self.project.resolve()):
                return [pathlib.Path(file["path"]).name for file in kept["files"]]
        return None


class Program:
    """waferpair with a window that has the keyboard."""

    def __init__(self, display, place, *targets, options=("--no-runtime",), wrapper=(),
                 environment=None, program=None, profile=True, wait=True):
        self.display, self.place = display, place
        variables = dict(os.environ, DISPLAY=display.name, QT_QPA_PLATFORM="xcb", LC_ALL="C.UTF-8",
                         XDG_RUNTIME_DIR=str(place.runtime), NO_AT_BRIDGE="1")
        for name in ("SESSION_MANAGER", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"):
            variables.pop(name, None)
        for name, value in (environment or {}).items():
            variables.pop(name, None)
            if value is not None:
                variables[name] = str(value)
        command = [*wrapper, program or BIN / "waferpair", *options]
        if profile:
            command += ["--new-profile", place.profile]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [str(part) for part in (*command, *targets)], env=variables, stdin=subprocess.DEVNULL,
            stdout=self.errors, stderr=self.errors, preexec_fn=_prepare, cwd=place.root,
        )
        self.window = None
        if wait:
            self.window = until(self._find, "the window")
            display.xdotool("windowfocus", "--sync", self.window)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.errors.close()

    def _find(self):
        if self.process.poll() is not None:
            raise AssertionError(f"it ended with {self.process.returncode}: {self.output()}")
        found = self.display.xdotool("search", "--onlyvisible", "--name", "Waferpair", check=False)
        return found.split()[0] if found else None

    def output(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def title(self):
        return self.display.xdotool("getwindowname", self.window, check=False)

    def shows(self, name):
        """Waits until the tab in front is called `name`, whether changed or not."""
        until(lambda: self.title().lstrip("*").removesuffix("*").startswith(name)
              or self._over(), f"{name} in front; the title is {self.title()}")
        return self

    def _over(self):
        if self.process.poll() is not None:
            raise AssertionError(f"it ended with {self.process.returncode}: {self.output()}")

    def key(self, *keys):
        self.display.xdotool("key", "--clearmodifiers", *keys)

    def type(self, text):
        self.display.xdotool("type", "--delay", "1", "--", text)

    def start_typing(self, text, delay=15):
        """Types on while the case goes on; returns the process that does."""
        return subprocess.Popen(
            ["xdotool", "type", "--delay", str(delay), "--", text],
            env=dict(os.environ, DISPLAY=self.display.name), stderr=subprocess.DEVNULL,
        )

    def fence(self):
        """Returns when all keys so far have been handled: the last ones open and close a tab."""
        before = self._settled_title()
        self.key("ctrl+n")
        until(lambda: self._over() or (title := self.title()) != before
              and title.startswith("Untitled"), "a new tab")
        self.key("ctrl+w")
        until(lambda: self._over() or self.title() == before, "the old tab")
        return self

    def _settled_title(self):
        """That of the tab in front, once tabs no longer come: a start opens them one by one."""
        title, since = self.title(), time.monotonic()
        while time.monotonic() - since < 0.5:
            time.sleep(0.05)
            if (now := self.title()) != title:
                title, since = now, time.monotonic()
        return title

    def tabs(self):
        """The names of the tabs, from the one in front on, as Ctrl+Page Down shows them."""
        names = []
        while (name := self.title().split(" — ")[0].rstrip("*")) not in names:
            names.append(name)
            before = self.title()
            self.key("ctrl+Next")
            with contextlib.suppress(AssertionError):  # a single tab stays where it is
                until(lambda: self.title() != before or self._over(), "the next tab", 2)
        return names

    def saved(self, name, text):
        """Presses Ctrl+S until the file has this text, which the window must have."""
        self.key("ctrl+s")
        with contextlib.suppress(AssertionError):
            until(lambda: self.place.read(name) == text, f"{name} saved", 20)
        return self.place.read(name) == text

    def pids(self):
        """The program itself, below whatever wraps it, and what it started."""
        pids, found = [self.process.pid], []
        while pids:
            pid = pids.pop()
            found.append(pid)
            with contextlib.suppress(OSError):
                for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                    pids += map(int, (task / "children").read_text().split())
        return found

    def send(self, number):
        self.process.send_signal(number)

    def wait(self):
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError("it does not end") from None

    def kill(self):
        pids = self.pids()
        for pid in reversed(pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        # Until then its window is still there.
        until(lambda: all(map(gone, pids)), "the end of what was killed")

    def kill_alone(self):
        """Kills only the program: processes that it started must find out."""
        self.process.kill()
        self.process.wait()


def _prepare():
    # A shell that runs this in the background ignores these on our behalf.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def gone(pid):
    """Returns whether the process has ended, reaped or not."""
    process = pathlib.Path(f"/proc/{pid}")
    try:
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        # The first thread may be dead while others still hold what is open.
        return state in "ZX" and len(list((process / "task").iterdir())) <= 1
    except OSError:
        return True
