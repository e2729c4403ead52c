# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that the WebSocket session tells of the wafer as docs/protocol.md describes it."""

import asyncio
import os

import waferd

# Tokens: time enough to interrupt.
LONG_RESPONSE = 16000


class Experiments(waferd.WaferdTest):
    async def test_a_question_is_answered_under_its_id(self):
        async with await self.server.session() as session:
            await session.send("experiment.run", id="a", question="gpu gpu=h100 stack=serving prompt=512 output=64")
            await session.send("experiment.run", id=7, question="mesh collective=chain-reduce pes=16 elements=16")
            first = (await session.until("experiment.done"))[-1]
            second = (await session.until("experiment.done"))[-1]
            self.assertEqual((first["id"], first["answer"]["nature"]), ("a", "modelled"))
            self.assertEqual((second["id"], second["answer"]["nature"]), (7, "simulated"))
            figures = {f["name"]: f["value"] for f in first["answer"]["figures"]}
            seconds = sum(share["seconds"] for share in first["answer"]["shares"])
            self.assertAlmostEqual(seconds * figures["tokens_per_second"], 1, places=6)
            # docs/mesh.md has the table.
            self.assertEqual({f["name"]: f["value"] for f in second["answer"]["figures"]}["cycles"], 106)

    async def test_what_cannot_be_answered_is_refused_with_its_id(self):
        async with await self.server.session() as session:
            await session.send("experiment.run", id=3, question="wafer color=red")
            error = (await session.until("error"))[-1]
            self.assertEqual((error["id"], error["error"]["code"]), (3, "experiment_failed"))
            self.assertIn("color", error["error"]["message"])
            await session.alive()


class Telemetry(waferd.WaferdTest):
    async def test_frames_come_while_it_works_and_then_there_is_silence(self):
        async with await self.server.session() as session:
            await session.send("telemetry.subscribe", hz=240)
            layout = (await session.until("telemetry.layout"))[-1]["layout"]
            self.assertEqual((layout["fabric_width"], layout["fabric_height"]), (762, 1172))
            for region in layout["regions"]:
                self.assertEqual(sum(region["sram"].values()), layout["sram_per_pe"])
                self.assertLessEqual(region["x"] + region["width"], layout["fabric_width"])
            weights = sum(
                r["width"] * r["height"] * r["sram"]["weights"] + r["sram"]["code"]
                for r in layout["regions"]
            )
            self.assertEqual(layout["load_bytes"], weights)
            # One wafer, whose link brings 1.2 Tb/s.
            self.assertEqual(layout["wafers"], 1)
            self.assertAlmostEqual(layout["load_seconds"], 8 * weights / 1.2e12, places=9)
            await session.send("response.create", input="for", max_output_tokens=LONG_RESPONSE)
            last = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            # The quiet frame closes the burst.
            while not (session.frames and session.frames[-1].interval_cycles == 0
                       and session.frames[-1].tokens_decoded >= last["usage"]["output_tokens"]):
                message = await asyncio.wait_for(session.socket.recv(), waferd.PATIENCE)
                session.frames.append(waferd.Frame(message))
            frames = session.frames
            self.assertEqual([f.sequence for f in frames], list(range(len(frames))))
            self.assertGreaterEqual(len(frames), 3)
            self.assertEqual(
                sum(f.interval_decoded for f in frames), last["usage"]["output_tokens"]
            )
            self.assertEqual(
                sum(f.interval_cycles for f in frames), last["timings"]["wafer"]["cycles"]
            )
            busy = [f for f in frames if f.spans]
            self.assertTrue(busy)
            for frame in frames:
                self.assertEqual(len(frame.regions), len(layout["regions"]))
                for active, compute, _ in frame.regions:
                    self.assertLessEqual(compute, active)
                    self.assertLessEqual(active, frame.interval_cycles)
            for op, start, end in busy[-1].spans:
                self.assertLess(op, len(layout["ops"]))
                self.assertLessEqual(start, end)
            self.assertGreater(max(f.host_rate for f in busy), 0)
            self.assertGreater(max(f.wafer_rate for f in busy), 0)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(session.socket.recv(), 0.3)

    async def test_the_rate_asked_for_is_not_exceeded(self):
        async with await self.server.session() as session:
            await session.send("telemetry.subscribe", hz=20)
            await session.send("response.create", input="for", max_output_tokens=LONG_RESPONSE)
            await session.until(*waferd.RESPONSE_ENDS)
            gaps = [f.host_interval_ns for f in session.frames[1:]]
            self.assertTrue(gaps)
            self.assertGreater(min(gaps), 45e6)

    async def test_unsubscribing_ends_it(self):
        async with await self.server.session() as session:
            await session.send("telemetry.subscribe", hz=240)
            await session.until("telemetry.layout")
            await session.send("telemetry.unsubscribe")
            await session.alive()
            session.frames.clear()
            await session.send("response.create", input="for", max_output_tokens=50)
            await session.until(*waferd.RESPONSE_ENDS)
            self.assertEqual(session.frames, [])


