# SPDX-License-Identifier: GPL-3.0-or-later
"""Chat Completions, and calls of tools in both of OpenAI's dialects, with a tiny random model whose
template has tools: whatever it wants to say, its calls keep to the schemas."""

import http.client
import json
import pathlib

import waferd

RECORDINGS = pathlib.Path(__file__).resolve().parent / "recordings"
HERMES = "{{'<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>'}} <tools> <tool_call>"
LLAMA = "<|start_header_id|>{{ m.role }}<|end_header_id|> ipython '\"parameters\": '"
MISTRAL = "{{ '[AVAILABLE_TOOLS]' }}{{ '[INST] ' + m.content + '[/INST]' }}[TOOL_CALLS]"

XML = HERMES + " <function= <parameter="
HARMONY = "<|start|>{{ m.role }}<|channel|>{{ m.channel }}<|message|> namespace functions {"

WEATHER = {
    "name": "get_weather",
    "description": "Tells the weather.",
    "parameters": {
        "type": "object",
        "properties": {
            "zone": {"enum": ["UTC", "local"]},
            "city": {"type": "string", "maxLength": 8},
            "days": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 9},
                     "maxItems": 3},
        },
        "required": ["zone", "city", "days"],
        "additionalProperties": False,
    },
}
NOW = {"name": "now", "description": "Tells the time."}


def chat_tools(*functions):
    return [{"type": "function", "function": function} for function in functions]


def flat_tools(*functions):
    return [{"type": "function", **function} for function in functions]


class ToolServer(waferd.WaferdTest):
    """A server whose model has such a template."""

    template = HERMES
    weather = WEATHER

    @classmethod
    def setUpClass(cls):
        cls.folder = waferd.tempfile.TemporaryDirectory()
        cls.model = waferd.make_model(cls.folder.name, chat_template=cls.template)
        cls.server = waferd.Server(cls.folder.name, model=cls.model)

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def post(self, path, body):
        answer, data = self.server.request("POST", path, body)
        return answer.status, data.decode()

    def chat(self, **fields):
        body = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 4000, **fields}
        status, data = self.post("/v1/chat/completions", body)
        self.assertEqual(status, 200, data)
        return json.loads(data)

    def streamed_chat(self, **fields):
        """What a client makes of the chunks: the choice of the whole answer."""
        body = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 4000, **fields}
        status, data = self.post("/v1/chat/completions", {**body, "stream": True})
        self.assertEqual(status, 200, data)
        blocks = data.strip().split("\n\n")
        self.assertEqual(blocks.pop(), "data: [DONE]")
        content, calls, finish = "", [], None
        for block in blocks:
            choice = json.loads(block.removeprefix("data: "))["choices"][0]
            content += choice["delta"].get("content") or ""
            for piece in choice["delta"].get("tool_calls", []):
                if piece["index"] == len(calls):
                    self.assertTrue(piece["id"])
                    calls.append({"name": piece["function"]["name"], "arguments": ""})
                calls[piece["index"]]["arguments"] += piece["function"]["arguments"]
            self.assertIsNone(finish)  # nothing follows it
            finish = choice["finish_reason"]
        return content, calls, finish

    def check_call(self, function):
        """That a call keeps to its schema; returns its arguments."""
        arguments = json.loads(function["arguments"])
        if function["name"] == "now":
            self.assertEqual(arguments, {})
            return arguments
        self.assertEqual(function["name"], "get_weather")
        self.assertEqual(list(arguments), ["zone", "city", "days"])  # the schema's order
        self.assertIn(arguments["zone"], ("UTC", "local"))
        self.assertLessEqual(len(arguments["city"]), 8)
        self.assertLessEqual(len(arguments["days"]), 3)
        for day in arguments["days"]:
            self.assertIn(day, range(1, 10))
        return arguments


