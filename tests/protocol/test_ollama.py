# SPDX-License-Identifier: GPL-3.0-or-later
"""Ollama's API."""

import json
import os
import struct

import test_tools
import waferd

PREFIX, SUFFIX = "int main(int argc", ") {\n  return 0;\n}\n"
OPTIONS = {"num_predict": 12}


def entry(key, value):
    """A metadata entry of a GGUF file: a uint16 or a text."""
    text = isinstance(value, str)
    data = struct.pack("<Q", len(value)) + value.encode() if text else struct.pack("<H", value)
    return struct.pack("<Q", len(key)) + key.encode() + struct.pack("<I", 8 if text else 2) + data


def in_two_parts(model, name):
    """The model once more, with a second part in which there are no tensors. Returns both paths."""
    first, second = (f"{name}-0000{i}-of-00002.gguf" for i in (1, 2))
    with open(model, "rb") as file:
        whole = file.read()
    magic, version, tensors, entries = struct.unpack("<4sIQQ", whole[:24])
    added = entry("split.no", 0) + entry("split.count", 2)
    # Tensors stay where their alignment wants them.
    added += entry("padding", "x" * (-(len(added) + len(entry("padding", ""))) % 32))
    with open(first, "wb") as file:
        file.write(struct.pack("<4sIQQ", magic, version, tensors, entries + 3) + added + whole[24:])
    with open(second, "wb") as file:
        file.write(struct.pack("<4sIQQ", magic, version, 0, 2))
        file.write(entry("split.no", 1) + entry("split.count", 2))
    return first, second


