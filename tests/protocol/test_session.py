# SPDX-License-Identifier: GPL-3.0-or-later
"""The WebSocket session, as docs/protocol.md describes it."""

import asyncio
import json
import os
import unittest

import waferd

# Tokens: time enough to interrupt.
LONG_COMPLETION = 4096
LONG_RESPONSE = 16000


def status_of(error):
    """The HTTP status of a refused upgrade, whatever the version of websockets."""
    return getattr(error, "status_code", None) or error.response.status_code


def text_of(events):
    return events[-1]["response"]["output"][0]["content"][0]["text"]


class Access(waferd.WaferdTest):
    async def refused(self, **options):
        with self.assertRaises(Exception) as caught:
            await self.server.connect(**options)
        return status_of(caught.exception)

    async def test_without_or_with_a_wrong_token_nobody_gets_in(self):
        self.assertEqual(await self.refused(token=""), 401)
        self.assertEqual(await self.refused(token="0" * 64), 401)
        self.assertEqual(await self.refused(token=self.server.token[:-1]), 401)

    async def test_web_pages_from_elsewhere_are_refused(self):
        self.assertEqual(await self.refused(origin="https://evil.example"), 403)
        self.assertEqual(await self.refused(origin="http://localhost.evil.example"), 403)
        self.assertEqual(await self.refused(origin="null"), 403)
        async with await self.server.session(origin="http://localhost:3000") as session:
            await session.alive()

    async def test_other_paths_are_not_found(self):
        self.assertEqual(await self.refused(path="/elsewhere"), 404)


class Greeting(waferd.WaferdTest):
    async def test_the_server_speaks_first_and_tells_its_model(self):
        async with await self.server.session() as session:
            self.assertEqual(session.greeting["type"], "session.ready")
            self.assertEqual(session.greeting["protocol"], 1)
            self.assertTrue(session.greeting["server"].startswith("waferd "))
            model = (await session.alive())["model"]
            self.assertEqual(model["name"], "tiny")
            self.assertEqual(model["fim"], "spm")
            self.assertEqual(model["context"], waferd.CONTEXT)
            self.assertEqual(model["machine"], "wse3")
            self.assertGreater(model["clock_hz"], 1e8)


