# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs into a prefix, moves that elsewhere, and starts what is there as a user would: with nothing
of the build in the environment, and nothing of the build folder or the sources in the programs.

    test_install.py CMAKE BUILD
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
PROGRAMS = ["waferctl", "waferd", "waferpair"]
SCREEN = ["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24"]
PATIENCE = 200  # seconds; only a hang takes that long


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        cls.addClassCleanup(folder.cleanup)
        cls.home = folder.name
        cls.prefix = os.path.join(folder.name, "moved elsewhere")
        first = os.path.join(folder.name, "first")
        command = [CMAKE, "--install", BUILD, "--prefix", first]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        os.rename(first, cls.prefix)

    def path(self, relative):
        return os.path.join(self.prefix, relative)

    def say(self, program, *arguments, platform="offscreen", before=()):
        """What an installed program writes."""
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "QT_QPA_PLATFORM": platform}
        environment.update(HOME=self.home, XDG_RUNTIME_DIR=self.home)
        ended = subprocess.run(
            [*before, self.path("bin/" + program), *arguments],
            env=environment, cwd="/", timeout=PATIENCE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    def test_no_program_knows_where_it_was_built(self):
        self.assertEqual(sorted(os.listdir(self.path("bin"))), PROGRAMS)
        for program in PROGRAMS:
            with open(self.path("bin/" + program), "rb") as file:
                content = file.read()
            for place in (SOURCE, BUILD):
                self.assertFalse(place.encode() in content, f"{place} in {program}")

    def test_its_libraries_are_the_systems_or_its_own(self):
        places = (os.path.realpath(self.path("lib/waferpair")), "/usr/lib", "/lib")
        for program in PROGRAMS:
            loaded = subprocess.run(
                ["ldd", self.path("bin/" + program)], check=True, stdout=subprocess.PIPE, text=True
            ).stdout
            self.assertNotIn("not found", loaded)
            for library in re.findall(r"=> (/.*) \(0x", loaded):
                library = os.path.realpath(library)
                self.assertTrue(library.startswith(places), library)

    def test_they_say_what_they_are(self):
        self.assertRegex(self.say("waferpair", "--version"), r"^Waferpair \d+\.\d+\.\d+\n$")
        self.assertIn("| `file.save` |", self.say("waferpair", "--list-commands"))
        self.assertIn("llama-3.1-70b", self.say("waferctl", "shapes"))

    def test_the_model_that_comes_along_is_found(self):
        answer = self.say("waferctl", "generate", "int main(", "--max-tokens", "4", "--json")
        self.assertEqual(json.loads(answer)["model"]["name"], "waferpair-mini")

    @unittest.skipUnless(shutil.which(SCREEN[0]), "xvfb is not installed")
    def test_the_tour_goes_through(self):
        """The whole program: sample project, model server, wafer view."""
        pictures = os.path.join(self.home, "tour")
        self.say("waferpair", "--tour", pictures, platform="xcb", before=SCREEN)
        self.assertIn("figures.json", os.listdir(pictures))

    @unittest.skipUnless(shutil.which("desktop-file-validate"), "desktop-file-utils: not installed")
    def test_a_desktop_can_show_it(self):
        entry = self.path("share/applications/waferpair.desktop")
        command = ["desktop-file-validate", entry]
        checked = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))
        with open(entry, encoding="utf-8") as file:
            keys = dict(line.strip().split("=", 1) for line in file if "=" in line)
        self.assertEqual((keys["TryExec"], keys["Exec"]), ("waferpair", "waferpair %F"))
        icon = f"share/icons/hicolor/scalable/apps/{keys['Icon']}.svg"
        self.assertTrue(os.path.exists(self.path(icon)))

    @unittest.skipUnless(shutil.which("appstreamcli"), "appstream is not installed")
    def test_a_software_center_can_show_it(self):
        description = self.path("share/metainfo/org.waferpair.waferpair.metainfo.xml")
        command = ["appstreamcli", "validate", "--no-net", description]
        checked = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        with open(description, encoding="utf-8") as file:
            self.assertIn(">waferpair.desktop</launchable>", file.read())


if __name__ == "__main__":
    BUILD = os.path.realpath(sys.argv.pop())
    CMAKE = sys.argv.pop()
    unittest.main(verbosity=2)
