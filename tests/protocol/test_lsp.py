# SPDX-License-Identifier: GPL-3.0-or-later
"""waferctl lsp between an editor, played by this test, and the real waferd."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import waferd

URI = "file:///project/a.cpp"
TEXT = "int value = compute(value, 17);\nint value = compute(value, 17);\nint v"
LINE, CHARACTER = 2, 5


class Editor:
    """Starts waferctl lsp and speaks LSP with it."""

    def __init__(self, folder, *flags, initialize=True, **params):
        environment = dict(os.environ, XDG_RUNTIME_DIR=folder)
        self.process = subprocess.Popen(
            [os.path.join(waferd.BIN, "waferctl"), "lsp", *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        )
        self.last = 0
        self.told = []  # notifications, in order of arrival
        if initialize:
            self.capabilities = self.ask("initialize", processId=os.getpid(), **params)["capabilities"]
            self.notify("initialized")

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            assert line, "it ended: " + self.process.stderr.read().decode()
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            name, value = line.split(b":")
            length = int(value) if name.lower() == b"content-length" else length

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def request(self, method, **params):
        self.last += 1
        self.send(id=self.last, method=method, params=params)
        return self.last

    def answer(self, number):
        guard = threading.Timer(waferd.PATIENCE, self.process.kill)
        guard.start()
        try:
            while True:
                message = self.receive()
                if message.get("id") == number:
                    return message
                self.told.append(message)
        finally:
            guard.cancel()

    def ask(self, method, **params):
        message = self.answer(self.request(method, **params))
        assert "result" in message, message
        return message["result"]

    def open(self, text, uri=URI):
        document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def items(self, method="textDocument/inlineCompletion", line=LINE, character=CHARACTER, **context):
        return self.ask(method, textDocument={"uri": URI}, context={"triggerKind": 1, **context},
                        position={"line": line, "character": character})["items"]

    def wait_for_items(self, **place):
        """Asks until the model server is there."""
        end = time.monotonic() + waferd.PATIENCE
        while True:
            items = self.items(**place)
            if items:
                return items
            assert time.monotonic() < end, self.told
            time.sleep(0.05)

    def end(self):
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(waferd.PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class Lsp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def expected(self, text, offset):
        """What the server itself says at that place, from a session of its own."""
        import asyncio

        async def complete():
            async with await self.server.session() as session:
                await session.send("document.open", uri="file:///a.cpp", version=1, text=text)
                await session.send("completion.create", id=1, uri="file:///a.cpp", version=1,
                                   offset=offset, max_tokens=64, max_lines=8, lines=6)
                events = await session.until("completion.done")
                return "".join(e["text"] for e in events if e["type"] == "completion.delta")

        return asyncio.run(complete())

    def test_a_session_with_a_server_that_runs(self):
        options = {"minProbabilityInLists": 0}  # a random model is sure of nothing
        with waferd.Server(self.folder) as self.server, Editor(
            self.folder, initializationOptions=options
        ) as editor:
            self.assertEqual(editor.capabilities["positionEncoding"], "utf-16")
            editor.open(TEXT)
            items = editor.wait_for_items()
            wanted = self.expected(TEXT, len(TEXT))
            self.assertTrue(wanted)
            self.assertEqual(items[0]["insertText"], wanted)
            self.assertEqual(len({item["insertText"] for item in items}), len(items))
            # The same as a list, in an editor that knows no other.
            [item] = editor.items("textDocument/completion")
            self.assertEqual(item["textEdit"]["newText"], "v" + wanted)
            self.assertEqual(item["textEdit"]["range"]["start"], {"line": 2, "character": 4})
            # What is typed is known: a line above, with characters of two units.
            head = "// \U0001F600\n"
            at = {"line": 0, "character": 0}
            editor.notify("textDocument/didChange", textDocument={"uri": URI, "version": 2},
                          contentChanges=[{"range": {"start": at, "end": at}, "text": head}])
            items = editor.items(line=3)
            wanted = self.expected(head + TEXT, len((head + TEXT).encode()))
            self.assertEqual(items[0]["insertText"], wanted)
            self.assertEqual(editor.end(), 0)
            # The server was there before, and stays.
            self.assertIsNone(self.server.process.poll())

    def test_it_starts_a_server_and_ends_it(self):
        with Editor(self.folder, "--model", waferd.make_model(self.folder)) as editor:
            editor.open(TEXT)
            editor.wait_for_items()
            [token] = pathlib.Path(self.folder, "waferpair").glob("*.token")
            self.assertEqual(editor.end(), 0)
            self.assertFalse(token.exists())

    def test_a_server_that_is_killed_is_replaced(self):
        model = waferd.make_model(self.folder)
        with waferd.Server(self.folder, model=model) as first, Editor(self.folder) as editor:
            editor.open(TEXT)
            before = editor.wait_for_items()
            first.process.send_signal(signal.SIGKILL)
            first.process.wait()
            # Meanwhile nothing hangs. The text is told anew to the next one.
            editor.items()
            with waferd.Server(self.folder, model=model):
                self.assertEqual(editor.wait_for_items(), before)
            self.assertTrue(any(m["method"] == "window/logMessage" for m in editor.told))

    def test_an_editor_that_dies_leaves_nothing_behind(self):
        with Editor(self.folder, "--model", waferd.make_model(self.folder)) as editor:
            editor.open(TEXT)
            editor.wait_for_items()
            editor.process.stdin.close()
            self.assertEqual(editor.process.wait(waferd.PATIENCE), 1)
            self.assertEqual(list(pathlib.Path(self.folder, "waferpair").glob("*.token")), [])

    def test_a_model_that_cannot_be_read_is_told(self):
        broken = os.path.join(self.folder, "broken.gguf")
        pathlib.Path(broken).write_bytes(b"GGUF")
        with Editor(self.folder, "--model", broken) as editor:
            editor.open(TEXT)
            end = time.monotonic() + waferd.PATIENCE
            while not editor.told and time.monotonic() < end:
                self.assertEqual(editor.items(), [])
                time.sleep(0.05)
            self.assertIn("broken.gguf", editor.told[0]["params"]["message"])

    def test_other_bytes_end_it(self):
        with Editor(self.folder, "--model", waferd.make_model(self.folder), initialize=False) as editor:
            editor.process.stdin.write(b"GET / HTTP/1.1\r\n\r\n")
            editor.process.stdin.flush()
            self.assertEqual(editor.process.wait(waferd.PATIENCE), 1)
            self.assertIn(b"Language Server Protocol", editor.process.stderr.read())


NEOVIM = """
vim.lsp.start_client({name = 'waferpair', cmd = {CMD, 'lsp'},
  init_options = {minProbabilityInLists = 0}, on_init = function(client)
  vim.lsp.buf_attach_client(0, client.id)
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local function ask()
    client.request('textDocument/completion', place, function(_, result)
      if not result or #result.items == 0 then vim.defer_fn(ask, 50) return end
      vim.lsp.util.apply_text_edits({result.items[1].textEdit}, 0, client.offset_encoding)
      vim.cmd('write | qall!')
    end, 0)
  end
  ask()
end})
"""


# Asks the client that the user's settings have started, and takes what it says.
NEOVIM_AS_SET_UP = """
local function ask()
  local client = vim.lsp.get_active_clients()[1]
  if not client or not vim.lsp.buf_is_attached(0, client.id) then vim.defer_fn(ask, 50) return end
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  client.request('textDocument/completion', place, function(_, result)
    if not result or #result.items == 0 then vim.defer_fn(ask, 50) return end
    vim.lsp.util.apply_text_edits({result.items[1].textEdit}, 0, client.offset_encoding)
    vim.cmd('write | qall!')
  end, 0)
