# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools with chat templates of which nothing is known but what they write, and with those that know none."""

import json

import test_thinking
import waferd

ARGS = "{{- c.function.arguments | tojson }}"


def tags(key, key_end, value_end, json_key_end=None):
    """Arguments that have a tag each."""
    return ("{%- for k, v in c.function.arguments.items() %}{{- '" + key + "' + k }}"
            "{%- if v is string %}{{- '" + key_end + "' + v }}{%- else %}{{- '" + (json_key_end or key_end) + "' }}{{- v | tojson }}{%- endif %}"
            "{{- '" + value_end + "' }}{%- endfor %}")


def template(begin, end, listed, call, between="", after="", result="tool", args=ARGS):
    """A template whose assistant writes calls so; `call` has NAME and ARGS, and the number of the call as COUNT."""
    call = call.replace("COUNT", "' + (loop.index0 | string) + '")
    name, arguments = call.rsplit("ARGS", 1)
    before, behind = name.split("NAME")
    return (
        "{%- if tools %}{{- '" + listed + "' }}{{- tools | tojson }}{{- '\\n' }}{%- endif %}"
        "{%- for m in messages %}{%- if m.role == 'tool' %}{{- '" + begin.replace("ROLE", result) + "' + m.content + '" + end + "' }}"
        "{%- else %}{{- '" + begin + "'.replace('ROLE', m.role) + m.content }}"
        "{%- if m.tool_calls %}{{- '" + after.split("@@")[0] + "' }}{%- for c in m.tool_calls %}"
        "{%- if not loop.first %}{{- '" + between + "' }}{%- endif %}"
        "{{- '" + before + "' + c.function.name + '" + behind + "' }}" + args + "{{- '" + arguments + "' }}{%- endfor %}"
        "{{- '" + after.split("@@")[-1] + "' }}{%- endif %}{{- '" + end + "' }}{%- endif %}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '" + begin.replace("ROLE", "assistant") + "' }}{%- endif %}")


