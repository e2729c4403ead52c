#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays an agent that speaks the Agent Client Protocol, version 1, and misbehaves when told to.

How it starts is told by its first argument, what it does with a question by the first word of it that begins
with "DO:". What it cannot do otherwise it tells in its answer, for the tests to compare.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

START = sys.argv[1] if len(sys.argv) > 1 else "well"
OPTIONS = [{"optionId": "always", "name": "Always", "kind": "allow_always"},
           {"optionId": "yes", "name": "Yes, once", "kind": "allow_once"},
           {"optionId": "no", "name": "No", "kind": "reject_once"}]

out = threading.Lock()
answers = {}  # by the id of a request of ours: an event, and the answer
logged_in = START != "login"
canceled = threading.Event()
steered = []


def send(message):
    with out:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def raw(text):
    with out:
        sys.stdout.write(text)
        sys.stdout.flush()


def request(method, params):
    """Asks the client, and waits for what it answers."""
    number = len(answers)  # the first one is 0, as agents have it
    event = threading.Event()
    answers[number] = [event, None]
    send({"id": number, "method": method, "params": params})
    event.wait()
    return answers[number][1]


class Turn:
    def __init__(self, session, blocks, cwd):
        self.session, self.blocks, self.cwd = session, blocks, cwd
        self.text = "\n".join(block.get("text", "") for block in blocks)
        words = [word for word in self.text.split() if word.startswith("DO:")]
        self.word = words[-1][3:].strip(".,()") if words else "say"

    def update(self, what, **fields):
        send({"method": "session/update",
              "params": {"sessionId": self.session, "update": {"sessionUpdate": what, **fields}}})

    def say(self, text, **fields):
        self.update("agent_message_chunk", content={"type": "text", "text": text}, **fields)

    def ask(self, call):
        answer = request("session/request_permission",
                         {"sessionId": self.session, "toolCall": call, "options": OPTIONS})
        return answer.get("result", {}).get("outcome", {})

    def path(self, name):
        return os.path.join(self.cwd, name)

    def run(self):
        method = getattr(self, "do_" + self.word.replace("-", "_"), None)
        return (method() if method else self.say("I know nothing of that.")) or "end_turn"

    def do_say(self):
        self.update("agent_thought_chunk", content={"type": "text", "text": "Hm."})
        for piece in ("It ", "**works**", "."):
            self.say(piece)
        self.update("usage_update", used=1200, size=200000)

    def do_echo(self):
        self.say(json.dumps(self.blocks))

    def do_plan(self):
        for states in (("in_progress", "pending"), ("completed", "in_progress")):
            self.update("plan", entries=[{"content": content, "priority": "medium", "status": status}
                                         for content, status in zip(("Read a.py", "Fix it"), states)])
        self.say("That is the plan.")

    # Has another plan once there is a file "go", and then goes on with it until it is canceled.
    def do_replan(self):
        entry = lambda content, status: {"content": content, "priority": "medium", "status": status}
        self.update("plan", entries=[entry("Read a.py", "in_progress"), entry("Fix it", "pending")])
        while not os.path.exists(self.path("go")) and not canceled.wait(0.02):
            pass
        self.update("plan", entries=[entry("Read a.py", "completed"), entry("Fix it", "in_progress"),
                                     entry("Test it", "pending")])
        canceled.wait()
        return "cancelled"

    # Asks with a part of the file, and writes the disk itself.
    def do_edit(self):
        path = self.path("a.py")
        diff = [{"type": "diff", "path": path, "oldText": "a - b", "newText": "a + b"}]
        call = {"toolCallId": "call_1", "title": "Edit a.py", "kind": "edit", "status": "pending",
                "content": diff, "locations": [{"path": path}]}
        outcome = self.ask(call)
        if outcome.get("optionId") not in ("yes", "always"):
            self.say("Then not: " + json.dumps(outcome, sort_keys=True))
            return "end_turn"
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace("a - b", "a + b"))
        with open(self.path("new.py"), "w") as file:
            file.write("made = True\n")
        self.update("tool_call_update", toolCallId="call_1", status="completed")
        self.say("Done.")

    def do_run(self):
        call = {"toolCallId": "call_2", "title": "make test", "kind": "execute", "status": "pending",
                "rawInput": {"command": "make test", "cwd": self.cwd}}
        outcome = self.ask(call)
        if outcome.get("optionId") != "yes":
            return "cancelled"
        self.update("tool_call_update", toolCallId="call_2", status="in_progress")
        for line in ("ok 1\n", "ok 2\n"):
            self.update("tool_call_update", toolCallId="call_2",
                        _meta={"terminal_output_delta": {"data": line, "terminal_id": "t"}})
        self.update("tool_call_update", toolCallId="call_2", status="completed")
        self.say("It passes.")

    def client_read(self, path, **more):
        return request("fs/read_text_file", {"sessionId": self.session, "path": path, **more})

    def client_write(self, path, text):
        return request("fs/write_text_file", {"sessionId": self.session, "path": path, "content": text})

    # Through the client, as Gemini and Qwen do.
    def do_client_edit(self):
        path = self.path("a.py")
        text = self.client_read(path)["result"]["content"]
        answer = self.client_write(path, text.replace("a - b", "a + b"))
        self.say("Written." if "result" in answer else answer["error"]["message"])

    # On the disk, and then through the client with what was on the disk, as opencode does.
    def do_both_edit(self):
        path = self.path("a.py")
        with open(path) as file:
            text = file.read().replace("a - b", "a + b")
        with open(path, "w") as file:
            file.write(text)
        answer = self.client_write(path, text)
        self.say("Written." if "result" in answer else answer["error"]["message"])

    def do_forbidden(self):
        told = []
        for answer in (self.client_read(self.path(".env")), self.client_read("/etc/passwd"),
                       self.client_write(self.path("../outside.txt"), "x"),
                       self.client_write("relative.txt", "x"),
                       self.client_write(self.path("link/x.txt"), "x"),
                       self.client_read(self.path("missing.txt")),
                       request("terminal/create", {"sessionId": self.session, "command": "sh"}),
                       request("fs/read_text_file", {"sessionId": "another", "path": self.path("a.py")})):
            told.append(str(answer["error"]["code"]) if "error" in answer else "allowed")
        self.say(" ".join(told))

    def do_lines(self):
        self.say(self.client_read(self.path("a.py"), line=2, limit=1)["result"]["content"])

    def do_hang(self):
        self.update("tool_call", toolCallId="call_3", title="sleep", kind="execute", status="in_progress")
        self.say("The first half")
        canceled.wait()
        return "cancelled"

    # Goes on for ever.
    def do_stubborn(self):
        self.say("The first half")
        threading.Event().wait()

    # Leaves a child behind that has left the process group and has lost its parent.
    def do_fork(self):
        child = subprocess.run(
            ["sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!"], capture_output=True, text=True)
        self.say(child.stdout.strip())
        canceled.wait()
        return "cancelled"

    def do_die(self):
        self.say("The first half")
        print("out of luck", file=sys.stderr, flush=True)
        time.sleep(0.1)
        os._exit(5)

    def do_garbage(self):
        raw("this is no JSON\n[1, 2]\n{\"jsonrpc\": \"2.0\", \"id\": 99, \"result\": {}}\n\n")
        raw('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"%s","update":[]}}\n' % self.session)
        self.update("something_new", value=1)
        self.say("Still here.")

    def do_huge(self):
        for _ in range(34):
            raw("x" * (1 << 20))
        threading.Event().wait()

    def do_flood(self):
        line = "not a message\n" * 2000
        raw(line)
        threading.Event().wait()

    def do_withdraw(self):
        def ask():
            self.ask({"toolCallId": "call_4", "title": "rm -rf /", "kind": "execute"})
        threading.Thread(target=ask, daemon=True).start()
        time.sleep(0.2)
        send({"method": "$/cancel_request", "params": {"requestId": len(answers) - 1}})
        self.say("Never mind.")

    def do_steer(self):
        self.say("One way.")
        while not steered:
            time.sleep(0.01)
        self.say("Or rather: " + steered.pop())

    def do_environment(self):
        names = ("NO_BROWSER", "WAFERPAIR_SECRET", "SOME_TOKEN", "PGPASSWORD", "DATABASE_URL", "STORE",
                 "OPENAI_API_KEY", "MINE")
        self.say(" ".join(f"{name}={os.environ.get(name, '-')}" for name in names))


