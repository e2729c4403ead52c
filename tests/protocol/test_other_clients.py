# SPDX-License-Identifier: GPL-3.0-or-later
"""npm's packages ollama and @anthropic-ai/sdk, unmodified, as clients; scripts/install_clients.sh
fetches them."""

import json
import pathlib
import shutil
import subprocess
import sys

import test_tools
import waferd

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = HERE.parent.parent / "build" / "clients"


class OtherClients(test_tools.ToolServer):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        command = ["node", HERE / "other_clients.mjs", CLIENTS,
                   f"http://127.0.0.1:{cls.server.port}", cls.server.token]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=waferd.PATIENCE,
                             check=False)
        if ran.returncode:
            cls.tearDownClass()
            raise AssertionError(ran.stderr)
        cls.told = json.loads(ran.stdout)

    async def test_the_ollama_package_is_answered_as_by_its_own_server(self):
        told = self.told
        self.assertEqual((told["tags"], told["running"]), (["tiny"], ["tiny"]))
        self.assertEqual(told["capabilities"], ["completion", "insert", "tools"])
        for whole, streamed in (("filled", "filledStream"), ("chat", "chatStream")):
            self.assertTrue(told[whole])
            self.assertEqual(told[streamed], told[whole])
        self.assertEqual(told["ollamaError"]["status"], 404)
        self.assertIn("other", told["ollamaError"]["message"])
        # Also where Ollama's own handlers were never asked.
        self.assertEqual((told["ollamaStranger"]["status"], told["ollamaPull"]["status"]), (401, 404))
        self.assertIn("access token", told["ollamaStranger"]["message"])
        self.assertIn("There is no model other here", told["ollamaPull"]["message"])
        self.assertEqual(told["unloaded"], 0)

    async def test_the_anthropic_package_is_answered_as_by_its_own_server(self):
        told = self.told
        self.assertTrue(told["text"])
        self.assertEqual((told["streamed"], told["deltas"]), (told["text"], told["text"]))
        self.assertEqual((told["stopReason"], told["usage"]), ("max_tokens", 20))
        self.assertGreater(told["counted"], 0)
        self.assertEqual(told["counted"], told["read"])
        self.assertEqual((told["call"]["type"], told["call"]["name"]), ("tool_use", "add"))
        self.assertIn(told["call"]["input"], [{"n": 1}, {"n": 2}])
        self.assertEqual(told["streamedCall"]["input"], told["call"]["input"])
        self.assertEqual(told["anthropicError"], {"status": 400, "type": "invalid_request_error"})
        self.assertEqual(told["anthropicStranger"],
                         {"name": "AuthenticationError", "type": "authentication_error"})


if __name__ == "__main__":
    packages = (CLIENTS / "node_modules" / name for name in ("ollama", "@anthropic-ai/sdk"))
    if not shutil.which("node") or not all(package.exists() for package in packages):
        print("skipped: scripts/install_clients.sh has not installed the packages")
        sys.exit(77)
    waferd.main()
