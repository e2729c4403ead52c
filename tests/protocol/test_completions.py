# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that are gone on with or filled in: /v1/completions, /v1/fim/completions, /completion."""

import json

import waferd

PREFIX, SUFFIX = "int main(int argc", ") {\n  return 0;\n}\n"
# As the clients of these models write what is between the two.
SPELLINGS = {
    "Qwen": f"<|fim_prefix|>{PREFIX}<|fim_suffix|>{SUFFIX}<|fim_middle|>",
    "StarCoder": f"<fim_prefix>{PREFIX}<fim_suffix>{SUFFIX}<fim_middle>",
    "StarCoder, suffix first": f"<fim_prefix><fim_suffix>{SUFFIX}<fim_middle>{PREFIX}",
    "Mellum": f"<fim_suffix>{SUFFIX}<fim_prefix>{PREFIX}<fim_middle>",
    "CodeLlama": f"<PRE> {PREFIX} <SUF>{SUFFIX} <MID>",
    "DeepSeek": f"<｜fim▁begin｜>{PREFIX}<｜fim▁hole｜>{SUFFIX}<｜fim▁end｜>",
    "Codestral": f"<s>[SUFFIX]{SUFFIX}[PREFIX]{PREFIX}",
    "Seed-Coder": f"<[fim-suffix]>{SUFFIX}<[fim-prefix]>{PREFIX}<[fim-middle]>",
}


