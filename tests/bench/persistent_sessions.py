#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what a session that stays open is worth, by Codex' own first request and turns after it.

persistent_sessions.py [MODEL.gguf] [--turns N] [--tokens N]: the same conversation four times, each turn
by the clock of a client. The first request is what Codex sends now, where scripts/install_clients.sh has
installed it, else the recorded one of the tests, whose texts are left out. Without a model, a small random
one with a token a byte. WAFERPAIR_BIN names the folder with waferd and make_tiny_model.
"""

import argparse
import asyncio
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "protocol"))
import relay
import waferd
from test_codex import CODEX, CONFIGURATION
from test_responses_socket import TEMPLATE, user

RECORDINGS = pathlib.Path(waferd.__file__).resolve().parent / "recordings"
MOST_COLD = 5  # turns: all are alike, and each reads everything
SEED = {"temperature": 1, "seed": 3}


def recorded_request():
    """What Codex sends first: instructions, input and tools, as it was recorded, without what its texts say."""
    body = json.loads((RECORDINGS / "codex-0.169.json").read_text(encoding="utf-8"))
    return {name: body[name] for name in ("instructions", "input", "tools") if name in body}


async def codex_request(server, folder):
    """The same as Codex sends it now: it is run for one turn, and what it says is written down."""
    between = relay.Relay(server, [relay.end()])
    async with between.over_websocket() as port:
        home = pathlib.Path(folder) / "codex"
        home.mkdir()
        text = CONFIGURATION.format(port=port, token=server.token, sockets="true")
        (home / "config.toml").write_text(text, encoding="utf-8")
        await asyncio.to_thread(
            subprocess.run, [CODEX, "exec", "--skip-git-repo-check", "Say yes."], cwd=home, check=True,
            env={**os.environ, "CODEX_HOME": str(home)}, stdin=subprocess.DEVNULL, capture_output=True)
    first, then = between.warm_ups[0], between.requests[0]
    return {**{name: first[name] for name in ("instructions", "tools") if name in first},
            "input": [*first["input"], *then["input"]]}


class Turn:
    """What a client sees of a turn: times in milliseconds."""

    def __init__(self, sent):
        self.sent_bytes = len(sent)
        self.begun = time.perf_counter()
        self.deltas = []
        self.response = None

    def take(self, event):
        if event["type"].endswith(".delta"):
            self.deltas.append(time.perf_counter())
        elif event["type"] in waferd.RESPONSE_ENDS:
            self.ended = time.perf_counter()
            self.response = event["response"]
            assert event["type"] in ("response.completed", "response.incomplete"), event

    @property
    def whole(self):
        return 1000 * (self.ended - self.begun)

    @property
    def first(self):
        return 1000 * (self.deltas[0] - self.begun)

    @property
    def around(self):
        """All that the server did not spend between reading the request and its last token."""
        return self.whole - self.response["timings"]["host"]["total_ms"]

    @property
    def tokens(self):
        return self.response["usage"]["output_tokens"]

    @property
    def said(self):
        return "".join(part["text"] for item in self.response["output"] for part in item.get("content", []))


def post(server, connection, body):
    text = json.dumps(body)
    turn = Turn(text)
    connection.request("POST", "/v1/responses", text, {"Authorization": f"Bearer {server.token}",
                                                       "Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    for line in answer:
        if line.startswith(b"data: {"):
            turn.take(json.loads(line[6:]))
    return turn


def over_http(server, turns, asked, cold):
    """A new connection and the whole conversation each turn. `cold`: as if nothing of it had been read before."""
    conversation = list(asked["input"])
    for number in range(turns):
        conversation.append(user(f"Turn {number}: go on."))
        body = {**asked, "input": conversation, "stream": True, "store": False}
        if cold:
            body["instructions"] = f"{number}. {asked.get('instructions', '')}"
        connection = http.client.HTTPConnection("127.0.0.1", server.port, 600)
        turn = post(server, connection, body)
        connection.close()
        conversation.append({"type": "message", "role": "assistant",
                             "content": [{"type": "output_text", "text": turn.said}]})
        yield turn


def over_kept_http(server, turns, asked):
    """One connection, and what is new each turn: the server has stored the rest."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, 600)
    new, previous = list(asked["input"]), None
    for number in range(turns):
        new.append(user(f"Turn {number}: go on."))
        turn = post(server, connection, {**asked, "input": new, "previous_response_id": previous, "stream": True})
        new, previous = [], turn.response["id"]
        yield turn


async def over_socket(server, turns, asked):
    """A WebSocket that stays open, with the warm-up that Codex sends before the user has typed."""
    socket = await server.connect(path="/v1/responses")

    async def ask(**fields):
        text = json.dumps({"type": "response.create", **asked, "store": False, **fields})
        turn = Turn(text)
        await socket.send(text)
        while turn.response is None:
            turn.take(json.loads(await socket.recv()))
        return turn

    previous = (await ask(generate=False, max_output_tokens=None)).response["id"]
    told = []
    for number in range(turns):
        turn = await ask(input=[user(f"Turn {number}: go on.")], previous_response_id=previous)
        previous = turn.response["id"]
        told.append(turn)
    await socket.close()
    return told


def report(name, turns):
    median = lambda value: statistics.median(value(turn) for turn in turns)
    per_token = median(lambda turn: turn.around / turn.tokens)
    print(f"{name:42} {median(lambda t: t.sent_bytes):9,.0f} {turns[0].first:9.1f} {median(lambda t: t.first):9.2f} "
          f"{median(lambda t: t.whole):9.2f} {median(lambda t: t.around):9.3f} {per_token:9.4f}")


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=32, help="of an answer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = options.model or waferd.make_model(folder, context=65536, chat_template=TEMPLATE)
        with waferd.Server(folder, model=model, threads=None) as server:
            async with await server.session():
                pass  # the model is ready
            live = CODEX.exists()
            first = await codex_request(server, folder) if live else recorded_request()
            asked = {**first, "tool_choice": "none", "max_output_tokens": options.tokens, **SEED}
            print(f"Codex' first request, {'as it sends it now' if live else 'as it was recorded'}; {options.turns} turns of "
                  f"{options.tokens} tokens; medians, by the client's clock, in ms\n")
            print(f"{'':42} {'bytes':>9} {'turn 1':>9} {'first':>9} {'whole':>9} {'around':>9} {'a token':>9}")
            cold = min(options.turns, MOST_COLD)
            report(f"HTTP, cold ({cold} turns)", list(over_http(server, cold, asked, cold=True)))
            report("HTTP, a connection and all input each turn", list(over_http(server, options.turns, asked, cold=False)))
            report("HTTP, one connection, stored responses", list(over_kept_http(server, options.turns, asked)))
            report("WebSocket, warm", await over_socket(server, options.turns, asked))


if __name__ == "__main__":
    asyncio.run(main())
