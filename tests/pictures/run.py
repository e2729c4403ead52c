#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what the window shows with pictures that were looked at and kept (golden/), and what it tells assistive technology with
texts beside them. The real program is driven as its users do, without a display and with --reproducible.

    tests/pictures/run.py                 compares; what differs is in build/pictures, old, new and the difference side by side
    tests/pictures/run.py --renew         keeps what is shown now: look at each picture before it is committed
    tests/pictures/run.py NAME...         these screens alone, of screens.py

Another release of what draws letters draws them otherwise: golden/drawn_by.txt names the one that drew these. Where it is not the
one at hand the pictures are not compared, which is said; the texts are, everywhere.

WAFERPAIR_BIN names the folder of the programs; without it they are those of build/release."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
os.environ.setdefault("WAFERPAIR_BIN", str(ROOT / "build/release/bin"))
sys.path[:0] = [str(HERE), str(ROOT / "tests/automation")]
sys.dont_write_bytecode = True

import screens  # noqa: E402
from window_test import sample_project, waferpair  # noqa: E402

from waferpair import MOST_DIFFERING, png  # noqa: E402

GOLDEN = HERE / "golden"
SHOWN = ROOT / "build/pictures"
# The name, the window's size, pixels to one of the desktop's, settings, and the screens (empty: all).
VARIANTS = [
    ("dark", (960, 600), 1, {"theme": "dark"}, []),
    ("light", (1280, 800), 1, {"theme": "light"}, ["window", "comparison", "changes", "log", "debug", "start"]),
    ("solarized", (960, 600), 1, {"theme": "light", "theme/light": "Solarized Light"}, ["margins", "comparison", "change-peek", "spelling", "preview"]),
    ("small", (640, 400), 1, {"theme": "dark"}, ["window", "palette", "comparison", "settings", "notices", "panes", "start"]),
    ("fine", (640, 400), 2, {"theme": "dark"}, ["margins", "notices"]),
]


def drawn_by():
    """The releases of what draws here: fonts come with the program."""
    packages = ["libfreetype6", "libqt6gui6", "libqscintilla2-qt6-15"]
    try:
        query = ["dpkg-query", "--show", "--showformat=${Package} ${source:Upstream-Version}\\n", *packages]
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown\n"


def told(node, depth=0):
    """The accessible tree, a line each: role, name, keys, and whether it has the focus."""
    states = [state for state in node.get("states", []) if state in ("focused", "checked", "expanded", "disabled", "selected")]
    keys = [node["keys"]] if node.get("keys") else []
    extra = f" ({', '.join(keys + states)})" if keys or states else ""
    yield f"{'  ' * depth}{node.get('role', '')} {json.dumps(node.get('name', ''), ensure_ascii=False)}{extra}"
    for child in node.get("children", []):
        yield from told(child, depth + 1)


class Look:
    """What one run found."""

    def __init__(self, renew):
        self.renew = renew
        self.wrong = []
        kept = GOLDEN / "drawn_by.txt"
        if renew:
            kept.write_text(drawn_by(), encoding="utf-8")
        self.compares = renew or kept.read_text(encoding="utf-8") == drawn_by()
        if not self.compares:
            print(f"pictures are not compared: they were drawn by\n{kept.read_text(encoding='utf-8')}and here there is\n{drawn_by()}")
        SHOWN.mkdir(parents=True, exist_ok=True)

    def picture(self, name, shown):
        kept = GOLDEN / f"{name}.png"
        if self.renew:
            if not kept.exists() or png.digest(kept.read_bytes()) != png.digest(shown):
                kept.write_bytes(png.small(shown))
                print(f"{name}: renewed, {kept.stat().st_size // 1024} KiB")
            return
        if not self.compares:
            return
        if not kept.exists():
            self.wrong.append(f"{name}: there is no kept picture; --renew keeps one")
            return
        if wrong := png.compared(kept.read_bytes(), shown, MOST_DIFFERING):
            share, difference = wrong
            beside = SHOWN / f"{name}.png"
            beside.write_bytes(difference)
            self.wrong.append(f"{name}: {100 * share:.2f} % of the pixels differ: {beside}")

    def text(self, name, lines):
        kept = GOLDEN / f"{name}.txt"
        now = "\n".join(lines) + "\n"
        if self.renew:
            kept.write_text(now, encoding="utf-8")
            return
        was = kept.read_text(encoding="utf-8") if kept.exists() else ""
        if was == now:
            return
        (SHOWN / f"{name}.txt").write_text(now, encoding="utf-8")
        first = next((i for i, (a, b) in enumerate(zip(was.split("\n"), now.split("\n"))) if a != b), 0)
        self.wrong.append(f"{name}: line {first + 1} of what is told differs: {SHOWN / name}.txt\n"
                          f"  was {was.split(chr(10))[first].strip()}\n  is  {now.split(chr(10))[first].strip()}")


def show(look, variant, wanted):
    name, size, scale, settings, only = variant
    chosen = [each for each in screens.SCREENS if not only or each[0] in only]
    if wanted and not any(each[0] in wanted for each in chosen):
        return
    # One path at every run: the window shows it.
    outer = os.path.join(tempfile.gettempdir(), "waferpair-pictures")
    shutil.rmtree(outer, ignore_errors=True)
    os.mkdir(outer, 0o700)
    try:
        home = os.path.join(outer, "window")
        os.mkdir(home)
        project = sample_project(outer)
        screens.prepare(project)
        file = pathlib.Path(home, "profile/config/waferpair/settings.json")
        file.parent.mkdir(parents=True)
        # A question about a language server would stand above the text.
        file.write_text(json.dumps({"editor/languageServers": False, **settings}), encoding="utf-8")
        os.environ["QT_SCALE_FACTOR"] = str(scale)
        with waferpair.Window(project, folder=home, model=False, flags=["--reproducible"]) as window:
            window.resize(*size)
            window.idle()
            for screen, bring, element in chosen:
                way = bring(window, project)
                next(way)
                window.idle()
                # What comes later shows what those before it have left open.
                is_wanted = not wanted or screen in wanted
                if is_wanted:
                    look.picture(f"{screen}-{name}", window.screenshot(*element))
                if is_wanted and name == "dark":
                    tree = window.call("tree")
                    look.text(screen, [line.replace(outer, "") for top in tree for line in told(top)])
                next(way, None)
                window.idle()
    finally:
        shutil.rmtree(outer)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("screens", nargs="*", metavar="NAME")
    arguments.add_argument("--renew", action="store_true")
    options = arguments.parse_args()
    unknown = set(options.screens) - {name for name, _, _ in screens.SCREENS}
    if unknown:
        arguments.error(f"there is no screen {', '.join(sorted(unknown))}; there are {', '.join(name for name, _, _ in screens.SCREENS)}")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["TMPDIR"] = tempfile.tempdir = "/tmp"
    GOLDEN.mkdir(exist_ok=True)
    look = Look(options.renew)
    for variant in VARIANTS:
        show(look, variant, options.screens)
    for line in look.wrong:
        print(line)
    return 1 if look.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