class Completions(waferd.WaferdTest):
    async def asyncSetUp(self):
        self.session = await self.server.session()
        await self.session.send("document.open", uri="a", language="cpp", version=1, text="for (é")

    async def asyncTearDown(self):
        await self.session.socket.close()

    async def test_text_is_streamed_and_the_end_has_its_figures(self):
        await self.session.send(
            "completion.create", id=7, uri="a", version=1, offset=7, max_tokens=40
        )
        events = await self.session.until("completion.done")
        for event in events:
            self.assertEqual((event["id"], event["version"], event["offset"]), (7, 1, 7))
        done = events[-1]
        self.assertIn(done["reason"], ("max_tokens", "end_of_text"))
        usage, timings = done["usage"], done["timings"]
        self.assertEqual(
            usage["total_tokens"], usage["input_tokens"] + usage["output_tokens"]
        )
        self.assertEqual({e["type"] for e in events}, {"completion.delta", "completion.done"})
        host, wafer = timings["host"], timings["wafer"]
        self.assertGreater(host["first_token_ms"], 0)
        self.assertGreater(host["tokens_per_second"], 0)
        self.assertGreater(wafer["cycles"], 0)
        first_cycles = wafer["first_token_ms"] * wafer["clock_hz"] / 1e3
        self.assertGreater(first_cycles, 0)
        self.assertLess(first_cycles, wafer["cycles"])
        self.assertTrue(wafer["profile"])
        self.assertEqual(timings["context_limit"], waferd.CONTEXT)

    async def test_the_probability_of_a_text_is_what_min_probability_compares(self):
        wish = dict(uri="a", version=1, offset=7, max_tokens=4)
        whole, done = await self.session.complete(1, **wish)
        probability = done["probability"]
        self.assertTrue(0 < probability < 1, probability)
        text, done = await self.session.complete(2, **wish, min_probability=0.999 * probability)
        self.assertNotEqual(done["reason"], "unsure")
        self.assertEqual(done["probability"], probability)
        self.assertTrue(whole.startswith(text))
        least = min(1.001 * probability, 1)
        _, done = await self.session.complete(3, **wish, min_probability=least)
        self.assertEqual(done["reason"], "unsure")
        self.assertGreaterEqual(done["probability"], least)

    async def test_healing_and_checks_may_be_left_out(self):
        wish = dict(uri="a", version=1, offset=7, max_tokens=4, healing=False, checks=False)
        _, done = await self.session.complete(1, **wish)
        self.assertIn(done["reason"], ("max_tokens", "end_of_text"))
        for field in ("healing", "checks"):
            await self.session.send("completion.create", id=2, **{**wish, field: 3})
            error = (await self.session.until("error"))[-1]["error"]
            self.assertIn(field, error["message"])

    async def test_what_said_nothing_has_no_probability(self):
        await self.session.send("document.change", uri="a", version=5, edits=[])
        _, done = await self.session.complete(1, uri="a", version=1, offset=0)
        self.assertIsNone(done["probability"])

    async def test_the_mirror_follows_the_edits(self):
        edits = [{"start": 0, "end": 3, "text": "while"}, {"start": 7, "end": 9, "text": "x > 0"}]
        await self.session.send("document.change", uri="a", version=2, edits=edits)
        edited, _ = await self.session.complete(1, uri="a", version=2, offset=12, max_tokens=20)
        await self.session.send("document.open", uri="b", version=1, text="while (x > 0")
        direct, _ = await self.session.complete(2, uri="b", version=1, offset=12, max_tokens=20)
        self.assertEqual(edited, direct)
        self.assertTrue(direct)

    async def test_typing_on_uses_the_cache(self):
        text = "value = " * 40
        await self.session.send("document.open", uri="c", version=1, text=text)
        await self.session.complete(1, uri="c", version=1, offset=len(text), max_tokens=1)
        edits = [{"start": len(text), "end": len(text), "text": "z"}]
        await self.session.send("document.change", uri="c", version=2, edits=edits)
        _, done = await self.session.complete(
            2, uri="c", version=2, offset=len(text) + 1, max_tokens=1
        )
        usage = done["usage"]
        self.assertLessEqual(
            usage["input_tokens"] - usage["input_tokens_details"]["cached_tokens"], 3
        )

    async def test_a_cancelled_completion_ends_as_cancelled(self):
        await self.session.send(
            "completion.create", id="x", uri="a", version=1, offset=0,
            max_tokens=LONG_COMPLETION, speculation=False
        )
        await self.session.until("completion.delta")
        await self.session.send("completion.cancel", id="x")
        done = (await self.session.until("completion.done"))[-1]
        self.assertEqual((done["id"], done["reason"]), ("x", "cancelled"))
        self.assertLess(done["usage"]["output_tokens"], LONG_COMPLETION)
        await self.session.send("completion.cancel", id="x")  # too late: no error
        self.assertEqual((await self.session.alive())["queue"]["running"], 0)

    async def test_a_newer_completion_of_the_document_replaces_the_older(self):
        await self.session.send(
            "completion.create", id=1, uri="a", version=1, offset=0,
            max_tokens=LONG_COMPLETION, speculation=False
        )
        await self.session.until("completion.delta")
        await self.session.send(
            "completion.create", id=2, uri="a", version=1, offset=0, max_tokens=5
        )
        reasons = {}
        while len(reasons) < 2:
            done = (await self.session.until("completion.done"))[-1]
            reasons[done["id"]] = done["reason"]
        self.assertEqual(reasons[1], "cancelled")
        self.assertIn(reasons[2], ("max_tokens", "end_of_text"))

    async def test_closing_the_document_ends_its_completion(self):
        await self.session.send(
            "completion.create", id=1, uri="a", version=1, offset=0,
            max_tokens=LONG_COMPLETION, speculation=False
        )
        await self.session.until("completion.delta")
        await self.session.send("document.close", uri="a")
        done = (await self.session.until("completion.done"))[-1]
        self.assertEqual(done["reason"], "cancelled")

    async def test_an_old_version_is_stale_and_a_future_one_an_error(self):
        await self.session.send("document.change", uri="a", version=5, edits=[])
        text, done = await self.session.complete(1, uri="a", version=1, offset=0)
        self.assertEqual((text, done["reason"]), ("", "stale"))
        await self.session.send("completion.create", id=2, uri="a", version=6, offset=0)
        error = (await self.session.until("error"))[-1]
        self.assertEqual((error["id"], error["error"]["code"]), (2, "version_conflict"))

    async def test_a_line_limit_is_kept(self):
        _, done = await self.session.complete(
            1, uri="a", version=1, offset=7, max_tokens=LONG_COMPLETION, max_lines=1,
            temperature=2, seed=1
        )
        self.assertIn(done["reason"], ("max_lines", "end_of_text"))

    async def test_two_sessions_do_not_see_each_others_documents(self):
        async with await self.server.session() as other:
            await other.send("completion.create", id=1, uri="a", version=1, offset=0)
            error = (await other.until("error"))[-1]
            self.assertEqual(error["error"]["code"], "unknown_document")


