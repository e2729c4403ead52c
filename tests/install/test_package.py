# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs what is built as a Debian package, and looks at it as Debian would. That it installs and runs in a
bare root is tried by scripts/try_package.sh, which takes root's rights and a mirror.

    test_package.py CMAKE BUILD
"""

import filecmp
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

EPOCH = "1700000000"  # 2023-11-14
PATIENCE = 250  # seconds; only a hang takes that long


@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "dpkg-dev is not installed")
class Packaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.package = cls.packed("first")

    @classmethod
    def packed(cls, name):
        """The path of the package, made in a folder of that name."""
        folder = os.path.join(cls.folder, name)
        os.mkdir(folder)
        cpack = os.path.join(os.path.dirname(CMAKE), "cpack")
        command = [cpack, "-G", "DEB", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder]
        ran = subprocess.run(command, env=dict(os.environ, SOURCE_DATE_EPOCH=EPOCH, TZ="UTC"),
                             timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert ran.returncode == 0, ran.stdout
        (path,) = glob.glob(os.path.join(folder, "*.deb"))
        return path

    def ask(self, *command):
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def test_the_same_build_gives_the_same_bytes(self):
        self.assertTrue(filecmp.cmp(self.package, self.packed("second"), shallow=False))

    def test_it_has_what_is_installed(self):
        rows = [row.split(None, 5) for row in self.ask("dpkg-deb", "-c", self.package).splitlines()]
        files = {row[5].split(" -> ")[0]: row for row in rows}
        for path in ("bin/waferpair", "bin/waferd", "bin/waferctl", "share/man/man1/waferd.1.gz",
                     "share/doc/waferpair/copyright", "share/doc/waferpair/changelog.gz",
                     "share/waferpair/guide/index.md", "share/waferpair/python/waferpair/__init__.py", "share/applications/waferpair.desktop",
                     "share/mime/packages/waferpair.xml", "share/bash-completion/completions/waferctl"):
            self.assertIn("./usr/" + path, files)
        self.assertNotIn("./usr/share/doc/waferpair/LICENSE", files)
        for path, row in files.items():
            self.assertEqual(row[1], "root/root", path)
            self.assertEqual(row[3], "2023-11-14", path)
            mode = {"d": "drwxr-xr-x", "l": "lrwxrwxrwx"}.get(row[0][0], "-rw-r--r--")
            self.assertEqual(row[0], "-rwxr-xr-x" if "/usr/bin/" in path and row[0][0] == "-" else mode, path)

    def test_it_asks_for_what_it_links(self):
        needs = self.ask("dpkg-deb", "-f", self.package, "Depends")
        for library in ("libc6", "libqt6widgets6", "libqscintilla2-qt6", "libgit2", "libvterm0", "libhunspell"):
            self.assertIn(library, needs)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_no_error(self):
        found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", self.package],
                               timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(found.returncode, 0, found.stdout)


if __name__ == "__main__":
    BUILD = os.path.realpath(sys.argv.pop())
    CMAKE = sys.argv.pop()
    unittest.main(verbosity=2)