end
ask()
"""
MODEL = pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "models" / "waferpair-mini.gguf"


@unittest.skipUnless(shutil.which("nvim"), "neovim is not installed")
class Neovim(unittest.TestCase):
    """Neovim's own client, with a real server."""

    def test_neovim_takes_an_item(self):
        with tempfile.TemporaryDirectory() as folder, waferd.Server(folder) as server:
            file = pathlib.Path(folder, "a.cpp")
            file.write_text(TEXT + "\n", encoding="utf-8")
            script = pathlib.Path(folder, "ask.lua")
            command = os.path.abspath(os.path.join(waferd.BIN, "waferctl"))
            script.write_text(NEOVIM.replace("CMD", json.dumps(command)), encoding="utf-8")
            environment = dict(os.environ, XDG_RUNTIME_DIR=folder, HOME=folder)
            subprocess.run(
                ["nvim", "--headless", "-u", "NONE", "-n", str(file), "+set virtualedit=onemore",
                 "+normal G$l", f"+luafile {script}"],
                env=environment, timeout=waferd.PATIENCE, check=True, capture_output=True,
                stdin=subprocess.DEVNULL,
            )
            written = file.read_text(encoding="utf-8")
            self.assertTrue(written.startswith(TEXT), written)
            self.assertGreater(len(written), len(TEXT) + 1)

    def test_connect_sets_it_up(self):
        with tempfile.TemporaryDirectory() as folder, waferd.Server(folder, model=str(MODEL), threads=None):
            environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
            environment.update(HOME=folder, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=folder)
            command = os.path.abspath(os.path.join(waferd.BIN, "waferctl"))
            subprocess.run([command, "connect", "neovim", "--write", "--no-check"], env=environment,
                           timeout=waferd.PATIENCE, check=True, capture_output=True)
            file = pathlib.Path(folder, "a.cpp")
            file.write_text(TEXT + "\n", encoding="utf-8")
            script = pathlib.Path(folder, "ask.lua")
            script.write_text(NEOVIM_AS_SET_UP, encoding="utf-8")
            subprocess.run(["nvim", "--headless", "-n", "+set virtualedit=onemore", str(file), "+normal G$l",
                            f"+luafile {script}"],
                           env=environment, timeout=waferd.PATIENCE, check=True, capture_output=True,
                           stdin=subprocess.DEVNULL)
            written = file.read_text(encoding="utf-8")
            self.assertTrue(written.startswith(TEXT + "alue"), written)


