# SPDX-License-Identifier: GPL-3.0-or-later
"""POST /infill, as llama.vim asks for it."""

import json
import pathlib
import tempfile

import waferd

MODEL = pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "models" / "waferpair-mini.gguf"
RECORDINGS = pathlib.Path(__file__).resolve().parent / "recordings"
# What llama.vim sent, without its limit of time: how much text fits in that depends on the machine.
RECORDED = json.loads((RECORDINGS / "llama.vim.json").read_text(encoding="utf-8"))[0]
# A word is begun: a random model that is asked at the edge of the file writes no body of a function.
PROMPT = "    json"
PREFIX = RECORDED["input_prefix"] + PROMPT
UNHURRIED = {**RECORDED, "prompt": PROMPT, "t_max_predict_ms": -1}
# The fields of the whole answer are told.
WHOLE = {**UNHURRIED, "response_fields": []}


class Infill(waferd.WaferdTest):
    async def asyncSetUp(self):
        self.session = await self.server.session()

    async def asyncTearDown(self):
        await self.session.socket.close()

    def ask(self, body):
        answer, data = self.server.request("POST", "/infill", body)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    def events(self, body):
        answer, data = self.server.request("POST", "/infill", {**body, "stream": True})
        self.assertEqual(answer.status, 200, data)
        self.assertTrue(answer.headers["Content-Type"].startswith("text/event-stream"))
        blocks = data.decode().strip().split("\n\n")
        return [json.loads(block.removeprefix("data: ")) for block in blocks]

    async def completed(self, text, offset, **fields):
        """What a session is told between the two parts of such a document."""
        await self.session.send("document.open", uri="a", version=1, text=text)
        told, _ = await self.session.complete(1, uri="a", version=1, offset=offset, **fields)
        await self.session.send("document.close", uri="a")
        return told

    async def test_a_recorded_request_is_answered_with_the_fields_that_it_names(self):
        answer = self.ask(RECORDED)
        self.assertEqual(set(answer), set(RECORDED["response_fields"]))
        self.assertIs(answer["truncated"], False)
        self.assertTrue(self.ask({**UNHURRIED, "prompt": RECORDED["prompt"]})["content"].startswith(answer["content"]))
        for name in RECORDED["response_fields"]:
            if name.startswith("timings/"):
                self.assertGreaterEqual(answer[name], 0)

    async def test_the_text_is_the_one_that_a_session_is_told(self):
        prefix, suffix = PREFIX, RECORDED["input_suffix"]
        told = await self.completed(prefix + suffix, len(prefix), max_tokens=RECORDED["n_predict"])
        self.assertTrue(told)
        answer = self.ask(WHOLE)
        self.assertEqual(answer["content"], told)
        self.assertEqual((answer["stop"], answer["model"]), (True, "tiny"))
        self.assertEqual(answer["has_new_line"], "\n" in told)
        self.assertEqual(answer["timings"]["predicted_n"], answer["tokens_predicted"])
        self.assertEqual(answer["tokens_evaluated"],
                         answer["timings"]["prompt_n"] + answer["timings"]["cache_n"])

    async def test_the_prompt_stands_behind_the_prefix(self):
        prefix, suffix = PREFIX, RECORDED["input_suffix"]
        told = await self.completed(prefix + suffix, len(prefix), max_tokens=20)
        answer = self.ask({**WHOLE, "n_predict": 20})
        self.assertEqual(answer["content"], told)
        self.assertEqual((answer["tokens_predicted"], answer["stop_type"]), (20, "limit"))

    async def test_passages_of_other_files_stand_in_front(self):
        mark = "\n\n--- snippet ---\n\n"
        passages = f"{mark}b.py\nimport sys{mark}x = 1\n{mark}"
        extra = [{"filename": "b.py", "text": "import sys"}, {"text": "x = 1\n"}]
        prefix, suffix = passages + PREFIX, RECORDED["input_suffix"]
        told = await self.completed(prefix + suffix, len(prefix), max_tokens=20)
        answer = self.ask({**WHOLE, "input_extra": extra, "n_predict": 20})
        self.assertEqual(answer["content"], told)
        self.assertNotEqual(told, self.ask({**WHOLE, "n_predict": 20})["content"])

    async def test_streamed_it_is_the_same_text_in_pieces(self):
        whole = self.ask(WHOLE)
        *pieces, last = self.events(WHOLE)
        self.assertEqual("".join(piece["content"] for piece in pieces), whole["content"])
        self.assertEqual({piece["stop"] for piece in pieces}, {False})
        self.assertEqual((last["stop"], last["content"]), (True, ""))
        for name in ("stop_type", "tokens_predicted", "tokens_evaluated", "has_new_line"):
            self.assertEqual(last[name], whole[name])

    async def test_without_tokens_the_prompt_is_computed_for_the_next_request(self):
        text = "".join(f"def prefilled_{number}(): pass\n" for number in range(60))
        body = {**WHOLE, "input_prefix": text, "n_predict": 0}
        first = self.ask(body)
        self.assertEqual((first["content"], first["tokens_predicted"]), ("", 0))
        self.assertGreater(first["timings"]["prompt_n"], 100)
        after = self.ask({**body, "n_predict": 3})
        self.assertEqual(after["tokens_predicted"], 3)
        self.assertEqual(after["tokens_evaluated"], first["tokens_evaluated"])
        self.assertEqual(after["timings"]["prompt_n"], 1)
        self.assertEqual([event["content"] for event in self.events(body)], [""])

    async def test_passages_are_announced_as_llama_vim_does_while_it_idles(self):
        passage = {"filename": "b.py", "text": "x = 1\n" * 30, "time": [1, 2]}
        announced = {
            "input_prefix": "", "input_suffix": "", "input_extra": [passage], "prompt": "",
            "n_predict": 0, "temperature": 0.0, "stream": False, "samplers": [],
            "cache_prompt": True, "t_max_prompt_ms": 1, "t_max_predict_ms": 1,
        }
        self.assertEqual(self.ask({**announced, "response_fields": [""]}), {})
        self.assertGreater(self.ask(announced)["timings"]["cache_n"], 100)

    async def test_a_stop_string_ends_the_text_in_front_of_it(self):
        content = self.ask(WHOLE)["content"]
        stop = content[len(content) // 2:][:3]
        answer = self.ask({**WHOLE, "stop": [stop]})
        self.assertEqual(answer["content"], content[:content.index(stop)])
        self.assertEqual((answer["stop_type"], answer["stopping_word"]), ("word", stop))

    async def test_several_texts_are_told_apart_and_the_first_is_the_one_that_comes_alone(self):
        body = {**WHOLE, "n_predict": 12}
        alone = self.ask(body)
        choices = self.ask({**body, "n_cmpl": 3})
        self.assertEqual([choice["index"] for choice in choices], [0, 1, 2])
        self.assertEqual(choices[0]["content"], alone["content"])
        self.assertEqual(len({choice["content"] for choice in choices}), 3)
        for choice in choices:
            self.assertEqual((choice["stop"], choice["tokens_evaluated"]), (True, alone["tokens_evaluated"]))
        texts, ended = ["", "", ""], []
        for event in self.events({**body, "n_cmpl": 3}):
            texts[event["index"]] += event["content"]
            if event["stop"]:
                ended.append(event["index"])
        self.assertEqual(texts, [choice["content"] for choice in choices])
        self.assertEqual(sorted(ended), [0, 1, 2])

    async def test_several_texts_that_are_sampled_have_seeds_of_their_own(self):
        body = {"prompt": "int main", "n_predict": 12, "temperature": 1, "seed": 5}

        def complete(**change):
            answer, data = self.server.request("POST", "/completion", {**body, **change})
            self.assertEqual(answer.status, 200, data)
            return json.loads(data)

        choices = complete(n_cmpl=3)
        self.assertEqual([choice["content"] for choice in choices],
                         [complete(seed=seed)["content"] for seed in (5, 6, 7)])

    async def test_of_several_texts_that_fail_the_problem_is_told_once(self):
        for stream in (False, True):
            body = {**WHOLE, "grammar": "root ::= x", "n_cmpl": 3, "stream": stream}
            answer, data = self.server.request("POST", "/infill", body)
            self.assertEqual((answer.status, json.loads(data)["error"]["code"]), (400, 400))

    async def test_a_text_keeps_to_a_grammar_or_to_a_schema(self):
        schema = {"type": "object", "properties": {"b": {"enum": [1, 2]}, "a": {"type": "boolean"}},
                  "required": ["b", "a"], "additionalProperties": False}
        for path, text in (("/infill", {"input_prefix": "x = ", "input_suffix": "\n"}), ("/completion", {"prompt": "x = "})):
            for stream in (False, True):
                def content(**form):
                    body = {**text, "n_predict": 60, "stream": stream, **form}
                    answer, data = self.server.request("POST", path, body)
                    self.assertEqual(answer.status, 200, data)
                    if not stream:
                        told = json.loads(data)
                        self.assertEqual(told["stop_type"], "eos")
                        return told["content"]
                    blocks = data.decode().strip().split("\n\n")
                    return "".join(json.loads(block.removeprefix("data: "))["content"] for block in blocks)

                self.assertIn(content(grammar='root ::= "yes" | "no"'), ("yes", "no"))
                told = content(json_schema=schema)
                self.assertEqual(list(json.loads(told)), ["b", "a"])
                self.assertIn(json.loads(told)["b"], (1, 2))

    async def test_what_is_wrong_is_told_in_the_form_of_llama_server(self):
        for change, status, kind, named in [
            ({"input_prefix": None}, 400, "invalid_request_error", "input_prefix"),
            ({"input_suffix": 5}, 400, "invalid_request_error", "input_suffix"),
            ({"input_extra": [{"filename": "a"}]}, 400, "invalid_request_error",
             "input_extra[0].text"),
            ({"response_fields": [1]}, 400, "invalid_request_error", "response_fields"),
            ({"n_predict": "many"}, 400, "invalid_request_error", "n_predict"),
            ({"n_cmpl": 9}, 400, "invalid_request_error", "n_cmpl"),
            ({"n_cmpl": 2, "n_predict": "many"}, 400, "invalid_request_error", "n_predict"),
            ({"grammar": "root ::= x"}, 400, "invalid_request_error", "rule x"),
            ({"json_schema": "{"}, 400, "invalid_request_error", "not JSON"),
            ({"json_schema": {}, "grammar": 'root ::= "x"'}, 400, "invalid_request_error", "json_schema"),
        ]:
            for stream in (False, True):
                body = {**RECORDED, **change, "stream": stream}
                answer, data = self.server.request("POST", "/infill", body)
                error = json.loads(data)["error"]
                self.assertEqual((answer.status, error["code"], error["type"]),
                                 (status, status, kind))
                self.assertIn(named, error["message"])
                self.assertTrue(error["remedy"])
        answer, data = self.server.request("POST", "/infill", "nonsense")
        self.assertEqual((answer.status, json.loads(data)["error"]["code"]), (400, 400))


class Unasked(waferd.WaferdTest):
    """By the model that comes along, whose certainty is calibrated: what is shown without having been asked for."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = waferd.Server(cls.folder.name, model=str(MODEL))

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def ask(self, **fields):
        answer, data = self.server.request("POST", "/infill", {"input_suffix": "\n", "n_predict": 64, **fields})
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    async def test_only_what_is_likely_to_be_right_is_said(self):
        lines = "def total(numbers):\n    return sum(numbers)\n\n\nprint(total([1, 2]))\nprint(total([3, 4]))\n"
        sure = self.ask(input_prefix=lines, prompt="print(to")
        self.assertTrue(sure["content"].startswith("tal("), sure)
        for prefix in ("", "x = "):
            unsure = self.ask(input_prefix=prefix)
            self.assertEqual((unsure["content"], unsure["stop"]), ("", True), prefix)
            # Who wants it all the same says so, and who asks for several has asked.
            self.assertTrue(self.ask(input_prefix=prefix, min_probability=0)["content"])
            self.assertTrue(all(each["content"] for each in self.ask(input_prefix=prefix, n_cmpl=2)))

    async def test_it_is_what_the_editor_would_show_by_itself(self):
        text = "values = []\nfor value in values:\n    print(value)\nfor value in val"
        session = await self.server.session()
        await session.send("document.open", uri="a.py", version=1, text=text + "\n")
        told, _ = await session.complete(1, uri="a.py", version=1, offset=len(text), max_tokens=64, lines=6, min_probability=0.75)
        await session.socket.close()
        self.assertTrue(told)
        self.assertEqual(self.ask(input_prefix=text)["content"], told)


if __name__ == "__main__":
    waferd.main()
