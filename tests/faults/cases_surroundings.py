# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks that jump, accounts without a home, ports that others have."""

import contextlib
import os
import pathlib
import signal
import socket
import struct
import subprocess

from program import BIN, SHIM, Display, Place, Program, until
from suite import Skipped, case

DAY = 86_400
JUMPS = {"a day on": DAY, "a day back": -DAY, "to 1985": -40 * 365 * DAY, "to 2086": 60 * 365 * DAY}


@case("The clock set while typing", ways=JUMPS, short=len(JUMPS), long=5 * len(JUMPS))
def clock(_chance, number):
    if not SHIM.exists():
        raise Skipped(f"{SHIM.name} is not built")
    jump = list(JUMPS.values())[number % len(JUMPS)]
    with Display() as display, Place() as place:
        path = place.write("a.txt", "end\n")
        offset = place.root / "clock"
        offset.write_bytes(struct.pack("q", 0))
        environment = {"LD_PRELOAD": SHIM, "WAFERPAIR_FAULT_CLOCK": offset}
        with Program(display, place, place.project, path, environment=environment) as program:
            program.shows("a.txt").type("before ")
            until(lambda: place.copies().get(str(path)) == "before end\n", "the copy")
            offset.write_bytes(struct.pack("q", jump))
            program.type("after ")
            until(lambda: place.copies().get(str(path)) == "before after end\n",
                  "the copy after the jump")
            program.kill()
        # And a clock that is right again at the next start.
        with Program(display, place, place.project) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", "before after end\n"), place.read("a.txt")


@contextlib.contextmanager
def account(home):
    """Makes `home` the user's home in this namespace."""
    if os.environ.get("WAFERPAIR_FAULTS_INSIDE") != "yes":
        raise Skipped("no mount namespaces here")
    passwd = home.parent / "passwd"
    passwd.write_text(f"user:x:{os.geteuid()}:{os.getegid()}::{home}:/bin/sh\n")
    subprocess.run(["mount", "--bind", passwd, "/etc/passwd"], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "/etc/passwd"], check=True)


NO_FOLDERS = {f"XDG_{name}_HOME": None for name in ("CONFIG", "STATE", "CACHE", "DATA")}


@case("No HOME and no XDG folder in the environment, kill -9", short=1, long=10)
def no_home(_chance, _):
    with Display() as display, Place() as place:
        path = place.write("a.txt", "end\n")
        home = place.root / "home"
        home.mkdir()
        environment = {**NO_FOLDERS, "HOME": None}

        def copies():
            return [p.read_bytes().partition(b"\n")[2].decode()
                    for p in home.glob(".local/state/waferpair/recovery/*/*.copy")]

        with account(home):
            with Program(display, place, place.project, path, environment=environment,
                         profile=False) as program:
                program.shows("a.txt").type("homeless ")
                until(lambda: copies() == ["homeless end\n"], "the copy in the account's home")
                program.kill()
            with Program(display, place, environment=environment, profile=False) as program:
                program.shows("a.txt")
                assert program.saved("a.txt", "homeless end\n"), place.read("a.txt")


@case("A HOME that cannot be made", short=1, long=10)
def impossible_home(_chance, _):
    with Display() as display, Place() as place:
        path = place.write("a.txt", "end\n")
        environment = {**NO_FOLDERS, "HOME": "/dev/null/home", "XDG_RUNTIME_DIR": None}
        with Program(display, place, place.project, path, environment=environment, profile=False,
                     options=()) as program:
            program.shows("a.txt").type("saved all the same ")
            program.fence()
            assert program.saved("a.txt", "saved all the same end\n"), place.read("a.txt")
            program.send(signal.SIGTERM)
            assert program.wait() == 128 + signal.SIGTERM


@case("The model server on a port that another program has", short=1, long=10)
def port_taken(_chance, _):
    with Place() as place, socket.create_server(("127.0.0.1", 0)) as other:
        model = place.root / "tiny.gguf"
        subprocess.run([BIN / "make_tiny_model", model, "4096", "7"], check=True)
        port = other.getsockname()[1]
        done = subprocess.run(
            [BIN / "waferd", "--model", model, "--port", str(port)], capture_output=True, text=True,
            env=dict(os.environ, XDG_RUNTIME_DIR=str(place.runtime)), timeout=60, check=False)
        assert done.returncode == 1 and str(port) in done.stderr, done
        assert "--port" in done.stderr, f"no remedy: {done.stderr}"
        assert not list(pathlib.Path(place.runtime).glob("waferpair/*.token")), "a token file is left"
        # The other one still has it.
        with socket.create_connection(("127.0.0.1", port), timeout=10):
            assert other.accept()


@case("Token files of killed servers at the next start of a window", short=1, long=10)
def tokens(_chance, _):
    with Display() as display, Place() as place:
        path = place.write("a.txt", "end\n")
        model = place.root / "tiny.gguf"
        subprocess.run([BIN / "make_tiny_model", model, "4096", "7"], check=True)

        def files():
            # By what is in them, too: the next server may have the port, and so the name.
            found = set()
            for file in place.runtime.glob("waferpair/*.token"):
                try:
                    found.add((file.name, file.read_bytes()))
                except FileNotFoundError:
                    pass  # it went meanwhile
            return found

        with Program(display, place, path, options=("--model", model)) as killed:
            left = until(files, "a token file")
            killed.kill()
        assert files() == left, "it was removed by nobody"
        with Program(display, place, path, options=("--model", model)) as program:
            new = until(lambda: files() - left or None, "the new token file")
            until(lambda: files() == new, "the end of the old one")
            program.shows("a.txt")
