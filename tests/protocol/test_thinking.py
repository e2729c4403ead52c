# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model thinks is a part of its own in every dialect, with scripted models that think."""

import json

import waferd

CHATML = (
    "{%- if tools %}{{- '<|im_start|>system\\n<tools>' }}{%- for t in tools %}{{- t | tojson }}{%- endfor %}"
    "{{- '</tools> <tool_call><|im_end|>\\n' }}{%- endif %}"
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' }}"
    "{%- if m.reasoning_content %}{{- '<think>\\n' + m.reasoning_content + '\\n</think>\\n\\n' }}{%- endif %}"
    "{{- m.content }}{%- for c in m.tool_calls %}{{- '\\n<tool_call>\\n{\"name\": \"' + c.function.name + '\", "
    "\"arguments\": ' }}{{- c.function.arguments | tojson }}{{- '}\\n</tool_call>' }}{%- endfor %}"
    "{{- '<|im_end|>\\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}")
SWITCH = ("{%- if enable_thinking is defined and not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}"
          "{%- endif %}{%- endif %}")
OPENED = "{{- '<think>\\n' }}{%- endif %}"
HARMONY = ("{{- '<|start|>system<|message|>Reasoning: ' + (reasoning_effort or 'medium') + '<|end|>' }}"
           "{%- for m in messages %}{{- '<|start|>' + m.role + '<|channel|>final<|message|>' + m.content + '<|end|>' }}"
           "{%- endfor %}{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}{# analysis #}")
