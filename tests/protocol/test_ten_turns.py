# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents themselves, unmodified, work ten turns: each calls a tool, gets its result, and the server reads of the next prompt
only what is new. scripts/install_agents.sh and install_clients.sh fetch them."""

import asyncio
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import relay
import waferd

BUILD = pathlib.Path(__file__).resolve().parent.parent.parent / "build"
TURNS = 10
PATIENCE = 240  # seconds; an agent's first prompt has up to 70,000 characters, which are a token each

# Behind each result of a tool the next of the script's turns is said, and where there are no tools its "Yes.".
TEMPLATE = (
    "{%- set ns = namespace(turn=0) %}"
    "{%- if tools %}{{- '<|im_start|>system\\n<tools>' }}{%- for t in tools %}{{- t | tojson }}{%- endfor %}"
    "{{- '</tools> <tool_call><|im_end|>\\n' }}{%- endif %}"
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' }}"
    "{%- if m.role == 'assistant' and tools %}{{- '<|turn_' + (ns.turn | string) + '|>' }}{%- endif %}"
    "{%- if m.role == 'tool' %}{%- set ns.turn = ns.turn + 1 %}{%- endif %}"
    "{{- m.content }}{%- for c in m.tool_calls %}{{- '<tool_call>\\n{\"name\": \"' + c.function.name + '\", "
    "\"arguments\": ' }}{{- c.function.arguments | tojson }}{{- '}\\n</tool_call>' }}{%- endfor %}"
    "{{- '<|im_end|>\\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
    "{%- if tools %}{{- '<|turn_' + (ns.turn | string) + '|>' }}{%- endif %}{%- endif %}")
DONE = "All notes are read."


def path(where, name):
    return BUILD / where / "node_modules" / ".bin" / name


def needs(where, name):
    """A decorator: a test of that program, where it is installed."""
    return unittest.skipUnless(path(where, name).exists(), f"{name} is not installed")


def word(turn):
    return f"pebble-{turn}-of-the-shore"


def usage(answer):
    """(tokens of the prompt, those found in the cache) as a stream or a whole answer of any dialect tells them."""
    read = cached = None
    lines = [answer] if answer.startswith("{") else [line.removeprefix("data: ") for line in answer.splitlines()]
    for line in lines:
        if not line.startswith("{"):
            continue
        event = json.loads(line)
        event = event.get("response") or event.get("message") or event
        told = event.get("usage") or {}
        if "prompt_tokens" in told:
            read, cached = told["prompt_tokens"], told["prompt_tokens_details"]["cached_tokens"]
        elif "input_tokens_details" in told:
            read, cached = told["input_tokens"], told["input_tokens_details"]["cached_tokens"]
        elif "cache_read_input_tokens" in told:
            cached = told["cache_read_input_tokens"]
            read = told["input_tokens"] + cached
    return read, cached


class TenTurns(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name).resolve()
        self.project = self.home / "project"
        self.project.mkdir()
        for turn in range(TURNS):
            (self.project / f"note-{turn}.txt").write_text(word(turn) + "\n", encoding="utf-8")

    def start(self, name, arguments):
        """A server whose model calls that tool for each note."""
        def call(turn):
            return ["<tool_call>\n" + json.dumps({"name": name, "arguments": arguments(turn)}) + "\n</tool_call>"]

        turns = {f"<|turn_{turn}|>": call(turn) for turn in range(TURNS)} | {f"<|turn_{TURNS}|>": [DONE]}
        model = waferd.make_scripted_model(
            self.folder.name, ["Yes."], says_behind=turns, template=TEMPLATE, context=262144, name="scripted",
            controls=["<|im_start|>", "<|im_end|>", *turns], user_defined=["<tool_call>", "</tool_call>"])
        self.server = waferd.Server(self.folder.name, model=model, threads=2)
        self.addCleanup(self.server.stop)
        self.server.wait_until_loaded()

    def note(self, turn):
        return str(self.project / f"note-{turn}.txt")

    async def work(self, command, between, environment=None):
        """The agent runs to its end, and every turn is as it is to be."""
        settings = {**os.environ, "HOME": str(self.home), "PWD": str(self.project), "NO_PROXY": "127.0.0.1", "XDG_CONFIG_HOME": f"{self.home}/.config",
                    "XDG_DATA_HOME": f"{self.home}/.data", "XDG_CACHE_HOME": f"{self.home}/.cache", **(environment or {})}
        ran = await asyncio.to_thread(
            subprocess.run, [str(part) for part in command], cwd=self.project, env=settings, text=True,
            capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        told = ran.stdout + ran.stderr
        self.assertEqual(ran.returncode, 0, told[-3000:])
        self.assertIn(DONE, told)
        self.check_turns(between)

    def check_turns(self, between):
        # Beside its turns an agent has titles made, or looks for what is worth remembering, with other tools or none.
        (tools, _), = collections.Counter(len(request.get("tools", [])) for request in between.requests).most_common(1)
        turns = [(json.dumps(request), answer) for request, answer in zip(between.requests, between.answers, strict=True)
                 if len(request.get("tools", [])) == tools]
        counts = [usage(answer) for _, answer in turns]
        if os.environ.get("TEN_TURNS_TELL"):
            print(self.id(), len(between.requests), "requests:", [(read, (read or 0) - (cached or 0)) for read, cached in counts])
        self.assertEqual(len(turns), TURNS + 1)
        before = 0
        for turn, ((request, _), (read, cached)) in enumerate(zip(turns, counts, strict=True)):
            if turn:
                self.assertIn(word(turn - 1), request, "the result has come back")
                self.assertEqual(read - cached, read - before, f"only what is new is read: {counts}")
            self.assertNotIn(word(turn), request)
            before = read

    @needs("agents", "claude")
    async def test_claude_code(self):
        self.start("Read", lambda turn: {"file_path": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            await self.work(
                [path("agents", "claude"), "-p", "Read all notes.", "--model", "scripted"], between,
                {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_AUTH_TOKEN": self.server.token,
                 "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"})

    async def copilot(self, between, port, **settings):
        await self.work(
            [path("agents", "copilot"), "-p", "Read all notes.", "--allow-all-tools", "--no-color"], between,
            {"COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{port}/v1", "COPILOT_PROVIDER_BEARER_TOKEN": self.server.token,
             "COPILOT_MODEL": "scripted", "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false",
             "COPILOT_HOME": str(self.home / ".copilot"), **settings})

    @needs("agents", "copilot")
    async def test_copilot_by_chat_completions(self):
        self.start("view", lambda turn: {"path": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            await self.copilot(between, port)

    @needs("agents", "copilot")
    async def test_copilot_by_responses(self):
        self.start("view", lambda turn: {"path": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            await self.copilot(between, port, COPILOT_PROVIDER_WIRE_API="responses")

    @needs("agents", "copilot")
    async def test_copilot_by_responses_over_a_websocket(self):
        self.start("view", lambda turn: {"path": self.note(turn)})
        between = relay.Relay(self.server)
        async with between.over_websocket() as port:
            await self.copilot(between, port, COPILOT_PROVIDER_WIRE_API="responses", COPILOT_PROVIDER_TRANSPORT="websockets")

    @needs("agents", "copilot")
    async def test_copilot_by_messages(self):
        self.start("view", lambda turn: {"path": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            await self.copilot(between, port, COPILOT_PROVIDER_TYPE="anthropic",
                               COPILOT_PROVIDER_BASE_URL=f"http://127.0.0.1:{port}")

    @needs("agents", "qwen")
    async def test_qwen_code(self):
        self.start("read_file", lambda turn: {"file_path": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            await self.work(
                [path("agents", "qwen"), "--auth-type", "openai", "--yolo", "-p", "Read all notes."], between,
                {"OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1", "OPENAI_API_KEY": self.server.token, "OPENAI_MODEL": "scripted"})

    @needs("agents", "pi")
    async def test_pi(self):
        self.start("read", lambda turn: {"path": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            settings = self.home / ".pi" / "agent"
            settings.mkdir(parents=True)
            (settings / "models.json").write_text(json.dumps({"providers": {"waferpair": {
                "baseUrl": f"http://127.0.0.1:{port}/v1", "api": "openai-completions", "apiKey": self.server.token,
                "models": [{"id": "scripted"}]}}}), encoding="utf-8")
            await self.work(
                [path("agents", "pi"), "--provider", "waferpair", "--model", "scripted", "-p", "Read all notes."], between,
                {"PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1"})

    @needs("agents", "opencode")
    async def test_opencode(self):
        self.start("read", lambda turn: {"filePath": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            settings = self.home / ".config" / "opencode"
            settings.mkdir(parents=True)
            (settings / "opencode.json").write_text(json.dumps({"provider": {"waferpair": {
                "npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"http://127.0.0.1:{port}/v1", "apiKey": self.server.token},
                "models": {"scripted": {"limit": {"context": 262144, "output": 1000}}}}}}), encoding="utf-8")
            await self.work(
                [path("agents", "opencode"), "run", "-m", "waferpair/scripted", "Read all notes."], between,
                {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"})

    @needs("clients", "cn")
    async def test_continue(self):
        self.start("Read", lambda turn: {"filepath": self.note(turn)})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            settings = self.home / "config.yaml"
            settings.write_text(
                "name: notes\nversion: 0.0.1\nschema: v1\nmodels:\n  - name: scripted\n    provider: openai\n    model: scripted\n"
                f"    apiBase: http://127.0.0.1:{port}/v1\n    apiKey: {self.server.token}\n    capabilities: [tool_use]\n"
                "    defaultCompletionOptions: {contextLength: 262144}\n", encoding="utf-8")
            await self.work([path("clients", "cn"), "--config", settings, "-p", "Read all notes."], between,
                            {"CONTINUE_TELEMETRY_ENABLED": "0"})

    def configure_codex(self, port, sockets):
        folder = self.home / ".codex"
        folder.mkdir()
        (folder / "config.toml").write_text(
            "model = \"scripted\"\nmodel_provider = \"waferpair\"\nmodel_context_window = 262144\n"
            "check_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.waferpair]\nname = \"Waferpair\"\n"
            f"base_url = \"http://127.0.0.1:{port}/v1\"\nwire_api = \"responses\"\nsupports_websockets = {json.dumps(sockets)}\n"
            f"experimental_bearer_token = \"{self.server.token}\"\n", encoding="utf-8")
        return [path("clients", "codex"), "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
                "Read all notes."]

    @needs("clients", "codex")
    async def test_codex_over_events(self):
        self.start("exec_command", lambda turn: {"cmd": f"cat note-{turn}.txt"})
        between = relay.Relay(self.server)
        with between.over_http() as port:
            await self.work(self.configure_codex(port, False), between, {"CODEX_HOME": str(self.home / ".codex")})

    @needs("clients", "codex")
    async def test_codex_over_a_websocket(self):
        self.start("exec_command", lambda turn: {"cmd": f"cat note-{turn}.txt"})
        between = relay.Relay(self.server)
        async with between.over_websocket() as port:
            await self.work(self.configure_codex(port, True), between, {"CODEX_HOME": str(self.home / ".codex")})


if __name__ == "__main__":
    if not shutil.which("node") or not any((BUILD / name / "node_modules").exists() for name in ("agents", "clients")):
        print("skipped: neither scripts/install_agents.sh nor install_clients.sh has installed its programs")
        sys.exit(77)
    waferd.main()
