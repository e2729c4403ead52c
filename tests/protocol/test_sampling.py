# SPDX-License-Identifier: GPL-3.0-or-later
"""How tokens are sampled, and how likely they were, as other servers' clients ask for it."""

import json
import math

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
                           ("/v1/chat/completions", {"messages": [{"role": "user", "content": long}], "max_tokens": 1})):
            told = [event["prompt_progress"] for event in self.events(path, {**body, "return_progress": True})
                    if "prompt_progress" in event]
            self.assertTrue(told)
            self.assertEqual(told[-1]["processed"], told[-1]["total"])
            counts = [one["processed"] for one in told]
            self.assertEqual(counts, sorted(counts))
            self.assertFalse(any("prompt_progress" in event for event in self.events(path, body)))


if __name__ == "__main__":
    waferd.main()