class Responses(waferd.WaferdTest):
    async def asyncSetUp(self):
        self.session = await self.server.session()

    async def asyncTearDown(self):
        await self.session.socket.close()

    async def respond(self, **fields):
        await self.session.send("response.create", **fields)
        return await self.session.until(
            "response.completed", "response.cancelled", "response.failed", "error"
        )

    async def respond_at_length(self, identity):
        await self.session.send(
            "response.create", id=identity, input="for", max_output_tokens=LONG_RESPONSE,
            speculation=False
        )

    async def test_events_come_in_order_and_agree(self):
        events = await self.respond(id="mine", input="int main", max_output_tokens=30)
        kinds = [event["type"] for event in events]
        deltas = kinds.count("response.output_text.delta")
        self.assertGreater(deltas, 0)
        self.assertEqual(
            kinds,
            ["response.created", "response.in_progress", "response.output_item.added",
             "response.content_part.added"]
            + ["response.output_text.delta"] * deltas
            + ["response.output_text.done", "response.content_part.done",
               "response.output_item.done", "response.completed"],
        )
        self.assertEqual([e["sequence_number"] for e in events], list(range(len(events))))
        self.assertEqual({e["response_id"] for e in events}, {"mine"})
        text = "".join(e["delta"] for e in events if e["type"] == "response.output_text.delta")
        response = events[-1]["response"]
        self.assertEqual(response["output"][0]["content"][0]["text"], text)
        self.assertEqual(response["usage"]["output_tokens"], 30)
        self.assertEqual(response["status"], "incomplete")
        self.assertEqual(response["incomplete_details"]["reason"], "max_output_tokens")

    async def test_the_same_input_gives_the_same_text_in_either_form(self):
        plain = await self.respond(input="a\nb", max_output_tokens=10)
        items = await self.respond(
            instructions="a",
            input=[{"type": "message", "role": "user",
                    "content": [{"type": "input_text", "text": "b"}]}],
            max_output_tokens=10,
        )
        output = lambda events: events[-1]["response"]["output"][0]["content"][0]["text"]
        self.assertEqual(output(plain), output(items))

    async def test_without_a_chat_template_messages_are_joined_and_continued(self):
        self.assertIsNone((await self.session.alive())["model"]["chat"])
        plain = await self.respond(input="a\nb", max_output_tokens=10)
        items = await self.respond(
            input=[{"role": "system", "content": "a"}, {"role": "user", "content": "b"}],
            max_output_tokens=10,
        )
        self.assertEqual(text_of(plain), text_of(items))

    async def test_it_ends_in_front_of_a_stop_string(self):
        output = lambda events: events[-1]["response"]["output"][0]["content"][0]["text"]
        whole = output(await self.respond(input="int main", max_output_tokens=40))
        stop = whole[len(whole) // 2 :][:3]
        events = await self.respond(input="int main", max_output_tokens=40, stop=["never", stop])
        self.assertEqual(output(events), whole[: whole.index(stop)])
        self.assertEqual(events[-1]["response"]["status"], "completed")
        deltas = "".join(e["delta"] for e in events if e["type"].endswith("output_text.delta"))
        self.assertEqual(deltas, output(events))

    async def test_drafts_change_nothing_but_the_time(self):
        ask = {"input": "for the for the", "max_output_tokens": 200}
        drafted = (await self.respond(**ask))[-1]["response"]
        plain = (await self.respond(**ask, speculation=False))[-1]["response"]
        self.assertEqual(drafted["output"][0]["content"], plain["output"][0]["content"])
        usage, details = plain["usage"], drafted["usage"]["output_tokens_details"]
        self.assertEqual(usage["output_tokens_details"]["drafted_tokens"], 0)
        self.assertEqual(usage["output_tokens"], drafted["usage"]["output_tokens"])
        self.assertLessEqual(details["accepted_tokens"], details["drafted_tokens"])

    async def test_a_bias_decides(self):
        events = await self.respond(input="int main", max_output_tokens=8, logit_bias={"65": 100})
        text = events[-1]["response"]["output"][0]["content"][0]["text"]
        self.assertEqual(len(set(text)), 1)
        self.assertEqual(len(text), 8)

    async def test_a_response_goes_on_from_the_one_before(self):
        first = (await self.respond(input="int main", max_output_tokens=10))[-1]["response"]
        text = first["output"][0]["content"][0]["text"]
        following = await self.respond(
            input="!", previous_response_id=first["id"], max_output_tokens=10
        )
        whole = await self.respond(input="int main" + text + "!", max_output_tokens=10)
        output = lambda events: events[-1]["response"]["output"][0]["content"][0]["text"]
        self.assertEqual(output(following), output(whole))
        error = (await self.respond(input="x", previous_response_id="resp_gone"))[-1]
        self.assertEqual(error["error"]["code"], "previous_response_not_found")

    async def test_cancelling_ends_it(self):
        await self.respond_at_length("r")
        await self.session.until("response.output_text.delta")
        await self.session.send("response.cancel", response_id="r")
        last = (await self.session.until("response.cancelled"))[-1]
        self.assertEqual(last["response"]["status"], "cancelled")
        self.assertLess(last["response"]["usage"]["output_tokens"], LONG_RESPONSE)

    async def test_completions_go_before_a_response_that_runs(self):
        await self.session.send("document.open", uri="a", version=1, text="int ")
        await self.respond_at_length("r")
        await self.session.until("response.output_text.delta")
        await self.session.complete(1, uri="a", version=1, offset=4, max_tokens=5)
        status = await self.session.alive()
        self.assertEqual(status["queue"]["running"], 1)  # the response, still
        await self.session.send("response.cancel", response_id="r")
        await self.session.until("response.cancelled")

    async def test_an_id_in_use_is_refused(self):
        for _ in range(2):
            await self.respond_at_length("r")
        error = (await self.session.until("error"))[-1]
        self.assertEqual((error["error"]["code"], error["response_id"]), ("id_in_use", "r"))
        await self.session.send("response.cancel", response_id="r")
        await self.session.until("response.cancelled")

    async def test_an_input_that_is_too_long_fails_with_a_reason(self):
        last = (await self.respond(input="% " * waferd.CONTEXT))[-1]
        self.assertEqual(last["type"], "response.failed")
        self.assertEqual(last["response"]["error"]["code"], "input_too_long")
        self.assertIn(str(waferd.CONTEXT), last["response"]["error"]["message"])

    async def test_only_so_many_may_wait(self):
        for number in range(65):
            await self.respond_at_length(f"r{number}")
        error = (await self.session.until("error"))[-1]
        self.assertEqual(error["error"]["code"], "limit_exceeded")
        for number in range(64):
            await self.session.send("response.cancel", response_id=f"r{number}")
        for _ in range(64):
            await self.session.until("response.cancelled")


class Chat(waferd.WaferdTest):
    """The tiny vocabulary has none of the markers: they are written as text."""

    TEMPLATE = "{{'<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>'}}"

    @classmethod
    def setUpClass(cls):
        cls.folder = waferd.tempfile.TemporaryDirectory()
        model = waferd.make_model(cls.folder.name, chat_template=cls.TEMPLATE)
        cls.server = waferd.Server(cls.folder.name, model=model)

    async def respond(self, session, **fields):
        await session.send("response.create", max_output_tokens=12, **fields)
        return await session.until("response.completed", "response.failed", "error")

    async def test_messages_are_written_as_the_template_says(self):
        async with await self.server.session() as session:
            self.assertEqual((await session.alive())["model"]["chat"], "chatml")
            chat = await self.respond(
                session,
                instructions="Be brief.",
                input=[{"role": "user", "content": "Hi"},
                       {"role": "assistant", "content": "Hello"},
                       {"role": "user", "content": [{"type": "input_text", "text": "Bye"}]}],
            )
            text = "".join(
                f"<|im_start|>{role}\n{words}<|im_end|>\n"
                for role, words in [("system", "Be brief."), ("user", "Hi"),
                                    ("assistant", "Hello"), ("user", "Bye")]
            ) + "<|im_start|>assistant\n"
            self.assertEqual(text_of(chat), text_of(await self.respond(session, input=text)))
            self.assertNotEqual(text_of(chat), text_of(await self.respond(session, input="Bye")))
            self.assertEqual(chat[-1]["response"]["instructions"], "Be brief.")

    async def test_a_conversation_goes_on(self):
        async with await self.server.session() as session:
            user = lambda words: {"role": "user", "content": words}
            first = await self.respond(session, input=[user("a")])
            follows = {"previous_response_id": first[-1]["response"]["id"]}
            second = await self.respond(session, input="b", **follows)
            whole = await self.respond(
                session,
                input=[user("a"), {"role": "assistant", "content": text_of(first)}, user("b")],
            )
            self.assertEqual(text_of(second), text_of(whole))

    async def test_a_template_that_is_not_known_is_refused_with_a_remedy(self):
        model = waferd.make_model(self.folder.name, chat_template="{% strange %}")
        with waferd.Server(self.folder.name, model=model) as server:
            async with await server.session() as session:
                talk = [{"role": "user", "content": "Hi"}]
                error = (await self.respond(session, input=talk))[-1]["error"]
                self.assertEqual(error["code"], "unknown_chat_template")
                self.assertIn("strange", error["message"])
                self.assertIn("string", error["remedy"])
                self.assertTrue(text_of(await self.respond(session, input="Hi")))


class Forms(waferd.WaferdTest):
    """text.format: whatever a random model wants to say."""

    async def asyncSetUp(self):
        self.session = await self.server.session()

    async def asyncTearDown(self):
        await self.session.socket.close()

    async def respond(self, form, **fields):
        await self.session.send(
            "response.create", input="x", text={"format": form},
            **{"max_output_tokens": 4000, **fields}
        )
        return await self.session.until("response.completed", "response.failed", "error")

    SCHEMA = {
        "type": "object",
        "properties": {
            "zeta": {"type": "string", "maxLength": 12},
            "alpha": {"type": "array", "items": {"enum": [1, "two", None]}, "maxItems": 4},
            "more": {"anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/leaf"}]},
        },
        "required": ["zeta", "alpha", "more"],
        "$defs": {"leaf": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    }

    async def test_json_is_as_the_schema_says(self):
        form = {"type": "json_schema", "name": "x", "schema": self.SCHEMA, "strict": True}
        for seed in range(8):
            events = await self.respond(form, temperature=1.5 if seed else 0, seed=seed)
            response = events[-1]["response"]
            self.assertEqual(response["status"], "completed")
            value = json.loads(text_of(events))
            self.assertEqual(list(value), ["zeta", "alpha", "more"])  # the schema's order
            self.assertLessEqual(len(value["zeta"]), 12)
            self.assertLessEqual(len(value["alpha"]), 4)
            for item in value["alpha"]:
                self.assertIn(item, (1, "two", None))
            self.assertIsInstance(value["more"], (bool, dict))
            deltas = "".join(e["delta"] for e in events if e["type"].endswith("text.delta"))
            self.assertEqual(deltas, text_of(events))

    async def test_any_object_and_any_grammar(self):
        events = await self.respond({"type": "json_object"}, temperature=0.5, seed=3)
        if events[-1]["response"]["status"] == "completed":
            self.assertIsInstance(json.loads(text_of(events)), dict)
        else:
            self.assertTrue(text_of(events).startswith("{"))
        grammar = 'root ::= ("yes" | "no") ", " [a-f]{5} "."'
        form = {"type": "grammar", "syntax": "gbnf", "definition": grammar}
        for seed in range(5):
            events = await self.respond(form, temperature=2, seed=seed)
            self.assertRegex(text_of(events), r"\A(yes|no), [a-f]{5}\.\Z")
            self.assertEqual(events[-1]["response"]["status"], "completed")

    async def test_a_limit_may_come_first(self):
        form = {"type": "grammar", "definition": 'root ::= "a"*'}
        events = await self.respond(form, max_output_tokens=7, logit_bias={"97": 100})
        self.assertEqual(text_of(events), "a" * 7)
        self.assertEqual(events[-1]["response"]["status"], "incomplete")

    async def test_what_is_not_understood_is_named(self):
        for form, field, part in [
            ({"type": "json_schema", "schema": {"type": "integer", "multipleOf": 2}},
             "text.format.schema", "multipleOf"),
            ({"type": "json_schema"}, "text.format.schema", "missing"),
            ({"type": "grammar", "definition": "root ::= root"}, "text.format.definition", "root"),
            ({"type": "grammar", "syntax": "lark", "definition": ""}, "text.format.syntax", "lark"),
            ({"type": "regex"}, "text.format.type", "regex"),
        ]:
            error = (await self.respond(form))[-1]["error"]
            self.assertEqual((error["code"], error["field"]), ("invalid_field", field))
            self.assertIn(part, error["message"])
            self.assertTrue(error["remedy"])


