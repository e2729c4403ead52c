#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how long a suggestion takes while another model of the same waferd answers.

two_models.py FAST.gguf DEEP.gguf [--suggestions N]: times by the clock of a WebSocket client, from the
request to its first text and to its end, with the deep model idle and while it streams an answer.
WAFERPAIR_BIN names the folder with waferd.
"""

import argparse
import asyncio
import pathlib
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "protocol"))
import waferd

URI = "file:///bench.cpp"
TEXT = "int value = compute(value, 17);\n" * 40
WARM_UP = 10


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report(name, first, whole):
    def both(values):
        return f"p50 {percentile(values, 0.5):7.1f}  p99 {percentile(values, 0.99):7.1f}"

    print(f"{name:24} first text {both(first)}   whole {both(whole)} ms   ({len(first)} suggestions)")


async def suggest(session, number, offset):
    """Types a character and asks; returns the milliseconds to the first text and to the end."""
    edit = {"start": offset, "end": offset, "text": "abcdefgh"[number % 8]}
    begun = time.perf_counter()
    await session.send("document.change", uri=URI, version=number, edits=[edit])
    await session.send("completion.create", id=number, uri=URI, version=number, offset=offset + 1,
                       max_tokens=16)
    event = (await session.until("completion.delta", "completion.done"))[-1]
    first = last = time.perf_counter()
    if event["type"] == "completion.delta":
        await session.until("completion.done")
        last = time.perf_counter()
    return 1000 * (first - begun), 1000 * (last - begun)


async def suggestions(session, count, start):
    """`start`: the version and the offset of the text's end."""
    first, whole = [], []
    version, offset = start
    for number in range(count + WARM_UP):
        version += 1
        times = await suggest(session, version, offset)
        offset += 1
        if number < WARM_UP:
            continue
        first.append(times[0])
        whole.append(times[1])
    return first, whole, (version, offset)


async def answer(server, counts):
    """Has the deep model answer, again and again, until it is cancelled."""
    async with await server.session() as session:
        while True:
            await session.send("response.create", model="deep", input="int ",
                               max_output_tokens=2000)
            kind = None
            while kind not in waferd.RESPONSE_ENDS:
                event = await session.receive()
                kind = event["type"]
                assert kind != "error", event
                if kind == "response.output_text.delta":
                    counts["deltas"] += 1
                if kind in waferd.RESPONSE_ENDS:
                    counts["rate"] = event["response"]["timings"]["host"]["tokens_per_second"]


async def measure(arguments):
    models = [f"fast={arguments.fast}", f"deep={arguments.deep}"]
    with tempfile.TemporaryDirectory() as folder:
        with waferd.Server(folder, model=models, threads=None) as server:
            session = await server.session()
            await session.send("document.open", uri=URI, version=1, text=TEXT)
            state = (1, len(TEXT))
            *alone, state = await suggestions(session, arguments.suggestions, state)
            report("deep model not loaded", *alone)
            counts = {"deltas": 0, "rate": None}
            streaming = asyncio.create_task(answer(server, counts))
            while counts["deltas"] < 10:
                assert not streaming.done(), streaming
                await asyncio.sleep(0.05)
            before = counts["deltas"]
            *beside, state = await suggestions(session, arguments.suggestions, state)
            assert counts["deltas"] > before, "the deep model did not stream meanwhile"
            report("deep model answers", *beside)
            streaming.cancel()
            await asyncio.gather(streaming, return_exceptions=True)
            *idle, state = await suggestions(session, arguments.suggestions, state)
            report("deep model idle", *idle)
            await session.socket.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fast")
    parser.add_argument("deep")
    parser.add_argument("--suggestions", type=int, default=300)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
