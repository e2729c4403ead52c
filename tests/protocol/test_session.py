# SPDX-License-Identifier: GPL-3.0-or-later
"""The WebSocket session, as docs/protocol.md describes it."""

import asyncio
import http.client
import json

import waferd

# Tokens: time enough to interrupt.
LONG_COMPLETION = 4096
LONG_RESPONSE = 16000


def status_of(error):
    """The HTTP status of a refused upgrade, whatever the version of websockets."""
    return getattr(error, "status_code", None) or error.response.status_code


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

    async def test_alternatives_begin_otherwise_each_time_the_same(self):
        texts = []
        for alternative in range(3):
            for again in range(2):
                text, _ = await self.session.complete(
                    10 * alternative + again, uri="a", version=1, offset=7, max_tokens=8,
                    alternative=alternative
                )
                texts.append(text)
        self.assertEqual(texts[0::2], texts[1::2])
        self.assertEqual(len(set(texts)), 3)
        plain, _ = await self.session.complete(99, uri="a", version=1, offset=7, max_tokens=8)
        self.assertEqual(plain, texts[0])

    async def test_lines_compete_only_where_the_model_copies(self):
        wish = dict(uri="a", version=1, offset=7, max_tokens=8)
        text, done = await self.session.complete(1, **wish)
        same, again = await self.session.complete(2, **wish, lines=8)
        self.assertEqual((same, again["probability"]), (text, done["probability"]))
        await self.session.send("completion.create", id=3, **wish, lines=17)
        refused = (await self.session.until("error"))[-1]["error"]
        self.assertEqual(refused["field"], "lines")

    async def test_what_is_inserted_is_as_if_it_stood_there(self):
        inserted = " (int i = 0; \u00e4"
        ahead, done = await self.session.complete(
            1, uri="a", version=1, offset=3, inserted=inserted, max_tokens=12
        )
        self.assertEqual((done["version"], done["offset"]), (1, 3))
        await self.session.send("document.change", uri="a", version=2,
                                edits=[{"start": 3, "end": 3, "text": inserted}])
        offset = 3 + len(inserted.encode())
        text, _ = await self.session.complete(2, uri="a", version=2, offset=offset, max_tokens=12)
        self.assertEqual(ahead, text)
        plain, _ = await self.session.complete(3, uri="a", version=2, offset=3, max_tokens=12)
        self.assertNotEqual(ahead, plain)

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


class TinyContext(waferd.WaferdTest):
    """The tokens around the text fill it."""

    flags = ("--context", "4")

    async def test_a_prompt_that_leaves_no_room_fails_with_a_reason(self):
        async with await self.server.session() as session:
            await session.send("document.open", uri="a", version=1, text="for (int")
            await session.send("completion.create", id=1, uri="a", version=1, offset=8)
            error, done = await session.until("completion.done")
            self.assertEqual((error["error"]["code"], error["id"]), ("context_length_exceeded", 1))
            self.assertNotIn("field", error["error"])
            self.assertEqual((done["reason"], done["id"]), ("failed", 1))


class Queue(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = waferd.tempfile.TemporaryDirectory()
        template = "{{'<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>'}}"
        cls.server = waferd.Server(cls.folder.name, model=waferd.make_model(cls.folder.name, chat_template=template))

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
            # The responses of a client begin in the order in which it asked.
            self.assertEqual([w["response_id"] for w in yours], names[len(names) - len(yours):])
            self.assertEqual([w["position"] for w in yours], list(range(1, len(yours) + 1)))
            waits = [w["waiting_ms"] for w in yours]
            self.assertEqual(waits, sorted(waits, reverse=True))
            self.assertEqual(queue["oldest_ms"], waits[0])
            for name in names:
                await session.send("response.cancel", response_id=name)
            for _ in names:
                await session.until(*waferd.RESPONSE_ENDS)
            self.assertGreater((await session.alive())["batch"]["mean"], 1)
            self.assertEqual((await session.alive())["queue"]["yours"], [])

    async def test_who_waits_is_told_every_second(self):
        """In a session, at a stream of the Responses API, and as comments at one of Chat Completions."""

        def read_until(path, body, mark):
            """Opens a stream and reads it up to the first line that begins with `mark`."""
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
            connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {self.server.token}"})
            answer = connection.getresponse()
            lines = [answer.readline()]
            while lines[-1] and not lines[-1].startswith(mark):
                lines.append(answer.readline())
            return connection, answer, lines

        loop = asyncio.get_running_loop()
        async with await self.server.session() as session:
            for n in range(16):
                await session.send("response.create", id=f"r{n}", input="for", max_output_tokens=LONG_RESPONSE)
            await session.send("response.create", id="last", input="for", max_output_tokens=2, return_progress=True)
            await session.send("response.create", id="untold", input="for", max_output_tokens=2)
            waits = [(await session.until("response.queued"))[-1]]
            # All places are taken from here on, whichever connection the server reads first.
            asked = {"max_output_tokens": 2, "stream": True, "return_progress": True}
            streams = [loop.run_in_executor(None, read_until, *stream) for stream in (
                ("/v1/responses", {**asked, "input": "for"}, b"event: response.queued"),
                ("/v1/chat/completions", {**asked, "messages": [{"role": "user", "content": "for"}]}, b":"))]
            waits += [(await session.until("response.queued"))[-1]]
            self.assertEqual([(wait["response_id"], wait["waiting"]) for wait in waits], [("last", {"for": "queue"})] * 2)
            self.assertEqual(waits[0]["response"]["status"], "queued")
            responses, chat = [await stream for stream in streams]
            for n in range(16):
                await session.send("response.cancel", response_id=f"r{n}")
            for _ in range(18):
                await session.until(*waferd.RESPONSE_ENDS)
        connection, answer, lines = responses
        self.assertEqual(answer.status, 200)
        lines += answer.read().splitlines()
        connection.close()
        kinds = [json.loads(line[6:])["type"] for line in lines if line.startswith(b"data: {")]
        self.assertEqual(kinds[:2], ["response.created", "response.queued"])
        self.assertEqual(kinds.count("response.created"), 1)
        self.assertEqual(kinds[-1], "response.incomplete")
        self.assertIn("response.in_progress", kinds)
        connection, answer, lines = chat
        self.assertEqual(answer.status, 200)
        self.assertTrue(lines[0].startswith(b":"), lines[:4])
        self.assertTrue(answer.read().rstrip().endswith(b"data: [DONE]"))
        connection.close()


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
            await session.send("document.open", uri="b", version=1, text="x", color="red")
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
