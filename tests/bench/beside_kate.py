#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures Waferpair beside Kate from outside: both as they are after installation, on one display of their
own, by turns. What a user sees is what is timed: keys are pressed through the X server, and pixels are read back from it.

beside_kate.py [--runs N] [--keys N] [--lines N] [--big MIB] [--files N]

  start      from the program's start with a file of --lines lines of C++ until its text stands
  big file   the same with a file of --big MiB
  key        from the press of a key in that file of --lines lines until the cell of its letter has changed
  search     in a folder of --files files, for a word that is in every tenth: from the last key until nothing of what is
             found changes any more
  memory     of 20 open files of the project, as the kernel divides what is shared (PSS)

Both windows fill the screen, and neither has a language server. Waferpair has suggestions and the wafer view on, as it comes; its
model server's memory is named apart.
Needs Xvfb, openbox, kate, python3-xlib and python3-numpy. WAFERPAIR_BIN names the folder of the programs.
"""

import argparse
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import numpy
    from Xlib import X, XK, display
    from Xlib.ext import xtest
except ImportError:
    sys.exit("beside_kate: python3-xlib or python3-numpy is missing: apt-get install python3-xlib python3-numpy")

WIDTH, HEIGHT = 1600, 1000
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MAXIMIZED = """<?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc"><theme><name>Clearlooks</name></theme>
<applications><application class="*" type="normal"><maximized>yes</maximized></application></applications></openbox_config>"""
QUIET = 1.0  # seconds in which nothing of more than SMALL pixels changes
SMALL = 1500  # of a caret, a figure, a tab that blinks
CARET = 100  # pixels, at most
WORD = "everytenth"
FOUND = slice(640, 970), slice(0, 1500)  # rows and columns in which both list what a search has found; nothing else blinks there
# Kate begins with its search open, in a folder; the place of its field is that of this screen.
KATE_SESSION = """[Kate Plugins]
katesearchplugin=true

[MainWindow0]
Kate-MDI-Sidebar-Visible=true
Kate-MDI-ToolView-kate_plugin_katesearch-Visible=true

