# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that a second start hands what it is asked for to the window that runs, and waits for it."""

import glob
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from window_test import waferpair

PROGRAM = os.path.join(waferpair.BIN, "waferpair")


class OneInstance(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waferpair-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # A window that is killed leaves its model server behind for a moment, which writes there.
        self.addCleanup(self.until, lambda: not self.servers())
        os.chmod(self.folder, 0o700)
        self.project = os.path.join(self.folder, "project")
        os.mkdir(self.project)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder, HOME=self.folder)
        self.environment.setdefault("QT_QPA_PLATFORM", "offscreen")

    def start(self, *targets, flags=()):
        """A window that is driven."""
        window = waferpair.Window(*targets, folder=self.folder, flags=flags, model=False)
        self.addCleanup(window.stop)
        window.idle()
        return window

    def command(self, *arguments, profile="profile"):
        return [PROGRAM, "--new-profile", os.path.join(self.folder, profile), *arguments]

    def second(self, *arguments, **options):
        """A second start that is to end at once: its exit status and what it said."""
        ended = subprocess.run(
            self.command(*arguments, **options), env=self.environment, cwd=self.project,
            timeout=waferpair.PATIENCE, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )
        return ended.returncode, ended.stderr

    def waiting(self, *arguments):
        """A second start that waits."""
        process = subprocess.Popen(
            self.command("--wait", *arguments), env=self.environment, cwd=self.project,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def write(self, name, text):
        path = os.path.join(self.project, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.project, name), encoding="utf-8") as file:
            return file.read()

    def sockets(self):
        return glob.glob(os.path.join(self.folder, "waferpair/editor-*.sock"))

    def servers(self):
        """The model servers of windows with this folder."""
        found = []
        for process in glob.glob("/proc/[0-9]*"):
            try:
                with open(process + "/environ", "rb") as environ, open(process + "/comm", encoding="utf-8") as name:
                    if name.read().strip() == "waferd" and self.folder.encode() in environ.read():
                        found.append(process)
            except OSError:
                pass  # it has ended meanwhile, or is somebody else's
        return found

    def until(self, condition):
        deadline = time.monotonic() + waferpair.PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline, "waited in vain")
            time.sleep(0.02)

    def test_a_second_start_hands_its_files_over(self):
        self.write("a.txt", "1\n2\n3 three\n")
        window = self.start()
        self.assertEqual(self.second("a.txt:3:2"), (0, ""))
        window.wait("/document/title", equals="a.txt")
        caret = window.state("/document/carets/0")
        self.assertEqual((caret["line"], caret["column"]), (3, 2))
        self.assertEqual([os.stat(path).st_mode & 0o777 for path in self.sockets()], [0o600])

    def test_a_file_that_is_not_there_is_made_by_its_first_save(self):
        window = self.start()
        self.assertEqual(self.second("new.txt"), (0, ""))
        window.wait("/document/title", equals="new.txt")
        window.type("text")
        window.key("Ctrl+S")
        window.idle()
        self.assertEqual(self.read("new.txt"), "text")

    def test_what_cannot_be_shown_is_said_to_who_asked(self):
        self.start()
        code, said = self.second("nowhere/a.txt")
        self.assertEqual(code, 1)
        self.assertIn("nowhere/a.txt", said)
        os.mkfifo(os.path.join(self.project, "pipe"))
        process = self.waiting("pipe")
        _, said = process.communicate(timeout=waferpair.PATIENCE)
        self.assertEqual(process.returncode, 1)
        self.assertIn("pipe", said)
        self.assertEqual(self.second("--wait", ".")[0], 2)
        self.assertEqual(self.second("--wait")[0], 2)

    def test_a_folder_goes_to_the_window_that_has_it(self):
        other = os.path.join(self.folder, "other")
        os.mkdir(other)
        first, window = self.start(other), self.start(self.project)
        first.key("Ctrl+N")  # it is the one used last
        self.assertEqual(self.second("."), (0, ""))
        self.assertEqual(window.state("/folder"), self.project)
        self.assertEqual(first.state("/folder"), other)
        # A file goes where its folder is open.
        self.write("a.txt", "")
        self.assertEqual(self.second("a.txt"), (0, ""))
        window.wait("/document/title", equals="a.txt")
        self.assertEqual(first.state("/document/title"), "Untitled 1")

    def test_an_empty_window_takes_a_folder(self):
        window = self.start()
        self.write("a.txt", "")
        self.assertEqual(self.second(".", "a.txt"), (0, ""))
        window.wait("/folder", equals=self.project)
        window.wait("/document/title", equals="a.txt")

    def test_the_wait_ends_with_the_tab(self):
        self.write("a.txt", "one\n")
        self.write("b.txt", "two\n")
        window = self.start()
        process = self.waiting("a.txt", "b.txt")
        window.wait("/document/title", equals="b.txt")
        self.assertIn("Another program waits until this file is closed.",
                      window.state("/document/banners"))
        window.type("typed ")
        window.click({"object": "saveAndClose"})
        window.wait("/document/title", equals="a.txt")
        self.assertIsNone(process.poll())
        window.key("Ctrl+W")
        self.assertEqual(process.wait(waferpair.PATIENCE), 0)
        self.assertEqual(self.read("b.txt"), "typed two\n")
        self.assertEqual(window.state("/documents"), [])

    def test_who_waits_is_told_when_the_window_is_gone(self):
        for end, code in ((signal.SIGKILL, 1), (signal.SIGTERM, 1)):
            self.write("a.txt", "one\n")
            window = self.start()
            process = self.waiting("a.txt")
            window.wait("/document/title", equals="a.txt")
            window.type("not saved")
            window.idle()
            window.process.send_signal(end)
            _, said = process.communicate(timeout=waferpair.PATIENCE)
            self.assertEqual(process.returncode, code, said)
            self.assertEqual("the window was gone" in said, end == signal.SIGKILL)
            window.process.wait(waferpair.PATIENCE)
            shutil.rmtree(os.path.join(self.folder, "profile/state"))

    def test_a_banner_goes_with_who_waited(self):
        self.write("a.txt", "")
        window = self.start()
        process = self.waiting("a.txt")
        window.wait("/document/banners/0", contains="waits")
        process.send_signal(signal.SIGINT)
        process.wait(waferpair.PATIENCE)
        window.wait("/document/banners", equals=[])

    def test_without_a_window_one_is_opened_and_closed(self):
        self.write("a.txt", "one\n")
        process = self.waiting("--automation", "--no-runtime", "a.txt")
        line = process.stdout.readline()
        window = waferpair.Connection(waferpair.json.loads(line)["automation"])
        self.addCleanup(window.close)
        window.call("wait", at="/document/title", equals="a.txt", timeout_ms=60000)
        window.call("type", text="typed ")
        window.call("key", keys="Ctrl+S")
        window.call("key", keys="Ctrl+W")
        self.assertEqual(process.wait(waferpair.PATIENCE), 0)
        self.assertEqual(self.read("a.txt"), "typed one\n")
        self.until(lambda: not self.sockets())  # the window closed, as there was nothing else in it

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_git_commits_with_it(self):
        def git(*arguments, **options):
            return subprocess.run(["git", *arguments], cwd=self.project, env=environment,
                                  capture_output=True, text=True, **options)

        name = {"NAME": "A", "EMAIL": "a@example.org"}
        environment = dict(self.environment, GIT_CONFIG_NOSYSTEM="1", GIT_EDITOR=" ".join(
            f"'{part}'" for part in self.command("--wait")))
        for who in ("AUTHOR", "COMMITTER"):
            environment.update({f"GIT_{who}_{key}": value for key, value in name.items()})
        git("init", "-q", check=True)
        self.write("a.txt", "one\n")
        git("add", "a.txt", check=True)
        window = self.start(self.project)
        commit = subprocess.Popen(["git", "commit"], cwd=self.project, env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, commit)
        window.wait("/document/title", equals="COMMIT_EDITMSG")
        window.type("Say what is so\n")
        window.key("Ctrl+S")
        window.key("Ctrl+W")
        _, said = commit.communicate(timeout=waferpair.PATIENCE)
        self.assertEqual(commit.returncode, 0, said)
        self.assertEqual(git("log", "--format=%s").stdout, "Say what is so\n")
        # An empty message gives the commit up.
        self.write("a.txt", "two\n")
        commit = subprocess.Popen(["git", "commit", "-a"], cwd=self.project, env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, commit)
        window.wait("/document/title", equals="COMMIT_EDITMSG")
        window.key("Ctrl+W")
        commit.communicate(timeout=waferpair.PATIENCE)
        self.assertEqual(commit.returncode, 1)
        self.assertEqual(git("log", "--format=%s").stdout, "Say what is so\n")

    def test_a_merge_counts_once_it_is_saved(self):
        for name, text in (("base", "1\n2\n"), ("ours", "1\nours\n"), ("theirs", "1\n2\n3\n")):
            self.write(name, text)
        window = self.start()
        for save, code in ((False, 1), (True, 0)):
            process = self.waiting("--merge", "base", "ours", "theirs", "out")
            window.wait("/document/title", equals="out")
            window.idle()
            if save:
                window.key("Ctrl+S")
                window.idle()
                window.key("Ctrl+W")
            else:
                window.key("Ctrl+W")
                window.wait("/dialogs/0/title", contains="Unsaved")
                window.click({"role": "button", "name": "Discard"})
            self.assertEqual(process.wait(waferpair.PATIENCE), code)
        self.assertTrue(os.path.exists(os.path.join(self.project, "out")))

    def test_the_left_of_a_comparison_goes_with_it(self):
        self.write("a.txt", "one\n")
        self.write("b.txt", "two\n")
        window = self.start()
        process = self.waiting("--diff", "a.txt", "b.txt")
        window.wait("/document/title", equals="b.txt")
        window.idle()
        window.key("Ctrl+W")
        self.assertEqual(process.wait(waferpair.PATIENCE), 0)
        window.wait("/documents", equals=[])

    def test_another_profile_and_a_new_window_are_their_own(self):
        self.write("a.txt", "")
        window = self.start()
        for arguments, profile in ((("--new-window", "a.txt"), "profile"), (("a.txt",), "another")):
            process = subprocess.Popen(self.command(*arguments, profile=profile), cwd=self.project,
                                       env=self.environment, stderr=subprocess.DEVNULL)
            before = len(self.sockets())
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.until(lambda: len(self.sockets()) > before or process.poll() is not None)
            self.assertIsNone(process.poll())
            self.assertEqual(window.state("/documents"), [])

    def test_a_dead_socket_is_cleaned_and_a_hung_window_left_alone(self):
        self.write("a.txt", "")
        window = self.start()
        window.process.kill()
        window.process.wait()
        self.assertEqual(len(self.sockets()), 1)
        dead = self.sockets()[0]
        another = self.start()
        self.assertEqual(self.second("a.txt"), (0, ""))
        self.assertFalse(os.path.exists(dead))
        another.wait("/document/title", equals="a.txt")
        # One that only listens does not keep the file from the one that answers.
        hung = socket.socket(socket.AF_UNIX)
        self.addCleanup(hung.close)
        hung.bind(dead)
        hung.listen(1)
        self.write("b.txt", "")
        self.assertEqual(self.second("b.txt"), (0, ""))
        another.wait("/document/title", equals="b.txt")
        # Nor does it keep anybody from a window for ever: the next one is one of its own.
        another.call("quit", at_once=True)
        another.process.wait(waferpair.PATIENCE)
        process = subprocess.Popen(self.command("a.txt"), cwd=self.project, env=self.environment,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        self.assertIn("does not answer", process.stderr.readline())
        self.until(lambda: len(self.sockets()) == 2)

    def test_two_starts_at_once_are_one_window(self):
        for name in "abc":
            self.write(name, "")
        starts = [subprocess.Popen(self.command(name), cwd=self.project, env=self.environment,
                                   stderr=subprocess.DEVNULL) for name in "abc"]
        for process in starts:
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
        self.until(lambda: sum(process.poll() is not None for process in starts) == 2)
        self.assertEqual(len(self.sockets()), 1)

    def test_nonsense_over_the_socket_ends_the_connection(self):
        window = self.start()
        for line in (b"GET / HTTP/1.1\r\n\r\n", b"{}\n", b"x" * (2 << 20)):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(waferpair.PATIENCE)
                client.connect(self.sockets()[0])
                client.recv(1000)  # the greeting
                try:
                    client.sendall(line)
                    self.assertEqual(client.recv(1), b"")
                except (BrokenPipeError, ConnectionResetError):
                    pass
        self.assertEqual(window.state("/documents"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
