# SPDX-License-Identifier: GPL-3.0-or-later
"""Ended from outside, though not without warning: to the last letter, and in order."""

import signal
import subprocess
import time

from program import BIN, Display, Place, Program, gone, until
from suite import case

END = "end\n"


def ended(end, code):
    """Types, has the program ended, and looks at what is left and at what comes back."""
    with Display() as display, Place() as place:
        paths = [place.write(name, END) for name in ("a.txt", "b.txt")]
        model = place.root / "tiny.gguf"
        subprocess.run([BIN / "make_tiny_model", model, "4096", "7"], check=True)
        options = ("--model", model)
        with Program(display, place, place.project, *paths, options=options) as program:
            program.shows("b.txt")
            server = until(lambda: program.pids()[1:], "the server")[0]
            program.type("to the last letter ")
            program.fence()
            end(program, display)
            found = program.wait()
            assert found == code, f"exit code {found}: {program.output()}"
            until(lambda: gone(server), "the end of the server")
        expected = "to the last letter " + END
        assert place.copies() == {str(paths[1]): expected}, f"the copies: {place.copies()}"
        assert place.session() == ["a.txt", "b.txt"], f"the session: {place.session()}"
        with Display() as other, Program(other, place) as program:
            program.shows("b.txt")
            assert program.saved("b.txt", expected), place.read("b.txt")
            tabs = program.tabs()
            assert tabs == ["b.txt", "a.txt"], tabs


@case("SIGTERM right after typing", short=1, long=10)
def sigterm(_chance, _):
    ended(lambda program, _display: program.send(signal.SIGTERM), 128 + signal.SIGTERM)


@case("SIGINT right after typing", short=1, long=10)
def sigint(_chance, _):
    ended(lambda program, _display: program.send(signal.SIGINT), 128 + signal.SIGINT)


@case("SIGHUP right after typing", short=1, long=10)
def sighup(_chance, _):
    ended(lambda program, _display: program.send(signal.SIGHUP), 128 + signal.SIGHUP)


@case("The X server killed right after typing", short=1, long=10)
def lost_display(_chance, _):
    ended(lambda _program, display: display.kill(), 1)


@case("SIGTERM while the program asks what to do with unsaved text", short=1, long=10)
def while_asking(_chance, _):
    with Display() as display, Place() as place:
        path = place.write("a.txt", END)
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("unsaved ")
            program.fence()
            program.key("ctrl+q")
            until(lambda: display.xdotool("search", "--name", "Unsaved Changes", check=False),
                  "the question")
            program.send(signal.SIGTERM)
            assert program.wait() == 128 + signal.SIGTERM
        assert place.copies() == {str(path): "unsaved " + END}, place.copies()


@case("SIGTERM during the start, three tabs to come back", short=2, long=20)
def during_the_start(chance, _):
    names = ["a.txt", "b.txt", "c.txt"]
    with Display() as display, Place() as place:
        paths = [place.write(name, END) for name in names]
        with Program(display, place, place.project, *paths) as program:
            program.shows("c.txt")
            until(lambda: place.session() == names, "the session")
            program.kill()
        with Program(display, place, wait=False) as program:
            time.sleep(chance.uniform(0, 1.5))
            program.send(signal.SIGTERM)
            program.wait()
        assert place.session() == names, f"the session: {place.session()}"
        with Program(display, place) as program:
            program.shows("c.txt")
            tabs = program.tabs()
            assert tabs == ["c.txt", "a.txt", "b.txt"], tabs
