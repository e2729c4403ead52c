# SPDX-License-Identifier: GPL-3.0-or-later
"""How other editors and tools get in: the user's token, tokens in paths, the usual port, and waferctl connect."""

import hmac
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

import test_tools
import waferd

USUAL_PORT = 8930
CLIENTS = ("codex", "zed", "vim", "neovim", "vscode", "continue", "opencode", "emacs", "helix", "kate")
OVER_LSP = ("neovim", "vscode", "emacs", "helix", "kate")
OWN_FILE = ("codex", "vim", "neovim", "continue")


class Listener:
    """A program that takes connections to a port, says it is well to all of them, and keeps what it hears."""

    def __init__(self, user=None):
        self.kept = b""
        self.port = 0
        self.process = None
        program = ("import os, socket, sys\n"
                   "user = int(sys.argv[1])\n"
                   "if user >= 0: os.setuid(user)\n"
                   "listener = socket.create_server(('127.0.0.1', 0))\n"
                   "print(listener.getsockname()[1], flush=True)\n"
                   "while True:\n"
                   "    taken, _ = listener.accept()\n"
                   "    heard = taken.recv(65536)\n"
                   "    sys.stdout.buffer.write(heard); sys.stdout.flush()\n"
                   "    taken.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}')\n"
                   "    taken.close()\n")
        self.command = [sys.executable, "-c", program, str(-1 if user is None else user)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())
        os.set_blocking(self.process.stdout.fileno(), False)
        return self

    @property
    def heard(self):
        self.kept += self.process.stdout.read() or b""
        return self.kept

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class GettingIn(test_tools.ToolServer):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.token_file = pathlib.Path(cls.folder.name) / "waferpair" / "access" / "token"

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)

    def connect(self, *arguments, code=0, runtime=None):
        """Runs waferctl connect for this server's user, whose home is empty; returns the finished process."""
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("XDG_CONFIG_HOME", "CODEX_HOME", "TSAN_OPTIONS")}
        environment.update(HOME=str(self.home), XDG_RUNTIME_DIR=runtime or self.folder.name,
                           XDG_STATE_HOME=self.folder.name)
        ran = subprocess.run([os.path.join(waferd.BIN, "waferctl"), "connect", *arguments], env=environment, text=True,
                             capture_output=True, stdin=subprocess.DEVNULL, timeout=waferd.PATIENCE, check=False)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran

    def users_token(self):
        self.connect("codex", "--no-check")
        return self.token_file.read_text(encoding="ascii").strip()

    def status(self, token, path="/v1/models"):
        return self.server.request("GET", path, token=token)[0].status

    async def test_the_users_token_is_let_in_until_there_is_another(self):
        token = self.users_token()
        self.assertRegex(token, "^[0-9a-f]{64}$")
        self.assertEqual(self.token_file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.token_file.parent.stat().st_mode & 0o777, 0o700)
        self.assertEqual(self.users_token(), token)
        for known in (token, self.server.token):
            self.assertEqual(self.status(known), 200)
        self.assertEqual(self.status("f" * 64), 401)
        async with await self.server.session(token=token) as session:
            self.assertEqual(session.greeting["protocol"], 1)
        self.connect("--new-token")
        self.assertEqual(self.status(token), 401)
        self.assertEqual(self.status(self.token_file.read_text(encoding="ascii").strip()), 200)

    async def test_a_token_that_others_could_read_is_none(self):
        token = self.users_token()
        for path, mode in ((self.token_file, 0o644), (self.token_file.parent, 0o755)):
            before = path.stat().st_mode & 0o777
            path.chmod(mode)
            self.assertEqual(self.status(token), 401)
            path.chmod(before)
            self.assertEqual(self.status(token), 200)
        kept = self.token_file.with_name("kept")
        self.token_file.rename(kept)
        self.token_file.symlink_to(kept)
        self.assertEqual(self.status(token), 401)
        self.token_file.unlink()
        self.token_file.write_text("short\n", encoding="ascii")
        self.token_file.chmod(0o600)
        self.assertEqual(self.status("short"), 401)
        kept.rename(self.token_file)

    async def test_a_token_in_the_path_does_for_clients_without_a_header(self):
        token = self.server.token
        self.assertEqual(self.status("", f"/t/{token}/v1/models"), 200)
        self.assertEqual(self.status("any-key", f"/t/{token}/v1/models"), 200)
        self.assertEqual(self.status("", f"/t/{self.users_token()}/api/tags?x=1"), 200)
        answer, data = self.server.request("POST", f"/t/{token}/v1/responses", {"input": "int", "max_output_tokens": 1}, token="")
        self.assertEqual((answer.status, json.loads(data)["object"]), (200, "response"))
        # It counts before the header, and is not told again.
        self.assertEqual(self.status(token, f"/t/{'f' * 64}/v1/models"), 401)
        # The address alone, by which Ollama's clients see that it runs.
        self.assertEqual(self.status("", f"/t/{token}"), 200)
        self.assertEqual(self.status("", f"/t/{'f' * 64}"), 401)
        for path in ("/t/", "/t//v1/models", f"/t/{token}/t/{token}/v1/models", f"/{token}/v1/models"):
            answer, data = self.server.request("GET", path, token="")
            self.assertIn(answer.status, (401, 404), path)
        answer, data = self.server.request("GET", f"/t/{token}/nowhere", token="")
        self.assertEqual(answer.status, 404)
        self.assertNotIn(token, data.decode())
        # A page from elsewhere does not get in by it.
        headers = {"Origin": "https://evil.example"}
        self.assertEqual(self.server.request("GET", f"/t/{token}/v1/models", token="", headers=headers)[0].status, 403)

    async def test_a_token_in_the_path_opens_sockets(self):
        for path in ("/v1/session", "/v1/responses"):
            wanted = await self.server.connect(token="", path=f"/t/{self.server.token}{path}")
            await wanted.close()
        with self.assertRaises(Exception) as refused:
            await self.server.connect(token="", path=f"/t/{'f' * 64}/v1/session")
        self.assertIn("401", str(refused.exception))

    async def test_the_usual_port_is_taken_where_it_is_free(self):
        def port_of(flags, **environment):
            command = [os.path.join(waferd.BIN, "waferd"), "--model", waferd.make_model(self.folder.name), *flags]
            settings = {name: value for name, value in os.environ.items() if name != "WAFERD_PORT"}
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                       env={**settings, "XDG_RUNTIME_DIR": self.folder.name, **environment})
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
            return json.loads(process.stdout.readline())["port"]

        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                taken.bind(("127.0.0.1", USUAL_PORT))
                taken.listen()
            except OSError:
                pass  # somebody else has it
            self.assertNotEqual(port_of([]), USUAL_PORT)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            chosen = free.getsockname()[1]
        self.assertEqual(port_of([], WAFERD_PORT=str(chosen)), chosen)

    async def test_each_client_is_told_its_settings(self):
        listed = self.connect().stdout.split()
        self.assertEqual(tuple(listed), CLIENTS)
        token = self.users_token()
        for client in CLIENTS:
            told = json.loads(self.connect(client, "--no-check", "--json").stdout)
            self.assertEqual((told["client"], told["port"], told["written"]), (client, self.server.port, None))
            self.assertTrue(told["file"].startswith(str(self.home)), told["file"])
            self.assertIs(told["replaces"], client in OWN_FILE)
            self.assertFalse(pathlib.Path(told["file"]).exists())
            if client in OVER_LSP:
                self.assertIn("waferctl", told["text"])
                self.assertNotIn(token, told["text"])
            else:
                self.assertIn(f"http://127.0.0.1:{self.server.port}", told["text"])
                self.assertIn(token, told["text"])
        self.connect("nano", code=2)
        clients = json.loads(self.connect("--json").stdout)["clients"]
        self.assertEqual(tuple(each["name"] for each in clients), CLIENTS)
        self.assertEqual([each["title"] for each in clients if each["name"] == "zed"], ["Zed"])

    async def test_a_server_that_has_just_begun_is_waited_for(self):
        large = waferd.make_model(self.folder.name, context=4096, large=True)
        with waferd.Server(self.folder.name, model=large) as server:
            # It listens, and reads its file.
            told = json.loads(self.connect("codex", "--no-check", "--json", "--port", str(server.port)).stdout)
            self.assertIn('model = "large"', told["text"])
            self.assertIn("model_context_window = 4096", told["text"])

    async def test_settings_are_written_once_and_among_others(self):
        for client in CLIENTS:
            told = json.loads(self.connect(client, "--write", "--no-check", "--json").stdout)
            path = pathlib.Path(told["file"])
            self.assertIs(told["written"], True)
            before = path.read_text(encoding="utf-8")
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            self.assertIs(json.loads(self.connect(client, "--write", "--no-check", "--json").stdout)["written"], False)
            self.assertEqual(path.read_text(encoding="utf-8"), before)

    async def test_what_else_is_in_a_file_stays(self):
        helix = self.home / ".config" / "helix" / "languages.toml"
        helix.parent.mkdir(parents=True)
        helix.write_text('[[language]]\nname = "cpp"\n', encoding="utf-8")
        for _ in range(2):
            self.connect("helix", "--write", "--no-check")
        text = helix.read_text(encoding="utf-8")
        self.assertTrue(text.startswith('[[language]]\nname = "cpp"\n'))
        self.assertEqual(text.count("[language-server.waferpair]"), 1)

        zed = self.home / ".config" / "zed" / "settings.json"
        zed.parent.mkdir(parents=True)
        zed.write_text('{"theme": "One", "language_models": {"ollama": {"api_url": "x"}}}', encoding="utf-8")
        self.connect("zed", "--write", "--no-check")
        settings = json.loads(zed.read_text(encoding="utf-8"))
        self.assertEqual((settings["theme"], settings["language_models"]["ollama"]), ("One", {"api_url": "x"}))
        self.assertIn("Waferpair", settings["language_models"]["openai_compatible"])
        self.assertIn('"theme": "One", ', zed.with_name("settings.json.before-waferpair").read_text(encoding="utf-8"))

        codex = self.home / ".codex" / "waferpair.config.toml"
        codex.parent.mkdir(parents=True)
        codex.write_text('model = "mine"\n', encoding="utf-8")
        self.connect("codex", "--write", "--no-check")
        self.assertNotIn("mine", codex.read_text(encoding="utf-8"))
        self.assertEqual(codex.with_name("waferpair.config.toml.before-waferpair").read_text(encoding="utf-8"),
                         'model = "mine"\n')

        commented = '// mine\n{"theme": "One"}\n'
        zed.write_text(commented, encoding="utf-8")
        refused = self.connect("zed", "--write", "--no-check", code=1)
        self.assertIn("comments", refused.stderr)
        self.assertEqual(zed.read_text(encoding="utf-8"), commented)

    async def test_a_file_with_the_token_is_its_users_alone(self):
        zed = self.home / ".config" / "zed" / "settings.json"
        zed.parent.mkdir(parents=True)
        zed.write_text('{"theme": "One"}', encoding="utf-8")
        zed.chmod(0o644)
        self.connect("zed", "--write", "--no-check")
        kept = zed.with_name("settings.json.before-waferpair")
        self.assertEqual([path.stat().st_mode & 0o777 for path in (zed, kept)], [0o600, 0o600])
        # Also one that has it already.
        zed.chmod(0o664)
        self.assertIs(json.loads(self.connect("zed", "--write", "--no-check", "--json").stdout)["written"], False)
        self.assertEqual(zed.stat().st_mode & 0o777, 0o600)
        # What holds no token keeps its mode.
        helix = self.home / ".config" / "helix" / "languages.toml"
        helix.parent.mkdir(parents=True)
        helix.write_text("# mine\n", encoding="utf-8")
        helix.chmod(0o644)
        self.connect("helix", "--write", "--no-check")
        self.assertEqual(helix.stat().st_mode & 0o777, 0o644)

    async def test_the_server_proves_that_it_knows_the_tokens(self):
        users = self.users_token()
        nonce = os.urandom(32).hex()

        def proof(token):
            message = f"waferd proof 1 {self.server.port} {nonce}"
            return hmac.new(token.encode(), message.encode(), "sha256").hexdigest()

        answer, data = self.server.request("GET", f"/v1/proof/{nonce}", token="")
        self.assertEqual(answer.status, 200)
        self.assertEqual(json.loads(data), {"proof": proof(self.server.token), "user_proof": proof(users)})
        for wrong in ("", "00", "x" * 64, "F" * 64, "0" * 129):
            self.assertEqual(self.server.request("GET", f"/v1/proof/{wrong}", token="")[0].status, 400, wrong)
        headers = {"Origin": "https://evil.example"}
        self.assertEqual(self.server.request("GET", f"/v1/proof/{nonce}", token="", headers=headers)[0].status, 403)

    async def test_nothing_is_sent_to_a_program_that_is_no_waferd(self):
        token = self.users_token()
        with Listener() as listener:
            refused = self.connect("codex", "--write", "--port", str(listener.port), code=1)
            self.assertIn("does not prove", refused.stderr)
            self.assertIn(b"GET /v1/proof/", listener.heard)
            self.assertNotIn(token.encode(), listener.heard)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    async def test_nothing_is_sent_to_another_users_program(self):
        token = self.users_token()
        with Listener(user=65534) as listener:
            for command in (("codex", "--write"), ("zed", "--write", "--no-check"), ("codex", "--json")):
                refused = self.connect(*command, "--port", str(listener.port), code=1)
                self.assertIn("another user's", refused.stderr)
                self.assertNotIn(token, refused.stdout)
            self.assertEqual(listener.heard, b"")
            self.assertFalse((self.home / ".codex").exists())
            # Nor by those that know the token of a server.
            own = pathlib.Path(self.folder.name) / "own.token"
            own.write_text("f" * 64 + "\n", encoding="ascii")
            own.chmod(0o600)
            told = subprocess.run([os.path.join(waferd.BIN, "waferctl"), "generate", "int", "--port", str(listener.port),
                                   "--token-file", str(own)], text=True, capture_output=True, check=False,
                                  timeout=waferd.PATIENCE)
            self.assertIn("another user's", told.stderr)
            self.assertEqual(listener.heard, b"")

    async def test_a_real_request_is_made(self):
        for client in ("codex", "zed", "vim", "continue", "opencode"):
            told = json.loads(self.connect(client, "--json", "--port", str(self.server.port)).stdout)
            self.assertIn("was answered", told["check"])
        # Over the language server, as an editor starts it.
        self.assertIn("suggested something", json.loads(self.connect("neovim", "--json").stdout)["check"])

    async def test_where_no_server_runs_it_says_so(self):
        with tempfile.TemporaryDirectory() as empty:
            told = self.connect("vim", code=1, runtime=empty)
            self.assertIn("/infill", told.stdout)
            self.assertIn("waferd", told.stderr)
            self.assertIn("--model", told.stderr)


if __name__ == "__main__":
    waferd.main()