[Plugin:katesearchplugin:MainWindow:0]
Place=2
Recursive=true
SearchDiskFiles={folder}
SearchDiskFiless={folder}
"""
KATE_FIELD = 500, 789
LIMIT = 120.0  # seconds


class Screen:
    """An X server of our own, seen and typed into."""

    def __init__(self, number, folder):
        self.name = f":{number}"
        rules = folder / "openbox.xml"
        rules.write_text(MAXIMIZED)
        self.server = subprocess.Popen(["Xvfb", self.name, "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"],
                                       stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.display = display.Display(self.name)
                break
            except Exception:
                time.sleep(0.05)
        self.root = self.display.screen().root
        self.manager = subprocess.Popen(["openbox", "--config-file", str(rules)], env={**os.environ, "DISPLAY": self.name},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.5)

    def close(self):
        for each in (self.manager, self.server):
            each.terminate()
            each.wait()

    def pixels(self, x=0, y=0, width=WIDTH, height=HEIGHT):
        return self.root.get_image(x, y, width, height, X.ZPixmap, 0xFFFFFFFF).data

    def press(self, name, held=()):
        codes = [self.display.keysym_to_keycode(XK.string_to_keysym(each)) for each in (*held, name)]
        for code in codes:
            xtest.fake_input(self.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()

    def click(self, x, y):
        xtest.fake_input(self.display, X.MotionNotify, x=x, y=y)
        self.display.sync()
        time.sleep(0.2)
        xtest.fake_input(self.display, X.ButtonPress, 1)
        xtest.fake_input(self.display, X.ButtonRelease, 1)
        self.display.sync()

    def found(self, begun):
        """Seconds from `begun` to the last change of what a search has found."""
        last, before = None, self.pixels()
        while time.monotonic() - begun < LIMIT:
            now = self.pixels()
            if numpy.count_nonzero((image(before) != image(now))[FOUND]) > CARET:
                last = time.monotonic()
                before = now
            if last and time.monotonic() - last > 2 * QUIET:
                return last - begun
            time.sleep(0.005)
        raise SystemExit("beside_kate: the search finds nothing")

    def settled(self, begun):
        """Seconds from `begun` to the last change that is not small, once all is quiet, of the left half: there both
        have their text."""
        last, before = None, self.pixels()
        nothing = before
        while time.monotonic() - begun < LIMIT:
            now = self.pixels()
            if now != before:
                if numpy.count_nonzero((image(before) != image(now))[:, : WIDTH // 2]) > SMALL:
                    last = time.monotonic()
                before = now
            if last and now != nothing and time.monotonic() - last > QUIET:
                return last - begun
            time.sleep(0.005)
        raise SystemExit("beside_kate: the window does not come to rest")


def image(pixels):
    return numpy.frombuffer(pixels, numpy.uint32).reshape(HEIGHT, WIDTH)


class Program:
    def __init__(self, name, command, home):
        self.name, self.command, self.home = name, command, home

    def start(self, screen, *files):
        env = {**os.environ, "DISPLAY": screen.name, "HOME": str(self.home), "QT_QPA_PLATFORM": "xcb", "LC_ALL": "C.UTF-8",
               "XDG_CONFIG_HOME": f"{self.home}/.config", "XDG_DATA_HOME": f"{self.home}/.local/share",
               "XDG_CACHE_HOME": f"{self.home}/.cache", "XDG_STATE_HOME": f"{self.home}/.local/state",
               "XDG_RUNTIME_DIR": f"{self.home}/run",
               "PATH": f"{self.home}/bin"}  # no language server: each would ask about it
        for each in (".config", ".local/share", ".cache", ".local/state", "run"):
            (self.home / each).mkdir(parents=True, exist_ok=True)
        os.chmod(self.home / "run", 0o700)
        if not (self.home / "bin").exists() and shutil.which("git"):
            (self.home / "bin").mkdir()
            (self.home / "bin/git").symlink_to(shutil.which("git"))
        return subprocess.Popen([*self.command, *map(str, files)], env=env, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    @staticmethod
    def end(process):
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        time.sleep(0.5)


def bands(before, after):
    """Of the rows that differ: (top, bottom, left, right) of each group of them."""
    found = []
    differs = (image(before) != image(after))[:, : WIDTH // 2]  # where both have their text
    for y in numpy.flatnonzero(differs.any(axis=1)):
        columns = numpy.flatnonzero(differs[y])
        if found and y - found[-1][1] <= 3:
            top, _, left, right = found[-1]
            found[-1] = (top, y, min(left, columns[0]), max(right, columns[-1]))
        else:
            found.append((y, y, columns[0], columns[-1]))
    return found


def guess_cell(screen):
    """Types ten letters and looks where they go: (x of the next cell, width of a cell, y, height)."""
    def typed(count):
        for _ in range(count):
            screen.press("m")  # as wide as its cell, so that a caret that blinks beside it matters little
            time.sleep(0.03)
        time.sleep(0.7)
        screen.press("Escape")  # suggestions and lists
        time.sleep(0.3)
        return screen.pixels()

    first, second, third = typed(2), typed(4), typed(4)
    for top, bottom, left, _ in bands(second, third):
        for other_top, other_bottom, other_left, _ in bands(first, second):
            if other_top <= bottom and top <= other_bottom and 20 <= left - other_left <= 80:
                cell = (left - other_left) / 4
                return left + 4 * cell, cell, top, max(8, min(bottom - top, 24))
    return None


def find_cell(screen):
    """The same, once three guesses agree: something else may have come and gone beside the letters. A cell's width need
    not be whole."""
    for _ in range(6):
        guesses = [guess_cell(screen) for _ in range(3)]
        if None not in guesses:
            first, second, third = guesses
            width = (third[0] - first[0]) / 20
            is_same = all(abs(each[2] - first[2]) < 5 for each in guesses)
            if is_same and 4 < width < 20 and abs(second[0] - first[0] - 10 * width) < 5:
                return third[0], width, third[2], third[3]
        print(f"  {guesses}", file=sys.stderr)
        screen.press("Return")
    raise SystemExit("beside_kate: it is not seen where letters go")


def key_times(screen, count):
    start, width, y, height = find_cell(screen)
    times = []
    letters = random.Random(7)
    typed = unseen = 0
    while len(times) < count:
        if unseen > 10 + len(times) / 4:
            raise SystemExit("beside_kate: letters do not come where they were expected")
        left = round(start + typed * width) + 3
        columns = max(2, round(width) - 3)
        before = screen.pixels(left, y, columns, height)
        letter = letters.choice("abcdeghkmnopqsuvwxz")
        begun = time.perf_counter()
        screen.press(letter)
        while screen.pixels(left, y, columns, height) == before:
            if time.perf_counter() - begun > 1:
                unseen += 1  # it already looked so: a suggestion's letter
                break
        else:
            times.append(1000 * (time.perf_counter() - begun))
        typed += 1
        time.sleep(0.08)
        if typed == 20:
            screen.press("Escape")
            for _ in range(typed):
                screen.press("BackSpace")
                time.sleep(0.01)
            typed = 0
            time.sleep(0.7)
    return times


def pss(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024


def memory(process):
    """MiB of the program itself, and of what it started, in its session."""
    own, others = pss(process.pid), 0.0
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == process.pid:
            continue
        with contextlib.suppress(OSError, StopIteration):
            stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(stat[3]) == process.pid:
                others += pss(entry.name)
    return own, others


def at(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def cpp(lines):
    body = ["// A file to type in.", "#include <vector>", ""]
    for i in range((lines - 3) // 5):
        body += [f"// Adds {i} to what is given.", f"int add{i}(int value) {{", f"  return value + {i};", "}", ""]
    return "\n".join(body) + "\n"


def make_tree(folder, files):
    for i in range(files):
        group = folder / f"group{i // 100}"
        group.mkdir(parents=True, exist_ok=True)
        lines = [f"int value{100 * i + line}(int count) {{ return count * {line}; }}" for line in range(60 + i % 80)]
        (group / f"file{i}.cpp").write_text("\n".join([*lines, f"// {WORD}" if i % 10 == 0 else ""]) + "\n")


def search(screen, name):
    """Kate's search is open; it searches at Return, Waferpair as one types."""
    if name == "Kate":
        screen.click(*KATE_FIELD)
    else:
        screen.press("f", ("Control_L", "Shift_L"))
    time.sleep(2)
    for letter in WORD:
        screen.press(letter)
    begun = time.monotonic()
    if name == "Kate":
        time.sleep(0.5)  # until the word stands there
        begun = time.monotonic()
        screen.press("Return")
    return screen.found(begun)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--keys", type=int, default=300)
    arguments.add_argument("--lines", type=int, default=50_000)
    arguments.add_argument("--big", type=int, default=100)
    arguments.add_argument("--files", type=int, default=50_000)
    options = arguments.parse_args()
    for tool in ("Xvfb", "openbox", "kate"):
        if not shutil.which(tool):
            sys.exit(f"beside_kate: {tool} is missing: apt-get install {tool.lower()}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="beside-kate"))
    bin_folder = os.environ.get("WAFERPAIR_BIN", SOURCE / "build/release/bin")
    text = folder / "project/long.cpp"
    text.parent.mkdir()
    text.write_text(cpp(options.lines))
    big = folder / "project/big.txt"
    big.write_text("All of these lines are the same, and there are many of them in this file.\n" * (options.big * (1 << 20) // 75))
    some = sorted(path for path in (SOURCE / "gui").rglob("*.cpp") if path.stat().st_size > 4000)[:20]
    programs = [Program("Waferpair", [f"{bin_folder}/waferpair"], folder / "waferpair"),
                Program("Kate", [shutil.which("kate"), "--startanon", "--new"], folder / "kate")]
    got = {program.name: {} for program in programs}
    screen = Screen(60 + os.getpid() % 900, folder)
    try:
        def rest(program, what, *files, then=None):
            print(f"{program.name}: {what}", file=sys.stderr)
            begun = time.monotonic()
            process = program.start(screen, *files)
            try:
                seconds = screen.settled(begun)
                print(f"  {seconds:.2f} s", file=sys.stderr)
                got[program.name].setdefault(what, []).append(seconds)
                if then:
                    then(process)
            finally:
                program.end(process)

        for run in range(options.runs + 1):  # the first fills caches, and is not counted
            for program in programs:
                rest(program, "start" if run else "first", text)
        for _ in range(max(1, options.runs // 2)):
            for program in programs:
                rest(program, "big", big)
        for program in programs:
            def type_keys(_, name=program.name):
                for _ in range(20):
                    screen.press("Down")
                screen.press("End")
                screen.press("Return")
                time.sleep(2)
                got[name]["keys"] = key_times(screen, options.keys)
            rest(program, "unused", text, then=type_keys)

            def weigh(process, name=program.name):
                time.sleep(3)
                got[name]["memory"] = memory(process)
            rest(program, "unused", *some, then=weigh)
        tree = folder / "tree"
        make_tree(tree, options.files)
        for turn in range(3):
            # At a first start Kate's search has its usual height.
            home = folder / f"kate-search{turn}"
            session = home / ".local/share/kate/anonymous.katesession"
            session.parent.mkdir(parents=True)
            session.write_text(KATE_SESSION.format(folder=tree))
            for program in (programs[0], Program("Kate", programs[1].command, home)):
                def find(_, name=program.name):
                    time.sleep(5)  # the list of files is read
                    got[name].setdefault("search", []).append(search(screen, name))
                files = [tree, text] if program.name == "Waferpair" else [text]
                rest(program, "unused", *files, then=find)
    finally:
        screen.close()
        shutil.rmtree(folder, ignore_errors=True)

    ours, theirs = got["Waferpair"], got["Kate"]
    version = subprocess.run(["kate", "--version"], capture_output=True, text=True, check=False, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}).stdout.strip()
    print(f"{'':34}{'Waferpair':>12}{version:>14}{'ratio':>8}")

    def line(name, a, b, unit):
        print(f"{name:34}{a:>9.1f} {unit:<3}{b:>10.1f} {unit:<3}{a / b:>7.2f}")

    line("first start", 1000 * ours["first"][0], 1000 * theirs["first"][0], "ms")
    line(f"start, {options.lines} lines (median)", 1000 * at(ours["start"], 0.5), 1000 * at(theirs["start"], 0.5), "ms")
    line(f"start, a file of {options.big} MiB", 1000 * at(ours["big"], 0.5), 1000 * at(theirs["big"], 0.5), "ms")
    for share in (0.5, 0.9, 0.99):
        line(f"key to pixel, p{round(100 * share)} of {len(ours['keys'])}", at(ours["keys"], share), at(theirs["keys"], share), "ms")
    line(f"search in {options.files} files (median)", 1000 * at(ours["search"], 0.5), 1000 * at(theirs["search"], 0.5), "ms")
    line("memory, 20 files", ours["memory"][0], theirs["memory"][0], "MiB")
    print(f"what each has started beside itself: {ours['memory'][1]:.0f} and {theirs['memory'][1]:.0f} MiB")


if __name__ == "__main__":
    main()
