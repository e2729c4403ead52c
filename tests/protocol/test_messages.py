# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that the server holds each request to the table of the protocol."""

import messages
import waferd

# A value that a field may have, for requests that are right in all else. Their own forms come first.
OWN_FORMS = {"input": "x", "text": {}, "stop": "x", "logit_bias": {"1": 1},
             "tools": [], "tool_choice": "auto"}


def good(name, field):
    if field["type"] == "any":
        return OWN_FORMS[name]
    kind, _, of = field["type"].partition(" ")
    if field["type"] == "list text":
        return ["x"]
    if kind == "list":
        return [good_fields(messages.TABLE["object"][of])]
    return {"text": "/x.wptrace", "boolean": True, "id": 1}.get(kind, field.get("low"))


def good_fields(entry):
    return {name: good(name, field) for name, field in messages.fields_of(entry).items()}


def wrong_values(name, field):
    kind = field["type"].partition(" ")[0]
    if field["type"] == "any":
        yield 5
        return
    yield {"x": 1}
    if kind in ("integer", "number"):
        yield "1"
        yield field["low"] - 1
        yield field["high"] * 2
    if kind == "integer":
        yield field["low"] + 0.5
    if kind == "text" and field["bytes"] <= 1 << 16:
        yield "x" * (field["bytes"] + 1)
    if kind in ("text", "list", "boolean"):
        yield 1
    if field["type"] == "list text":
        yield [1]
        yield ["x" * (field["bytes"] + 1)]
        yield ["x"] * (field["most"] + 1)


class Messages(waferd.WaferdTest):
    async def refusal(self, session, kind, fields):
        """The error that a message gets, None if it gets none for its fields."""
        await session.send(kind, **fields)
        await session.send("status.get")
        for event in await session.until("status"):
            if event["type"] == "error" and event["error"]["code"] == "invalid_field":
                return event["error"]
        return None

    async def test_every_field_is_held_to_what_the_table_says(self):
        tried = 0
        async with await self.server.session() as session:
            for kind, entry in messages.TABLE["request"].items():
                right = good_fields(entry)
                for name, field in messages.fields_of(entry).items():
                    for value in wrong_values(name, field):
                        error = await self.refusal(session, kind, {**right, name: value})
                        self.assertIsNotNone(error, f"{kind} {name}={str(value)[:80]}")
                        self.assertEqual(error["field"].split(".")[0].split("[")[0], name)
                        tried += 1
                    if field.get("required"):
                        without = {other: right[other] for other in right if other != name}
                        error = await self.refusal(session, kind, without)
                        self.assertEqual(error and error["field"], name)
                        tried += 1
        self.assertGreater(tried, 100)

    async def test_every_request_of_the_table_is_known(self):
        async with await self.server.session() as session:
            for kind in messages.TABLE["request"]:
                await session.send(kind)
                await session.send("status.get")
                codes = [event["error"]["code"] for event in await session.until("status")
                         if event["type"] == "error"]
                self.assertNotIn("unknown_type", codes, kind)

    def test_the_table_refuses_what_it_does_not_know(self):
        delta = {"type": "completion.delta", "id": 1, "version": 1, "offset": 0, "text": "x"}
        messages.check_event(delta)
        for wrong in ({"type": "x"}, {"more": 1}, {"text": 5}, {"offset": -1}, {"version": True},
                      {"text": None}):
            with self.assertRaises(AssertionError):
                messages.check_event({**delta, **wrong})
        status = {"type": "session.ready", "protocol": 1, "server": "s", "state": "loading",
                  "model": None, "shadow": None, "models": []}
        messages.check_event(status)
        for wrong in ({"state": "odd"}, {"model": {"name": "x"}}, {"model": 5}):
            with self.assertRaises(AssertionError):
                messages.check_event({**status, **wrong})


if __name__ == "__main__":
    waferd.main()
