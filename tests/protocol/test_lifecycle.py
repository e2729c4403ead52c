# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests how waferd begins and ends: the listening line, tokens, signals, kills, bad models."""

import json
import os
import signal
import stat
import subprocess
import tempfile
import unittest

import waferd


class Lifecycle(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name

    def tearDown(self):
        self.scratch.cleanup()

    def files(self):
        """What servers leave, but for the folder of crash reports, which stays."""
        return [name for name in os.listdir(os.path.join(self.folder, "waferpair"))
                if name != "crashes"]

    async def test_it_says_where_it_listens_and_guards_its_token(self):
        with waferd.Server(self.folder) as server:
            self.assertEqual(server.listening["pid"], server.process.pid)
            self.assertEqual(stat.S_IMODE(os.stat(server.token_file).st_mode), 0o600)
            folder = os.path.dirname(server.token_file)
            self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
            self.assertRegex(server.token, "^[0-9a-f]{64}$")

    async def test_on_sigterm_it_says_goodbye_and_cleans_up(self):
        with waferd.Server(self.folder) as server:
            session = await server.session()
            await session.send("response.create", input="for", max_output_tokens=16000)
            await session.until("response.output_text.delta")
            server.process.terminate()
            with self.assertRaises(waferd.websockets.ConnectionClosed):
                while True:
                    await session.receive()
            self.assertEqual(session.socket.close_code, 1001)
            self.assertEqual(server.process.wait(waferd.PATIENCE), 0)
            self.assertEqual(self.files(), [])

    async def test_it_may_be_asked_to_end_as_soon_as_it_listens(self):
        with waferd.Server(self.folder) as server:
            server.process.terminate()
            self.assertEqual(server.process.wait(waferd.PATIENCE), 0)
            self.assertEqual(self.files(), [])

    async def test_killed_in_the_middle_of_a_stream_it_can_start_again(self):
        with waferd.Server(self.folder) as server:
            session = await server.session()
            await session.send("response.create", input="for", max_output_tokens=16000)
            await session.until("response.output_text.delta")
            server.process.kill()
            with self.assertRaises(waferd.websockets.ConnectionClosed):
                while True:
                    await session.receive()
            port, old = server.port, server.token
        self.assertEqual(self.files(), [f"{port}.token"])  # a leftover
        with waferd.Server(self.folder, "--port", str(port)) as server:
            self.assertNotEqual(server.token, old)
            async with await server.session() as session:
                await session.send("document.open", uri="a", version=1, text="int ")
                text, _ = await session.complete(1, uri="a", version=1, offset=4, max_tokens=5)
                self.assertTrue(text)
            with self.assertRaises(Exception):
                await server.connect(token=old)

    async def test_what_killed_servers_left_goes_at_the_next_start(self):
        with waferd.Server(self.folder) as living:
            with waferd.Server(self.folder) as killed:
                killed.process.kill()
                killed.process.wait()
                self.assertIn(f"{killed.port}.token", self.files())
            with waferd.Server(self.folder) as server:
                self.assertCountEqual(
                    self.files(), [f"{living.port}.token", f"{server.port}.token"]
                )
                # The living one is none the worse for it.
                async with await living.session() as session:
                    self.assertEqual((await session.alive())["state"], "ready")

    async def test_it_ends_with_its_parent_however_that_ends(self):
        # The parent is a shell that starts waferd and then waits to be killed.
        command = [os.path.join(waferd.BIN, "waferd"), "--threads", "1", "--model",
                   waferd.make_model(self.folder)]
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder)
        script = '"$@" --parent-pid $$ & wait'
        parent = subprocess.Popen(["sh", "-c", script, "sh", *command], env=environment,
                                  stdout=subprocess.PIPE, text=True)
        listening = json.loads(parent.stdout.readline())
        parent.kill()
        parent.wait()
        # Its end of the pipe closes when the last holder of it, waferd, has ended.
        self.assertEqual(parent.stdout.read(), "")
        parent.stdout.close()
        self.assertFalse(os.path.exists(listening["token_file"]))

    async def test_a_parent_that_is_gone_already_is_noticed(self):
        child = subprocess.Popen(["true"])
        child.wait()
        with waferd.Server(self.folder, "--parent-pid", str(child.pid)) as server:
            self.assertEqual(server.process.wait(waferd.PATIENCE), 0)

    async def test_nobody_using_it_long_enough_ends_it(self):
        with waferd.Server(self.folder, "--idle-exit", "1") as server:
            self.assertEqual(server.process.wait(waferd.PATIENCE), 0)

    def bad_model(self):
        path = os.path.join(self.folder, "broken.gguf")
        with open(path, "wb") as file:
            file.write(b"GGUF" + b"\x00" * 20)
        return path

    async def test_a_bad_model_ends_it_with_a_reason(self):
        with waferd.Server(self.folder, model=self.bad_model()) as server:
            self.assertEqual(server.process.wait(waferd.PATIENCE), 3)
            self.assertIn("broken.gguf", server.process.stderr.read())
            self.assertEqual(self.files(), [])

    async def test_or_it_is_kept_and_tells_every_client(self):
        with waferd.Server(self.folder, "--on-bad-model", "keep", model=self.bad_model()) as server:
            session = waferd.Session(await server.connect())
            event = await session.receive()
            while event["state"] == "loading":
                event = (await session.until("status"))[-1]
            self.assertEqual(event["state"], "failed")
            self.assertIn("broken.gguf", event["error"]["message"])
            self.assertIsNone(event["model"])
            await session.send("document.open", uri="a", version=1, text="")
            await session.send("completion.create", id=1, uri="a", version=1, offset=0)
            error = (await session.until("error"))[-1]
            self.assertEqual((error["id"], error["error"]["code"]), (1, "not_ready"))
            self.assertIn("broken.gguf", error["error"]["message"])
            await session.socket.close()

    def refused(self, *flags, model=None):
        with waferd.Server(self.folder, *flags, model=model, wait=False) as server:
            output, errors = server.process.communicate(timeout=waferd.PATIENCE)
            self.assertEqual(output, "")
            return server.process.returncode, errors

    async def test_what_else_is_wrong_is_told_before_a_missing_model(self):
        program = os.path.join(waferd.BIN, "waferd")
        for arguments, code, told in ((["-V"], 0, "waferd"), (["--version"], 0, "waferd"), (["help"], 0, "--model"),
                                      (["--nope"], 2, "--nope"), (["extra"], 2, "extra"), (["--host", "0.0.0.0"], 2, "0.0.0.0"),
                                      ([], 2, "--model")):
            done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=waferd.PATIENCE, check=False)
            self.assertEqual(done.returncode, code, arguments)
            self.assertIn(told, done.stdout + done.stderr, arguments)

    async def test_what_it_cannot_do_it_says(self):
        with waferd.Server(self.folder) as server:
            code, errors = self.refused("--port", str(server.port))
            self.assertEqual(code, 1)
            self.assertIn(str(server.port), errors)
        code, errors = self.refused("--host", "0.0.0.0")
        self.assertEqual(code, 2)
        self.assertIn("0.0.0.0", errors)
        code, errors = self.refused("--machine", "wse9")
        self.assertEqual(code, 2)
        self.assertIn("wse9", errors)
        code, errors = self.refused("--kv-reuse", "32", "--kv-format", "q8_0")
        self.assertEqual(code, 2)
        self.assertIn("--kv-reuse", errors)
        notes = os.path.join(self.folder, "notes")
        with open(notes, "w", encoding="ascii") as file:
            file.write("mine")
        code, errors = self.refused("--token-file", notes)
        self.assertEqual(code, 1)
        self.assertIn(notes, errors)

    async def test_what_was_computed_is_kept_for_the_next_start(self):
        cache = os.path.join(self.folder, "session")

        async def complete(seed):
            model = waferd.make_model(self.folder, seed=seed)
            with waferd.Server(self.folder, "--session-cache", cache, model=model) as server:
                async with await server.session() as session:
                    await session.send("document.open", uri="a", version=1, text="int x;\n" * 50)
                    text, done = await session.complete(
                        1, uri="a", version=1, offset=350, max_tokens=4
                    )
                server.process.terminate()
                self.assertEqual(server.process.wait(waferd.PATIENCE), 0)
                usage = done["usage"]
                cached = usage["input_tokens_details"]["cached_tokens"]
                return text, usage["input_tokens"] - cached, server.process.stderr.read()

        text, computed, errors = await complete(7)
        self.assertGreater(computed, 50)
        self.assertEqual(errors, "")
        self.assertEqual(stat.S_IMODE(os.stat(cache).st_mode), 0o600)
        self.assertEqual(await complete(7), (text, 1, ""))
        _, computed, errors = await complete(8)
        self.assertGreater(computed, 50)
        self.assertIn("another model", errors)
        self.assertIn(cache, errors)

    async def test_the_log_tells_of_events_and_of_no_text(self):
        log = os.path.join(self.folder, "log")
        with waferd.Server(self.folder, "--log", log) as server:
            async with await server.session() as session:
                await session.send("document.open", uri="a", version=1, text="topsecret")
                await session.complete(1, uri="a", version=1, offset=9, max_tokens=2)
            server.process.send_signal(signal.SIGINT)
            self.assertEqual(server.process.wait(waferd.PATIENCE), 0)
            with open(log, encoding="utf-8") as file:
                text = file.read()
            self.assertEqual(stat.S_IMODE(os.stat(log).st_mode), 0o600)
        for words in ("listening", "model ready: tiny", "session 1 opened", "ending"):
            self.assertIn(words, text)
        self.assertRegex(text, r"model ready: tiny, [0-9]+ threads?, [a-z0-9]")
        self.assertNotIn("topsecret", text)
        self.assertNotIn(server.token, text)


if __name__ == "__main__":
    waferd.main()
