# SPDX-License-Identifier: GPL-3.0-or-later
"""The openai package of npm, unmodified, as a client; scripts/install_clients.sh fetches it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import test_tools
import waferd

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = pathlib.Path(os.environ.get("WAFERPAIR_CLIENTS", HERE.parent.parent / "build" / "clients"))


class OpenAiClient(test_tools.ToolServer):
    def run_client(self, script):
        command = ["node", HERE / script, CLIENTS,
                   f"http://127.0.0.1:{self.server.port}/v1", self.server.token]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=waferd.PATIENCE,
                             check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    async def test_responses_are_stored_as_by_its_own_server(self):
        told = self.run_client("openai_responses.mjs")
        self.assertTrue(told["first"])
        self.assertEqual(told["retrieved"], told["first"])
        self.assertEqual(told["second"], told["whole"])
        self.assertEqual(told["counted"], told["read"])
        self.assertEqual(told["compacted"], ["message", "message", "compaction"])
        self.assertEqual((told["background"], told["cancelled"]), ("queued", "cancelled"))
        self.assertEqual((told["deleted"]["name"], told["deleted"]["status"]), ("NotFoundError", 404))
        self.assertEqual((told["gone"]["name"], told["gone"]["code"], told["gone"]["param"]),
                         ("BadRequestError", "previous_response_not_found", "previous_response_id"))
        if "withoutSocket" in told:
            self.skipTest(told["withoutSocket"])
        # By the package's own WebSocket.
        self.assertEqual(told["socket"]["warm"], [])
        self.assertEqual(told["socket"]["one"], told["first"])
        self.assertEqual(told["socket"]["two"], told["second"])
        self.assertEqual((told["fromSocket"], told["fromHttp"]), (told["first"], told["second"]))
        self.assertEqual((told["unknown"]["error"]["code"], told["unknown"]["error"]["status"]),
                         ("previous_response_not_found", 400))
        self.assertEqual(told["notStored"]["status"], 404)

    async def test_it_is_answered_as_by_its_own_server(self):
        told = self.run_client("openai_client.mjs")
        self.assertEqual((told["models"], told["model"]), (["tiny"], "tiny"))
        self.assertTrue(told["text"])
        self.assertEqual((told["several"][0], len(told["several"])), (told["text"], 2))
        self.assertEqual(told["streamed"], told["text"])
        self.assertEqual(told["deltas"], told["text"])
        self.assertEqual(told["usage"], 20)
        for call in (told["call"], told["item"]):
            self.assertEqual(call["name"], "get_weather")
            self.assertLessEqual(len(json.loads(call["arguments"])["city"]), 8)
        self.assertEqual(told["streamedCall"]["arguments"], told["call"]["arguments"])
        self.assertEqual(told["item"]["type"], "function_call")
        self.assertEqual(told["argumentDeltas"], told["item"]["arguments"])
        self.assertEqual(told["streamedItem"], told["item"]["arguments"])
        self.assertEqual(told["turn"], ["user", "assistant", "tool", "assistant"])
        self.assertEqual(told["results"][0], json.loads(told["call"]["arguments"])["city"])
        self.assertEqual(told["error"], {"status": 400, "code": "invalid_field", "param": "n",
                                         "type": "invalid_request_error"})


if __name__ == "__main__":
    if not shutil.which("node") or not (CLIENTS / "stamp").exists():
        print("skipped: scripts/install_clients.sh has not installed the openai package")
        sys.exit(77)
    waferd.main()
