# SPDX-License-Identifier: GPL-3.0-or-later
"""opencode itself, unmodified, set up by waferctl connect; scripts/install_agents.sh fetches it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import waferd
from test_responses_socket import TEMPLATE

OPENCODE = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "agents" / "node_modules" / ".bin" / "opencode"
PATIENCE = 240  # seconds; a tiny model reads some 30,000 tokens
TOKENS = 40


class Opencode(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model = waferd.make_model(cls.folder.name, context=65536, chat_template=TEMPLATE)
        cls.server = waferd.Server(cls.folder.name, model=model)

    def metric(self, name):
        text = self.server.request("GET", "/metrics")[1].decode()
        return float(re.search(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)[1])

    async def test_it_is_answered_once_it_is_set_up(self):
        async with await self.server.session():
            pass  # the model is ready
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": self.folder.name, "XDG_STATE_HOME": self.folder.name,
                           "XDG_CONFIG_HOME": f"{home}/.config", "XDG_DATA_HOME": f"{home}/.data", "XDG_CACHE_HOME": f"{home}/.cache",
                           "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
            subprocess.run([os.path.join(waferd.BIN, "waferctl"), "connect", "opencode", "--write"], env=environment,
                           capture_output=True, check=True, timeout=waferd.PATIENCE)
            settings = pathlib.Path(home) / ".config" / "opencode" / "opencode.json"
            written = json.loads(settings.read_text(encoding="utf-8"))
            # A model with random weights never ends by itself.
            written["provider"]["waferpair"]["models"]["tiny"]["limit"]["output"] = TOKENS
            settings.write_text(json.dumps(written), encoding="utf-8")
            before = self.metric("waferpair_output_tokens_total")
            ran = subprocess.run([OPENCODE, "run", "-m", "waferpair/tiny", "Say yes."], env=environment, cwd=home, text=True,
                                 capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertTrue(ran.stdout.strip(), ran.stderr)
        self.assertGreaterEqual(self.metric("waferpair_output_tokens_total") - before, TOKENS)


if __name__ == "__main__":
    if not OPENCODE.exists():
        print("skipped: scripts/install_agents.sh has not installed opencode")
        sys.exit(77)
    waferd.main()
