# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that are no files where files are expected."""

import os
import socket

from program import Display, Place, Program, until
from suite import case


def make_fifo(path):
    os.mkfifo(path)


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def make_loop(path):
    path.symlink_to(path.name)


def link_to(target):
    return lambda path: path.symlink_to(target)


THINGS = {
    "a FIFO": make_fifo,
    "a socket": make_socket,
    "a link to /dev/zero": link_to("/dev/zero"),
    "a link to /dev/full": link_to("/dev/full"),
    "a link to /dev/tty": link_to("/dev/tty"),
    "a link to itself": make_loop,
    "a folder": os.mkdir,
    "a link to /proc/self/mem": link_to("/proc/self/mem"),
}


def works(program, place):
    """It takes keys, saves, and leaves by Ctrl+Q without anybody's help."""
    program.shows("a.txt").type("still here ")
    program.fence()
    assert program.saved("a.txt", "still here end\n"), place.read("a.txt")
    program.key("ctrl+q")
    assert program.wait() == 0, program.output()


def each(number, make_rest):
    name, make = list(THINGS.items())[number % len(THINGS)]
    with Display() as display, Place() as place:
        try:
            make_rest(display, place, make)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@case("Opening what is no file", ways=THINGS, short=len(THINGS), long=2 * len(THINGS))
def opened(_chance, number):
    def rest(display, place, make):
        make(place.project / "thing")
        path = place.write("a.txt", "end\n")
        with Program(display, place, place.project / "thing", path) as program:
            works(program, place)

    each(number, rest)


@case("A .gitignore that is no file", ways=THINGS, short=len(THINGS), long=2 * len(THINGS))
def as_gitignore(_chance, number):
    as_ignore_file(number, ".gitignore")


@case("A .waferpairignore that is no file", ways=THINGS, short=len(THINGS), long=2 * len(THINGS))
def as_waferpairignore(_chance, number):
    as_ignore_file(number, ".waferpairignore")


def as_ignore_file(number, name):
    def rest(display, place, make):
        make(place.project / name)
        make(place.project / "thing")
        path = place.write("a.txt", "end\n")
        with Program(display, place, place.project, path) as program:
            works(program, place)

    each(number, rest)


@case("Something else put in the place of an open file", ways=THINGS,
      short=len(THINGS), long=2 * len(THINGS))
def instead_of_the_file(_chance, number):
    def rest(display, place, make):
        path = place.write("a.txt", "end\n")
        with Program(display, place, place.project, path) as program:
            program.shows("a.txt").type("mine ")
            program.fence()
            path.unlink()
            make(path)
            program.key("ctrl+s")
            program.fence()
            if path.is_file() and not path.is_symlink():  # saved over it
                assert path.read_text() == "mine end\n", "the file has another text"
                return
            until(lambda: place.copies().get(str(path)) == "mine end\n", "the copy")
            program.kill()
        with Program(display, place, place.project) as program:
            program.shows("a.txt").fence()
            program.type("!")
            until(lambda: "mine !end\n" in place.texts(), "the text in the window")

    each(number, rest)
