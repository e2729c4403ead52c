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
    environment = dict(os.environ, GIT_AUTHOR_DATE="1999-11-15T03:04:05Z", GIT_COMMITTER_DATE="1999-11-15T03:04:05Z",
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


@screen("find", {"object": "editorTabs"})
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
    window.run("search.find")
    window.key("Escape")


# What is staged and what is not, and the change at the caret with its buttons.
@screen("change-peek", {"object": "codeEditor"})
def _(window, project):
    opened(window, project, "src/histogram.cpp", 7)
    window.run("git.peek")
    yield
    window.key("Escape")


@screen("replace", {"object": "editorTabs"})
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.key("Ctrl+H")
    window.type("count")
    yield
    window.key("Escape")


@screen("blame", {"object": "codeEditor"})
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("git.blameFile")
    yield
    window.run("git.blameFile")


# A word that no dictionary has.
@screen("spelling", {"object": "codeEditor"})
def _(window, project):
    opened(window, project, "notes.md", 3)
    window.run("spell.next")
    window.run("spell.correct")
    yield
    window.key("Escape")


@screen("preview")
def _(window, project):
    opened(window, project, "README.md", 1)
    window.run("view.preview")
    yield
    window.run("view.preview")


# Two panes side by side, and one below.
@screen("panes")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("panes.splitRight")
    window.run("panes.splitDown")
    yield
    window.run("panes.close")
    window.run("panes.close")


@screen("outline")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("view.outline")
    yield
    window.run("view.outline")


@screen("problems")
def _(window, project):
    window.run("view.problems")
    yield
    window.run("view.problems")


@screen("log")
def _(window, project):
    window.run("git.log")
    yield
    window.run("git.log")


@screen("tests")
def _(window, project):
    window.run("test.panel")
    yield
    window.run("test.panel")


@screen("debug")
def _(window, project):
    window.run("debug.breakpoints")
    yield
    window.run("debug.breakpoints")


@screen("symbols")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("go.symbol")
    yield
    window.key("Escape")


@screen("bookmarks")
def _(window, project):
    window.run("go.bookmarks")
    yield
    window.key("Escape")


@screen("encodings")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("edit.encoding")
    yield
    window.key("Escape")


@screen("branches")
def _(window, project):
    window.run("git.switch")
    yield
    window.key("Escape")


@screen("tasks")
def _(window, project):
    window.run("task.run")
    yield
    window.key("Escape")


@screen("about", {"object": "aboutDialog"})
def _(window, project):
    window.run("help.about")
    yield
    window.key("Escape")


@screen("zen")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 5)
    window.run("view.zen")
    yield
    window.run("view.zen")


# The text changed on disk and in the window.
@screen("changed-on-disk", {"object": "editorTabs"})
def _(window, project):
    opened(window, project, "notes.md", 1)
    window.type("x")
    file = pathlib.Path(project, "notes.md")
    file.write_text(file.read_text(encoding="utf-8") + "From elsewhere.\n", encoding="utf-8")
    window.key("Ctrl+S")
    yield
    window.click("Reload")


# What informs, what asks, and what went wrong.
@screen("notices")
def _(window, project):
    opened(window, project, "src/histogram.cpp", 4)
    window.run("git.peek")
    window.idle()
    window.run("language.rename")
    yield
    window.run("view.clearNotifications")


@screen("notifications")
def _(window, project):
    window.run("view.notifications")
    yield
    window.key("Escape")


@screen("start")
def _(window, project):
    window.run("file.closeAll")
    yield
