# SPDX-License-Identifier: GPL-3.0-or-later
"""Anthropic's API: POST /v1/messages."""

import http.client
import json

import test_tools
import waferd

HI = [{"role": "user", "content": "Hi"}]
TOOL = {"name": "add", "description": "Adds.", "input_schema": {
    "type": "object", "properties": {"n": {"enum": [1, 2]}}, "required": ["n"],
    "additionalProperties": False}}
CALLING = {"tools": [TOOL], "temperature": 1, "max_tokens": 400,
           "tool_choice": {"type": "tool", "name": "add", "disable_parallel_tool_use": True}}


class Anthropic(test_tools.ToolServer):
    def ask(self, **fields):
        body = {"model": "tiny", "max_tokens": 12, "messages": HI, **fields}
        status, data = self.post("/v1/messages", body)
        self.assertEqual(status, 200, data)
        return json.loads(data)

    def events(self, **fields):
        body = {"model": "tiny", "max_tokens": 12, "messages": HI, "stream": True, **fields}
        status, data = self.post("/v1/messages", body)
        self.assertEqual(status, 200, data)
        events = []
        for block in data.strip().split("\n\n"):
            if block.startswith(":"):  # a comment: how far the prompt has been read
                continue
            head, payload = block.split("\n")
            events.append(json.loads(payload.removeprefix("data: ")))
            self.assertEqual(head, "event: " + events[-1]["type"])
        return events

    def rebuilt(self, events):
        """What a client makes of the events: the message."""
        self.assertEqual([events[0]["type"], events[-1]["type"]], ["message_start", "message_stop"])
        message, texts = events[0]["message"], []
        for event in events[1:-1]:
            if event["type"] == "content_block_start":
                self.assertEqual(event["index"], len(message["content"]))
                message["content"].append(event["content_block"])
                texts.append("")
            elif event["type"] == "content_block_delta":
                self.assertEqual(event["index"], len(texts) - 1)
                delta = event["delta"]
                texts[-1] += delta["text" if delta["type"] == "text_delta" else "partial_json"]
            elif event["type"] == "content_block_stop":
                block = message["content"][event["index"]]
                if block["type"] == "text":
                    block["text"] = texts[-1]
                else:
                    block["input"] = json.loads(texts[-1])
            else:
                message.update(event["delta"], usage=event["usage"])
        return message

    async def test_tokens_are_counted_without_an_answer(self):
        tools = {"tools": [TOOL], "tool_choice": {"type": "none"}}
        for fields in ({}, {"system": "Be kind."}, tools):
            status, data = self.post("/v1/messages/count_tokens", {"model": "tiny", "messages": HI, **fields})
            self.assertEqual(status, 200, data)
            told = json.loads(data)
            used = self.ask(**fields)["usage"]
            self.assertEqual(told, {"input_tokens": used["input_tokens"] + used["cache_read_input_tokens"]})
        status, data = self.post("/v1/messages/count_tokens", {"model": "tiny", "messages": []})
        self.assertEqual((status, json.loads(data)["error"]["type"]), (400, "invalid_request_error"))

    async def test_a_conversation_is_answered_as_by_chat_completions(self):
        chat = [{"role": "system", "content": "Be kind."}, *HI]
        expected = self.chat(messages=chat, max_tokens=12)
        text = {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}
        blocks = [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]
        for asked in ({"system": "Be kind."}, {"system": [text], "messages": blocks}):
            told = self.ask(**asked)
            self.assertEqual(told["content"], [{
                "type": "text", "text": expected["choices"][0]["message"]["content"]}])
            self.assertEqual((told["type"], told["role"], told["model"]),
                             ("message", "assistant", "tiny"))
            self.assertEqual((told["stop_reason"], told["stop_sequence"]), ("max_tokens", None))
            usage = told["usage"]
            self.assertEqual(usage["input_tokens"] + usage["cache_read_input_tokens"],
                             expected["usage"]["prompt_tokens"])
            self.assertEqual(usage["output_tokens"], 12)

    async def test_streamed_it_is_the_same_message(self):
        whole, streamed = self.ask(), self.rebuilt(self.events())
        self.assertTrue(whole["content"])
        for name in ("content", "stop_reason", "stop_sequence"):
            self.assertEqual(streamed[name], whole[name])
        self.assertEqual(streamed["usage"]["output_tokens"], 12)

    async def test_a_stop_sequence_ends_the_text_in_front_of_it(self):
        text = self.ask(max_tokens=40)["content"][0]["text"]
        stop = text[len(text) // 2:][:3]
        told = self.ask(max_tokens=40, stop_sequences=[stop])
        self.assertEqual(told["content"][0]["text"], text[:text.index(stop)])
        self.assertEqual((told["stop_reason"], told["stop_sequence"]), ("stop_sequence", stop))
        # Of several it is the one that came.
        for streamed in (False, True):
            asked = {"max_tokens": 40, "stop_sequences": ["never comes", stop, "nor this"]}
            told = self.rebuilt(self.events(**asked)) if streamed else self.ask(**asked)
            self.assertEqual((told["stop_reason"], told["stop_sequence"]), ("stop_sequence", stop))

    async def test_tokens_of_the_prompt_are_told_at_the_beginning(self):
        events = self.events(messages=[{"role": "user", "content": "Something new."}])
        begun, ended = events[0]["message"]["usage"], events[-2]["usage"]
        for field in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"):
            self.assertEqual(begun[field], ended[field])
        self.assertGreater(begun["input_tokens"], 0)
        self.assertEqual(begun["output_tokens"], 0)

    async def test_the_limit_of_tokens_may_be_missing(self):
        self.assertTrue(self.ask(max_tokens=None, stop_sequences=["e"])["content"])

    async def test_calls_and_their_results_go_back_and_forth(self):
        told = self.ask(**CALLING)
        (call,) = told["content"]
        self.assertEqual((call["type"], call["name"]), ("tool_use", "add"))
        self.assertIn(call["input"], [{"n": 1}, {"n": 2}])
        self.assertEqual(told["stop_reason"], "tool_use")
        streamed = self.rebuilt(self.events(**{**CALLING, "temperature": 0}))
        (again,) = streamed["content"]
        self.assertEqual(again["input"], self.ask(**{**CALLING, "temperature": 0})["content"][0]
                         ["input"])
        result = {"type": "tool_result", "tool_use_id": call["id"],
                  "content": [{"type": "text", "text": "3"}]}
        messages = [*HI, {"role": "assistant", "content": [call]},
                    {"role": "user", "content": [result]}]
        after = self.ask(messages=messages, tools=[TOOL])
        same = self.chat(max_tokens=12, tools=[{"type": "function", "function": {
            "name": "add", "description": "Adds.", "parameters": TOOL["input_schema"]}}], messages=[
            *HI, {"role": "assistant", "content": None, "tool_calls": [{
                "id": "c", "type": "function", "function": {
                    "name": "add", "arguments": json.dumps(call["input"], separators=(",", ":"))}}]},
            {"role": "tool", "tool_call_id": "c", "content": "3"}])
        usage = after["usage"]
        self.assertEqual(usage["input_tokens"] + usage["cache_read_input_tokens"],
                         same["usage"]["prompt_tokens"])

    async def test_system_messages_are_taken_where_they_stand(self):
        turns = [*HI, {"role": "assistant", "content": "Ho"}, {"role": "system", "content": "5 left."},
                 {"role": "user", "content": "Go on."}]
        same = self.chat(messages=turns, max_tokens=1)["usage"]["prompt_tokens"]
        for content in ("5 left.", [{"type": "text", "text": "5 left."}]):
            turns[2] = {"role": "system", "content": content}
            usage = self.ask(messages=turns, max_tokens=1)["usage"]
            self.assertEqual(usage["input_tokens"] + usage["cache_read_input_tokens"], same)

    async def test_what_the_model_cannot_read_is_told_as_left_out(self):
        call = {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {}}
        pictures = [{"type": "text", "text": "Here:"},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
                    {"type": "tool_reference", "tool_name": "x"},
                    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Page."}}]
        read = ("Here:\n[An image was left out here: this model reads text only.]\n[Content of the type "
                "tool_reference was left out here: this model reads text only.]\nPage.")
        counts = set()
        for content in (pictures, read):
            result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content}
            usage = self.ask(tools=[TOOL], max_tokens=1, messages=[
                *HI, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "w"}, call]},
                {"role": "user", "content": [result]}])["usage"]
            counts.add(usage["input_tokens"] + usage["cache_read_input_tokens"])
        self.assertEqual(len(counts), 1)

    async def test_tools_may_have_names_of_128_letters(self):
        long = {**TOOL, "name": ("mcp__" + "_".join(map(str, range(60))))[:128]}
        asked = {**CALLING, "tools": [long], "tool_choice": {"type": "any"}}
        self.assertEqual(self.ask(**asked)["content"][0]["name"], long["name"])

    async def test_its_clients_send_the_token_as_a_key(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        body = json.dumps({"model": "tiny", "max_tokens": 1, "messages": HI})
        for fields, status in [
            ([("x-api-key", self.server.token)], 200),
            ([("x-api-key", "f" * 64)], 401),
            ([("x-api-key", self.server.token), ("Authorization", "Bearer wrong")], 401),
            ([("x-api-key", self.server.token), ("x-api-key", self.server.token)], 400),
        ]:
            connection.putrequest("POST", "/v1/messages")
            for field in [*fields, ("Content-Length", str(len(body)))]:
                connection.putheader(*field)
            connection.endheaders(body.encode())
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, status)
            connection.close()

    async def test_what_is_wrong_is_told_in_its_form(self):
        image = [{"role": "user", "content": [{"type": "image", "source": {}}]}]
        for change, named in [
            ({"max_tokens": "all"}, "max_tokens"),
            ({"messages": []}, "messages"),
            ({"messages": [{"role": "king", "content": "x"}]}, "messages[0].role"),
            ({"messages": image}, "messages[0].content[0].type"),
            ({"stop_sequences": [5]}, "stop_sequences"),
            ({"tools": [{"name": "a b"}]}, "tools[0].name"),
            ({"messages": [{"role": "user", "content": "% " * waferd.CONTEXT}]}, ""),
        ]:
            for stream in (False, True):
                body = {"model": "tiny", "max_tokens": 9, "messages": HI, **change, "stream": stream}
                status, data = self.post("/v1/messages", body)
                told = json.loads(data)
                self.assertEqual((status, told["type"]), (400, "error"), data)
                self.assertEqual(told["error"]["type"], "invalid_request_error")
                self.assertIn(named, told["error"]["message"])


if __name__ == "__main__":
    waferd.main()
