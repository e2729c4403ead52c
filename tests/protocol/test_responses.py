# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses of the WebSocket session, as docs/protocol.md describes them."""

import json

import waferd

# Tokens: time enough to interrupt.
LONG_RESPONSE = 16000


def text_of(events):
    return events[-1]["response"]["output"][0]["content"][0]["text"]


class Responses(waferd.WaferdTest):
    async def asyncSetUp(self):
        self.session = await self.server.session()

    async def asyncTearDown(self):
        await self.session.socket.close()

    async def respond(self, **fields):
        await self.session.send("response.create", **fields)
        return await self.session.until(*waferd.RESPONSE_ENDS, "error")

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
               "response.output_item.done", "response.incomplete"],
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

    async def test_text_is_continued_as_a_completion_with_nothing_behind_it(self):
        text = "int main() {\n"
        response = await self.respond(input=text, max_output_tokens=20)
        await self.session.send("document.open", uri="a", version=1, text=text)
        completion, _ = await self.session.complete(
            1, uri="a", version=1, offset=len(text), max_tokens=20, healing=False, checks=False
        )
        self.assertEqual(text_of(response), completion)

    async def test_without_a_limit_only_the_context_ends_it(self):
        events = await self.respond(input="% " * (waferd.CONTEXT // 2 - 200))
        response = events[-1]["response"]
        self.assertEqual(events[-1]["type"], "response.incomplete")
        self.assertIsNone(response["max_output_tokens"])
        self.assertEqual(response["incomplete_details"]["reason"], "context_full")
        self.assertGreater(response["usage"]["output_tokens"], 256)

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

    async def test_a_refused_message_names_its_response(self):
        await self.session.send("response.create", id="r", input="x", temperature=900)
        error = (await self.session.until("error"))[-1]
        self.assertEqual((error["error"]["field"], error["response_id"]), ("temperature", "r"))
        self.assertNotIn("id", error)

    async def test_an_input_that_is_too_long_fails_with_a_reason(self):
        last = (await self.respond(input="% " * waferd.CONTEXT))[-1]
        self.assertEqual(last["type"], "response.failed")
        self.assertEqual(last["response"]["error"]["code"], "context_length_exceeded")
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
        last = (await self.respond(input="x", max_output_tokens=1))[-1]
        self.assertIn(last["type"], ("response.completed", "response.incomplete"))  # those that ended count no longer


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
        return await session.until(*waferd.RESPONSE_ENDS, "error")

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
        return await self.session.until(*waferd.RESPONSE_ENDS, "error")

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
            ({"type": "json_schema", "strict": True, "schema": {"type": "array", "uniqueItems": True}},
             "text.format.schema", "uniqueItems"),
            ({"type": "json_schema"}, "text.format.schema", "missing"),
            ({"type": "grammar", "definition": "root ::= root"}, "text.format.definition", "root"),
            ({"type": "grammar", "syntax": "lark", "definition": ""}, "text.format.syntax", "lark"),
            ({"type": "regex"}, "text.format.type", "regex"),
        ]:
            error = (await self.respond(form))[-1]["error"]
            self.assertEqual((error["code"], error["field"]), ("invalid_field", field))
            self.assertIn(part, error["message"])
            self.assertTrue(error["remedy"])


if __name__ == "__main__":
    waferd.main()
