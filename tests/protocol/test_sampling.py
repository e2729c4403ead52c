# SPDX-License-Identifier: GPL-3.0-or-later
"""How tokens are sampled, and how likely they were, as other servers' clients ask for it."""

import json
import math
import os
import struct

import test_tools
import waferd

HI = [{"role": "user", "content": "Hi"}]
FEW = {"prompt": "x", "n_predict": 12}


class Sampling(test_tools.ToolServer):
    def ask(self, path, body):
        answer, data = self.server.request("POST", path, body)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    def completion(self, **fields):
        return self.ask("/completion", {**FEW, **fields})["content"]

    def events(self, path, body):
        answer, data = self.server.request("POST", path, {**body, "stream": True})
        self.assertEqual(answer.status, 200, data)
        lines = [line.removeprefix("data: ") for line in data.decode().splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{")]

    async def test_each_sampler_changes_the_text(self):
        plain = self.completion(n_predict=60)
        for fields in ({"presence_penalty": 9}, {"frequency_penalty": 9}, {"dry_multiplier": 90, "dry_allowed_length": 0}):
            self.assertNotEqual(self.completion(n_predict=60, **fields), plain, fields)
        drawn = {"temperature": 2, "seed": 3, "n_predict": 60}
        plain = self.completion(**drawn)
        for fields in ({"typical_p": 0.2}, {"xtc_probability": 1, "xtc_threshold": 0.001}, {"mirostat": 1, "mirostat_tau": 1},
                       {"mirostat": 2, "mirostat_tau": 1}, {"top_n_sigma": 0.5}):
            self.assertNotEqual(self.completion(**drawn, **fields), plain, fields)
            self.assertEqual(self.completion(**drawn, **fields), self.completion(**drawn, **fields), fields)

    async def test_biases_come_in_each_form(self):
        first = self.completion(n_predict=1)
        (token,) = self.ask("/tokenize", {"content": first})["tokens"]
        for bias in ([[token, False]], [[token, -100]], {str(token): -100}, [[first, False]], {first: -100}):
            self.assertNotEqual(self.completion(n_predict=1, logit_bias=bias), first, bias)
            self.assertNotEqual(self.ask("/infill", {"input_prefix": "x", "input_suffix": "", "n_predict": 1, "min_probability": 0,
                                                     "logit_bias": [[t, False] for t in range(0, 250)]})["content"][:1].encode()[:1],
                                b"a")
        self.assertEqual(self.completion(n_predict=3, logit_bias=[["z", 100]]), "zzz")

    async def test_what_ends_a_text_may_be_passed_over(self):
        told = self.ask("/completion", {"prompt": "x", "n_predict": 40, "ignore_eos": True, "temperature": 1})
        self.assertEqual(told["tokens_predicted"], 40)

    def check_chances(self, told, text):
        self.assertEqual("".join(one["token"] for one in told), text)
        for one in told:
            self.assertEqual(bytes(one["bytes"]).decode(errors="replace"), one["token"])
            self.assertEqual(len(one["top_logprobs"]), 3)
            self.assertAlmostEqual(one["top_logprobs"][0]["logprob"], one["logprob"], places=4)  # it is greedy
            self.assertLess(sum(math.exp(other["logprob"]) for other in one["top_logprobs"]), 1.001)

    async def test_probabilities_are_told_in_each_dialect(self):
        ascii_only = {"logit_bias": {str(token): -100 for token in range(128, 320)}}
        chat = {"messages": HI, "max_tokens": 6, "logprobs": True, "top_logprobs": 3, **ascii_only}
        (choice,) = self.ask("/v1/chat/completions", chat)["choices"]
        self.check_chances(choice["logprobs"]["content"], choice["message"]["content"])
        chunks = [event["choices"][0] for event in self.events("/v1/chat/completions", chat)]
        told = [one for chunk in chunks for one in (chunk["logprobs"] or {}).get("content", [])]
        self.check_chances(told, choice["message"]["content"])
        answer = self.ask("/completion", {"prompt": "x", "n_predict": 6, "n_probs": 3, **ascii_only})
        self.check_chances(answer["completion_probabilities"], answer["content"])
        answer = self.ask("/api/generate", {"prompt": "x", "stream": False, "logprobs": True, "top_logprobs": 3,
                                            "options": {"num_predict": 6, **ascii_only}})
        self.check_chances(answer["logprobs"], answer["response"])
        (choice,) = self.ask("/v1/completions", {"prompt": "x", "max_tokens": 6, "logprobs": 3, **ascii_only})["choices"]
        self.assertEqual({len(others) for others in choice["logprobs"]["top_logprobs"]}, {3})

    async def test_a_prompt_may_be_tokens_or_both(self):
        ids = self.ask("/tokenize", {"content": "int main"})["tokens"]
        for path, field in (("/completion", "n_predict"), ("/v1/completions", "max_tokens")):
            def text(prompt):
                answer = self.ask(path, {"prompt": prompt, field: 8})
                return answer.get("content") or answer["choices"][0]["text"]

            self.assertEqual(text(ids), text([ids]))
            self.assertEqual(text(["int", *ids[len(self.ask("/tokenize", {"content": "int"})["tokens"]):]]), text(ids))
            answer, data = self.server.request("POST", path, {"prompt": [1 << 20], field: 8})
            self.assertIn("vocabulary", data.decode())

    async def test_several_answers_come_at_once(self):
        drawn = {"messages": HI, "max_tokens": 8, "temperature": 1, "seed": 5}
        answer = self.ask("/v1/chat/completions", {**drawn, "n": 3})
        self.assertEqual([choice["index"] for choice in answer["choices"]], [0, 1, 2])
        texts = [choice["message"]["content"] for choice in answer["choices"]]
        self.assertGreater(len(set(texts)), 1)
        self.assertEqual(texts[0], self.ask("/v1/chat/completions", drawn)["choices"][0]["message"]["content"])
        self.assertEqual(answer["usage"]["completion_tokens"], 24)
        streamed = ["", "", ""]
        _, data = self.server.request("POST", "/v1/chat/completions", {**drawn, "n": 3, "stream": True})
        self.assertEqual(data.decode().count("[DONE]"), 1)
        for event in self.events("/v1/chat/completions", {**drawn, "n": 3}):
            for choice in event["choices"]:
                streamed[choice["index"]] += choice["delta"].get("content") or ""
        self.assertEqual(streamed, texts)

    async def test_several_prompts_are_answered_at_once(self):
        prompts = ["int main", "for (", self.ask("/tokenize", {"content": "while"})["tokens"]]
        alone = [self.ask("/completion", {"prompt": prompt, "n_predict": 6})["content"] for prompt in prompts]
        together = self.ask("/completion", {"prompt": prompts, "n_predict": 6})
        self.assertEqual([one["content"] for one in together], alone)
        answer = self.ask("/v1/completions", {"prompt": prompts, "max_tokens": 6, "n": 2})
        self.assertEqual([choice["text"] for choice in answer["choices"]],
                         [text for text in alone for _ in range(2)])
        self.assertEqual([choice["index"] for choice in answer["choices"]], list(range(6)))
        answer, _ = self.server.request("POST", "/v1/completions", {"prompt": ["x"] * 65})
        self.assertEqual(answer.status, 400)

    async def test_reading_is_told_where_that_is_asked_for(self):
        long = "int x = 1;\n" * 60
        for path, body in (("/completion", {"prompt": long, "n_predict": 1}),
                           ("/v1/responses", {"input": long, "max_output_tokens": 1}),
                           ("/v1/chat/completions", {"messages": [{"role": "user", "content": long}], "max_tokens": 1})):
            told = [event["prompt_progress"] for event in self.events(path, {**body, "return_progress": True})
                    if "prompt_progress" in event]
            self.assertTrue(told)
            self.assertEqual(told[-1]["processed"], told[-1]["total"])
            counts = [one["processed"] for one in told]
            self.assertEqual(counts, sorted(counts))
            self.assertFalse(any("prompt_progress" in event for event in self.events(path, body)))


    async def test_a_text_may_begin_with_its_prompt(self):
        asked = {"prompt": "int main", "max_tokens": 6}
        plain = self.ask("/v1/completions", asked)["choices"][0]["text"]
        echoed = {**asked, "echo": True}
        self.assertEqual(self.ask("/v1/completions", echoed)["choices"][0]["text"], "int main" + plain)
        chunks = [event["choices"][0]["text"] for event in self.events("/v1/completions", echoed)]
        self.assertEqual("".join(chunks), "int main" + plain)
        ids = self.ask("/tokenize", {"content": "int main"})["tokens"]
        self.assertEqual(self.ask("/v1/completions", {**echoed, "prompt": ids})["choices"][0]["text"], "int main" + plain)
        self.assertEqual(self.ask("/v1/completions", {**echoed, "max_tokens": 0})["choices"][0]["text"], "int main")
        answer, _ = self.server.request("POST", "/v1/completions", {**echoed, "suffix": "}"})
        self.assertEqual(answer.status, 400)

    async def test_prompts_are_measured_as_harnesses_ask_for_it(self):
        # As lm-eval does: how likely is the end of a text behind its beginning?
        context, rest = (self.ask("/tokenize", {"content": text})["tokens"] for text in ("int main() { " * 8, "return 0;"))
        measured = {"prompt": [context + rest], "max_tokens": 1, "echo": True, "logprobs": 2}
        for _ in range(2):  # what is in the caches changes nothing
            (choice,) = self.ask("/v1/completions", measured)["choices"]
            told = choice["logprobs"]
            count = len(context) + len(rest) + 1
            self.assertEqual([len(told[key]) for key in ("tokens", "token_logprobs", "top_logprobs", "text_offset")], [count] * 4)
            self.assertEqual("".join(told["tokens"]), choice["text"])
            self.assertEqual((told["token_logprobs"][0], told["top_logprobs"][0]), (None, None))
            for at in range(len(context), count - 1):
                # The same as where the token was the next of a shorter prompt, which a bias has chosen.
                token = (context + rest)[at]
                alone = self.ask("/v1/completions", {"prompt": (context + rest)[:at], "max_tokens": 1, "logprobs": 2})
                likeliest = alone["choices"][0]["logprobs"]["top_logprobs"][0]
                self.assertEqual(likeliest, told["top_logprobs"][at])
                self.assertLessEqual(told["token_logprobs"][at], max(likeliest.values()), token)
        # A text that the model would write itself is the likeliest, to the last bit.
        written = self.ask("/completion", {"prompt": context, "n_predict": 12, "n_probs": 1})["completion_probabilities"]
        own = context + [one["id"] for one in written]
        (choice,) = self.ask("/v1/completions", {**measured, "prompt": own})["choices"]
        told = choice["logprobs"]
        for at in range(len(context), len(own)):
            self.assertEqual(told["token_logprobs"][at], max(told["top_logprobs"][at].values()))
        # Several prompts in one request, and one piece by piece.
        answer = self.ask("/v1/completions", {**measured, "prompt": [own, context + rest]})
        self.assertEqual([one["logprobs"] for one in answer["choices"]][0], told)
        events = self.events("/v1/completions", {**measured, "prompt": own})
        streamed = [value for event in events for value in (event["choices"][0]["logprobs"] or {}).get("token_logprobs", [])]
        self.assertEqual(streamed, told["token_logprobs"])

    async def test_tokens_are_told_where_that_is_asked_for(self):
        told = self.ask("/completion", {**FEW, "return_tokens": True})
        self.assertEqual(len(told["tokens"]), told["tokens_predicted"])
        self.assertEqual(self.ask("/completion", FEW)["tokens"], [])
        self.assertNotIn("completion_probabilities", told)
        streamed = [token for event in self.events("/completion", {**FEW, "return_tokens": True}) for token in event.get("tokens", [])]
        self.assertEqual(streamed, told["tokens"])

    async def test_twenty_others_are_told_with_a_token(self):
        chat = {"messages": HI, "max_tokens": 2, "logprobs": True, "top_logprobs": 20}
        (choice,) = self.ask("/v1/chat/completions", chat)["choices"]
        for one in choice["logprobs"]["content"]:
            values = [other["logprob"] for other in one["top_logprobs"]]
            self.assertEqual((len(values), values), (20, sorted(values, reverse=True)))


class Defaults(waferd.unittest.IsolatedAsyncioTestCase):
    """What is sampled by where a request says nothing: what the model's file says, or else the dialect."""

    KEY = b"general.sampling.temp"
    ASKED = (
        ("/v1/chat/completions", {"messages": HI, "max_tokens": 24}),
        ("/v1/completions", {"prompt": "x", "max_tokens": 24}),
        ("/v1/responses", {"input": HI, "max_output_tokens": 24}),
        ("/v1/messages", {"messages": HI, "max_tokens": 24}),
        ("/completion", {"prompt": "x", "n_predict": 24}),
        ("/api/chat", {"messages": HI, "stream": False, "options": {"num_predict": 24}}),
        ("/api/generate", {"prompt": "x", "stream": False, "options": {"num_predict": 24}}),
    )

    def setUp(self):
        self.folder = waferd.tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        with open(waferd.make_model(self.folder.name, chat_template=test_tools.HERMES), "rb") as file:
            self.bytes = file.read()
        self.assertEqual(self.bytes.count(self.KEY), 1)

    def serve(self, change):
        path = os.path.join(self.folder.name, "changed.gguf")
        with open(path, "wb") as file:
            file.write(change(self.bytes))
        server = waferd.Server(self.folder.name, model=path)
        self.addCleanup(server.stop)
        server.wait_until_loaded()
        return server

    @staticmethod
    def text(server, path, body):
        """The answer, which may be empty."""
        answer, data = server.request("POST", path, body)
        assert answer.status == 200, data
        told = json.loads(data)
        if "choices" in told:
            choice = told["choices"][0]
            return choice["text"] if "text" in choice else choice["message"]["content"]
        if "output" in told:
            return "".join(part["text"] for item in told["output"] for part in item.get("content", []))
        content = told["message"]["content"] if "message" in told else told.get("content", told.get("response"))
        return content if isinstance(content, str) else "".join(part["text"] for part in content)

    def texts(self, server, path, body):
        return {self.text(server, path, body) for _ in range(4)}

    def with_value(self, value):
        # Behind the key: the type, a float, and the value.
        end = self.bytes.index(self.KEY) + len(self.KEY) + 4
        return lambda data: data[:end] + struct.pack("<f", value) + data[end + 4 :]

    async def test_without_settings_in_the_file_texts_differ(self):
        server = self.serve(lambda data: data.replace(self.KEY, b"general.sampling.none"))
        for path, body in self.ASKED:
            with self.subTest(path):
                self.assertGreater(len(self.texts(server, path, body)), 1)
                greedy = {**body, "options": {**body["options"], "temperature": 0}} if "options" in body else {**body, "temperature": 0}
                self.assertEqual(len(self.texts(server, path, greedy)), 1)
        # What fills a gap is the likeliest text all the same.
        gap = {"prompt": "int main() {", "suffix": "}", "max_tokens": 24}
        self.assertEqual(len(self.texts(server, "/v1/completions", gap)), 1)
        self.assertEqual(len(self.texts(server, "/infill", {"input_prefix": "int ", "input_suffix": "}", "n_predict": 24})), 1)
        params = json.loads(server.request("GET", "/props")[1])["default_generation_settings"]["params"]
        self.assertAlmostEqual(params["temperature"], 0.8, places=6)
        self.assertEqual(params["top_k"], 40)

    async def test_the_file_says_how_it_is_sampled(self):
        for value, differ in ((0, False), (1.5, True)):
            server = self.serve(self.with_value(value))
            for path, body in self.ASKED:
                with self.subTest(path):
                    self.assertEqual(len(self.texts(server, path, body)) > 1, differ)
            shown = json.loads(server.request("POST", "/api/show", {"model": "tiny"})[1])
            self.assertEqual(shown["parameters"], f"temperature {value}")
            params = json.loads(server.request("GET", "/props")[1])["default_generation_settings"]["params"]
            self.assertEqual(params["temperature"], value)
            server.stop()

    async def test_what_is_no_temperature_is_passed_over(self):
        server = self.serve(self.with_value(float("nan")))
        self.assertEqual(json.loads(server.request("POST", "/api/show", {"model": "tiny"})[1])["parameters"], "")


if __name__ == "__main__":
    waferd.main()
