# SPDX-License-Identifier: GPL-3.0-or-later
"""opencode and Continue's command line themselves, unmodified, set up by waferctl connect; scripts/install_agents.sh and
install_clients.sh fetch them."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import waferd
from test_responses_socket import TEMPLATE

BUILD = pathlib.Path(__file__).resolve().parent.parent.parent / "build"
OPENCODE = BUILD / "agents" / "node_modules" / ".bin" / "opencode"
CONTINUE = BUILD / "clients" / "node_modules" / ".bin" / "cn"
PATIENCE = 240  # seconds; a tiny model reads some 30,000 tokens
TOKENS = 40  # a model with random weights never ends by itself


class Connected(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model = waferd.make_model(cls.folder.name, context=65536, chat_template=TEMPLATE)
        cls.server = waferd.Server(cls.folder.name, model=model)

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)
        self.environment = {
            **os.environ, "HOME": home.name, "XDG_RUNTIME_DIR": self.folder.name, "XDG_STATE_HOME": self.folder.name,
            "XDG_CONFIG_HOME": f"{home.name}/.config", "XDG_DATA_HOME": f"{home.name}/.data", "XDG_CACHE_HOME": f"{home.name}/.cache",
            "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "CONTINUE_TELEMETRY_ENABLED": "0"}

    def tokens(self):
        text = self.server.request("GET", "/metrics")[1].decode()
        return float(re.search(r"^waferpair_output_tokens_total(?:{.*})? (\S+)$", text, re.MULTILINE)[1])

    def connect(self, client):
        """The file of settings that was written."""
        command = [os.path.join(waferd.BIN, "waferctl"), "connect", client, "--write", "--json"]
        ran = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True, timeout=waferd.PATIENCE)
        return pathlib.Path(json.loads(ran.stdout)["file"])

    def check_answer(self, *command):
        before = self.tokens()
        ran = subprocess.run(command, env=self.environment, cwd=self.home, text=True, capture_output=True,
                             stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertTrue(ran.stdout.strip(), ran.stderr)
        self.assertGreaterEqual(self.tokens() - before, TOKENS)

    @unittest.skipUnless(OPENCODE.exists(), "scripts/install_agents.sh has not installed opencode")
    async def test_opencode_is_answered(self):
        settings = self.connect("opencode")
        written = json.loads(settings.read_text(encoding="utf-8"))
        written["provider"]["waferpair"]["models"]["tiny"]["limit"]["output"] = TOKENS
        settings.write_text(json.dumps(written), encoding="utf-8")
        self.check_answer(OPENCODE, "run", "-m", "waferpair/tiny", "Say yes.")

    @unittest.skipUnless(CONTINUE.exists(), "scripts/install_clients.sh has not installed Continue")
    async def test_continue_is_answered(self):
        settings = self.connect("continue")
        with settings.open("a", encoding="utf-8") as file:
            file.write(f"      maxTokens: {TOKENS}\n")
        self.check_answer(CONTINUE, "--config", settings, "-p", "Say yes.")


if __name__ == "__main__":
    if not OPENCODE.exists() and not CONTINUE.exists():
        print("skipped: neither scripts/install_agents.sh nor install_clients.sh has installed its programs")
        sys.exit(77)
    waferd.main()
