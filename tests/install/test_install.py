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
            main = file.read().split("\n\n")[0]
        keys = dict(line.split("=", 1) for line in main.splitlines() if "=" in line)
        self.assertIn("application/x-waferpair-trace;", keys["MimeType"])
        self.assertEqual((keys["TryExec"], keys["Exec"]), ("waferpair", "waferpair %F"))
        icon = f"share/icons/hicolor/scalable/apps/{keys['Icon']}.svg"
        self.assertTrue(os.path.exists(self.path(icon)))

    @unittest.skipUnless(shutil.which("update-mime-database"), "shared-mime-info is not installed")
    def test_a_desktop_knows_its_files(self):
        data = os.path.join(self.home, "mime-data")
        shutil.copytree(self.path("share/mime"), os.path.join(data, "mime"))
        updated = subprocess.run(["update-mime-database", os.path.join(data, "mime")],
                                 env=dict(os.environ, XDG_DATA_DIRS=data), stderr=subprocess.PIPE, text=True)
        self.assertEqual((updated.returncode, updated.stderr), (0, ""))
        with open(os.path.join(data, "mime/globs2"), encoding="utf-8") as file:
            self.assertIn("50:application/x-waferpair-trace:*.wptrace\n", file.read())
        icon = "share/icons/hicolor/scalable/mimetypes/application-x-waferpair-trace.svg"
        self.assertTrue(os.path.exists(self.path(icon)))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_there_are_manual_pages(self):
        for program in PROGRAMS:
            page = self.path(f"share/man/man1/{program}.1")
            shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], check=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(shown.stderr, "")
            self.assertIn("SEE ALSO", re.sub(".\x08", "", shown.stdout))  # bold is written twice

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_completes(self):
        def completed(*words):
            name = words[0]
            file = self.path(f"share/bash-completion/completions/{name}")
            script = (f'. "{file}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _{name}; '
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            ran = subprocess.run(["bash", "--norc", "-c", script, "bash", *words], check=True,
                                 cwd=self.home, stdout=subprocess.PIPE, text=True)
            return ran.stdout.split()

        self.assertEqual(completed("waferpair", "--new-w"), ["--new-window"])
        self.assertEqual(completed("waferctl", "est"), ["estimate"])
        self.assertIn("--shape", completed("waferctl", "estimate", "--s"))
        self.assertEqual(completed("waferd", "--kv-format", "q"), ["q8_0"])
        os.makedirs(os.path.join(self.home, "for bash"), exist_ok=True)
        self.assertEqual(completed("waferpair", "for"), ["for", "bash"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        def completed(line):
            name = line.split()[0]
            file = self.path(f"share/fish/vendor_completions.d/{name}.fish")
            ran = subprocess.run(["fish", "--no-config", "-c", f'source "{file}"; complete -C "{line}"'],
                                 check=True, cwd=self.home, stdout=subprocess.PIPE, text=True,
                                 env={"PATH": "/usr/bin:/bin", "HOME": self.home})
            return [row.split("\t")[0] for row in ran.stdout.splitlines()]

        self.assertEqual(completed("waferpair --new-w"), ["--new-window"])
        self.assertIn("estimate", completed("waferctl est"))
        self.assertIn("--shape", completed("waferctl estimate --sh"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_what_it_completes(self):
        for program in PROGRAMS:
            file = self.path(f"share/zsh/vendor-completions/_{program}")
            subprocess.run(["zsh", "-fn", file], check=True)
            with open(file, encoding="utf-8") as text:
                self.assertEqual(text.readline(), f"#compdef {program}\n")

    def test_the_guide_comes_along(self):
        with open(self.path("share/waferpair/guide/index.md"), encoding="utf-8") as file:
            pages = set(re.findall(r"\]\(([\w-]+\.md)\)", file.read()))
        self.assertIn("privacy.md", pages)
        self.assertEqual(pages - set(os.listdir(self.path("share/waferpair/guide"))), set())

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