class Tools(ToolServer):
    async def test_required_calls_keep_to_their_schemas(self):
        tools = chat_tools(self.weather, NOW)
        seen = set()
        for seed in range(12):
            asked = {"tools": tools, "tool_choice": "required", "parallel_tool_calls": False,
                     "temperature": 1.5, "seed": seed}
            choice = self.chat(**asked)["choices"][0]
            self.assertEqual(choice["finish_reason"], "tool_calls")
            self.assertIsNone(choice["message"]["content"])
            (call,) = choice["message"]["tool_calls"]
            self.check_call(call["function"])
            seen.add(call["function"]["name"])
            # Chunk by chunk it is the same.
            content, calls, finish = self.streamed_chat(**asked)
            self.assertEqual((content, calls, finish), ("", [call["function"]], "tool_calls"))
        self.assertEqual(seen, {"get_weather", "now"})

    async def test_responses_have_calls_as_items(self):
        async with await self.server.session() as session:
            for seed in range(6):
                asked = {"input": "Hi", "tools": flat_tools(self.weather), "tool_choice": "required",
                         "parallel_tool_calls": False, "max_output_tokens": 4000,
                         "temperature": 1.2, "seed": seed}
                await session.send("response.create", **asked)
                events = await session.until(*waferd.RESPONSE_ENDS, "error")
                response = events[-1]["response"]
                (item,) = response["output"]
                self.assertEqual((item["type"], item["status"]), ("function_call", "completed"))
                self.check_call(item)
                deltas = [e["delta"] for e in events if e["type"].endswith("arguments.delta")]
                self.assertEqual("".join(deltas), item["arguments"])
                self.assertEqual(response["tools"], asked["tools"])
                self.assertEqual(response["tool_choice"], "required")
                # Over HTTP it is the same.
                whole = json.loads(self.post("/v1/responses", asked)[1])
                self.assertEqual(whole["output"][0]["arguments"], item["arguments"])

    async def test_one_named_tool_is_called(self):
        choice = {"type": "function", "function": {"name": "now"}}
        for seed in range(4):
            answer = self.chat(tools=chat_tools(self.weather, NOW), tool_choice=choice, temperature=2,
                               parallel_tool_calls=False, seed=seed)
            (call,) = answer["choices"][0]["message"]["tool_calls"]
            self.assertEqual(call["function"]["name"], "now")
            self.check_call(call["function"])

    async def test_without_a_choice_text_is_free_and_calls_are_held(self):
        for seed in range(6):
            answer = self.chat(tools=chat_tools(self.weather), temperature=1, seed=seed, max_tokens=60)
            message = answer["choices"][0]["message"]
            for call in message.get("tool_calls", []):
                self.check_call(call["function"])
            self.assertNotIn("<tool_call>", message["content"] or "")

    async def test_none_means_none(self):
        for seed in range(4):
            answer = self.chat(tools=chat_tools(self.weather), tool_choice="none", temperature=1, seed=seed,
                               max_tokens=40)
            self.assertNotIn("tool_calls", answer["choices"][0]["message"])

    async def test_a_limit_cuts_a_call(self):
        asked = {"tools": chat_tools(self.weather), "tool_choice": "required", "max_tokens": 3}
        self.assertEqual(self.chat(**asked)["choices"][0]["finish_reason"], "length")
        async with await self.server.session() as session:
            await session.send("response.create", input="Hi", tools=flat_tools(self.weather),
                               tool_choice="required", max_output_tokens=60, temperature=0)
            last = (await session.until(*waferd.RESPONSE_ENDS))[-1]
            if last["type"] == "response.incomplete":
                self.assertEqual(last["response"]["output"][-1]["status"], "incomplete")

    async def test_a_conversation_goes_on_with_results(self):
        """A turn with a call, its result, and the answer to that: in either dialect the same text."""
        tools = dict(tool_choice="none", max_output_tokens=20)
        call = {"name": "now", "arguments": "{}"}
        async with await self.server.session() as session:
            items = [{"role": "user", "content": "Hi"},
                     {"type": "function_call", "call_id": "call_1", **call},
                     {"type": "function_call_output", "call_id": "call_1", "output": "9:00"}]
            await session.send("response.create", input=items, tools=flat_tools(NOW), **tools)
            response = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            said = "".join(i["content"][0]["text"] for i in response["output"])
        messages = [{"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": None,
                     "tool_calls": [{"id": "call_1", "type": "function", "function": call}]},
                    {"role": "tool", "tool_call_id": "call_1", "content": "9:00"}]
        answer = self.chat(messages=messages, tools=chat_tools(NOW), tool_choice="none", max_tokens=20)
        self.assertEqual(answer["choices"][0]["message"]["content"], said)
        self.assertEqual(answer["usage"]["prompt_tokens"], response["usage"]["input_tokens"])

    async def test_a_response_goes_on_from_its_own_calls(self):
        async with await self.server.session() as session:
            tools = dict(tools=flat_tools(NOW), parallel_tool_calls=False)
            await session.send("response.create", input="Hi", tool_choice="required", **tools)
            first = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            (call,) = first["output"]
            result = {"type": "function_call_output", "call_id": call["call_id"], "output": "9:00"}
            rest = dict(tool_choice="none", max_output_tokens=10, **tools)
            await session.send("response.create", input=[result],
                               previous_response_id=first["id"], **rest)
            followed = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            items = [{"role": "user", "content": "Hi"}, call, result]
            await session.send("response.create", input=items, **rest)
            whole = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            self.assertEqual(followed["usage"]["input_tokens"], whole["usage"]["input_tokens"])
            self.assertEqual(followed["output"][0]["content"], whole["output"][0]["content"])


class LlamaTools(Tools):
    template = LLAMA