def play(message):
    global logged_in
    method, params, number = message["method"], message.get("params", {}), message.get("id")

    def answer(result):
        send({"result": result, "id": number})

    if method == "initialize":
        if START == "silent":
            return
        answer({"protocolVersion": 9 if START == "version" else 1,
                "agentInfo": {"name": "scripted", "version": "1"},
                "agentCapabilities": {"loadSession": START == "loads",
                                      "promptCapabilities": {"embeddedContext": START != "poor"}},
                "authMethods": [{"id": "key", "name": "API key"}] if START == "login" else [],
                "_meta": {"steering": {"supported": START == "steers"}}})
    elif method == "authenticate":
        logged_in = params["methodId"] == "key"
        answer({})
    elif method == "session/new":
        if not logged_in:
            send({"id": number, "error": {"code": -32000, "message": "Authentication required"}})
            return
        sessions["session-%d" % (len(sessions) + 1)] = params["cwd"]
        answer({"sessionId": "session-%d" % len(sessions)})
    elif method == "session/load":
        sessions[params["sessionId"]] = params["cwd"]
        send({"method": "session/update",
              "params": {"sessionId": params["sessionId"],
                         "update": {"sessionUpdate": "agent_message_chunk",
                                    "content": {"type": "text", "text": "replayed"}}}})
        answer({})
    elif method == "session/prompt":
        canceled.clear()
        turn = Turn(params["sessionId"], params["prompt"], sessions[params["sessionId"]])

        def run():
            reason = turn.run()
            answer({"stopReason": reason, "usage": {"inputTokens": 100, "cachedReadTokens": 20, "outputTokens": 7}})
        threading.Thread(target=run, daemon=True).start()
    elif method == "session/cancel":
        canceled.set()
    elif method == "_session/steering":
        steered.append(params["prompt"][0]["text"])
        answer({"outcome": "injected"})
    elif number is not None:
        send({"id": number, "error": {"code": -32601, "message": method}})


sessions = {}


def main():
    if START == "exit":
        print("no such configuration", file=sys.stderr)
        sys.exit(3)
    if START == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message:
            play(message)
        else:
            slot = answers[message["id"]]
            slot[1] = message
            slot[0].set()
    if START == "stays":
        threading.Event().wait()


main()
