# SPDX-License-Identifier: GPL-3.0-or-later
"""The screens that are kept as pictures: the name, a generator that brings a window there, yields, and puts away what it opened,
and what of the window is kept: an element, or all of it."""

import os
import pathlib
import subprocess

SCREENS = []


def screen(name, *element):
    def add(function):
        SCREENS.append((name, function, element))
        return function

    return add


def git(folder, *arguments):
    environment = dict(os.environ, GIT_AUTHOR_DATE="2026-01-02T03:04:05Z", GIT_COMMITTER_DATE="2026-01-02T03:04:05Z",
                       GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=environment)


def prepare(project):
    """The sample project as a repository with one commit; two files of it were changed since."""
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "Words and how long they are")
    source = pathlib.Path(project, "src/histogram.cpp")
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[6:7] = ["// What was added.\n", lines[6]]
    lines[14] = lines[14].rstrip("\n") + "  // changed\n"
    del lines[20]
    source.write_text("".join(lines), encoding="utf-8")
    pathlib.Path(project, "notes.md").write_text("# Notes\n\nA line, and a wrongg word.\n", encoding="utf-8")


def opened(window, project, file, line=None):
    window.open(os.path.join(project, file), line)
    window.idle()


@screen("window")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    yield


# Change bars, a breakpoint, a bookmark, a folded block, a selection and what is equal to it.
@screen("margins", {"object": "codeEditor"})
def _(window, project):
    opened(window, project, "src/histogram.cpp", 11)
    window.key("F9")
    opened(window, project, "src/histogram.cpp", 9)
    window.key("Ctrl+Alt+K")
    opened(window, project, "src/histogram.cpp", 26)
    window.run("editor.fold")
    opened(window, project, "src/histogram.cpp", 16)
    window.key("Ctrl+Shift+Right, Ctrl+Shift+Right")
    yield
    window.key("Home")


@screen("find", {"object": "codeEditor"})
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.key("Ctrl+F")
    window.type("count")
    yield
    window.key("Escape")


@screen("palette")
def _(window, project):
    window.key("Ctrl+Shift+P")
    window.type("toggle")
    yield
    window.key("Escape")


@screen("quick-open")
def _(window, project):
    window.key("Ctrl+P")
    window.type("hist")
    yield
    window.key("Escape")


@screen("comparison")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("git.compareHead")
    yield
    window.run("compare.end")


@screen("settings", {"role": "dialog"})
def _(window, project):
    window.run("app.settings")
    yield
    window.key("Escape")


@screen("shortcuts", {"role": "dialog"})
def _(window, project):
    window.run("help.shortcuts")
    yield
    window.key("Escape")


@screen("ask", {"object": "pairDock"})
def _(window, project):
    window.run("view.ask")
    yield
    window.run("view.ask")


@screen("changes", {"object": "changesDock"})
def _(window, project):
    window.run("git.changes")
    yield


@screen("search", {"object": "searchDock"})
def _(window, project):
    window.run("search.find")
    window.type("count")
    window.key("Return")
    yield