class Reproducible(waferd.WaferdTest):
    """Two servers that are asked the same say the same, telemetry included."""

    flags = ("--reproducible",)

    async def answers(self, server):
        async with await server.session() as session:
            await session.send("telemetry.subscribe", hz=240)
            await session.until("telemetry.layout")
            # Whoever subscribes is sent a quiet frame first, unless something runs before that.
            while not session.frames:
                message = await asyncio.wait_for(session.socket.recv(), waferd.PATIENCE)
                session.frames.append(waferd.Frame(message))
            await session.send("document.open", uri="a.c", language="c", version=1, text="for (int i")
            told = []
            for identity in (1, 2):
                text, done = await session.complete(
                    identity, uri="a.c", version=1, offset=10, max_tokens=20 * identity
                )
                told += [text, done]
                # The frame of the burst, and the quiet one behind it.
                while not (session.frames and session.frames[-1].interval_cycles == 0
                           and session.frames[-1].tokens_decoded >= done["usage"]["output_tokens"]
                           and sum(f.interval_cycles > 0 for f in session.frames) == identity):
                    message = await asyncio.wait_for(session.socket.recv(), waferd.PATIENCE)
                    session.frames.append(waferd.Frame(message))
            return told, session.frames

    async def test_answers_and_frames_are_the_same(self):
        told, frames = await self.answers(self.server)
        with waferd.Server(self.folder.name, *self.flags) as other:
            again, other_frames = await self.answers(other)
        self.assertEqual(told, again)
        self.assertEqual([vars(frame) for frame in frames], [vars(frame) for frame in other_frames])
        bursts = [frame for frame in frames if frame.interval_cycles > 0]
        self.assertEqual(len(bursts), 2)
        self.assertEqual(sum(frame.interval_decoded for frame in bursts),
                         sum(done["usage"]["output_tokens"] for done in told[1::2]))
        for done in told[1::2]:
            self.assertIsNone(done["timings"]["host"]["tokens_per_second"])
            self.assertIsNone(done["timings"]["host"]["first_token_ms"])
            self.assertGreater(done["timings"]["wafer"]["tokens_per_second"], 0)
        self.assertEqual({frame.host_rate for frame in frames}, {0})


