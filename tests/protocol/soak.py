# SPDX-License-Identifier: GPL-3.0-or-later
"""Many clients that type, cancel and vanish: soak.py [--seconds N] [--clients N].

Afterwards nothing may be left: no session, no job, no descriptor, and no more memory than after
the same clients had a first turn. What a client asked for must have ended exactly once.
"""

import argparse
import asyncio
import logging
import os
import random
import sys
import tempfile
import time

import waferd

TEXT = "int value = compute(value);\n" * 20
# The bytes that the process may hold more at the end than after warming up: arenas of malloc, no leak.
# 50 clients that leaked one document's text each second would pass it in a minute.
GROWTH = 24 << 20

BUSY = ("running", "interactive", "background")  # of a status' queue


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmRSS"))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def computed(pid):
    """Seconds that the process has had of a processor."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Client:
    """An editor: an open document, keys, completions, now and then a response."""

    def __init__(self, server, number, counts):
        self.server, self.number, self.counts = server, number, counts
        self.random = random.Random(number)
        self.completions = 0  # asked for in this session, not ended
        self.responses = 0
        self.status = None  # the last one that came

    async def live(self, until):
        while time.monotonic() < until:
            session = waferd.Session(await self.server.connect())
            await session.until_ready()
            self.completions = self.responses = 0
            reader = asyncio.create_task(self.read(session))
            vanishes = self.random.random() < 0.3
            await self.type(session, min(until, time.monotonic() + self.random.uniform(0.2, 4)))
            if reader.done():
                reader.result()  # raises what it stumbled over
            if vanishes:
                reader.cancel()
                session.socket.transport.abort()
                # A cancel that meets a message is lost: it must not be counted in the next session.
                await asyncio.wait([reader])
                self.counts["vanished"] += 1
                continue
            await self.finish(session, reader)
            reader.cancel()
            await session.socket.close()
            self.counts["left"] += 1

    async def type(self, session, until):
        text, version, number = TEXT, 1, 0
        await session.send("document.open", uri="a", version=version, text=text)
        while time.monotonic() < until:
            version += 1
            number += 1
            at = self.random.randrange(len(text) + 1)
            await session.send("document.change", uri="a", version=version,
                               edits=[{"start": at, "end": at, "text": "x"}])
            text = text[:at] + "x" + text[at:]
            self.completions += 1
            await session.send("completion.create", id=number, uri="a", version=version,
                               offset=at + 1, max_tokens=self.random.choice((1, 8, 64)))
            dice = self.random.random()
            if dice < 0.3:
                await session.send("completion.cancel", id=number)
            elif dice < 0.4 and self.responses < 4:
                self.responses += 1
                await session.send("response.create", id=f"r{number}", input=text[:200],
                                   max_output_tokens=self.random.choice((5, 500)))
                if dice < 0.35:
                    await session.send("response.cancel", response_id=f"r{number}")
            elif dice < 0.42:
                await session.send("telemetry.subscribe", hz=30)
            await asyncio.sleep(self.random.expovariate(5))

    async def read(self, session):
        while True:
            event = await session.receive()
            session.frames.clear()
            kind = event["type"]
            if kind == "completion.done":
                self.completions -= 1
                self.counts[event["reason"]] = self.counts.get(event["reason"], 0) + 1
            elif kind in waferd.RESPONSE_ENDS:
                self.responses -= 1
                self.counts[kind] = self.counts.get(kind, 0) + 1
            elif kind == "status":
                self.status = event
            elif kind == "error":
                raise AssertionError(event)
            assert self.completions >= 0 and self.responses >= 0, event

    async def finish(self, session, reader):
        """All that was asked for ends. How soon depends on what else the computer does: so it is
        the server's own time that counts, or that it has nothing left to do."""
        pid = self.server.process.pid
        deadline = computed(pid) + waferd.PATIENCE
        idle = 0  # answers in a row; between a job's end and its last event a thread may be delayed
        asked = False
        while self.completions or self.responses:
            if reader.done():
                reader.result()
            if self.status:
                queue, self.status, asked = self.status["queue"], None, False
                idle = 0 if any(queue[k] for k in BUSY) else idle + 1
            stuck = (self.number, self.completions, self.responses)
            assert idle < 100, ("lost", stuck)
            assert computed(pid) < deadline, ("stuck", stuck)
            if not asked:
                await session.send("status.get")
                asked = True
            await asyncio.sleep(0.1)


async def settle(server):
    """The status once nobody else is there; fails if something is left."""
    async with await server.session() as session:
        deadline = time.monotonic() + waferd.PATIENCE
        while True:
            status = await session.alive()
            busy = any(status["queue"][k] for k in BUSY)
            if status["sessions"] == 1 and not busy:
                return status
            if busy:
                deadline = time.monotonic() + waferd.PATIENCE  # stuck ones are seen by finish()
            assert time.monotonic() < deadline, ("left in the server", status)
            await asyncio.sleep(0.1)


async def soak(server, clients, seconds):
    counts = {"vanished": 0, "left": 0}

    async def turn(length):
        until = time.monotonic() + length
        await asyncio.gather(*(Client(server, n, counts).live(until) for n in range(clients)))
        await settle(server)
        return memory(server.process.pid), descriptors(server.process.pid)

    pid = server.process.pid
    await settle(server)
    print(f"before: {memory(pid) >> 10} KiB", flush=True)
    first, open_first = await turn(max(2, seconds / 10))
    print(f"warm: {first >> 10} KiB, {open_first} descriptors", flush=True)
    last, open_last = await turn(seconds)
    # The server may not have heard yet that the one who asked for the status has left.
    deadline = time.monotonic() + waferd.PATIENCE
    while open_last > open_first and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
        open_last = descriptors(pid)
    print(f"after {seconds:.0f} s: {last >> 10} KiB, {open_last} descriptors; {counts}", flush=True)
    assert server.process.poll() is None
    assert open_last <= open_first, "descriptors are left open"
    assert last <= first + GROWTH, "memory grows"
    assert counts["vanished"] and counts["left"] and counts.get("cancelled"), counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=50)
    options = parser.parse_args()
    if waferd.websockets is None:
        print("skipped: python3-websockets is not installed")
        sys.exit(77)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        with waferd.Server(folder) as server:
            asyncio.run(soak(server, options.clients, options.seconds))


if __name__ == "__main__":
    main()
