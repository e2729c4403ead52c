# SPDX-License-Identifier: GPL-3.0-or-later
"""Codex itself, unmodified: over WebSocket, over SSE and with --oss, a whole turn with a call of a tool, and a session
that goes on; scripts/install_clients.sh fetches it."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import relay
import waferd
from test_responses_socket import TEMPLATE

CLIENTS = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "clients"
CODEX = CLIENTS / "node_modules" / ".bin" / "codex"
PATIENCE = 240  # seconds; a tiny model reads some 6,000 tokens, under a sanitizer perhaps

CONFIGURATION = """\
model = "tiny"
model_provider = "waferpair"
model_context_window = 32768
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.waferpair]
name = "Waferpair"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
supports_websockets = {sockets}
experimental_bearer_token = "{token}"
"""


class Codex(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model = waferd.make_model(cls.folder.name, context=32768, chat_template=TEMPLATE)
        cls.server = waferd.Server(cls.folder.name, model=model)

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)
        (self.home / "project").mkdir()

    def configure(self, port, sockets):
        text = CONFIGURATION.format(port=port, token=self.server.token, sockets=json.dumps(sockets))
        (self.home / "config.toml").write_text(text, encoding="utf-8")

    async def codex(self, *arguments, environment=None):
        """The events of a run, which ends well."""
        command = [CODEX, "exec", *arguments[:-1], "--json", "--skip-git-repo-check", arguments[-1]]
        settings = {**os.environ, "CODEX_HOME": str(self.home), "NO_PROXY": "127.0.0.1", **(environment or {})}
        ran = await asyncio.to_thread(subprocess.run, command, cwd=self.home / "project", env=settings, text=True,
                                      capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        events = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return events

    def items(self, events, kind):
        return [event["item"] for event in events
                if event["type"] == "item.completed" and event["item"]["type"] == kind]

    def check_turn(self, events, between):
        """A tool was called, its result came back, and the answer is the model's."""
        self.assertEqual(events[-1]["type"], "turn.completed", events)
        self.assertEqual([item["text"] for item in self.items(events, "agent_message")], ['"yes"'])
        self.assertEqual(len(between.requests), 2)
        kinds = [item["type"] for item in between.requests[1]["input"]]
        self.assertIn("function_call_output", kinds)

    async def test_a_turn_over_a_websocket_calls_a_tool_and_goes_on_later(self):
        between = relay.Relay(self.server, [relay.call("get_goal"), relay.end()])
        async with between.over_websocket() as port:
            self.configure(port, sockets=True)
            self.check_turn(await self.codex("What is the goal?"), between)
            # It tells only what is new.
            self.assertTrue(between.requests[1]["previous_response_id"])
            self.assertNotIn("function_call", [item["type"] for item in between.requests[1]["input"]])

            events = await self.codex("resume", "--last", "Go on.")
            self.assertEqual([item["text"] for item in self.items(events, "agent_message")], ['"yes"'])
            self.assertIn("function_call", json.dumps(between.requests[2]["input"]))

    async def test_a_turn_over_events_calls_a_tool_and_goes_on_later(self):
        between = relay.Relay(self.server, [relay.call("get_goal"), relay.end()])
        with between.over_http() as port:
            self.configure(port, sockets=False)
            self.check_turn(await self.codex("What is the goal?"), between)
            events = await self.codex("resume", "--last", "Go on.")
            self.assertEqual([item["text"] for item in self.items(events, "agent_message")], ['"yes"'])
            self.assertEqual(set(between.paths) - {"GET /v1/models?client_version=0.169.0"}, {"POST /v1/responses"})

    async def test_oss_is_given_an_address_with_the_token_and_no_key(self):
        between = relay.Relay(self.server, [relay.call("get_goal"), relay.end()])
        with between.over_http() as port:
            address = f"http://127.0.0.1:{port}/t/{self.server.token}/v1"
            events = await self.codex("--oss", "--local-provider", "ollama", "-m", "tiny", "What is the goal?",
                                      environment={"CODEX_OSS_BASE_URL": address})
            self.check_turn(events, between)
            self.assertIn("POST /t/TOKEN/v1/responses", between.paths)

    async def test_a_wrong_token_is_told(self):
        self.configure(self.server.port, sockets=True)
        text = (self.home / "config.toml").read_text(encoding="utf-8")
        (self.home / "config.toml").write_text(text.replace(self.server.token, "f" * 64), encoding="utf-8")
        ran = await asyncio.to_thread(
            subprocess.run, [CODEX, "exec", "--json", "--skip-git-repo-check", "Hi"], cwd=self.home / "project",
            env={**os.environ, "CODEX_HOME": str(self.home)}, text=True, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("401", ran.stdout + ran.stderr)


if __name__ == "__main__":
    if not CODEX.exists() or not shutil.which("node"):
        print("skipped: scripts/install_clients.sh has not installed Codex")
        sys.exit(77)
    waferd.main()
