# SPDX-License-Identifier: GPL-3.0-or-later
"""What clients of other servers send out of the ordinary, and those servers take."""

import gzip
import http.client
import json
import socket
import zlib

import test_tools
import waferd

HI = [{"role": "user", "content": "Hi"}]


class Forgiving(test_tools.ToolServer):
    def ask(self, path, body, method="POST", **options):
        answer, data = self.server.request(method, path, body, **options)
        self.assertEqual(answer.status, 200, (path, body, data))
        return json.loads(data)

    async def test_numbers_out_of_the_ordinary_are_held_to_the_limits(self):
        few = {"max_tokens": 2}
        for path, base in [("/v1/chat/completions", {"messages": HI}), ("/v1/completions", {"prompt": "x"}),
                           ("/completion", {"prompt": "x"}), ("/v1/messages", {"messages": HI})]:
            for odd in [{"temperature": 2.5}, {"temperature": -1}, {"top_k": -1}, {"top_k": 1e9}, {"seed": -1},
                        {"top_p": 1.5}, {"min_p": -1}, {"temperature": 5, "seed": 2**60}]:
                self.ask(path, {**base, **few, **odd})
        for penalty in (0, 3, -1, 1e9):
            self.ask("/completion", {"prompt": "x", "n_predict": 2, "repeat_penalty": penalty})
        self.ask("/v1/responses", {"input": "x", "max_output_tokens": 3, "temperature": 2.5})
        self.ask("/api/generate", {"prompt": "x", "stream": False, "options": {"num_predict": 2, "temperature": 3}})

    async def test_a_limit_of_tokens_may_be_any_number(self):
        stop = {"stop": ["e", "a", "\n", " "]}
        for most in (-1, -2, 2**31 - 1, 2**40):
            self.ask("/v1/chat/completions", {"messages": HI, "max_tokens": most, **stop})
            self.ask("/v1/completions", {"prompt": "x", "max_tokens": most, **stop})
            self.ask("/completion", {"prompt": "x", "n_predict": most, **stop})
        (choice,) = self.ask("/v1/chat/completions", {"messages": HI, "max_tokens": 0})["choices"]
        self.assertEqual((choice["message"]["content"], choice["finish_reason"]), ("", "length"))
        told = self.ask("/api/generate", {"prompt": "x", "stream": False, "options": {"num_predict": 0}})
        self.assertEqual((told["response"], told["done_reason"]), ("", "length"))

    async def test_without_a_seed_each_text_is_another(self):
        for path, base in [("/v1/chat/completions", {"messages": HI, "max_tokens": 20}),
                           ("/completion", {"prompt": "x", "n_predict": 20}),
                           ("/completion", {"prompt": "x", "n_predict": 20, "seed": -1})]:
            texts = {json.dumps(self.ask(path, {**base, "temperature": 1}).get("choices") or
                                self.ask(path, {**base, "temperature": 1})["content"]) for _ in range(4)}
            self.assertGreater(len(texts), 1)

    async def test_a_request_may_have_many_stop_strings_and_tools(self):
        stop = [f"never {i}" for i in range(40)]
        self.ask("/v1/chat/completions", {"messages": HI, "max_tokens": 2, "stop": stop})
        self.ask("/completion", {"prompt": "x", "n_predict": 2, "stop": stop})
        self.ask("/api/generate", {"prompt": "x", "stream": False, "options": {"num_predict": 2, "stop": stop}})
        self.ask("/v1/messages", {"messages": HI, "max_tokens": 2, "stop_sequences": stop})
        tools = test_tools.chat_tools(*({"name": f"tool_{i}"} for i in range(129)))
        self.ask("/v1/chat/completions", {"messages": HI, "max_tokens": 2, "tools": tools})

    async def test_histories_of_other_servers_are_taken(self):
        def counted(*messages):
            asked = {"messages": [*HI, *messages], "max_tokens": 1, "tools": test_tools.chat_tools(test_tools.NOW)}
            return self.ask("/v1/chat/completions", asked)["usage"]["prompt_tokens"]

        def call(arguments, **fields):
            function = {"name": "now", "arguments": arguments}
            return {"role": "assistant", "content": None, "tool_calls": [{"function": function, **fields}]}

        usual = [call('{"a": 1}', id="c1", type="function"), {"role": "tool", "tool_call_id": "c1", "content": "3"}]
        # Calls without an id, and results of these.
        self.assertEqual(counted(call('{"a": 1}'), {"role": "tool", "content": "3"}), counted(*usual))
        # Arguments that are an object.
        self.assertEqual(counted(call({"a": 1}, id="c1"), usual[1]), counted(*usual))
        # An answer that was cut off before it said anything, and a tool that printed nothing.
        self.assertEqual(counted({"role": "assistant", "content": None}, *HI),
                         counted({"role": "assistant", "content": ""}, *HI))
        self.assertEqual(counted(usual[0], {**usual[1], "content": None}), counted(usual[0], {**usual[1], "content": ""}))
        custom = {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "custom", "custom": {"name": "now", "input": "x"}}]}
        self.assertEqual(counted(custom, usual[1]), counted(call('{"input": "x"}', id="c1"), usual[1]))
        # A picture that a tool gave is left out, and the model is told so.
        picture = {**usual[1], "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}
        told = {**usual[1], "content": "[An image was left out here: this model reads text only.]"}
        self.assertEqual(counted(usual[0], picture), counted(usual[0], told))

    async def test_a_picture_in_the_output_of_a_function_is_told_as_left_out(self):
        items = [{"role": "user", "content": "a"},
                 {"type": "function_call", "call_id": "c", "name": "now", "arguments": "{}"},
                 {"type": "function_call_output", "call_id": "c",
                  "output": [{"type": "input_image", "image_url": "data:,"}]}]
        self.ask("/v1/responses", {"input": items, "max_output_tokens": 1})

    async def test_nothing_may_stand_for_an_empty_text_and_for_no_arguments(self):
        def counted(path, fields, *messages):
            told = self.ask(path, {"stream": False, **fields, "messages": list(messages)})
            usage = told.get("usage") or {"prompt_tokens": told.get("prompt_eval_count")}
            return usage.get("prompt_tokens") or usage["input_tokens"]

        few = {"max_tokens": 1, "options": {"num_predict": 1}}
        for path in ("/v1/chat/completions", "/api/chat", "/v1/messages"):
            for role in ("system", "user", "assistant"):
                with self.subTest(path=path, role=role):
                    empty, null = ({"role": role, "content": content} for content in ("", None))
                    self.assertEqual(counted(path, few, *HI, null, *HI), counted(path, few, *HI, empty, *HI))
        parts = {"role": "user", "content": [{"type": "text", "text": None}, {"type": "text", "text": "a"}]}
        self.assertEqual(counted("/v1/chat/completions", few, parts),
                         counted("/v1/chat/completions", few, {"role": "user", "content": "\na"}))
        functions = {"tools": test_tools.chat_tools(test_tools.NOW)}
        for path in ("/v1/chat/completions", "/api/chat"):
            told = [counted(path, {**few, **functions}, *HI, {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "now", **arguments}}]},
                {"role": "tool", "tool_call_id": "c1", "content": None})
                for arguments in ({"arguments": None}, {}, {"arguments": {}}, {"arguments": "{}"})]
            self.assertEqual(len(set(told)), 1, (path, told))
        for item in ({"role": "assistant", "content": None}, {"role": "user", "content": None},
                     {"type": "function_call", "call_id": "c", "name": "now", "arguments": None},
                     {"type": "function_call_output", "call_id": "c", "output": None}):
            self.ask("/v1/responses", {"input": [*HI, item, *HI], "max_output_tokens": 1})
        block = {"type": "tool_use", "id": "c", "name": "now", "input": None}
        self.ask("/v1/messages", {"max_tokens": 1, "system": None, "messages": [
            *HI, {"role": "assistant", "content": [block]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": None}]}]})

    async def test_arguments_stay_in_the_order_in_which_they_were_sent(self):
        call = {"role": "assistant", "content": "", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "now", "arguments": {"z": 1, "a": {"y": 2, "b": 3}}}}]}
        (told,) = [self.ask("/apply-template", {"messages": [*HI, call], "tools": test_tools.chat_tools(test_tools.NOW)})]
        self.assertLess(told["prompt"].index('"z"'), told["prompt"].index('"a"'))
        self.assertLess(told["prompt"].index('"y"'), told["prompt"].index('"b"'))

    async def test_functions_were_tools_once(self):
        older = {"functions": [test_tools.NOW], "function_call": {"name": "now"}}
        (choice,) = self.ask("/v1/chat/completions", {"messages": HI, **older})["choices"]
        call = choice["message"]["function_call"]
        self.assertEqual((call["name"], json.loads(call["arguments"])), ("now", {}))
        self.assertNotIn("tool_calls", choice["message"])
        self.assertEqual((choice["message"]["content"], choice["finish_reason"]), (None, "function_call"))
        _, data = self.server.request("POST", "/v1/chat/completions", {"messages": HI, "stream": True, **older})
        events = [json.loads(block[6:]) for block in data.decode().strip().split("\n\n")[:-1]]
        deltas = [event["choices"][0]["delta"] for event in events]
        pieces = [delta["function_call"] for delta in deltas if "function_call" in delta]
        self.assertEqual((pieces[0]["name"], json.loads("".join(piece["arguments"] for piece in pieces))), ("now", {}))
        self.assertEqual(events[-1]["choices"][0]["finish_reason"], "function_call")
        # What was called, and what it gave.
        history = [*HI, {"role": "assistant", "content": None, "function_call": {"name": "now", "arguments": "{}"}},
                   {"role": "function", "name": "now", "content": "3"}]
        call = {"id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
        newer = [*HI, {"role": "assistant", "content": None, "tool_calls": [call]},
                 {"role": "tool", "tool_call_id": "c1", "content": "3"}]
        self.assertEqual(
            self.ask("/apply-template", {"messages": history, "functions": [test_tools.NOW]}),
            self.ask("/apply-template", {"messages": newer, "tools": test_tools.chat_tools(test_tools.NOW)}))
        (choice,) = self.ask("/v1/chat/completions", {"messages": HI, "max_tokens": 2, "functions": [test_tools.NOW],
                                                      "function_call": "none"})["choices"]
        self.assertNotIn("function_call", choice["message"])

    async def test_how_a_text_was_sampled_is_told(self):
        told = self.ask("/completion", {"prompt": "x", "n_predict": 2, "temperature": 0.5, "seed": 7, "stop": ["never"],
                                        "logit_bias": [[5, False]], "dry_multiplier": 0.8})["generation_settings"]
        for name, value in {"temperature": 0.5, "seed": 7, "n_predict": 2, "stop": ["never"], "stream": False, "top_k": 40,
                            "ignore_eos": False}.items():
            self.assertEqual(told[name], value, name)
        self.assertAlmostEqual(told["dry_multiplier"], 0.8, 5)
        self.assertEqual(told["logit_bias"][0]["token"], 5)
        seeds = {self.ask("/completion", {"prompt": "x", "n_predict": 1})["generation_settings"]["seed"] for _ in range(3)}
        self.assertEqual(len(seeds), 3)  # a random one, with which the text can be had again
        chosen = self.ask("/completion", {"prompt": "x", "n_predict": 1, "response_fields": ["generation_settings/top_k"]})
        self.assertEqual(chosen, {"generation_settings/top_k": 40})
        usual = json.loads(self.server.request("GET", "/props")[1])["default_generation_settings"]["params"]
        self.assertLess(usual.keys(), told.keys())

    async def test_what_ollama_does_to_its_files_is_refused_with_the_reason(self):
        for method, path in (("POST", "/api/create"), ("POST", "/api/copy"), ("POST", "/api/push"),
                             ("DELETE", "/api/delete"), ("POST", "/api/blobs/sha256:00")):
            answer, data = self.server.request(method, path, {"model": "tiny", "source": "tiny", "destination": "other"})
            self.assertEqual(answer.status, 501, path)
            self.assertEqual(list(json.loads(data)), ["error"])
            self.assertRegex(json.loads(data)["error"], r" here[:.] ")

    async def test_forms_of_other_servers_are_kept_to(self):
        schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"],
                  "additionalProperties": False}
        for form in ({"response_format": {"type": "json_object", "schema": schema}},
                     {"response_format": {"type": "json_schema", "schema": schema}},
                     {"json_schema": schema}, {"guided_json": schema}, {"guided_json": json.dumps(schema)},
                     {"structured_outputs": {"json": schema}}):
            answer = self.ask("/v1/chat/completions", {"messages": HI, "max_tokens": 60, **form})
            self.assertIn(json.loads(answer["choices"][0]["message"]["content"]), [{"a": True}, {"a": False}], form)
            self.assertNotIn("not_kept", answer)
        for form in ({"grammar": 'root ::= "yes" | "no"'}, {"guided_choice": ["yes", "no"]},
                     {"guided_grammar": 'root ::= "yes" | "no"'}, {"structured_outputs": {"choice": ["yes", "no"]}}):
            answer = self.ask("/v1/chat/completions", {"messages": HI, **form})
            self.assertIn(answer["choices"][0]["message"]["content"], ("yes", "no"), form)
        answer, data = self.server.request("POST", "/v1/chat/completions", {"messages": HI, "guided_regex": "a+"})
        self.assertEqual((answer.status, json.loads(data)["error"]["param"]), (400, "guided_regex"))

    async def test_what_of_a_schema_cannot_be_kept_is_told(self):
        schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True,
                                                         "maxItems": 2}}, "required": ["a"], "additionalProperties": False}
        told = ["#/properties/a: uniqueItems"]
        form = {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}}
        answer = self.ask("/v1/chat/completions", {"messages": HI, **form})
        self.assertEqual(answer["not_kept"], told)
        self.assertLess(len(json.loads(answer["choices"][0]["message"]["content"])["a"]), 3)
        _, data = self.server.request("POST", "/v1/chat/completions", {"messages": HI, "stream": True, **form})
        self.assertIn(json.dumps({"not_kept": told}, separators=(",", ":"))[1:-1], data.decode())
        self.assertEqual(self.ask("/api/chat", {"messages": HI, "stream": False, "format": schema})["not_kept"], told)
        self.assertEqual(self.ask("/completion", {"prompt": "x", "json_schema": schema})["not_kept"], told)
        text = {"format": {"type": "json_schema", "name": "n", "schema": schema}}
        self.assertEqual(self.ask("/v1/responses", {"input": HI, "text": text})["not_kept"], told)
        form["response_format"]["json_schema"]["strict"] = True
        answer, data = self.server.request("POST", "/v1/chat/completions", {"messages": HI, **form})
        self.assertEqual(answer.status, 400, data)
        self.assertIn("uniqueItems", data.decode())

    async def test_paths_of_other_servers_are_served(self):
        self.ask("/chat/completions", {"messages": HI, "max_tokens": 1})
        self.ask("/completions", {"prompt": "x", "max_tokens": 1})
        self.assertEqual(self.ask("/models", None, "GET"), self.ask("/v1/models", None, "GET"))
        self.ask("/api/v0/chat/completions", {"messages": HI, "max_tokens": 1})
        self.ask("/api/v0/completions", {"prompt": "x", "max_tokens": 1})
        self.assertEqual(self.ask("/lora-adapters", None, "GET"), [])
        (listed,) = self.ask("/api/v0/models", None, "GET")["data"]
        self.assertEqual((listed["id"], listed["type"], listed["state"]), ("tiny", "llm", "loaded"))
        self.assertEqual(self.ask("/api/v0/models/tiny", None, "GET"), listed)
        (catalog,) = self.ask("/api/v1/models", None, "GET")["models"]
        self.assertEqual((catalog["key"], catalog["max_context_length"]), ("tiny", waferd.CONTEXT))
        self.assertEqual(self.server.request("GET", "/api/v0/models/other")[0].status, 404)

    async def test_ollama_clients_find_a_server_without_a_token(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        connection.request("HEAD", "/")
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()

    async def test_a_name_may_have_the_usual_tag(self):
        self.ask("/v1/models/tiny:latest", None, "GET")
        self.assertEqual(self.server.request("GET", "/v1/models/other:latest")[0].status, 404)

    async def test_keys_of_other_apis_are_the_token(self):
        for name in ("api-key", "x-api-key", "x-goog-api-key"):
            for key, status in ((self.server.token, 200), ("wrong", 401)):
                answer, _ = self.server.request("GET", "/v1/models", token="", headers={name: key})
                self.assertEqual(answer.status, status)

    async def test_windows_of_programs_are_let_in_with_a_token(self):
        for origin in ("app://obsidian.md", "http://tauri.localhost", "tauri://localhost"):
            asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
            answer, _ = self.server.request("OPTIONS", "/v1/chat/completions", token="", headers=asked)
            self.assertEqual((answer.status, answer.headers["Access-Control-Allow-Origin"]), (204, origin))
            for token, status in ((None, 200), ("", 401)):
                answer, _ = self.server.request("GET", "/v1/models", token=token, headers={"Origin": origin})
                self.assertEqual(answer.status, status)
        answer, _ = self.server.request("GET", "/v1/models", headers={"Origin": "https://evil.example"})
        self.assertEqual(answer.status, 403)

    def packed(self, body, coding):
        answer, data = self.server.request("POST", "/v1/completions", body, headers={"Content-Encoding": coding})
        return answer.status, json.loads(data)

    async def test_a_body_may_be_compressed(self):
        asked = {"prompt": "int main", "max_tokens": 8}
        text = json.dumps(asked).encode()
        plain = self.ask("/v1/completions", asked)["choices"]
        for coding, body in (("gzip", gzip.compress(text)), ("X-GZIP", gzip.compress(text)), ("deflate", zlib.compress(text))):
            status, told = self.packed(body, coding)
            self.assertEqual((status, told.get("choices")), (200, plain), (coding, told))
        # One whose text is long, on a connection that goes on.
        long = json.dumps({**asked, "prompt": "x " * (400 << 10), "max_tokens": 0}).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        for body, coding, status in ((gzip.compress(long), "gzip", 400), (text, "identity", 200)):
            connection.request("POST", "/v1/completions", body, {"Authorization": f"Bearer {self.server.token}", "Content-Encoding": coding})
            answer = connection.getresponse()
            self.assertEqual(answer.status, status)
            told = json.loads(answer.read())
            self.assertEqual(told.get("error", {}).get("code"), "context_length_exceeded" if status == 400 else None)
        connection.close()

    async def test_a_compressed_body_is_refused_as_what_it_is(self):
        text = json.dumps({"prompt": "x", "max_tokens": 1}).encode()
        whole = gzip.compress(text)
        for body in (b"\x1f\x8b", b"", text, whole[:-1], whole[:12] + b"\x00\x01" + whole[14:], whole + b"x", whole + whole):
            status, told = self.packed(body, "gzip")
            self.assertEqual((status, told["error"]["code"]), (400, "malformed_request"), body)
        # A few bytes that stand for a gigabyte are never made so many.
        bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
        body = b"".join(bomb.compress(b" " * (1 << 20)) for _ in range(1024)) + bomb.flush()
        self.assertEqual(self.packed(body, "gzip")[0], 413)
        for coding in ("br", "zstd", "gzip, gzip"):
            status, told = self.packed(whole, coding)
            self.assertEqual(status, 415)
            self.assertIn(coding, told["error"]["message"])

    async def test_slots_are_told_and_not_saved(self):
        for action in ("save", "restore", "erase"):
            answer, data = self.server.request("POST", f"/slots/0?action={action}", {"filename": "x.bin"})
            self.assertEqual((answer.status, json.loads(data)["error"]["type"]), (501, "not_supported_error"))
        slots = self.ask("/slots?fail_on_no_slot=1", None, "GET")
        self.assertEqual({slot["is_processing"] for slot in slots}, {False})

    async def test_models_are_loaded_and_unloaded_as_llama_server_and_ollama_have_it(self):
        for path in ("/models/unload", "/models/load"):
            self.assertEqual(self.ask(path, {"model": "tiny"}), {"success": True})
            self.assertEqual(self.server.request("POST", path, {"model": "other"})[0].status, 404)
        self.ask("/completion", {"prompt": "x", "n_predict": 1})
        self.assertEqual(self.ask("/api/pull", {"model": "tiny:latest", "stream": False}), {"status": "success"})
        self.assertEqual(self.ask("/api/pull", {"name": "tiny"}), {"status": "success"})
        self.assertEqual(self.server.request("POST", "/api/pull", {"model": "other"})[0].status, 404)

    @staticmethod
    def has_ipv6():
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::1", 0))
        except OSError:
            return False
        return True

    async def test_localhost_may_be_either_address(self):
        if not self.has_ipv6():
            self.skipTest("this computer has no ::1")
        connection = http.client.HTTPConnection("::1", self.server.port, waferd.PATIENCE)
        connection.request("GET", "/health")
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()


class WhileLoading(waferd.unittest.IsolatedAsyncioTestCase):
    async def test_health_is_503(self):
        with waferd.tempfile.TemporaryDirectory() as folder:
            with waferd.Server(folder, model=waferd.make_model(folder, large=True)) as server:
                seen = []
                while not seen or seen[-1][1] == "loading":
                    answer, data = server.request("GET", "/health", token="")
                    seen.append((answer.status, json.loads(data)["state"]))
        for status, state in seen:
            self.assertEqual(status, 503 if state == "loading" else 200)
        self.assertEqual(seen[-1], (200, "ready"))


if __name__ == "__main__":
    waferd.main()
