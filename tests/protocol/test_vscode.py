# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension for VS Code, in an editor that is none (vscode_host.js), with a real waferctl and waferd; and its package."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

import waferd

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXTENSION = ROOT / "extensions" / "vscode"


class Vscode(waferd.WaferdTest):
    async def test_it_suggests_and_draws_the_wafer(self):
        async with await self.server.session():
            pass  # the model is ready
        environment = {**os.environ, "XDG_RUNTIME_DIR": self.folder.name}
        command = ["node", HERE / "vscode_host.js", EXTENSION, os.path.join(os.path.abspath(waferd.BIN), "waferctl")]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=2 * waferd.PATIENCE, env=environment, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        told = json.loads(ran.stdout)
        self.assertTrue(told["item"]["insertText"])
        self.assertTrue(told["moved"]["insertText"])
        self.assertEqual((told["elsewhere"], told["whileGone"]), ([], []))
        self.assertTrue(any(text.endswith("tokens/s") for text in told["statuses"]))
        self.assertTrue(any("cannot be started" in line for line in told["logged"]))
        # The page takes in nothing but what it brings along.
        self.assertIn("default-src 'none'", told["page"])
        self.assertGreater(len(told["layout"]["regions"]), 0)
        self.assertEqual(len(told["frame"]["regions"]), len(told["layout"]["regions"]))
        self.assertTrue(all(0 <= share <= 1 for share in told["frame"]["regions"]))
        self.assertGreater(told["frame"]["contextLimit"], 0)


class Package(waferd.unittest.TestCase):
    def test_it_is_whole_and_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            made = []
            for name in ("one.vsix", "two.vsix"):
                out = pathlib.Path(folder) / name
                subprocess.run([sys.executable, ROOT / "scripts" / "build_vsix.py", out], check=True, stdout=subprocess.DEVNULL)
                made.append(out.read_bytes())
            self.assertEqual(*made)
            with zipfile.ZipFile(out) as archive:
                names = set(archive.namelist())
                package = json.loads(archive.read("extension/package.json"))
                self.assertIn("extension/" + package["main"].removeprefix("./"), names)
                for path in EXTENSION.iterdir():
                    self.assertEqual(archive.read(f"extension/{path.name}"), path.read_bytes())
                manifest = xml.etree.ElementTree.fromstring(archive.read("extension.vsixmanifest"))
                space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
                identity = manifest.find("v:Metadata/v:Identity", space)
                self.assertEqual((identity.get("Id"), identity.get("Version")), (package["name"], package["version"]))
                for asset in manifest.findall("v:Assets/v:Asset", space):
                    self.assertIn(asset.get("Path"), names)
                xml.etree.ElementTree.fromstring(archive.read("[Content_Types].xml"))


if __name__ == "__main__":
    if not shutil.which("node"):
        print("skipped: node is not installed")
        sys.exit(77)
    waferd.main()