class Completions(waferd.WaferdTest):
    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def ask(self, path, body):
        answer, data = self.server.request("POST", path, body)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    def chunks(self, path, body):
        answer, data = self.server.request("POST", path, {**body, "stream": True})
        self.assertEqual(answer.status, 200, data)
        self.assertTrue(answer.headers["Content-Type"].startswith("text/event-stream"))
        *blocks, done = data.decode().strip().split("\n\n")
        self.assertEqual(done, "data: [DONE]")
        return [json.loads(block.removeprefix("data: ")) for block in blocks]

    def filled(self):
        infill = {"input_prefix": PREFIX, "input_suffix": SUFFIX, "n_predict": 12}
        content = self.ask("/infill", infill)["content"]
        self.assertTrue(content)
        return content

    async def test_a_text_is_gone_on_with_as_a_response_is(self):
        response = self.ask("/v1/responses", {"input": PREFIX, "max_output_tokens": 12})
        expected = response["output"][0]["content"][0]["text"]
        for prompt in (PREFIX, [PREFIX]):
            whole = self.ask("/v1/completions", {"prompt": prompt, "max_tokens": 12})
            self.assertEqual(whole["choices"][0]["text"], expected)
        self.assertEqual((whole["object"], whole["model"]), ("text_completion", "tiny"))
        self.assertEqual(whole["choices"][0]["finish_reason"], "length")
        self.assertEqual(whole["usage"]["completion_tokens"], 12)
        self.assertEqual(self.ask("/completion", {"prompt": PREFIX, "n_predict": 12})["content"],
                         expected)

    async def test_without_a_limit_there_are_sixteen_tokens(self):
        whole = self.ask("/v1/completions", {"prompt": PREFIX})
        self.assertEqual(whole["usage"]["completion_tokens"], 16)

    async def test_a_suffix_is_filled_in_as_by_infill(self):
        expected = self.filled()
        body = {"prompt": PREFIX, "suffix": SUFFIX, "max_tokens": 12}
        self.assertEqual(self.ask("/v1/completions", body)["choices"][0]["text"], expected)
        choice = self.ask("/v1/fim/completions", body)["choices"][0]
        self.assertEqual(choice["message"], {"role": "assistant", "content": expected})

    async def test_spelled_fill_in_tokens_are_put_in_the_order_of_the_model(self):
        expected = self.filled()
        for name, prompt in SPELLINGS.items():
            with self.subTest(name):
                whole = self.ask("/v1/completions", {"prompt": prompt, "max_tokens": 12})
                self.assertEqual(whole["choices"][0]["text"], expected)
                told = self.ask("/completion", {"prompt": prompt, "n_predict": 12})
                self.assertEqual(told["content"], expected)

    async def test_files_in_front_of_the_spelled_tokens_are_passages(self):
        extra = [{"filename": "b.py", "text": "x = 1\n"}]
        expected = self.ask("/infill", {"input_prefix": PREFIX, "input_suffix": SUFFIX,
                                        "input_extra": extra, "n_predict": 12})
        prompt = f"<|repo_name|>r\n<|file_sep|>b.py\nx = 1\n<|file_sep|>a.py\n{SPELLINGS['Qwen']}"
        told = self.ask("/completion", {"prompt": prompt, "n_predict": 12})
        self.assertEqual(told["content"], expected["content"])

    async def test_streamed_it_is_the_same_text_in_chunks(self):
        for path, read in [
            ("/v1/completions", lambda choice: choice["text"]),
            ("/v1/fim/completions", lambda choice: choice["delta"]["content"]),
        ]:
            body = {"prompt": PREFIX, "max_tokens": 12, "stream_options": {"include_usage": True}}
            whole = self.ask(path, body)
            chunks = self.chunks(path, body)
            choices = [choice for chunk in chunks for choice in chunk["choices"]]
            text = whole["choices"][0].get("text") or whole["choices"][0]["message"]["content"]
            self.assertEqual("".join(read(choice) for choice in choices), text)
            self.assertEqual({choice["finish_reason"] for choice in choices[:-1]}, {None})
            self.assertEqual(choices[-1]["finish_reason"], "length")
            self.assertEqual(chunks[-1]["usage"]["completion_tokens"], 12)
            self.assertEqual(len({chunk["id"] for chunk in chunks}), 1)

    async def test_a_stop_string_ends_the_text_in_front_of_it(self):
        body = {"prompt": PREFIX, "max_tokens": 40}
        text = self.ask("/v1/completions", body)["choices"][0]["text"]
        stop = text[len(text) // 2:][:3]
        choice = self.ask("/v1/completions", {**body, "stop": [stop]})["choices"][0]
        self.assertEqual(choice["text"], text[:text.index(stop)])
        self.assertEqual(choice["finish_reason"], "stop")

    async def test_silence_where_the_text_would_not_be_sure_enough(self):
        body = {"prompt": PREFIX, "suffix": SUFFIX, "max_tokens": 12, "min_probability": 1}
        choice = self.ask("/v1/completions", body)["choices"][0]
        self.assertEqual((choice["text"], choice["finish_reason"]), ("", "stop"))

    async def test_what_is_wrong_is_told_with_the_field(self):
        for path in ("/v1/completions", "/v1/fim/completions"):
            for change, field in [
                ({"prompt": None}, "prompt"),
                ({"prompt": [1, {}]}, "prompt"),
                ({"prompt": "% " * waferd.CONTEXT}, "prompt"),
                ({"max_tokens": "all"}, "max_tokens"),
                ({"suffix": 5}, "suffix"),
                ({"temperature": "hot"}, "temperature"),
            ]:
                if path.endswith("fim/completions") and field == "prompt" and change["prompt"]:
                    continue  # a text to be filled in is cut to the context
                for stream in (False, True):
                    body = {"prompt": "x", **change, "stream": stream}
                    answer, data = self.server.request("POST", path, body)
                    self.assertEqual(answer.status, 400, data)
                    self.assertEqual(json.loads(data)["error"]["param"], field)
        for change in ({"n": 200}, {"n": 3, "best_of": 2}, {"stream": True, "best_of": 2}, {"suffix": "x", "echo": True}, {"raw": True, "suffix": "x"}):
            answer, data = self.server.request("POST", "/v1/completions", {"prompt": "x", **change})
            self.assertEqual(answer.status, 400)
            self.assertEqual(json.loads(data)["error"]["param"], list(change)[-1])

    async def test_the_likeliest_of_several_texts_are_told(self):
        asked = {"prompt": PREFIX, "max_tokens": 8, "temperature": 1.5, "seed": 5, "logprobs": 0}
        all_of = self.ask("/v1/completions", {**asked, "n": 5})
        best = self.ask("/v1/completions", {**asked, "n": 2, "best_of": 5})

        def likelihood(choice):
            values = choice["logprobs"]["token_logprobs"]
            return sum(values) / len(values)

        ranked = sorted(all_of["choices"], key=likelihood, reverse=True)
        self.assertEqual([choice["text"] for choice in best["choices"]], [choice["text"] for choice in ranked[:2]])
        self.assertEqual([choice["index"] for choice in best["choices"]], [0, 1])
        self.assertEqual(best["usage"], all_of["usage"])  # what was not told was written, too
        del asked["logprobs"]
        (one,) = self.ask("/v1/completions", {**asked, "best_of": 5})["choices"]
        self.assertEqual((one["text"], one["logprobs"]), (ranked[0]["text"], None))
        two = self.ask("/v1/completions", {**asked, "prompt": [PREFIX, PREFIX], "best_of": 5})["choices"]
        self.assertEqual([choice["index"] for choice in two], [0, 1])
        self.assertEqual(two[0]["text"], ranked[0]["text"])

    async def test_how_likely_each_token_was_is_told(self):
        body = {"prompt": PREFIX, "max_tokens": 24, "logprobs": 1}
        whole = self.ask("/v1/completions", body)["choices"][0]
        told = whole["logprobs"]
        self.assertEqual("".join(told["tokens"]), whole["text"])
        self.assertGreaterEqual(len(told["tokens"]), 24)
        self.assertTrue(all(value <= 0 for value in told["token_logprobs"]))
        # A random model is sure of nothing.
        self.assertLess(sum(told["token_logprobs"]), -12)
        for offset, token in zip(told["text_offset"], told["tokens"]):
            self.assertTrue(whole["text"][offset:].startswith(token))
        for speculation in (True, False):
            chunks = self.chunks("/v1/completions", {**body, "speculation": speculation})
            choices = [chunk["choices"][0] for chunk in chunks]
            self.assertEqual("".join(choice["text"] for choice in choices), whole["text"])
            streamed = {key: sum((choice["logprobs"][key] for choice in choices), [])
                        for key in ("tokens", "token_logprobs", "text_offset")}
            self.assertEqual(streamed["tokens"], told["tokens"])
            self.assertEqual(streamed["text_offset"], told["text_offset"])
            for one, other in zip(streamed["token_logprobs"], told["token_logprobs"]):
                self.assertAlmostEqual(one, other, places=3)
        self.assertIsNone(self.ask("/v1/completions", {"prompt": PREFIX})["choices"][0]["logprobs"])

    async def test_a_raw_prompt_is_in_the_models_own_form(self):
        """What it spells are tokens, and nothing is put around it."""
        prompt = {"prompt": SPELLINGS["StarCoder"], "max_tokens": 12, "raw": True}

        def tokens(text):
            body = {"prompt": text, "max_tokens": 1, "raw": True}
            return self.ask("/v1/completions", body)["usage"]["prompt_tokens"]

        self.assertEqual(tokens(prompt["prompt"]), tokens(PREFIX) + 3 + tokens(SUFFIX))
        plain = {"prompt": PREFIX, "max_tokens": 12}
        raw = self.ask("/v1/completions", {**plain, "raw": True})
        self.assertNotEqual(raw["choices"][0]["text"],
                            self.ask("/v1/completions", plain)["choices"][0]["text"])
        self.assertLess(raw["usage"]["prompt_tokens"],
                        self.ask("/v1/completions", plain)["usage"]["prompt_tokens"])
        answer, data = self.server.request("POST", "/v1/fim/completions", prompt)
        self.assertEqual(answer.status, 400, data)


if __name__ == "__main__":
    waferd.main()