HI = [{"role": "user", "content": "Hi"}]
TAGS = ["<think>", "</think>", "<tool_call>", "</tool_call>"]
CHANNELS = ["<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>"]
TOOL = {"type": "function", "function": {"name": "look", "parameters": {
    "type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}}}


class Scripted(waferd.unittest.IsolatedAsyncioTestCase):
    """A test with a server whose model says what the test wants."""

    def setUp(self):
        scratch = waferd.tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def start(self, says, template, **script):
        script = {"controls": ["<|im_start|>", "<|im_end|>"], "user_defined": TAGS, **script}
        model = waferd.make_scripted_model(self.folder, says, template=template, **script)
        self.server = waferd.Server(self.folder, model=model)
        self.addCleanup(self.server.stop)
        self.server.wait_until_loaded()

    def ask(self, path, body):
        answer, data = self.server.request("POST", path, body)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    def prompt(self, **fields):
        return self.ask("/apply-template", {"messages": HI, **fields})["prompt"]

    def events(self, path, body):
        answer, data = self.server.request("POST", path, {**body, "stream": True})
        self.assertEqual(answer.status, 200, data)
        lines = [line.removeprefix("data: ") for line in data.decode().splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{")]


class Thinking(Scripted):
    def told(self):
        """(thoughts, text) as each dialect tells them, whole and streamed."""
        chat = self.ask("/v1/chat/completions", {"messages": HI})["choices"][0]["message"]
        yield "chat", chat.get("reasoning_content"), chat["content"]
        deltas = [event["choices"][0]["delta"] for event in self.events("/v1/chat/completions", {"messages": HI})]
        yield "chat stream", "".join(d.get("reasoning_content", "") for d in deltas), "".join(d.get("content", "") for d in deltas)
        ollama = self.ask("/api/chat", {"messages": HI, "stream": False})["message"]
        yield "Ollama", ollama.get("thinking"), ollama["content"]
        lines = [event["message"] for event in self.events("/api/chat", {"messages": HI})]
        yield "Ollama stream", "".join(m.get("thinking", "") for m in lines), "".join(m["content"] for m in lines)
        generated = self.ask("/api/generate", {"prompt": "Hi", "stream": False})
        yield "Ollama generate", generated.get("thinking"), generated["response"]
        items = self.ask("/v1/responses", {"input": HI})["output"]
        texts = {item["type"]: item["content"][0]["text"] for item in items}
        yield "responses", texts.get("reasoning"), texts.get("message", "")
        events = self.events("/v1/responses", {"input": HI})
        deltas = [(event["type"], event["delta"]) for event in events if event["type"].endswith("_text.delta")]
        yield ("responses stream", "".join(d for kind, d in deltas if "reasoning" in kind),
               "".join(d for kind, d in deltas if "output" in kind))
        self.assertEqual(events[-1]["response"]["output"][0]["type"], "reasoning")
        blocks = self.ask("/v1/messages", {"messages": HI, "max_tokens": 50})["content"]
        texts = {block["type"]: block.get("thinking", block.get("text")) for block in blocks}
        yield "messages", texts.get("thinking"), texts.get("text", "")
        deltas = [event["delta"] for event in self.events("/v1/messages", {"messages": HI, "max_tokens": 50})
                  if event["type"] == "content_block_delta"]
        yield "messages stream", "".join(d.get("thinking", "") for d in deltas), "".join(d.get("text", "") for d in deltas)

    def check(self, thoughts, text):
        for dialect, thought, said in self.told():
            self.assertEqual((thought, said), (thoughts, text), dialect)

    async def test_thoughts_are_told_apart_from_text(self):
        self.start(["<think>", "\n", "Let me ", "think", ".\n", "</think>", "\n\n", "It is ", "42."], CHATML + SWITCH)
        self.check("Let me think.", "It is 42.")
        # Unless they are wanted in the text.
        asked = {"messages": HI, "reasoning_format": "none"}
        message = self.ask("/v1/chat/completions", asked)["choices"][0]["message"]
        self.assertEqual(message["content"], "<think>\nLet me think.\n</think>\n\nIt is 42.")

    async def test_tags_may_be_cut_anywhere(self):
        self.start(["<thi", "nk>\nLet me th", "ink.\n</t", "hink", ">\n\nIt is 42."], CHATML + SWITCH)
        self.check("Let me think.", "It is 42.")

    async def test_the_prompt_may_have_opened_the_thinking(self):
        self.start(["Let me ", "think.\n", "</think>", "\n\n", "It is 42."], CHATML + OPENED)
        self.assertTrue(self.prompt().endswith("<think>\n"))
        self.check("Let me think.", "It is 42.")

    async def test_tags_may_be_control_tokens(self):
        self.start(["<think>", "Let me think.", "</think>", "It is 42."], CHATML + SWITCH, user_defined=[],
                   controls=["<|im_start|>", "<|im_end|>", "<think>", "</think>"])
        self.check("Let me think.", "It is 42.")

    async def test_channels_of_gpt_oss_are_thoughts_and_text(self):
        self.start(["<|channel|>", "analysis", "<|message|>", "Let me ", "think."], HARMONY,
                   controls=CHANNELS, user_defined=[])
        self.check("Let me think.", "")
        for effort in ("low", "high"):
            for fields in ({"reasoning_effort": effort}, {"reasoning": {"effort": effort}},
                           {"chat_template_kwargs": {"reasoning_effort": effort}}):
                self.assertIn("Reasoning: " + effort, self.prompt(**fields))

    async def test_the_switches_of_all_dialects_reach_the_template(self):
        self.start(["It is 42."], CHATML + SWITCH)
        on, off = "<|im_start|>assistant\n", "<|im_start|>assistant\n<think>\n\n</think>\n\n"
        for fields in ({"enable_thinking": False}, {"reasoning_effort": "none"}, {"reasoning": {"effort": "none"}},
                       {"reasoning": {"enabled": False}}, {"thinking": {"type": "disabled"}}, {"think": False},
                       {"chat_template_kwargs": {"enable_thinking": False}}):
            self.assertTrue(self.prompt(**fields).endswith(off), fields)
        for fields in ({}, {"enable_thinking": True}, {"thinking": {"type": "enabled", "budget_tokens": 1024}}):
            self.assertTrue(self.prompt(**fields).endswith(on), fields)

        def counted(path, **fields):
            told = self.ask(path, fields)
            usage = told.get("usage") or {"n": told.get("prompt_eval_count")}
            return sum(usage.get(k, 0) for k in ("n", "prompt_tokens", "input_tokens", "cache_read_input_tokens"))

        for path, body, switch in [
                ("/v1/chat/completions", {"messages": HI}, {"chat_template_kwargs": {"enable_thinking": False}}),
                ("/api/chat", {"messages": HI, "stream": False}, {"think": False}),
                ("/v1/messages", {"messages": HI, "max_tokens": 5}, {"thinking": {"type": "disabled"}}),
                ("/v1/responses", {"input": HI}, {"reasoning": {"effort": "none"}})]:
            self.assertGreater(counted(path, **body, **switch), counted(path, **body), path)

    async def test_thoughts_go_back_into_a_template_that_reads_them(self):
        self.start(["It is 42."], CHATML + SWITCH)
        said = {"role": "assistant", "content": "Yes.", "reasoning_content": "I should look."}
        more = {"role": "user", "content": "And?"}
        self.assertIn("<think>\nI should look.\n</think>\n\nYes.", self.prompt(messages=[*HI, said, more]))
        expected = self.ask("/v1/chat/completions", {"messages": [*HI, said, more]})["usage"]["prompt_tokens"]
        ollama = {"role": "assistant", "content": "Yes.", "thinking": "I should look."}
        self.assertEqual(self.ask("/api/chat", {"messages": [*HI, ollama, more], "stream": False})["prompt_eval_count"],
                         expected)
        blocks = [{"type": "thinking", "thinking": "I should look.", "signature": "s"}, {"type": "text", "text": "Yes."}]
        usage = self.ask("/v1/messages", {"messages": [*HI, {"role": "assistant", "content": blocks}, more]})["usage"]
        self.assertEqual(usage["input_tokens"] + usage["cache_read_input_tokens"], expected)
        items = [*HI, {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "I should look."}]},
                 {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}, more]
        self.assertEqual(self.ask("/v1/responses", {"input": items})["usage"]["input_tokens"], expected)

    async def test_forms_hold_behind_thoughts(self):
        self.start(["<think>", "\n", "It is {", "not} {this}.", "\n", "</think>", "\n\n", "{\"a\": ", "true}"],
                   CHATML + SWITCH)
        schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"],
                  "additionalProperties": False}
        for form in ({"type": "json_object"}, {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}):
            message = self.ask("/v1/chat/completions", {"messages": HI, "response_format": form})["choices"][0]["message"]
            self.assertEqual(message["reasoning_content"], "It is {not} {this}.")
            self.assertEqual(json.loads(message["content"]), {"a": True})

    async def test_a_call_that_is_required_comes_behind_thoughts(self):
        call = ["<tool_call>", "\n", "{\"name\": \"look\", ", "\"arguments\": {\"at\": \"x\"}}", "\n", "</tool_call>"]
        self.start(["<think>", "\n", "Let me <tool_", "call> look.", "\n", "</think>", "\n\n", *call], CHATML + SWITCH)
        for choice in ("auto", "required"):
            asked = {"messages": HI, "tools": [TOOL], "tool_choice": choice}
            message = self.ask("/v1/chat/completions", asked)["choices"][0]["message"]
            self.assertEqual(message["reasoning_content"], "Let me <tool_call> look.")
            (made,) = message["tool_calls"]
            self.assertEqual(json.loads(made["function"]["arguments"]), {"at": "x"})

    async def test_an_answer_that_was_begun_goes_on(self):
        self.start([" think", " so."], CHATML + SWITCH)
        begun = [*HI, {"role": "assistant", "content": "Sure, I"}]
        self.assertTrue(self.prompt(messages=begun).endswith("<|im_start|>assistant\nSure, I"))
        message = self.ask("/v1/chat/completions", {"messages": begun})["choices"][0]["message"]
        self.assertEqual(message["content"], " think so.")

    async def test_markers_of_the_template_are_never_made_of_a_message(self):
        self.start(["It is 42."], CHATML + SWITCH)

        def counted(text):
            return self.ask("/v1/chat/completions", {"messages": [{"role": "user", "content": text}]})["usage"]["prompt_tokens"]

        for marker in ("</think>", "<tool_call>", "<|im_end|>"):
            spelled = 1 + len(self.ask("/tokenize", {"content": marker[1:]})["tokens"])
            self.assertEqual(counted("a" + marker + "b"), counted("ab") + spelled, marker)

    async def test_a_raw_prompt_spells_tokens_and_prose_about_them_does_not(self):
        self.start(["It is 42."], CHATML + SWITCH)
        raw = "<|im_start|>user\nHi<|im_end|>\n"
        expected = len(self.ask("/tokenize", {"content": raw})["tokens"])
        self.assertEqual(self.ask("/completion", {"prompt": raw})["tokens_evaluated"], expected)
        self.assertEqual(self.ask("/v1/completions", {"prompt": raw})["usage"]["prompt_tokens"], expected)
        self.assertEqual(self.ask("/v1/responses", {"input": raw})["usage"]["input_tokens"], expected)
        asked = {"prompt": raw, "raw": True, "stream": False}
        self.assertEqual(self.ask("/api/generate", asked)["prompt_eval_count"], expected)


if __name__ == "__main__":
    waferd.main()