# As they write calls: Mistral's later ones, DeepSeek's, Granite's, Nemotron's, Functionary's.
FORMS = {
    "name, then arguments": (
        template("[R]ROLE[/R]", "</s>", "[AVAILABLE_TOOLS]", "[TOOL_CALLS]NAME[ARGS]ARGS"),
        ["[TOOL_CALLS]", "look", "[ARGS]", "{\"at\": ", "\"x\"}"], ["[TOOL_CALLS]", "[ARGS]"]),
    "markers around": (
        template("<|ROLE|>", "<|e|>", "## Tools\\n", "<|one|>NAME<|sep|>ARGS<|done|>", after="<|calls|>@@<|over|>"),
        ["<|calls|>", "<|one|>", "look<|", "sep|>{\"at\"", ": \"x\"}", "<|done|>", "<|over|>"],
        ["<|calls|>", "<|one|>", "<|done|>", "<|over|>"]),
    "an object within tags": (
        template("<|s|>ROLE<|h|>", "<|e|>\\n", "Tools: ", "<tool_call>\\n{\"name\": \"NAME\", \"arguments\": ARGS}\\n</tool_call>",
                 between="\\n"),
        ["<tool_call>\n", "{\"name\": \"look\", \"arg", "uments\": {\"at\": \"x\"}}\n", "</tool_call>"], []),
    "a list of objects": (
        template("<|s|>ROLE<|h|>", "<|e|>\\n", "Tools: ", "{\"name\": \"NAME\", \"arguments\": ARGS}", between=", ",
                 after="<TOOLCALL>[@@]</TOOLCALL>"),
        ["<TOOL", "CALL>[{\"name\": \"look\", ", "\"arguments\": {\"at\": \"x\"}}]", "</TOOLCALL>"], []),
    "a section of counted calls": (
        template("<|s|>ROLE<|h|>", "<|e|>", "Tools: ", "<|one|>functions.NAME:COUNT<|sep|>ARGS<|done|>",
                 after="<|calls|>@@<|over|>"),
        ["<|calls|>", "<|one|>", "functions.lo", "ok:3", "<|sep|>{\"at\"", ": \"x\"}", "<|done|>", "<|over|>"],
        ["<|calls|>", "<|one|>", "<|sep|>", "<|done|>", "<|over|>"]),
    "keys and values in tags": (
        template("<|ROLE|>\\n", "", "# Tools", "\\n<tool_call>NAME\\nARGS</tool_call>",
                 args=tags("<arg_key>", "</arg_key>\\n<arg_value>", "</arg_value>\\n")),
        ["<tool_call>lo", "ok\n", "<arg_key>at</arg", "_key>\n<arg_value>", "x</arg", "_value>\n", "</tool_call>"], []),
    "keys and values in tags without line ends": (
        template("<|ROLE|>", "", "# Tools", "<tool_call>NAMEARGS</tool_call>",
                 args=tags("<arg_key>", "</arg_key><arg_value>", "</arg_value>")),
        ["<tool_call>", "look", "<arg_key>", "at", "</arg_key>", "<arg_value>", "x", "</arg_value>", "</tool_call>"],
        ["<tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "</tool_call>"]),
    "parameters in a function's tag": (
        template("<|s|>ROLE\\n", "<|e|>", "Function: ", "\\n<seed:tool_call>\\n<function=NAME>\\nARGS</function>\\n</seed:tool_call>",
                 args=tags("<parameter=", ">", "</parameter>\\n")),
        ["<seed:tool_call>", "\n<func", "tion=look", ">\n<parameter=", "at>x", "</para", "meter>\n</function>\n", "</seed:tool_call>"],
        ["<seed:tool_call>", "</seed:tool_call>"]),
    "parameters with attributes": (
        template("<|s|>ROLE\\n", "<|e|>\\n", "<tools>", "<invoke name=\"NAME\">\\nARGS</invoke>\\n",
                 after="\\n<m:calls>\\n@@</m:calls>", args=tags("<parameter name=\"", "\">", "</parameter>\\n")),
        ["<m:calls>\n", "<invoke name=\"look\">\n", "<parameter name=\"at\">", "x</parameter>\n", "</invoke>\n", "</m:calls>"],
        []),
    "parameters that say whether they are text": (
        template("<|s|>ROLE\\n", "<|e|>\\n", "<tools>", "<invoke name=\"NAME\">\\nARGS</invoke>\\n",
                 after="\\n<m:calls>\\n@@</m:calls>",
                 args=tags("<parameter name=\"", "\" string=\"true\">", "</parameter>\\n", "\" string=\"false\">")),
        ["<m:calls>\n", "<invoke name=\"look\">\n", "<parameter name=\"at\" string=\"true\">", "x</parameter>\n", "</invoke>\n",
         "</m:calls>"], []),
    "a function tag": (
        template("<|s|>ROLE<|h|>", "<|e|>\\n", "Tools: ", "<function=NAME>ARGS</function>"),
        ["<function=", "look>", "{\"at\": \"x\"}", "</function>"], []),
}
PLAIN = ("{%- for m in messages %}{{- '<|s|>' + m.role + '<|h|>' + m.content + '<|e|>\\n' }}{%- endfor %}"
         "{%- if add_generation_prompt %}{{- '<|s|>assistant<|h|>' }}{%- endif %}")
HERMES_CALL = ["<tool_call>\n", "{\"name\": \"look\", \"arguments\": {\"at\": \"x\"}}", "\n</tool_call>"]


class DerivedTools(test_thinking.Scripted):
    def check_calls(self, written="{\"at\": \"x\"}"):
        """`written`: what the prompt has of the arguments, as the template writes them."""
        chat = {"messages": test_thinking.HI, "tools": [test_thinking.TOOL]}
        for choice in ("auto", "required"):
            (made,) = self.ask("/v1/chat/completions", {**chat, "tool_choice": choice})["choices"]
            (call,) = made["message"]["tool_calls"]
            self.assertEqual((call["function"]["name"], json.loads(call["function"]["arguments"])), ("look", {"at": "x"}))
            self.assertEqual(made["finish_reason"], "tool_calls")
        pieces = [piece for event in self.events("/v1/chat/completions", chat)
                  for piece in event["choices"][0]["delta"].get("tool_calls", [])]
        self.assertEqual(pieces[0]["function"]["name"], "look")
        self.assertEqual(json.loads("".join(piece["function"]["arguments"] for piece in pieces)), {"at": "x"})
        (call,) = self.ask("/api/chat", {**chat, "stream": False})["message"]["tool_calls"]
        self.assertEqual(call["function"], {"name": "look", "arguments": {"at": "x"}})
        function = test_thinking.TOOL["function"]
        (block,) = self.ask("/v1/messages", {"messages": test_thinking.HI, "tools": [
            {"name": "look", "input_schema": function["parameters"]}]})["content"]
        self.assertEqual((block["name"], block["input"]), ("look", {"at": "x"}))
        (item,) = self.ask("/v1/responses", {"input": test_thinking.HI, "tools": [{"type": "function", **function}]})["output"]
        self.assertEqual((item["name"], json.loads(item["arguments"])), ("look", {"at": "x"}))
        # Calls and results go back.
        call = {"role": "assistant", "content": None, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{\"at\": \"x\"}"}}]}
        prompt = self.prompt(messages=[*test_thinking.HI, call, {"role": "tool", "tool_call_id": "call_1", "content": "seen"}],
                             tools=[test_thinking.TOOL])
        self.assertIn("seen", prompt)
        self.assertIn(written, prompt)

    async def test_calls_are_read_as_the_template_writes_them(self):
        for form, (source, says, controls) in FORMS.items():
            with self.subTest(form):
                self.start(says, source, controls=controls, user_defined=[])
                self.assertIn("look", self.prompt(tools=[test_thinking.TOOL]))
                arguments = "{\"at\": \"x\"}"
                self.check_calls(arguments if arguments in "".join(says) else "x</")

    async def test_arguments_may_hold_any_text(self):
        arguments = r'{"at": "K\u00f6ln\n\"q\" \t\\ </tool_call> \ud83d\udc4d"}'
        call = '{"name": "look", "arguments": ' + arguments + "}"
        says = ["I look.", "\n", "<tool_call>", "\n", *[call[i:i + 5] for i in range(0, len(call), 5)], "\n", "</tool_call>"]
        self.start(says, test_thinking.CHATML + test_thinking.SWITCH)
        asked = {"messages": test_thinking.HI, "tools": [test_thinking.TOOL]}
        message = self.ask("/v1/chat/completions", asked)["choices"][0]["message"]
        self.assertEqual((message["content"], message["tool_calls"][0]["function"]["arguments"]), ("I look.", arguments))
        (call,) = self.ask("/api/chat", {**asked, "stream": False})["message"]["tool_calls"]
        self.assertEqual(call["function"]["arguments"], json.loads(arguments))

    async def test_arguments_in_tags_may_be_any_text_or_json(self):
        text = "a \"b\"\\n</arg\n</tool_call> <arg_key>é"
        more = {"a": [1, {"b": None}]}
        call = ("<tool_call>look\n<arg_key>at</arg_key>\n<arg_value>" + text + "</arg_value>\n<arg_key>more</arg_key>\n<arg_value>"
                + json.dumps(more) + "</arg_value>\n</tool_call>")
        calls = "I look.\n" + call + "\n<tool_call>now\n</tool_call>"
        pieces = [calls[i:i + 5] for i in range(0, len(calls), 5)]
        self.start(pieces, FORMS["keys and values in tags"][0], controls=[], user_defined=[])
        look = {"type": "function", "function": {"name": "look", "parameters": {
            "type": "object", "properties": {"at": {"type": "string"}, "more": {"type": "object"}}, "required": ["at", "more"]}}}
        asked = {"messages": test_thinking.HI, "tools": [look, {"type": "function", "function": {"name": "now"}}]}
        message = self.ask("/v1/chat/completions", asked)["choices"][0]["message"]
        self.assertEqual(message["content"], "I look.")
        made = [(each["function"]["name"], json.loads(each["function"]["arguments"])) for each in message["tool_calls"]]
        self.assertEqual(made, [("look", {"at": text, "more": more}), ("now", {})])
        # And go back as the template has them.
        prompt = self.prompt(messages=[*test_thinking.HI, message], tools=asked["tools"])
        self.assertIn("<arg_value>" + text + "</arg_value>", prompt)

    async def test_tools_that_a_template_does_not_list_are_told_of_in_words(self):
        source, says, controls = FORMS["markers around"]
        self.start(says, source.split("{%- endif %}", 1)[1], controls=controls, user_defined=[])
        prompt = self.prompt(tools=[test_thinking.TOOL])
        self.assertIn("\"name\": \"look\"", prompt)
        self.assertIn("<|calls|><|one|>NAME<|sep|>{...}<|done|><|over|>", prompt)
        self.check_calls()

    async def test_a_template_may_read_what_a_tool_has_not(self):
        source = FORMS["a function tag"][0].replace(
            "{{- tools | tojson }}", "{%- for t in tools %}{{- t.function.name + ': ' + t.function.description }}{%- endfor %}")
        self.start(FORMS["a function tag"][1], source, controls=[], user_defined=[])
        self.assertIn("look: ", self.prompt(tools=[test_thinking.TOOL]))
        self.check_calls()

    async def test_a_template_without_tools_is_told_of_them_in_words(self):
        self.start(HERMES_CALL, PLAIN, controls=[], user_defined=[])
        prompt = self.prompt(tools=[test_thinking.TOOL])
        self.assertTrue(prompt.startswith("<|s|>system<|h|>"))
        self.assertIn("\"name\": \"look\"", prompt)
        self.check_calls()

    async def test_without_a_call_it_is_text(self):
        self.start(["No ", "call <tool", " at all."], FORMS["an object within tags"][0], controls=[], user_defined=[])
        asked = {"messages": test_thinking.HI, "tools": [test_thinking.TOOL]}
        (choice,) = self.ask("/v1/chat/completions", asked)["choices"]
        self.assertEqual((choice["message"]["content"], choice["finish_reason"]), ("No call <tool at all.", "stop"))


if __name__ == "__main__":
    waferd.main()