class Queue(waferd.WaferdTest):
    async def test_who_waits_sees_where_and_how_long(self):
        async with await self.server.session() as session:
            names = [f"r{n}" for n in range(20)]
            for name in names:
                await session.send("response.create", id=name, input="for",
                                   max_output_tokens=LONG_RESPONSE)
            status = await session.alive()
            self.assertLessEqual(status["batch"]["last"], 8)
            queue = status["queue"]
            yours = queue["yours"]
            self.assertGreater(len(yours), 1)
            # One client's responses begin in the order in which it asked.
            self.assertEqual([w["response_id"] for w in yours], names[len(names) - len(yours):])
            self.assertEqual([w["position"] for w in yours], list(range(1, len(yours) + 1)))
            waits = [w["waiting_ms"] for w in yours]
            self.assertEqual(waits, sorted(waits, reverse=True))
            self.assertEqual(queue["oldest_ms"], waits[0])
            for name in names:
                await session.send("response.cancel", response_id=name)
            for _ in names:
                await session.until("response.cancelled", "response.completed")
            self.assertGreater((await session.alive())["batch"]["mean"], 1)
            self.assertEqual((await session.alive())["queue"]["yours"], [])


class Telemetry(waferd.WaferdTest):
    async def test_frames_come_while_it_works_and_then_there_is_silence(self):
        async with await self.server.session() as session:
            await session.send("telemetry.subscribe", hz=240)
            layout = (await session.until("telemetry.layout"))[-1]["layout"]
            self.assertEqual((layout["fabric_width"], layout["fabric_height"]), (762, 1172))
            for region in layout["regions"]:
                self.assertEqual(sum(region["sram"].values()), layout["sram_per_pe"])
                self.assertLessEqual(region["x"] + region["width"], layout["fabric_width"])
            await session.send("response.create", input="for", max_output_tokens=LONG_RESPONSE)
            last = (await session.until("response.completed"))[-1]["response"]
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
            await session.until("response.completed")
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
            await session.until("response.completed")
            self.assertEqual(session.frames, [])


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
            response = (await other.until("response.completed"))[-1]["response"]
            await session.send("trace.stop")
            stopped = (await session.until("trace.stopped"))[-1]
            self.assertEqual(stopped["file"], path)
            self.assertEqual(stopped["tokens"], response["usage"]["output_tokens"])
            self.assertEqual(stopped["cycles"], response["timings"]["wafer"]["cycles"])
            self.assertEqual(stopped["bytes"], os.path.getsize(path))
            with open(path, "rb") as file:
                self.assertEqual(file.read(8), b"WPTRACE1")
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
            await other.send("shadow.list")
            shapes = (await other.until("shadow.shapes"))[-1]["shapes"]
            sizes = [shape["parameters"] for shape in shapes]
            self.assertEqual(sizes, sorted(sizes))
            self.assertIn("llama-3.1-70b", [shape["name"] for shape in shapes])

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
            response = (await session.until("response.completed"))[-1]["response"]
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
            response = (await session.until("response.completed"))[-1]["response"]
            await session.send("trace.stop")
            stopped = (await session.until("trace.stopped"))[-1]
            self.assertEqual(stopped["cycles"], response["timings"]["shadow"]["cycles"])
            await session.send("shadow.clear")
            await session.until("shadow.changed")

    async def test_a_server_may_begin_with_one(self):
        with waferd.Server(self.folder.name, "--shadow", "qwen2.5-coder-7b") as server:
            async with await server.session() as session:
                self.assertEqual((await session.alive())["shadow"]["model"], "qwen2.5-coder-7b")


