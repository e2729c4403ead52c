# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9, at any moment."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time

from program import BIN, Display, Place, Program, gone, until
from suite import Skipped, case

END = "end\n"
WORDS = " ".join(f"{number:04}" for number in range(400))


def is_typed(text, typed=WORDS, end=END):
    """A beginning of what was typed, and all that was there before."""
    return text.endswith(end) and typed.startswith(text.removesuffix(end))


@case("kill -9 while typing", short=3, long=40)
def while_typing(chance, _):
    with Display() as display, Place() as place:
        place.write("a.txt", END)
        # A key that was down when its sender was killed stays down: another keyboard.
        with Display() as other, \
                Program(other, place, place.project, place.project / "a.txt") as program:
            program.shows("a.txt")
            typing = program.start_typing(WORDS)
            time.sleep(chance.uniform(0.1, 4))
            program.kill()
            typing.kill()
            typing.wait()
        kept = place.copies().get(str(place.project / "a.txt"))
        assert place.read("a.txt") == END, "the file was touched"
        assert kept is None or is_typed(kept), f"the copy is {kept!r}"
        # A key that was down when its sender was killed stays down: another keyboard.
        with Display() as other, \
                Program(other, place, place.project, place.project / "a.txt") as program:
            program.shows("a.txt")
            assert program.saved("a.txt", kept or END), f"{kept!r} became {place.read('a.txt')!r}"


@case("kill -9 again and again as soon as the window is back", short=1, long=3)
def chain(chance, _):
    kills = 5
    with Display() as display, Place() as place:
        path = place.write("a.txt", END)
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("precious ")
            until(lambda: place.copies().get(str(path)) == "precious " + END, "the copy")
            program.kill()
        for _ in range(kills):
            with Program(display, place, wait=False) as program:
                time.sleep(chance.uniform(0, 1.5))
                program.kill()
        with Program(display, place) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", "precious " + END), place.read("a.txt")
    return f"{kills + 1} kills in each"


@case("kill -9 during saves of 200 KB", short=3, long=30)
def during_saves(chance, _):
    end = END * 50_000
    with Display() as display, Place() as place:
        path = place.write("a.txt", end)
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt")
            until(lambda: place.session() == ["a.txt"], "the session")
            keys = ["x", "ctrl+s"] * 200
            saving = subprocess.Popen(["xdotool", "key", "--delay", "8", *keys],
                                      env=dict(os.environ, DISPLAY=display.name))
            time.sleep(chance.uniform(0.3, 3))
            program.kill()
            saving.kill()
            saving.wait()
        on_disk = place.read("a.txt")
        assert is_typed(on_disk, "x" * 200, end), f"the file has {len(on_disk)} letters"
        kept = place.copies().get(str(path), on_disk)
        assert is_typed(kept, "x" * 200, end), f"the copy has {len(kept)} letters"
        # Killed between the save and the end of its copy, the older one would come back.
        assert len(kept) >= len(on_disk), "the copy is older than the file"
        with Display() as other, Program(other, place, place.project) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", kept), "another text came back"
        left = [p.name for p in place.project.iterdir() if p.name != "a.txt"]
        return f"left behind: {', '.join(left)}" if left else ""


@case("kill -9 with three tabs, two of them changed, and a new text", short=1, long=10)
def three_tabs(chance, _):
    with Display() as display, Place() as place:
        paths = [place.write(name, END) for name in ("a.txt", "b.txt", "c.txt")]
        with Program(display, place, place.project, *paths) as program:
            program.shows("c.txt").type("in c ")
            program.key("ctrl+Prior")
            program.shows("b.txt").type("in b ")
            program.key("ctrl+n")
            program.shows("Untitled 1").type("nowhere yet")
            program.key("ctrl+Prior")
            texts = {str(paths[2]): "in c " + END, str(paths[1]): "in b " + END,
                     "Untitled 1": "nowhere yet"}
            until(lambda: place.copies() == texts, "the copies")
            until(lambda: place.session() == ["a.txt", "b.txt", "c.txt"], "the session")
            program.kill()
        with Program(display, place) as program:
            until(lambda: ".txt" in program.title(), "the tabs")
            program.fence()
            tabs = program.tabs()
            assert sorted(tabs) == ["Untitled 1", "a.txt", "b.txt", "c.txt"], tabs
            until(lambda: place.copies() == texts, "the copies after the start")
            for name in tabs:
                program.shows(name)
                expected = texts.get(str(place.project / name), END)
                if name.endswith(".txt"):
                    assert program.saved(name, expected), f"{name}: {place.read(name)}"
                program.key("ctrl+Next")


@case("kill -9 where the program has the same process id at each start (a container)",
      short=1, long=10)