class Ollama(test_tools.ToolServer):
    def ask(self, path, body):
        answer, data = self.server.request("POST", path, {**body, "stream": False})
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    def get(self, path):
        answer, data = self.server.request("GET", path)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    def lines(self, path, body):
        """Without "stream" an answer is streamed."""
        answer, data = self.server.request("POST", path, body)
        self.assertEqual(answer.status, 200, data)
        self.assertEqual(answer.headers["Content-Type"], "application/x-ndjson")
        self.assertTrue(data.endswith(b"\n"))
        return [json.loads(line) for line in data.decode().splitlines()]

    async def test_it_tells_what_there_is(self):
        self.assertRegex(self.get("/api/version")["version"], r"^0\.1[3-9]\.\d+$")
        (tag,) = self.get("/api/tags")["models"]
        self.assertEqual((tag["name"], tag["model"]), ("tiny", "tiny"))
        self.assertEqual(tag["size"], os.path.getsize(self.model))
        self.assertRegex(tag["digest"], "^[0-9a-f]{64}$")
        self.assertRegex(tag["modified_at"], r"^\d{4}-\d\d-\d\dT")
        self.assertEqual(tag["details"]["quantization_level"], "Q8_0")
        (running,) = self.get("/api/ps")["models"]
        self.assertEqual((running["digest"], running["size_vram"]), (tag["digest"], 0))
        self.assertRegex(running["expires_at"], r"^\d{4}-\d\d-\d\dT")
        self.assertEqual((running["name"], running["context_length"]), ("tiny", waferd.CONTEXT))
        for body in ({"model": "tiny"}, {"name": "tiny:latest"}):
            shown = self.ask("/api/show", body)
            self.assertEqual(shown["capabilities"], ["completion", "insert", "tools"])
            self.assertEqual(shown["template"], test_tools.HERMES)
            self.assertEqual(shown["model_info"]["general.basename"], "tiny")
            architecture = shown["model_info"]["general.architecture"]
            self.assertEqual(shown["model_info"][f"{architecture}.context_length"], waferd.CONTEXT)

    async def test_the_size_is_that_of_all_parts(self):
        with waferd.tempfile.TemporaryDirectory() as folder:
            parts = in_two_parts(self.model, os.path.join(folder, "parts"))
            server = waferd.Server(folder, model=parts[0])
            try:
                async with await server.session():
                    _, data = server.request("GET", "/api/tags")
                    (tag,) = json.loads(data)["models"]
                    self.assertEqual(tag["size"], sum(map(os.path.getsize, parts)))
            finally:
                server.stop()

    async def test_a_raw_prompt_is_gone_on_with(self):
        body = {"prompt": PREFIX, "max_tokens": 12}
        _, data = self.server.request("POST", "/v1/completions", body)
        expected = json.loads(data)["choices"][0]["text"]
        raw = {"model": "tiny:latest", "prompt": PREFIX, "raw": True, "options": OPTIONS}
        whole = self.ask("/api/generate", raw)
        self.assertEqual((whole["response"], whole["done"]), (expected, True))
        self.assertEqual((whole["done_reason"], whole["eval_count"]), ("length", 12))
        *pieces, last = self.lines("/api/generate", raw)
        self.assertEqual("".join(piece["response"] for piece in pieces), expected)
        self.assertEqual({piece["done"] for piece in pieces}, {False})
        self.assertEqual((last["done"], last["response"], last["eval_count"]), (True, "", 12))

    async def test_a_suffix_is_filled_in_and_so_are_spelled_tokens(self):
        infill = {"input_prefix": PREFIX, "input_suffix": SUFFIX, "n_predict": 12}
        expected = json.loads(self.server.request("POST", "/infill", infill)[1])["content"]
        self.assertTrue(expected)
        spelled = f"<|fim_prefix|>{PREFIX}<|fim_suffix|>{SUFFIX}<|fim_middle|>"
        for asked in ({"prompt": PREFIX, "suffix": SUFFIX}, {"prompt": spelled, "raw": True}):
            told = self.ask("/api/generate", {"model": "tiny", "options": OPTIONS, **asked})
            self.assertEqual(told["response"], expected)

    async def test_a_conversation_is_answered_as_by_chat_completions(self):
        messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
        body = {"messages": messages, "max_tokens": 12}
        _, data = self.server.request("POST", "/v1/chat/completions", body)
        expected = json.loads(data)["choices"][0]["message"]["content"]
        asked = {"model": "tiny", "messages": messages, "options": OPTIONS}
        told = self.ask("/api/chat", asked)
        self.assertEqual(told["message"], {"role": "assistant", "content": expected})
        lines = self.lines("/api/chat", asked)
        self.assertEqual("".join(line["message"]["content"] for line in lines), expected)
        self.assertEqual([line["done"] for line in lines[-2:]], [False, True])
        generated = self.ask("/api/generate", {"model": "tiny", "system": "Be kind.", "prompt": "Hi",
                                               "options": OPTIONS})
        self.assertEqual(generated["response"], expected)

    async def test_a_schema_is_kept_to(self):
        schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}},
                  "required": ["n"], "additionalProperties": False}
        messages = [{"role": "user", "content": "Hi"}]
        told = self.ask("/api/chat", {"model": "tiny", "messages": messages, "format": schema,
                                      "options": {"num_predict": 400, "temperature": 1, "seed": 2}})
        self.assertEqual(told["done_reason"], "stop")
        self.assertEqual(list(json.loads(told["message"]["content"])), ["n"])

    async def test_calls_and_their_results_go_back_and_forth(self):
        parameters = {"type": "object", "properties": {"n": {"enum": [1, 2]}}, "required": ["n"],
                      "additionalProperties": False}
        tools = [{"type": "function", "function": {"name": "add", "parameters": parameters}}]
        messages = [{"role": "user", "content": "Hi"}]
        asked = {"model": "tiny", "messages": messages, "tools": tools, "tool_choice": "required",
                 "options": {"temperature": 1, "seed": 2}, "parallel_tool_calls": False}
        told = self.ask("/api/chat", asked)
        (call,) = told["message"]["tool_calls"]
        self.assertEqual(call["function"]["name"], "add")
        self.assertIn(call["function"]["arguments"], [{"n": 1}, {"n": 2}])
        self.assertEqual(self.lines("/api/chat", asked)[-1]["message"]["tool_calls"], [call])
        messages += [told["message"], {"role": "tool", "tool_name": "add", "content": "3"}]
        again = self.ask("/api/chat", {"model": "tiny", "messages": messages, "tools": tools,
                                       "options": OPTIONS})
        self.assertGreater(again["prompt_eval_count"], told["prompt_eval_count"])

    async def test_an_empty_request_loads_the_model(self):
        told = self.ask("/api/generate", {"model": "tiny"})
        self.assertEqual((told["response"], told["done_reason"]), ("", "load"))
        told = self.ask("/api/chat", {"model": "tiny", "messages": []})
        self.assertEqual((told["message"]["content"], told["done_reason"]), ("", "load"))

    async def test_an_empty_request_that_keeps_it_for_no_time_unloads_it(self):
        for stay in (0, "0", "0s", "0m"):
            self.ask("/api/generate", {"model": "tiny"})
            told = self.ask("/api/generate", {"model": "tiny", "keep_alive": stay})
            self.assertEqual((told["response"], told["done"], told["done_reason"]), ("", True, "unload"))
            self.assertEqual(self.get("/api/ps")["models"], [], stay)
        for stay in (-1, "5m", "10s", None, 300, "-1m"):
            told = self.ask("/api/chat", {"model": "tiny", "messages": [], "keep_alive": stay})
            self.assertEqual(told["done_reason"], "load", stay)
        told = self.ask("/api/chat", {"model": "tiny", "messages": [], "keep_alive": 0})
        self.assertEqual((told["message"]["content"], told["done_reason"]), ("", "unload"))
        # With text it is loaded again.
        told = self.ask("/api/generate", {"model": "tiny", "prompt": "x", "keep_alive": 0, "options": OPTIONS})
        self.assertEqual((told["done_reason"], told["eval_count"]), ("length", 12))

    async def test_whether_it_runs_is_told_at_its_address(self):
        for method, path, wanted in (("GET", "/", b"Ollama is running"), ("HEAD", "/", b""),
                                     ("GET", f"/t/{self.server.token}", b"Ollama is running"),
                                     ("GET", f"/t/{self.server.token}/", b"Ollama is running")):
            token = "" if path != "/" else None
            answer, data = self.server.request(method, path, token=token)
            self.assertEqual((answer.status, data), (200, wanted), path)
        # Its clients look whether it is there before they show a key.
        self.assertEqual(self.server.request("GET", "/", token="")[0].status, 200)

    async def test_what_is_wrong_is_told_in_its_form(self):
        for path, body, named in [
            ("/api/generate", {"prompt": 5}, "prompt"),
            ("/api/generate", {"prompt": "x", "images": ["aGk="]}, "images"),
            ("/api/generate", {"prompt": "x", "options": {"temperature": "hot"}}, "options.temperature"),
            ("/api/generate", {"prompt": "x", "format": "xml"}, "format"),
            ("/api/generate", {"prompt": "% " * waferd.CONTEXT, "raw": True}, "context"),
            ("/api/chat", {"messages": [{"role": "king", "content": "x"}]}, "messages[0].role"),
            ("/api/chat", "nonsense", "JSON"),
        ]:
            answer, data = self.server.request("POST", path, body)
            self.assertEqual(answer.status, 400, data)
            self.assertIn(named, json.loads(data)["error"])
        answer, data = self.server.request("POST", "/api/show", {"model": "other"})
        self.assertEqual(answer.status, 404)
        self.assertIn("other", json.loads(data)["error"])


if __name__ == "__main__":
    waferd.main()