class MistralTools(Tools):
    template = MISTRAL


class XmlTools(Tools):
    """Texts in XML have no bound, and a random model no end: here the city is a choice."""

    template = XML
    weather = {**WEATHER, "parameters": {**WEATHER["parameters"], "properties": {
        **WEATHER["parameters"]["properties"], "city": {"enum": ["Rome", "Oslo"]}}}}

    async def test_a_text_that_cannot_be_kept_short_is_refused(self):
        status, data = self.post("/v1/chat/completions", {
            "messages": [{"role": "user", "content": "Hi"}], "tool_choice": "required",
            "tools": chat_tools({**WEATHER, "strict": True})})
        self.assertEqual(status, 400, data)
        self.assertIn("#/properties/city", data)
        self.assertIn("strict", data)


class HarmonyTools(ToolServer):
    """What a random model thinks aloud has no bound either: some of its answers are cut in it."""

    template = HARMONY
    test_a_conversation_goes_on_with_results = Tools.test_a_conversation_goes_on_with_results
    test_none_means_none = Tools.test_none_means_none

    async def test_calls_keep_to_their_schemas(self):
        seen = set()
        for seed in range(30):
            asked = {"tools": chat_tools(WEATHER, NOW), "tool_choice": "required", "temperature": 2,
                     "seed": seed, "max_tokens": 400}
            choice = self.chat(**asked)["choices"][0]
            self.assertNotIn("<|", choice["message"]["content"] or "")
            if choice["finish_reason"] == "length":
                continue
            self.assertEqual(choice["finish_reason"], "tool_calls")
            (call,) = choice["message"]["tool_calls"]
            self.check_call(call["function"])
            seen.add(call["function"]["name"])
            content, calls, finish = self.streamed_chat(**asked)
            self.assertEqual((content or None, calls, finish),
                             (choice["message"]["content"], [call["function"]], "tool_calls"))
        self.assertEqual(seen, {"get_weather", "now"})

    async def test_a_response_goes_on_from_its_own_calls(self):
        tools = dict(tools=flat_tools(NOW), temperature=2)
        async with await self.server.session() as session:
            for seed in range(30):
                await session.send("response.create", input="Hi", tool_choice="required", seed=seed,
                                   max_output_tokens=400, **tools)
                first = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
                if first["output"] and first["output"][-1].get("status") == "completed" and \
                        first["output"][-1]["type"] == "function_call":
                    break
            call = first["output"][-1]
            self.assertEqual((call["name"], json.loads(call["arguments"])), ("now", {}))
            result = {"type": "function_call_output", "call_id": call["call_id"], "output": "9:00"}
            rest = dict(tool_choice="none", max_output_tokens=10, seed=1, **tools)
            await session.send("response.create", input=[result],
                               previous_response_id=first["id"], **rest)
            followed = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            items = [{"role": "user", "content": "Hi"}, *first["output"], result]
            await session.send("response.create", input=items, **rest)
            whole = (await session.until(*waferd.RESPONSE_ENDS))[-1]["response"]
            self.assertEqual(followed["usage"]["input_tokens"], whole["usage"]["input_tokens"])


