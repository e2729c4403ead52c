# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in VS Code itself, as code-server shows it in Chromium, used by keys: scripts/install_browser_client.sh
installs both. PICTURES names a folder for pictures of each step."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import waferd

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BROWSER = ROOT / "build" / "browser"
CODE = BROWSER / "node_modules" / "code-server" / "out" / "node" / "entry.js"
MODEL = ROOT / "resources" / "models" / "waferpair-mini.gguf"
LINES = "def total(numbers):\n    result = 0\n    for number in numbers:\n        result += number\n    return result\n\n\n" \
        "print(total([1, 2]))\nprint(total([3, 4]))\n"
TYPED = "print(tot"
PATIENCE = 240  # seconds, for all of it


class Browser(waferd.unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.project = self.home / "project"
        self.project.mkdir()
        (self.project / "sum.py").write_text(LINES, encoding="utf-8")
        self.server = waferd.Server(folder.name, model=str(MODEL), threads=None)
        self.addCleanup(self.server.stop)
        self.environment = {**os.environ, "HOME": folder.name, "XDG_RUNTIME_DIR": folder.name, "XDG_STATE_HOME": folder.name,
                            "XDG_CONFIG_HOME": f"{folder.name}/config", "XDG_DATA_HOME": f"{folder.name}/data"}

    def code(self, *flags):
        return ["node", str(CODE), "--config", str(self.home / "code.yaml"), "--user-data-dir", str(self.home / "code"),
                "--extensions-dir", str(self.home / "extensions"), *flags]

    def start_code(self):
        package = self.home / "waferpair.vsix"
        subprocess.run([sys.executable, ROOT / "scripts" / "build_vsix.py", package], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(self.code("--install-extension", str(package)), check=True, env=self.environment, timeout=PATIENCE,
                       capture_output=True)
        settings = self.home / "code" / "Machine" / "settings.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        waferctl = os.path.join(os.path.abspath(waferd.BIN), "waferctl")
        settings.write_text(json.dumps({"waferpair.command": waferctl}), encoding="utf-8")
        log = open(self.home / "code.log", "w+", encoding="utf-8")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            self.code("--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check",
                      "--disable-getting-started-override"),
            stdout=log, stderr=subprocess.STDOUT, env=self.environment, start_new_session=True)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.terminate)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            said = (self.home / "code.log").read_text(encoding="utf-8")
            if found := re.search(r"HTTP server listening on (http://127\.0\.0\.1:\d+)", said):
                return found[1]
            time.sleep(0.1)
        self.fail(said)

    def test_a_suggestion_is_shown_and_taken_and_the_wafer_drawn(self):
        address = f"{self.start_code()}/?folder={self.project}"
        command = ["node", HERE / "browser_vscode.mjs", BROWSER, address, os.environ.get("PICTURES", ""), TYPED]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=self.environment, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        told = json.loads(ran.stdout)
        self.assertTrue(told["ghost"].startswith("al"), told)
        self.assertTrue(told["accepted"].startswith("print(total"), told)
        self.assertRegex(told["status"], r"^Waferpair here [\d,]+, wafer [\d,]+ tokens/s$")
        self.assertEqual(told["title"].split(" on ")[0], "waferpair-mini")
        red, _, blue, _ = told["resting"]
        self.assertGreater(blue, red)
        self.assertLess(told["busy"][2] - told["busy"][0], blue - red)
        self.assertRegex(told["host"], r"^[\d,]+ tokens/s$")
        self.assertRegex(told["wafer"], r"^[\d,]+ tokens/s$")
        self.assertRegex(told["pointed"], r"^block 0: [\d,]+ cores, \d+ % of their memory in use, busy for \d+ % of the last work$")
        # The model's regions lie side by side; the wafer is higher.
        self.assertGreater(told["whole"], 2 * told["large"])


if __name__ == "__main__":
    if not (BROWSER / "stamp").exists() or not shutil.which("chromium"):
        print("skipped: scripts/install_browser_client.sh has not installed code-server and Chromium")
        sys.exit(77)
    waferd.main()