EGLOT = """
(package-initialize)
(require 'eglot)
(setq eglot-sync-connect 30 eglot-connect-timeout 30)
(add-to-list 'eglot-server-programs
             '(c++-mode . (CMD "lsp" :initializationOptions (:minProbabilityInLists 0))))
(find-file FILE)
(c++-mode)
(apply #'eglot--connect (eglot--guess-contact))
(goto-char (point-max))
(backward-char 1)
(let ((before (buffer-string)) (n 0))
  (while (and (< n 300) (equal before (buffer-string)))
    (setq n (1+ n))
    (completion-at-point)
    (sit-for 0.1)))
(save-buffer)
(eglot-shutdown-all)
"""


def has_eglot():
    command = ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return shutil.which("emacs") and subprocess.run(command, capture_output=True).returncode == 0


@unittest.skipUnless(has_eglot(), "Emacs with eglot is not installed")
class Emacs(unittest.TestCase):
    """Emacs' eglot, with a real server."""

    def test_eglot_takes_an_item(self):
        with tempfile.TemporaryDirectory() as folder, waferd.Server(folder):
            os.mkdir(os.path.join(folder, ".git"))  # eglot wants a project
            file = pathlib.Path(folder, "a.cpp")
            file.write_text(TEXT + "\n", encoding="utf-8")
            script = pathlib.Path(folder, "ask.el")
            command = os.path.abspath(os.path.join(waferd.BIN, "waferctl"))
            script.write_text(
                EGLOT.replace("CMD", json.dumps(command)).replace("FILE", json.dumps(str(file))),
                encoding="utf-8",
            )
            subprocess.run(
                ["emacs", "--batch", "-l", str(script)], timeout=waferd.PATIENCE, capture_output=True,
                env=dict(os.environ, XDG_RUNTIME_DIR=folder, HOME=folder), stdin=subprocess.DEVNULL,
            )
            written = file.read_text(encoding="utf-8")
            self.assertTrue(written.startswith(TEXT), written)
            self.assertGreater(len(written), len(TEXT) + 1)


if __name__ == "__main__":
    waferd.main()