class Chat(ToolServer):
    """What of Chat Completions has nothing to do with tools, and what clients send."""

    async def test_text_streams_as_it_comes_whole(self):
        asked = {"max_tokens": 30, "temperature": 0.8, "seed": 4}
        choice = self.chat(**asked)["choices"][0]
        content, calls, finish = self.streamed_chat(**asked)
        self.assertEqual(content, choice["message"]["content"])
        self.assertEqual((calls, finish), ([], choice["finish_reason"]))
        status, data = self.post("/v1/responses", {
            "input": [{"role": "user", "content": "Hi"}], "max_output_tokens": 30,
            "temperature": 0.8, "seed": 4})
        text = json.loads(data)["output"][0]["content"][0]["text"]
        self.assertEqual(text, content)

    async def test_a_stop_string_and_usage(self):
        whole = self.chat(max_tokens=40)["choices"][0]["message"]["content"]
        stop = whole[10:13]
        answer = self.chat(max_tokens=40, stop=[stop])
        self.assertEqual(answer["choices"][0]["message"]["content"], whole[: whole.index(stop)])
        self.assertEqual(answer["choices"][0]["finish_reason"], "stop")
        usage = answer["usage"]
        self.assertEqual(usage["total_tokens"], usage["prompt_tokens"] + usage["completion_tokens"])

    async def test_a_form_is_kept_to(self):
        schema = {"type": "object", "properties": {"b": {"type": "boolean"}, "a": {"enum": [1, 2]}},
                  "required": ["b", "a"]}
        form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        for seed in range(4):
            answer = self.chat(response_format=form, temperature=1, seed=seed)
            value = json.loads(answer["choices"][0]["message"]["content"])
            self.assertEqual(list(value), ["b", "a"])
            self.assertIn(value["a"], (1, 2))

    async def test_what_cannot_be_done_is_400_by_name(self):
        hard = {"type": "object", "minProperties": 2}
        for fields, code, param in [
            ({"messages": [{"role": "user", "content": "% " * waferd.CONTEXT}]},
             "context_length_exceeded", "messages"),
            ({"n": 300}, "invalid_field", "n"),
            ({"tool_choice": "required"}, "invalid_field", "tool_choice"),
            ({"tools": chat_tools({"name": "f", "strict": True, "parameters": hard})},
             "invalid_field", "tools[0].function.parameters"),
            ({"tools": chat_tools(NOW), "response_format": {"type": "json_object"}},
             "invalid_field", "response_format"),
            ({"response_format": {"type": "json_schema",
                                  "json_schema": {"strict": True,
                                                  "schema": {"type": "array", "uniqueItems": True}}}},
             "invalid_field", "response_format.json_schema.schema"),
        ]:
            for stream in (False, True):
                body = {"messages": [{"role": "user", "content": "x"}], **fields, "stream": stream}
                status, data = self.post("/v1/chat/completions", body)
                error = json.loads(data)["error"]
                self.assertEqual((status, error["code"], error["param"]), (400, code, param))
                self.assertEqual(error["type"], "invalid_request_error")
                self.assertTrue(error["remedy"])

    async def test_schemas_that_are_not_known_are_kept_to_as_far_as_they_are(self):
        parameters = {"type": "object", "minProperties": 1, "required": ["a"],
                      "properties": {"a": {"type": "integer", "multipleOf": 2}}}
        for seed in range(3):
            answer = self.chat(tools=chat_tools({"name": "f", "parameters": parameters}),
                               tool_choice="required", parallel_tool_calls=False, temperature=1,
                               seed=seed)
            (call,) = answer["choices"][0]["message"]["tool_calls"]
            arguments = json.loads(call["function"]["arguments"])
            self.assertEqual(list(arguments), ["a"])
            self.assertIsInstance(arguments["a"], int)

    async def test_what_codex_sends_is_answered(self):
        """Recorded from Codex 0.169, over HTTP; its texts are shortened."""
        body = json.loads((RECORDINGS / "codex-0.169.json").read_text(encoding="utf-8"))
        status, data = self.post("/v1/responses", {**body, "max_output_tokens": 20})
        self.assertEqual(status, 200, data)
        kinds = [block.split("\n")[0] for block in data.strip().split("\n\n")]
        self.assertEqual(kinds[0], "event: response.created")
        self.assertIn(kinds[-1], ("event: response.incomplete", "event: response.completed"))
        body.update(stream=False, tool_choice="required", parallel_tool_calls=False, temperature=1)
        for seed in range(3):
            answer = json.loads(self.post("/v1/responses", {**body, "seed": seed})[1])
            call = answer["output"][-1]
            tool = next(t for t in body["tools"] if t.get("name") == call["name"])
            arguments = json.loads(call["arguments"])
            self.assertLessEqual(set(tool["parameters"].get("required", [])), set(arguments))
            self.assertLessEqual(set(arguments), set(tool["parameters"]["properties"]))

    async def test_models_are_told_by_name(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        headers = {"Authorization": f"Bearer {self.server.token}"}
        for path, status in [("tiny", 200), ("ti%6ey", 200), ("other/model", 404)]:
            connection.request("GET", f"/v1/models/{path}", headers=headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())
            self.assertEqual(answer.status, status)
            if status == 200:
                self.assertEqual((told["id"], told["details"]["tools"]), ("tiny", True))
            else:
                self.assertEqual(told["error"]["code"], "model_not_found")
        connection.close()


class NoTools(waferd.WaferdTest):
    """A model that has no template, and so does not converse."""

    async def test_tools_are_refused_with_a_remedy(self):
        async with await self.server.session() as session:
            self.assertFalse((await session.alive())["model"]["tools"])
            await session.send("response.create", input="x", tools=flat_tools(NOW))
            error = (await session.until("error"))[-1]["error"]
            self.assertEqual((error["code"], error["field"]), ("invalid_field", "tools"))
            self.assertIn("model that has", error["remedy"])
            # Those that nobody may call are no trouble, nor are those of other kinds.
            for offered in ({"tools": flat_tools(NOW), "tool_choice": "none"},
                            {"tools": [{"type": "web_search"}]}):
                await session.send("response.create", input="x", max_output_tokens=3, **offered)
                last = (await session.until(*waferd.RESPONSE_ENDS, "error"))[-1]
                self.assertIn(last["type"], waferd.RESPONSE_ENDS[:2])


if __name__ == "__main__":
    waferd.main()
