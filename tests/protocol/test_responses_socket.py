# SPDX-License-Identifier: GPL-3.0-or-later
"""The Responses API over a WebSocket at /v1/responses, as OpenAI's WebSocket mode has it."""

import asyncio
import json
import tempfile

import waferd

TEMPLATE = "{{'<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>'}} <tools> <tool_call>"


def user(text):
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


class ResponsesSocket(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model = waferd.make_model(cls.folder.name, chat_template=TEMPLATE)
        cls.server = waferd.Server(cls.folder.name, model=model)

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready
        self.socket = await self.server.connect(path="/v1/responses")
        self.addAsyncCleanup(self.socket.close)

    async def create(self, **fields):
        fields = {"model": "tiny", "max_output_tokens": 8, "store": False, **fields}
        fields = {name: value for name, value in fields.items() if value is not None}
        await self.socket.send(json.dumps({"type": "response.create", **fields}))

    async def receive(self):
        message = await asyncio.wait_for(self.socket.recv(), waferd.PATIENCE)
        self.assertIsInstance(message, str)  # Codex takes a binary frame for an error
        return json.loads(message)

    async def turn(self, **fields):
        """The events of one response."""
        await self.create(**fields)
        return await self.events()

    async def events(self):
        events = [await self.receive()]
        while events[-1]["type"] not in (*waferd.RESPONSE_ENDS, "error"):
            events.append(await self.receive())
        return events

    def said(self, events):
        return "".join(e["delta"] for e in events if e["type"] == "response.output_text.delta")

    async def test_events_are_those_of_a_stream(self):
        # There is no greeting: what comes first is of the response.
        events = await self.turn(input=[user("Hi")])
        kinds = [event["type"] for event in events]
        self.assertEqual(kinds[:2], ["response.created", "response.in_progress"])
        self.assertEqual([event["sequence_number"] for event in events], list(range(len(events))))
        answer, body = self.server.request(
            "POST", "/v1/responses",
            {"model": "tiny", "max_output_tokens": 8, "input": [user("Hi")], "stream": True})
        self.assertEqual(answer.status, 200)
        streamed = [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: {")]
        self.assertEqual(self.said(events), self.said(streamed))
        self.assertEqual({event["type"] for event in events}, {event["type"] for event in streamed})

    async def test_reading_is_told_where_that_is_asked_for(self):
        long = "What nobody has read yet. " * 200
        events = await self.turn(input=[user(long)], return_progress=True)
        self.assert_reading(events)
        self.assertFalse(any(event["type"] == "response.prompt_progress"
                             for event in await self.turn(input=[user("Or " + long)])))

    async def test_a_session_is_told_of_reading_too(self):
        async with await self.server.session() as session:
            await session.send("response.create", max_output_tokens=4, return_progress=True,
                               input=[user("The house has a rule. " * 200)])
            self.assert_reading(await session.until(*waferd.RESPONSE_ENDS))

    def assert_reading(self, events):
        kinds = [event["type"] for event in events]
        told = [event["prompt_progress"] for event in events if event["type"] == "response.prompt_progress"]
        self.assertGreater(len(told), 1)  # what is told of several steps at once is told as one
        read = [one["processed"] for one in told]
        self.assertEqual(read, sorted(read))
        total = events[-1]["response"]["usage"]["input_tokens"]
        self.assertEqual({one["total"] for one in told}, {total})
        self.assertLess(read[0], read[-1])
        self.assertEqual(read[-1], total)
        # It begins with the first step, and ends before the first text.
        begun = kinds.index("response.in_progress")
        self.assertEqual(kinds.index("response.prompt_progress"), begun + 1)
        if "response.output_text.delta" in kinds:
            self.assertLess(kinds[::-1].index("response.output_text.delta"),
                            kinds[::-1].index("response.prompt_progress"))

    async def test_responses_come_one_after_another(self):
        for text in ("a", "b", "c"):
            await self.create(input=[user(text)], max_output_tokens=12)
        ids = []
        for _ in range(3):
            events = await self.events()
            self.assertEqual(len({event["response_id"] for event in events}), 1)
            ids.append(events[0]["response_id"])
        self.assertEqual(len(set(ids)), 3)

    async def test_a_warm_up_says_nothing_and_is_gone_on_from(self):
        long = "A rule of the house. " * 200
        warm = await self.turn(input=[user(long)], generate=False)
        response = warm[-1]["response"]
        self.assertEqual((response["status"], response["output"]), ("completed", []))
        self.assertEqual(response["usage"]["output_tokens"], 0)
        read = response["usage"]["input_tokens"]
        # What it read is not read again.
        events = await self.turn(previous_response_id=response["id"], input=[user("Hi")])
        usage = events[-1]["response"]["usage"]
        self.assertGreater(usage["input_tokens_details"]["cached_tokens"], read - 32)
        # And the answer is that to the whole conversation.
        whole = await self.turn(input=[user(long), user("Hi")])
        self.assertEqual(self.said(events), self.said(whole))
        self.assertEqual(usage["input_tokens"], whole[-1]["response"]["usage"]["input_tokens"])

    async def test_a_warm_up_of_a_session_says_nothing_either(self):
        async with await self.server.session() as session:
            async def turn(**fields):
                await session.send("response.create", max_output_tokens=8, **fields)
                return await session.until(*waferd.RESPONSE_ENDS)

            warm = await turn(input=[user("A rule.")], generate=False)
            identity = warm[-1]["response"]["id"]
            events = await turn(previous_response_id=identity, input=[user("Hi")])
            whole = await turn(input=[user("A rule."), user("Hi")])
            self.assertEqual(self.said(events), self.said(whole))
            self.assertEqual(events[-1]["response"]["usage"]["input_tokens"],
                             whole[-1]["response"]["usage"]["input_tokens"])

    async def test_a_conversation_goes_on(self):
        form = {"format": {"type": "json_schema", "name": "word", "schema": {"enum": ["yes", "no"]}}}
        first = await self.turn(input=[user("Hi")], text=form, max_output_tokens=None)
        response = first[-1]["response"]
        self.assertEqual(response["status"], "completed")
        said = {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": self.said(first)}]}
        second = await self.turn(previous_response_id=response["id"], input=[user("More")])
        whole = await self.turn(input=[user("Hi"), said, user("More")])
        self.assertEqual(self.said(second), self.said(whole))

    async def test_only_the_latest_response_is_kept(self):
        ids = []
        for text in ("a", "b"):
            warm = await self.turn(input=[user(text)], generate=False)
            ids.append(warm[-1]["response"]["id"])
        [error] = await self.turn(previous_response_id=ids[0], input=[user("Hi")])
        self.assertEqual(error["status"], 400)
        self.assertEqual(error["error"]["code"], "previous_response_not_found")
        self.assertEqual(error["error"]["param"], "previous_response_id")
        # The latest is still there, unless a turn from it fails.
        self.assertEqual((await self.turn(previous_response_id=ids[1], input=[user("x")], generate=False))[-1]["type"],
                         "response.completed")

    async def test_a_turn_that_fails_takes_along_what_it_went_on_from(self):
        warm = await self.turn(input=[user("a")], generate=False)
        identity = warm[-1]["response"]["id"]
        [*_, last] = await self.turn(previous_response_id=identity, input=[user("word " * 20000)])
        self.assertIn(last["type"], ("error", "response.failed"))
        [error] = await self.turn(previous_response_id=identity, input=[user("Hi")])
        self.assertEqual(error["error"]["code"], "previous_response_not_found")

    async def test_what_is_wrong_has_a_status(self):
        for message, code in (("{", "malformed_json"), ('{"type":"response.cancel","response_id":"x"}', "unknown_type"),
                              ('{"type":"status.get"}', "unknown_type"),
                              ('{"type":"response.create"}', "invalid_field")):
            await self.socket.send(message)
            error = await self.receive()
            self.assertEqual((error["type"], error["status"], error["error"]["code"]), ("error", 400, code), message)
            self.assertEqual(error["error"]["type"], "invalid_request_error")
        [*_, last] = await self.turn(input=[user("word " * 20000)])
        self.assertEqual(last["response"]["error"]["code"] if "response" in last else last["error"]["code"],
                         "context_length_exceeded")
        # The connection stands.
        self.assertEqual((await self.turn(input=[user("Hi")]))[0]["type"], "response.created")

    async def test_who_hangs_up_cancels(self):
        await self.create(input=[user("Hi")], max_output_tokens=4000)
        await self.receive()
        await self.socket.close()
        async with await self.server.session() as session:
            while (await session.alive())["queue"]["running"]:
                pass

    async def test_the_token_is_wanted(self):
        with self.assertRaises(Exception) as refused:
            await self.server.connect(path="/v1/responses", token="")
        self.assertIn("401", str(refused.exception))


if __name__ == "__main__":
    waferd.main()