class Mistakes(waferd.WaferdTest):
    MESSAGES = [
        ("hello", "malformed_json", None),
        ("[]", "malformed_json", None),
        ('{"type":', "malformed_json", None),
        ('{"a":' + "[" * 5000, "malformed_json", None),
        ("{}", "unknown_type", "type"),
        ('{"type":"nonsense"}', "unknown_type", "type"),
        ('{"type":7}', "unknown_type", "type"),
        ('{"type":"document.open"}', "invalid_field", "uri"),
        ('{"type":"document.open","uri":"u","version":"1","text":""}', "invalid_field", "version"),
        ('{"type":"document.open","uri":"a","version":1,"text":""}', "invalid_field", "uri"),
        ('{"type":"document.change","uri":"z","version":2,"edits":[]}', "unknown_document", "uri"),
        ('{"type":"document.change","uri":"a","version":1,"edits":[]}', "version_conflict",
         "version"),
        ('{"type":"document.change","uri":"a","version":2,"edits":[{"start":0,"end":9,"text":""}]}',
         "invalid_field", "edits[0].end"),
        ('{"type":"document.change","uri":"a","version":2,"edits":[{"start":2,"end":2,"text":""}]}',
         "invalid_field", "edits[0].start"),
        ('{"type":"completion.create","id":1,"uri":"a","version":1,"offset":5}', "invalid_field",
         "offset"),
        ('{"type":"completion.create","id":1,"uri":"a","version":1,"offset":2}', "invalid_field",
         "offset"),
        ('{"type":"completion.create","uri":"a","version":1,"offset":0}', "invalid_field", "id"),
        ('{"type":"telemetry.subscribe","hz":1000}', "invalid_field", "hz"),
        ('{"type":"trace.start","file":"run.wptrace"}', "invalid_field", "file"),
        ('{"type":"trace.start","file":"/etc/passwd"}', "invalid_field", "file"),
        ('{"type":"trace.start","file":"/no/such/folder/a.wptrace"}', "trace_failed", "file"),
        ('{"type":"trace.stop"}', "trace_failed", None),
        ('{"type":"shadow.set"}', "invalid_field", "shape"),
        ('{"type":"shadow.set","shape":"../shape.json"}', "invalid_field", "shape"),
        ('{"type":"shadow.set","shape":"llama-3.1-8b","clock_ghz":0}', "invalid_field",
         "clock_ghz"),
        ('{"type":"shadow.set","shape":"llama-9"}', "shadow_failed", "shape"),
        ('{"type":"shadow.set","shape":"/no/such/SHAPE.json"}', "shadow_failed", "shape"),
        ('{"type":"shadow.set","shape":"llama-3.1-8b","weights":"Q99"}', "shadow_failed",
         "weights"),
        ('{"type":"shadow.set","shape":"llama-3.1-8b","profile":"p"}', "shadow_failed",
         "profile"),
        ('{"type":"response.create"}', "invalid_field", "input"),
        ('{"type":"response.create","input":[{"content":[{"type":"input_image"}]}]}',
         "invalid_field", "input[0].content[0].type"),
    ]

    async def test_each_is_answered_and_the_connection_lives_on(self):
        async with await self.server.session() as session:
            await session.send("document.open", uri="a", version=1, text="aéz")
            for message, code, field in self.MESSAGES:
                with self.subTest(message=message[:80]):
                    await session.socket.send(message)
                    error = (await session.until("error"))[-1]["error"]
                    self.assertEqual(error["code"], code)
                    self.assertEqual(error.get("field"), field)
                    self.assertTrue(error["message"] and error["remedy"])
            await session.socket.send(b"\x00\x01")
            error = (await session.until("error"))[-1]["error"]
            self.assertEqual(error["code"], "malformed_json")
            await session.alive()
            # None of it touched the document.
            await session.send("document.change", uri="a", version=2,
                               edits=[{"start": 4, "end": 4, "text": "!"}])
            text, done = await session.complete(1, uri="a", version=2, offset=5, max_tokens=3)
            self.assertNotEqual(done["reason"], "stale")

    async def test_unknown_fields_are_ignored(self):
        async with await self.server.session() as session:
            await session.send("document.open", uri="b", version=1, text="x", colour="red")
            await session.complete(1, uri="b", version=1, offset=1, max_tokens=2, mood=[1, {}])

    async def test_a_message_that_is_too_long_closes_the_session(self):
        async with await self.server.session() as session:
            try:
                await session.send("document.open", uri="b", version=1, text="x" * (33 << 20))
                while True:
                    await session.receive()
            except waferd.websockets.ConnectionClosed:
                pass
            await session.socket.wait_closed()
            self.assertIn(session.socket.close_code, (1009, 1006))
        async with await self.server.session() as another:
            await another.alive()

    async def test_a_client_that_does_not_read_is_let_go(self):
        async with await self.server.session(max_queue=1) as session:
            # Each is answered with an error of its length: 48 MB in all.
            message = json.dumps({"type": "document.close", "uri": "x" * 8000})
            try:
                for _ in range(6000):
                    await asyncio.wait_for(session.socket.send(message), 5)
            except (waferd.websockets.ConnectionClosed, asyncio.TimeoutError):
                pass
            closed = False
            while not closed:
                try:
                    await session.receive()
                except waferd.websockets.ConnectionClosed:
                    closed = True
            self.assertIn(session.socket.close_code, (1008, 1006))
        async with await self.server.session() as another:
            self.assertEqual((await another.alive())["sessions"], 1)


if __name__ == "__main__":
    waferd.main()