def in_a_container(chance, _):
    wrapper = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child",
               "--mount-proc"]
    if not shutil.which("unshare") or subprocess.run([*wrapper, "true"],
                                                     capture_output=True).returncode != 0:
        raise Skipped("no PID namespaces here")
    with Display() as display, Place() as place:
        path = place.write("a.txt", END)
        with Program(display, place, place.project, path, wrapper=wrapper) as program:
            program.shows("a.txt").type("contained ")
            until(lambda: place.session() == ["a.txt"] and place.copies().get(str(path)) == "contained " + END, "the copy")
            program.kill()
        with Program(display, place, place.project, wrapper=wrapper) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", "contained " + END), place.read("a.txt")


@case("kill -9 of two windows with changes to one file", short=1, long=10)
def two_windows(chance, _):
    with Display() as display, Display() as second, Place() as place:
        path = place.write("a.txt", END)
        with Program(display, place, place.project, path) as one, \
                Program(second, place, place.project, path) as other:
            one.shows("a.txt").type("one ")
            other.shows("a.txt").type("other ")
            until(lambda: sorted(place.texts()) == ["one " + END, "other " + END], "the copies")
            for program in chance.sample([one, other], 2):
                program.kill()
        with Program(display, place, place.project) as program:
            program.shows("a.txt").fence()
            tabs = program.tabs()
            assert sorted(tabs) == ["a.txt", "a.txt (2)"], tabs
            # The text that each tab shows counts, and not only the copy kept of it.
            program.type("!")
            program.key("ctrl+Next")
            program.type("!")
            until(lambda: sorted(text.replace("!", "") for text in place.texts()
                                 if "!" in text) == ["one " + END, "other " + END],
                  "both texts")


def write_anew(path):
    path.unlink()
    path.write_text(END)


def write_of_the_same_time(path):
    times = path.stat()
    path.write_text("END\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def link_elsewhere(path):
    path.rename(path.with_name("elsewhere.txt"))
    path.symlink_to("elsewhere.txt")


MEANWHILE = {
    "another program writes the file": lambda path: path.write_text("theirs, newer\n"),
    "one writes as much, and sets the time": write_of_the_same_time,
    "it is deleted": lambda path: path.unlink(),
    "a link takes its place": link_elsewhere,
    "it is written anew as it was": write_anew,
}


@case("kill -9, and before the next start something happens to the file; auto save is on",
      ways=MEANWHILE, short=len(MEANWHILE), long=3 * len(MEANWHILE))
def changed_meanwhile(_chance, number):
    name, meanwhile = list(MEANWHILE.items())[number % len(MEANWHILE)]
    with Display() as display, Display() as second, Place() as place:
        path = place.write("a.txt", END)
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("mine ")
            until(lambda: place.copies().get(str(path)) == "mine " + END, "the copy")
            until(lambda: place.session() == ["a.txt"], "the session")
            program.kill()
        meanwhile(path)
        theirs = path.read_text() if path.exists() else None
        settings = place.profile / "config" / "waferpair" / "settings.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps({"files/autoSave": "delay"}))
        other = place.write("b.txt", END)

        def now():
            return path.read_text() if path.exists() else None

        with Program(second, place, place.project, other) as program:
            program.shows("b.txt").fence()
            # All texts are saved at the same time: the other tells when this one had its turn.
            program.type("x")
            until(lambda: place.read("b.txt") == "x" + END, f"auto save ({name})")
            if theirs == END and not path.is_symlink():
                until(lambda: now() == "mine " + END, f"auto save of the text ({name})")
                return
            assert now() == theirs, f"{name}: saved by itself, {theirs!r} became {now()!r}"
            program.key("ctrl+Prior")
            program.shows("a.txt").type("z")
            program.key("ctrl+s")
            program.fence()
            if theirs is None:  # a deleted file is made again, as that is asked for
                assert "mine " in (now() or ""), f"{name}: {now()!r}"
            else:
                assert now() == theirs, f"{name}: saved unasked, {theirs!r} became {now()!r}"


@case("kill -9 of the model server while typing", short=1, long=10)
def the_server(chance, _):
    with Display() as display, Place() as place:
        path = place.write("a.txt", END)
        model = place.root / "tiny.gguf"
        subprocess.run([BIN / "make_tiny_model", model, "4096", "7"], check=True)
        options = ("--model", model)
        with Program(display, place, place.project, path, options=options) as program:
            program.shows("a.txt")
            typed = WORDS[:200]
            typing = program.start_typing(typed)
            servers = set()
            while typing.poll() is None:
                for pid in program.pids()[1:]:
                    if pid not in servers:
                        time.sleep(chance.uniform(0, 0.5))
                        servers.add(pid)
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
                time.sleep(0.05)
            program.fence()
            assert servers, "no server was there to be killed"
            assert program.saved("a.txt", typed + END), place.read("a.txt")
            pids = program.pids()
            program.kill_alone()
            until(lambda: all(map(gone, pids)), "the end of the server without its window")
        return f"{len(servers)} servers killed in the last"
