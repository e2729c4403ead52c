# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks that are full, broken, read-only or gone. Runs where mounting is allowed (run.py)."""

import contextlib
import os
import shutil
import signal
import subprocess

from program import SHIM, Display, Place, Program, until
from suite import Skipped, case

SIZES = (0, 1, 16_383, 16_384, 16_385, 1 << 20)


def text_of(size):
    return ("x" * 79 + "\n") * (size // 80) + "y" * (size % 80)


@contextlib.contextmanager
def mounted(folder, size="8m"):
    if os.environ.get("WAFERPAIR_FAULTS_INSIDE") != "yes":
        raise Skipped("no mount namespaces here")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "none", folder],
                   check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder):
    """Leaves no byte in the folder's file system; returns the file to remove."""
    path = folder / "filler"
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"f" * size)
    return path


def settled(place, path, before, after):
    """Checks what must hold at every moment: one of both texts is whole on disk, and the new one somewhere."""
    there = path.read_text() if path.exists() else None
    assert there in (before, after), f"the file has {there and len(there)} bytes"
    copy = place.copies().get(str(path))
    assert after in (there, copy), "the new text is nowhere"


def saving_fails(place, path, before, breaks, heals, environment=None):
    """Types into `path`, saves while the disk is broken, is killed, starts again, saves."""
    after = "!" + before
    with Display() as display:
        with Program(display, place, place.project, path, environment=environment) as program:
            program.shows(path.name)
            undo = breaks()
            program.type("!")
            until(lambda: place.copies().get(str(path)) == after, "the copy")
            program.key("ctrl+s")
            program.fence()
            settled(place, path, before, after)
            program.kill()
        settled(place, path, before, after)
        with Program(display, place, place.project, environment=environment) as program:
            program.shows(path.name)
            until(lambda: place.copies().get(str(path)) == after
                  or (path.exists() and path.read_text() == after), "the text")
            program.key("ctrl+s")
            program.fence()
            settled(place, path, before, after)
            heals(undo)
            assert program.saved(path.name, after), "it cannot be saved any more"


@case("Ctrl+S on a full disk (tmpfs)", ways=[f"{size:,} bytes" for size in SIZES],
      short=len(SIZES), long=3 * len(SIZES))
def full_disk(_chance, number):
    with Place() as place, mounted(place.project):
        before = text_of(SIZES[number % len(SIZES)])
        path = place.write("a.txt", before)
        saving_fails(place, path, before, lambda: fill(place.project), os.unlink)


@case("Copies of unsaved text on a full disk", short=1, long=5)
def full_disk_for_copies(_chance, _):
    with Place() as place, mounted(place.profile / "state"), Display() as display:
        path = place.write("a.txt", "end\n")
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("kept ")
            until(lambda: place.copies().get(str(path)) == "kept end\n", "the copy")
            filler = fill(place.profile / "state")
            program.type("not kept ")
            program.fence()
            program.send(signal.SIGTERM)
            program.wait()
        # The disk had no room for more; what it had must not be worse for it.
        assert place.copies() in ({str(path): "kept end\n"}, {str(path): "kept not kept end\n"})
        filler.unlink()
        kept = place.copies()[str(path)]
        with Program(display, place, place.project) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", kept), place.read("a.txt")


@case("Copies of unsaved text after a full disk has room again", short=1, long=5)
def room_again(_chance, _):
    with Place() as place, mounted(place.profile / "state"), Display() as display:
        path = place.write("a.txt", "end\n")
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt")
            filler = fill(place.profile / "state")
            program.type("typed while it was full ")
            program.fence()
            filler.unlink()
            # The copy is written without another key.
            until(lambda: place.copies().get(str(path)) == "typed while it was full end\n",
                  "the copy")
            program.kill()


def shim(place, folder):
    if not SHIM.exists():
        raise Skipped(f"{SHIM.name} is not built")
    return {"LD_PRELOAD": SHIM, "WAFERPAIR_FAULT_DISK": folder,
            "WAFERPAIR_FAULT_WHEN": place.root / "broken"}


@case("EIO while saving", short=2, long=3 * len(SIZES))
def eio(_chance, number):
    with Place() as place:
        before = text_of(SIZES[-number % len(SIZES)])
        path = place.write("a.txt", before)

        def breaks():
            (place.root / "broken").touch()
            return place.root / "broken"

        saving_fails(place, path, before, breaks, os.unlink, shim(place, place.project))


@case("EIO while copies of unsaved text are written", short=1, long=5)
def eio_for_copies(_chance, _):
    with Place() as place, Display() as display:
        path = place.write("a.txt", "end\n")
        environment = shim(place, place.profile)
        with Program(display, place, place.project, path, environment=environment) as program:
            program.shows("a.txt").type("kept ")
            until(lambda: place.copies().get(str(path)) == "kept end\n", "the copy")
            (place.root / "broken").touch()
            program.type("more ")
            program.fence()
            program.send(signal.SIGTERM)
            program.wait()
        assert place.copies() == {str(path): "kept end\n"}, place.copies()
        with Program(display, place, place.project) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", "kept end\n"), place.read("a.txt")


@case("Ctrl+S on a file system that became read-only", short=1, long=5)
def read_only(_chance, _):
    with Place() as place, mounted(place.project):
        path = place.write("a.txt", "end\n")

        def remount(how):
            subprocess.run(["mount", "-o", f"remount,{how}", place.project], check=True)

        saving_fails(place, path, "end\n", lambda: remount("ro"), lambda _: remount("rw"))


@case("Ctrl+S where the folder is gone", short=1, long=5)
def no_folder(_chance, _):
    with Place() as place, Display() as display:
        path = place.write("deep/a.txt", "end\n")
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("!")
            program.fence()
            shutil.rmtree(path.parent)
            program.key("ctrl+s")
            program.fence()
            program.send(signal.SIGTERM)
            program.wait()
        assert place.copies().get(str(path)) == "!end\n" or path.read_text() == "!end\n"
        with Program(display, place, place.project) as program:
            program.shows("a.txt")
            path.parent.mkdir(exist_ok=True)
            assert program.saved("deep/a.txt", "!end\n")


@case("The folder of the copies removed under the running program", short=1, long=5)
def no_state(_chance, _):
    with Place() as place, Display() as display:
        path = place.write("a.txt", "end\n")
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("one ")
            until(lambda: place.copies().get(str(path)) == "one end\n", "the copy")
            shutil.rmtree(place.state)
            program.type("two ")
            until(lambda: place.copies().get(str(path)) == "one two end\n", "the copy again")
            program.kill()
        with Program(display, place, place.project) as program:
            program.shows("a.txt")
            assert program.saved("a.txt", "one two end\n"), place.read("a.txt")
