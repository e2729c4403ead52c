# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/setup.sh on systems that are not as they should be, played by stand-ins for apt-get and its kin;
what they print is what the real ones do. scripts/try_fresh.sh tries the real thing."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("awk basename bash cat cp cut df dirname env grep head id ln ls mkdir mktemp mv nproc printf realpath rm sed "
         "sha256sum sort tail tee touch tput tr uname").split()

LOCKED = """\
E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (unattended-upgr)
E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?"""
OFFLINE = """\
Err:1 http://mirror.invalid/debian bookworm InRelease
  Temporary failure resolving 'mirror.invalid'
W: Failed to fetch http://mirror.invalid/debian/dists/bookworm/InRelease  Temporary failure resolving 'mirror.invalid'"""


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name) / "a clone"
        shutil.copytree(TOP / "scripts", self.top / "scripts")
        self.bin = pathlib.Path(folder.name) / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.calls = pathlib.Path(folder.name) / "calls"
        self.calls.touch()
        # A plain user on a system where every package is known and none is installed yet.
        self.stand_in("id", 'case $* in -u) echo 1000 ;; *) echo tester ;; esac')
        self.stand_in("sudo", '[ "$1" != -n ] || shift; exec "$@"')
        self.stand_in("sleep", "")
        self.stand_in("dpkg", "")
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("apt-cache", "")
        self.stand_in("apt-get", "")
        (self.top / "scripts/build_syntax_highlighting.sh").write_text(
            f'#!/bin/sh\necho build_syntax_highlighting >> "{self.calls}"\n')

    def stand_in(self, name, script):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f'#!/bin/bash\necho "{name} $*" >> "{self.calls}"\n{textwrap.dedent(script)}\n')
        path.chmod(0o755)

    def setup(self, *arguments):
        return subprocess.run([str(self.top / "scripts/setup.sh"), *arguments], text=True, timeout=60,
                              env={"PATH": str(self.bin), "HOME": "/nonexistent"}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def installed(self):
        """The packages of the last installation."""
        for line in reversed(self.calls.read_text().splitlines()):
            if line.startswith("apt-get") and " install " in line:
                return [word for word in line.split(" install ")[1].split() if not word.startswith("-")]
        return []

    def called(self, start):
        return sum(line.startswith(start) for line in self.calls.read_text().splitlines())

    def fails(self, *parts):
        result = self.setup()
        self.assertNotEqual(result.returncode, 0, result.stdout)
        for part in parts:
            self.assertIn(part, result.stdout)
        self.assertFalse((self.top / "build/setup.stamp").exists())
        return result.stdout

    def test_installs_what_is_missing_and_then_has_nothing_to_do(self):
        result = self.setup()
        self.assertEqual(result.returncode, 0, result.stdout)
        for package in ("g++", "qt6-base-dev", "xvfb", "libkf6syntaxhighlighting-dev", "qt6-svg-plugins"):
            self.assertIn(package, self.installed())
        self.assertNotIn("clang", self.installed())
        self.assertEqual(self.called("build_syntax_highlighting"), 0)
        self.calls.write_text("")
        again = self.setup()
        self.assertEqual((again.returncode, again.stdout), (0, ""))
        self.assertEqual(self.called("apt-get"), 0)
        self.setup("--tests")
        self.assertIn("clang", self.installed())

    def test_a_release_without_kde_frameworks_6_gets_what_its_source_needs(self):
        self.stand_in("apt-cache", 'case $2 in libkf6*|qt6-svg-plugins) exit 100 ;; esac')
        result = self.setup()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("xz-utils", self.installed())
        self.assertIn("ca-certificates", self.installed())
        self.assertNotIn("qt6-svg-plugins", self.installed())
        self.assertEqual(self.called("build_syntax_highlighting"), 1)

    def test_no_apt_get(self):
        (self.bin / "apt-get").unlink()
        self.fails("no apt-get", "Qt is to be 6.4 or later", "  qt6-base-dev\n")

    def test_no_sudo(self):
        (self.bin / "sudo").unlink()
        self.fails("there is no sudo", "apt-get install ", "qt6-base-dev", "run this again")
        self.assertEqual(self.called("apt-get"), 0)

    def test_sudo_refuses(self):
        self.stand_in("sudo", 'echo "tester is not in the sudoers file." >&2; exit 1')
        self.fails("not in the sudoers file", "does not let tester install", "apt-get install ")
        self.assertEqual(self.called("apt-get"), 0)

    def test_waits_for_another_installation(self):
        self.stand_in("apt-get", f"""
            case $* in *" install "*)
              count=$(grep -c ' install ' "{self.calls}")
              if [ "$count" -lt 4 ]; then printf '%s\\n' "{LOCKED}"; exit 100; fi ;;
            esac""")
        result = self.setup()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(result.stdout.count("another program is installing packages"), 1)
        self.assertIn("process 4711 (unattended-upgr)", result.stdout)

    def test_no_network(self):
        self.stand_in("apt-get", f"""
            case $* in
              *" install "*) echo "E: Unable to locate package qt6-base-dev"; exit 100 ;;
              *) printf '%s\\n' "{OFFLINE}" ;;
            esac""")
        self.fails("the package mirror is out of reach", "mirror.invalid", "check the network".capitalize())

    def test_a_list_that_is_out_of_reach_does_not_matter_alone(self):
        self.stand_in("apt-get", f"""case $* in *" update"*) printf '%s\\n' "{OFFLINE}"; exit 100 ;; esac""")
        self.assertEqual(self.setup().returncode, 0)

    def test_a_release_that_is_too_old(self):
        self.stand_in("apt-get", """
            case $* in *" install "*) echo "E: Unable to locate package libqscintilla2-qt6-dev"; exit 100 ;; esac""")
        self.fails("Unable to locate package libqscintilla2-qt6-dev", "before Debian 12 and Ubuntu 24.04")

    def test_a_disk_that_is_full_before(self):
        self.stand_in("df", 'echo Filesystem 1M-blocks Used Available; echo /dev/x 9999 9989 10 99% /')
        self.fails("has 10 MB left", "free some room")
        self.assertEqual(self.installed(), [])

    def test_a_disk_that_fills_up(self):
        self.stand_in("apt-get", """
            case $* in *" install "*)
              echo "E: Write error - write (28: No space left on device)"; exit 100 ;; esac""")
        self.fails("the disk is full", "No space left on device")

    def test_an_installation_that_was_interrupted_is_finished_first(self):
        self.stand_in("dpkg", '[ "$1" != --audit ] || echo "The following packages are only half configured"')
        self.assertEqual(self.setup().returncode, 0)
        self.assertEqual(self.called("dpkg --configure -a"), 1)

    def test_progress_comes_in_few_lines(self):
        lines = "".join(f"echo pmstatus:libx:amd64:{i}.5:Unpacking libx; " for i in range(100))
        self.stand_in("apt-get", f"""case $* in *" install "*) {lines} ;; esac""")
        progress = [line for line in self.setup().stdout.splitlines() if line.startswith("setup: packages: ")]
        self.assertEqual(progress, [f"setup: packages: [{i}/100] Unpacking libx" for i in range(0, 100, 10)])


class Follow(unittest.TestCase):
    def follow(self, text):
        return subprocess.run(["bash", "-c", ". scripts/common.sh; follow test"], input=text, text=True, cwd=TOP,
                              stdout=subprocess.PIPE, check=True).stdout

    def test_what_is_no_progress_passes_unchanged(self):
        self.assertEqual(self.follow("a.cpp:1: error: no\n\n  [x] y\nlast without an end"),
                         "a.cpp:1: error: no\n\n  [x] y\nlast without an end\n")

    def test_a_line_at_each_tenth(self):
        text = "".join(f"[{i}/40] Building {i}\n" for i in range(1, 41))
        told = [int(line.split("[")[1].split("/")[0]) for line in self.follow(text).splitlines()]
        self.assertEqual(told, [1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40])

    def test_a_second_run_is_told_from_its_beginning(self):
        self.assertEqual(self.follow("[1/2] a\n[2/2] b\n[1/2] c\n[2/2] d\n"),
                         "test: [1/2] a\ntest: [2/2] b\ntest: [1/2] c\ntest: [2/2] d\n")


class SyntaxHighlighting(unittest.TestCase):
    """cmake/FindSyntaxHighlighting.cmake and the copies that it may come across."""

    def configure(self, version, qt=6):
        if not (cmake := shutil.which("cmake")):
            self.skipTest("no cmake")
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            if version:
                package = top / "build/deps/lib/cmake/KF5SyntaxHighlighting"
                package.mkdir(parents=True)
                (package / "KF5SyntaxHighlightingConfig.cmake").write_text(
                    "add_library(KF5::SyntaxHighlighting INTERFACE IMPORTED)\n"
                    "set_target_properties(KF5::SyntaxHighlighting PROPERTIES\n"
                    f"  INTERFACE_LINK_LIBRARIES Qt{qt}::Gui)\n")
                (package / "KF5SyntaxHighlightingConfigVersion.cmake").write_text(
                    f"set(PACKAGE_VERSION {version})\n"
                    "if(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)\n"
                    "  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n")
            (top / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES NONE)\n"
                "set(CMAKE_DISABLE_FIND_PACKAGE_KF6SyntaxHighlighting ON)\n"
                # CMake must find only the files in this folder.
                "set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)\nset(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\n"
                f'include("{TOP}/cmake/FindSyntaxHighlighting.cmake")\n')
            result = subprocess.run([cmake, "-S", folder, "-B", top / "out"], text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return result.returncode, " ".join(result.stdout.split())

    def test_ubuntus_copy_will_do(self):
        code, output = self.configure("5.115.0")
        self.assertEqual(code, 0, output)

    def test_an_old_copy_is_named_with_a_remedy(self):
        code, output = self.configure("5.40.0")
        self.assertNotEqual(code, 0)
        self.assertIn("found: 5.40.0 in ", output)
        self.assertIn("Remove that copy", output)

    def test_a_copy_for_qt_5_is_not_taken(self):
        code, output = self.configure("5.115.0", qt=5)
        self.assertNotEqual(code, 0)
        self.assertIn("which is for Qt 5", output)

    def test_none_at_all(self):
        code, output = self.configure(None)
        self.assertNotEqual(code, 0)
        self.assertIn("rm build/setup*.stamp", output)


if __name__ == "__main__":
    unittest.main()
