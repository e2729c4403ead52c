#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how long one who types in a file waits for a real model's suggestion.

suggestion_waits.py MODEL.gguf [FILE...] [--places N] [--open SECONDS] [--rest SECONDS] [--threads N]: each file is
opened with the caret in its middle, as the editor does it: the model reads ahead what stands around the caret
where that rests, and at each key it is asked for what follows. Then the caret goes to N places, one after another
through the file, whose lines are written anew: it rests there, and three letters of the line are typed, five a
second. Printed is the share of keys behind which the first text, and the whole line, was there within 300 ms, by
the clock of a WebSocket client. Without FILE two of this repository's are opened. WAFERPAIR_BIN names the folder
with waferd.
"""

import argparse
import asyncio
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "protocol"))
import waferd

ROOT = HERE.parent.parent
FILES = [ROOT / "scripts/generate_protocol.py", ROOT / "runtime/server/core/models.cpp"]
SOON = 0.3  # seconds
CARET_RESTS = 0.3  # as editor/assist/suggestion_controller.cpp has it
BETWEEN_KEYS = 0.2
KEYS = 3
LANGUAGES = {".py": "python", ".cpp": "cpp", ".h": "cpp", ".js": "javascript"}


class Editor:
    """What the window's editor does with one document, as waferd sees it."""

    def __init__(self, session, uri, text):
        self.session, self.uri, self.text = session, uri, text
        self.version, self.number, self.reading = 1, 0, None

    async def open(self, language):
        await self.session.send("document.open", uri=self.uri, language=language, version=1, text=self.text.decode())

    async def replace(self, start, end, new):
        self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        edit = {"start": start, "end": end, "text": new.decode()}
        await self.session.send("document.change", uri=self.uri, version=self.version, edits=[edit])

    async def read_ahead(self, offset):
        if self.reading is not None:
            await self.session.send("completion.cancel", id=self.reading)
        self.number += 1
        self.reading = self.number
        await self.session.send("completion.create", id=self.number, uri=self.uri, version=self.version, offset=offset,
                                ahead=True, lines=6)

    async def rest(self, offset, seconds):
        """The caret stays where it is; what comes meanwhile is what was asked for ahead."""
        await asyncio.sleep(min(CARET_RESTS, seconds))
        if seconds >= CARET_RESTS:
            await self.read_ahead(offset)
            await asyncio.sleep(seconds - CARET_RESTS)

    async def ask(self, offset):
        """Asks behind a key; returns the seconds to the first text, to the line's end, and the line. They are
        None where there is no such text."""
        self.number += 1
        mine = self.number
        begun = time.perf_counter()
        await self.session.send("completion.create", id=mine, uri=self.uri, version=self.version, offset=offset, lines=6)
        first, text = None, ""
        while True:
            event = await self.session.receive()
            if event.get("id") != mine:
                continue
            now = time.perf_counter() - begun
            if event["type"] == "completion.delta":
                first = first or now
                text += event["text"]
                if "\n" in text.lstrip("\n"):
                    await self.session.send("completion.cancel", id=mine)
                    while event.get("id") != mine or event["type"] != "completion.done":
                        event = await self.session.receive()
                    return first, now, text.lstrip("\n").split("\n")[0]
            elif event["type"] == "completion.done":
                return first, now if first else None, text.strip("\n")


def places(text, count):
    """Where lines of code begin behind their indentation, and end: through the file, evenly."""
    at, lines = 0, []
    for line in text.splitlines(keepends=True):
        begin = at + len(line) - len(line.lstrip())
        if len(line.strip()) >= 12:
            lines.append((begin, at + len(line.rstrip(b"\r\n"))))
        at += len(line)
    return lines[:: max(1, len(lines) // count)][:count]


async def waits_in(session, file, arguments):
    editor = Editor(session, file.as_uri(), file.read_bytes())
    await editor.open(LANGUAGES.get(file.suffix, ""))
    middle = editor.text.index(b"\n", len(editor.text) // 2)
    await editor.read_ahead(middle)
    await asyncio.sleep(arguments.open)
    waits = []
    for begin, end in places(editor.text, arguments.places):
        line = editor.text[begin:end]
        await editor.replace(begin, end, b"")
        await editor.rest(begin, arguments.rest)
        for key in range(KEYS):
            pressed = time.perf_counter()
            await editor.replace(begin + key, begin + key, line[key : key + 1])
            first, whole, _ = await editor.ask(begin + key + 1)
            waits.append((key, first, whole))
            await asyncio.sleep(max(0, BETWEEN_KEYS - (time.perf_counter() - pressed)))
        await editor.replace(begin, begin + KEYS, line)
    return waits


def report(name, waits):
    def share(values):
        return 100 * sum(value is not None and value <= SOON for value in values) / len(values)

    def at(values, part):
        ordered = sorted(1000 * value for value in values if value is not None)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")

    first, whole = [wait[1] for wait in waits], [wait[2] for wait in waits]
    print(f"{name:34} first text within 300 ms {share(first):5.1f} %, p50 {at(first, .5):5.0f} ms, p90 {at(first, .9):5.0f} ms;"
          f"  whole line {share(whole):5.1f} %, p50 {at(whole, .5):5.0f} ms, p90 {at(whole, .9):5.0f} ms"
          f"  ({len(waits)} keys)", flush=True)


async def measure(arguments):
    files = [pathlib.Path(file).resolve() for file in arguments.files] or FILES
    everything = []
    with tempfile.TemporaryDirectory() as folder, \
            waferd.Server(folder, model=[arguments.model], threads=arguments.threads) as server:
        session = await server.session()
        for file in files:
            waits = await waits_in(session, file, arguments)
            report(file.name, waits)
            everything += waits
        await session.socket.close()
    for key in range(KEYS):
        report(f"all, letter {key + 1}", [wait for wait in everything if wait[0] == key])
    report("all", everything)
    print("load of the last minute: %.2f" % os.getloadavg()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--places", type=int, default=24, help="of each file")
    parser.add_argument("--open", type=float, default=15, help="seconds that a file has been open")
    parser.add_argument("--rest", type=float, default=1, help="seconds that the caret rests at a place")
    parser.add_argument("--threads", type=int, default=None)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
