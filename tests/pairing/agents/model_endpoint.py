#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the model of a real agent: POST /v1/chat/completions on a port of 127.0.0.1, which it prints.

A question with "DO:edit" is answered by a call of the agent's own tool for edits, whose parameters its schema
names, one with "DO:run" by a call of its shell; "IN:" is followed by the file. What a tool has done is answered
with text.
"""

import http.server
import json


def last_user_text(messages):
    for message in reversed(messages):
        if message["role"] == "user":
            content = message["content"]
            return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
    return ""


def tool_named(tools, names):
    for tool in tools:
        if tool["function"]["name"] in names:
            return tool["function"]
    return None


def edit_arguments(tool, path):
    arguments = {}
    for name in tool["parameters"]["properties"]:
        plain = name.lower().replace("_", "")
        if plain in ("filepath", "path"):
            arguments[name] = path
        elif plain.startswith("old"):
            arguments[name] = "a - b"
        elif plain.startswith("new"):
            arguments[name] = "a + b"
    return arguments


def path_argument(tool, path):
    return {name: path for name in tool["parameters"]["properties"]
            if name.lower().replace("_", "") in ("filepath", "absolutepath", "path")}


def reply_to(body):
    """Text, or the name and arguments of a tool that is to be called."""
    messages, tools = body["messages"], body.get("tools", [])
    question = last_user_text(messages)
    done = 0  # tools that have answered since
    for message in reversed(messages):
        if message["role"] == "user":
            break
        done += message["role"] == "tool"
    word = next((word for word in question.split() if word.startswith("DO:")), "")
    target = question.split("IN:", 1)[1].split()[0] if "IN:" in question else ""
    edit, shell = tool_named(tools, ("edit", "replace")), tool_named(tools, ("run_shell_command", "bash"))
    read = tool_named(tools, ("read_file", "read"))
    if word == "DO:edit" and edit and read and done < 2:
        # Agents edit only what they have read.
        return None, ((read["name"], path_argument(read, target)) if done == 0 else
                      (edit["name"], edit_arguments(edit, target)))
    if word == "DO:run" and shell and done == 0:
        return None, (shell["name"], {"command": "echo made > %s" % target, "description": "make a file",
                                      "is_background": False})
    return ("The tool has answered." if done else "It works."), None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer("application/json", json.dumps({"object": "list", "data": [{"id": "scripted"}]}).encode())

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text, call = reply_to(body)
        delta = {"role": "assistant", "content": text}
        if call:
            delta["tool_calls"] = [{"index": 0, "id": "call_%d" % len(body["messages"]), "type": "function",
                                    "function": {"name": call[0], "arguments": json.dumps(call[1])}}]
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        reason = "tool_calls" if call else "stop"
        common = {"id": "1", "created": 1, "model": "scripted"}
        if not body.get("stream"):
            self.answer("application/json", json.dumps(
                {**common, "object": "chat.completion", "usage": usage,
                 "choices": [{"index": 0, "message": delta, "finish_reason": reason}]}).encode())
            return
        chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                  {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}]
        self.answer("text/event-stream", b"".join(
            b"data: " + json.dumps({**common, "object": "chat.completion.chunk", **chunk}).encode() + b"\n\n"
            for chunk in chunks) + b"data: [DONE]\n\n")

    def answer(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


main()
