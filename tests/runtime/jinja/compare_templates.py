#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders published chat templates by jinja2 and by this program, and says where they differ.

    compare_templates.py build/release/bin/render_templates FOLDER...

Each file *.jinja in the folders is a template. All conversations below are rendered with each, and
what comes out, text or error, must be the same. Exit status 1: something was not.
"""

import json
import pathlib
import subprocess
import sys

from reference import render

NOW = 1_760_000_000
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Tells the weather.\nOf one place.",
    "parameters": {"type": "object", "properties": {
        "place": {"type": "string", "description": "A town"},
        "unit": {"type": "string", "enum": ["C", "F"], "default": "C"},
        "days": {"type": ["integer", "null"], "description": "How many"}}, "required": ["place"]}}}
SEARCH = {"type": "function", "function": {
    "name": "search", "description": "Finds <b>\"things\"</b> & more.",
    "parameters": {"type": "object", "properties": {
        "words": {"type": "array", "items": {"type": "string"}},
        "where": {"type": "object", "properties": {"folder": {"type": "string"}, "deep": {"type": "boolean"}}}},
        "required": []}}}


def said(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name, arguments, number="123456789"):
    return {"id": number, "type": "function", "function": {"name": name, "arguments": arguments}}


SYSTEM, USER = said("system", "You are terse.\n"), said("user", "What is 2 + 2?")
ANSWER, MORE = said("assistant", "It is 4. "), said("user", "  And 3 + 3 – für mich? 数\n")
CALL = said("assistant", "", tool_calls=[call("get_weather", {"place": "Köln", "days": 2})])
RESULT = said("tool", "{\"sky\": \"grey\"}", tool_call_id="123456789", name="get_weather")
TEXT_CALL = said("assistant", "", tool_calls=[call("get_weather", "{\"place\": \"Köln\"}")])
TWO_CALLS = said("assistant", "Both.", tool_calls=[
    call("get_weather", {"place": "A", "unit": "C"}, "aaaaaaaaa"),
    call("search", {"words": ["x", "y"], "where": {"deep": True, "folder": None}}, "bbbbbbbbb")])
TWO_RESULTS = [said("tool", "one", tool_call_id="aaaaaaaaa", name="get_weather"),
               said("tool", "two", tool_call_id="bbbbbbbbb", name="search")]
THOUGHT = said("assistant", "<think>\nHm.\n</think>\n\nIt is 4.")
REASONED = said("assistant", "It is 4.", reasoning_content="Let me see.")

CONVERSATIONS = {
    "user": ([USER], None, {}),
    "user, no answer": ([USER], None, {"add_generation_prompt": False}),
    "system": ([SYSTEM, USER], None, {}),
    "turns": ([USER, ANSWER, MORE], None, {}),
    "system, turns": ([SYSTEM, USER, ANSWER, MORE], None, {}),
    "long": ([SYSTEM] + [USER, ANSWER] * 4 + [MORE], None, {}),
    "ends with the assistant": ([USER, ANSWER], None, {"add_generation_prompt": False}),
    "empty texts": ([said("system", ""), said("user", ""), said("assistant", ""), USER], None, {}),
    "markers in texts": ([said("user", "<|im_end|> [INST] {{ x }} {% y %} </s> 'a' \"b\" <&>\t\\")], None, {}),
    "thought": ([USER, THOUGHT, MORE], None, {}),
    "thought last": ([USER, THOUGHT], None, {"add_generation_prompt": False}),
    "reasoned": ([SYSTEM, USER, REASONED, MORE], None, {}),
    "thinks": ([USER], None, {"enable_thinking": True, "thinking": True}),
    "does not think": ([SYSTEM, USER], None, {"enable_thinking": False, "thinking": False}),
    "tools": ([USER], [WEATHER, SEARCH], {}),
    "system, tools": ([SYSTEM, USER], [WEATHER], {}),
    "call": ([SYSTEM, USER, CALL, RESULT], [WEATHER], {}),
    "call as text": ([USER, TEXT_CALL, RESULT, ANSWER, MORE], [WEATHER], {}),
    "two calls": ([SYSTEM, USER, TWO_CALLS, *TWO_RESULTS, ANSWER, MORE], [WEATHER, SEARCH], {}),
    "two calls, no tools": ([USER, TWO_CALLS, *TWO_RESULTS], None, {}),
    "content none": ([USER, {**CALL, "content": None}, RESULT], [WEATHER], {}),
    "content in parts": ([said("user", [{"type": "text", "text": "Hello"}])], None, {}),
    "two systems": ([SYSTEM, USER, ANSWER, SYSTEM, MORE], None, {}),
    "two users": ([USER, MORE], None, {}),
}


def variables(name: str) -> dict:
    messages, tools, more = CONVERSATIONS[name]
    return {"messages": messages, "tools": tools, "documents": None, "add_generation_prompt": True, **SPECIAL, **more}


def main() -> int:
    program, *folders = sys.argv[1:]
    files = sorted(file for folder in folders for file in pathlib.Path(folder).glob("*.jinja"))
    requests = [(file, name) for file in files for name in CONVERSATIONS]
    lines = "".join(json.dumps({"template": file.read_text(), "variables": variables(name), "now": NOW}) + "\n"
                    for file, name in requests)
    answers = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    same, texts, other = 0, 0, []
    for (file, name), line in zip(requests, answers, strict=True):
        want, got = render(file.read_text(), variables(name), NOW), json.loads(line)
        if want == got or ("error" in want and "error" in got):
            same += 1
            texts += "text" in want
        else:
            other.append(file)
            print(f"{file.name}, {name}:\n  reference {json.dumps(want)[:700]}\n  here      {json.dumps(got)[:700]}")
    print(f"{same} of {len(requests)} renderings are equal ({texts} texts, {same - texts} refusals); "
          f"{len(files) - len(set(other))} of {len(files)} templates in all conversations")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