class Traces(waferd.WaferdTest):
    async def test_a_recording_holds_what_was_computed(self):
        path = os.path.join(self.folder.name, "run.wptrace")
        async with await self.server.session() as session, await self.server.session() as other:
            await session.send("trace.start", file=path)
            await session.until("trace.started")
            await other.send("trace.start", file=path)
            error = (await other.until("error"))[-1]["error"]
            self.assertEqual(error["code"], "trace_failed")
            # Whoever asks for it.
            await other.send("response.create", input="for", max_output_tokens=50)
            response = (await other.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            await session.send("trace.stop")
            stopped = (await session.until("trace.stopped"))[-1]
            self.assertEqual(stopped["file"], path)
            self.assertEqual(stopped["tokens"], response["usage"]["output_tokens"])
            self.assertEqual(stopped["cycles"], response["timings"]["wafer"]["cycles"])
            self.assertEqual(stopped["bytes"], os.path.getsize(path))
            with open(path, "rb") as file:
                self.assertEqual(file.read(8), b"WPTRACE3")
            # The next one may begin.
            await other.send("trace.start", file=path)
            await other.until("trace.started")
        # It ended with its session.
        async with await self.server.session() as session:
            await session.send("trace.start", file=path)
            message = (await session.until("trace.started", "error"))[-1]
            while message["type"] == "error":  # the server has yet to see that the other left
                await asyncio.sleep(0.05)
                await session.send("trace.start", file=path)
                message = (await session.until("trace.started", "error"))[-1]


class Shadows(waferd.WaferdTest):
    async def test_the_tokens_of_the_small_model_step_the_large_one(self):
        async with await self.server.session() as session, await self.server.session() as other:
            await session.send("telemetry.subscribe", hz=60)
            own = (await session.until("telemetry.layout"))[-1]["layout"]
            self.assertEqual((own["shadow_of"], own["wafers"]), ("", 1))
            await session.send("shadow.list")
            await other.send("shadow.list")
            shapes = (await session.until("shadow.shapes"))[-1]["shapes"]
            self.assertEqual(shapes, (await other.until("shadow.shapes"))[-1]["shapes"])
            await other.send("shadow.list")
            shapes = (await other.until("shadow.shapes"))[-1]["shapes"]
            sizes = [shape["parameters"] for shape in shapes]
            self.assertEqual(sizes, sorted(sizes))
            self.assertIn("llama-3.1-70b", [shape["name"] for shape in shapes])
            # Whoever asks while they are planned, or later, is told the same.
            for _ in range(20):
                await other.send("shadow.list")
                await session.send("shadow.list")
            for asked in (other, session):
                for _ in range(20):
                    self.assertEqual((await asked.until("shadow.shapes"))[-1]["shapes"], shapes)

            # Whoever asks for it, all are told, and the picture is the shadow's from then on.
            await other.send("shadow.set", shape="llama-3.1-70b")
            facts = (await other.until("shadow.changed"))[-1]["shadow"]
            self.assertEqual(facts["model"], "llama-3.1-70b")
            self.assertGreater(facts["wafers"], 1)
            self.assertIn((facts["model"], facts["wafers"]),
                          [(shape["name"], shape["wafers"]) for shape in shapes])
            self.assertEqual((await session.until("shadow.changed"))[-1]["shadow"], facts)
            layout = (await session.until("telemetry.layout"))[-1]["layout"]
            self.assertEqual(layout["model"], "llama-3.1-70b")
            self.assertEqual(layout["shadow_of"], own["model"])
            self.assertEqual(layout["wafers"], facts["wafers"])
            self.assertEqual({r["wafer"] for r in layout["regions"]}, set(range(facts["wafers"])))
            self.assertEqual((await session.alive())["shadow"], facts)
            session.frames.clear()

            await session.send("response.create", input="for", max_output_tokens=40)
            response = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            timings = response["timings"]
            self.assertEqual(timings["shadow"]["model"], "llama-3.1-70b")
            self.assertNotEqual(timings["shadow"]["cycles"], timings["wafer"]["cycles"])
            # Until the quiet frame behind the burst: one may have come before it, too.
            while (not any(frame.interval_cycles for frame in session.frames)
                   or session.frames[-1].interval_cycles > 0):
                await session.alive()
                await asyncio.sleep(0.02)
            cycles = sum(frame.interval_cycles for frame in session.frames)
            self.assertEqual(cycles, timings["shadow"]["cycles"])
            decoded = sum(frame.interval_decoded for frame in session.frames)
            self.assertEqual(decoded, response["usage"]["output_tokens"])
            for frame in session.frames:
                self.assertEqual(len(frame.regions), len(layout["regions"]))

            await session.send("shadow.clear")
            self.assertIsNone((await session.until("shadow.changed"))[-1]["shadow"])
            self.assertEqual((await session.until("telemetry.layout"))[-1]["layout"], own)
            self.assertIsNone((await session.alive())["shadow"])

    async def test_a_trace_is_of_one_placement(self):
        path = os.path.join(self.folder.name, "shadow.wptrace")
        async with await self.server.session() as session:
            await session.send("shadow.set", shape="llama-3.1-8b")
            await session.until("shadow.changed")
            await session.send("trace.start", file=path)
            await session.until("trace.started")
            await session.send("shadow.clear")
            error = (await session.until("error"))[-1]["error"]
            self.assertEqual(error["code"], "shadow_failed")
            await session.send("response.create", input="for", max_output_tokens=20)
            response = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            await session.send("trace.stop")
            stopped = (await session.until("trace.stopped"))[-1]
            self.assertEqual(stopped["cycles"], response["timings"]["shadow"]["cycles"])
            await session.send("shadow.clear")
            await session.until("shadow.changed")

    async def test_a_server_may_begin_with_one(self):
        with waferd.Server(self.folder.name, "--shadow", "qwen2.5-coder-7b") as server:
            async with await server.session() as session:
                self.assertEqual((await session.alive())["shadow"]["model"], "qwen2.5-coder-7b")


if __name__ == "__main__":
    waferd.main()
