# SPDX-License-Identifier: GPL-3.0-or-later
"""waferctl, with a waferd and without one."""

import json
import os
import resource
import socket
import subprocess
import tempfile

import waferd


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Waferctl(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.model = waferd.make_model(cls.folder.name)
        cls.source = os.path.join(cls.folder.name, "a.c")
        with open(cls.source, "w", encoding="utf-8") as file:
            file.write("int é = 1;\nfor (int i\n}\n")

    def run_it(self, *arguments, code=0, text=None, runtime=None):
        """Standard output, or standard error where another exit code than 0 is expected."""
        done = self.finish(*arguments, text=text, runtime=runtime)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr if code else done.stdout

    def finish(self, *arguments, text=None, runtime=None, stdout=subprocess.PIPE, limit=None):
        """The process when it has ended. No file that it writes may have more than `limit` bytes:
        a write beyond that fails midway, as on a full disk."""
        def before():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.run(
            [os.path.join(waferd.BIN, "waferctl"), *arguments], input=text, stdout=stdout,
            stderr=subprocess.PIPE,
            env=dict(os.environ, XDG_RUNTIME_DIR=runtime or self.folder.name,
                     XDG_CACHE_HOME=self.folder.name),
            encoding="utf-8", timeout=waferd.PATIENCE, check=False, preexec_fn=before,
        )

    def local(self, *arguments, **options):
        return self.run_it(*arguments, "--model", self.model, "--threads", "1", **options)

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def test_what_files_are_good_for_is_told_without_loading_them(self):
        broken = os.path.join(self.folder.name, "broken.gguf")
        with open(broken, "wb") as file:
            file.write(b"GGUFnonsense")
        chat = waferd.make_model(self.folder.name, chat_template="<|im_start|>")
        done = self.finish("inspect", "--json", "--", self.model, broken, chat)
        self.assertEqual(done.returncode, 1)
        tiny, wrong, follows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([tiny["file"], wrong["file"], follows["file"]],
                         [self.model, broken, chat])
        self.assertEqual(tiny["name"], "tiny")
        self.assertEqual(tiny["architecture"], "llama")
        self.assertEqual(tiny["context"], waferd.CONTEXT)
        self.assertEqual(tiny["file_bytes"], os.path.getsize(self.model))
        self.assertIsNone(tiny["error"])
        self.assertIsNone(tiny["chat"])
        self.assertEqual(follows["chat"], "chatml")
        self.assertGreater(tiny["memory_bytes"], 0)
        # All matrices but the embedding, unless that is the head, too.
        self.assertGreater(tiny["bytes_per_token"], 0)
        self.assertLess(tiny["bytes_per_token"], tiny["file_bytes"])
        self.assertGreater(tiny["host_tokens_per_second"], 0)
        self.assertGreater(tiny["wafer_tokens_per_second"], 0)
        self.assertEqual(tiny["wafer_positions"], min(1024, waferd.CONTEXT - 1))
        self.assertIn("broken.gguf", wrong["error"]["message"])
        # The same that a server which has loaded it says.
        loaded = json.loads(self.run_it("status", "--json"))[0]["model"]
        for field in ("name", "architecture", "parameters", "context", "fim", "chat"):
            self.assertEqual(tiny[field], loaded[field], field)
        self.assertIn("completes", self.run_it("inspect", self.model))

    def test_inspect_says_that_an_encoder_writes_nothing(self):
        encoder = waferd.make_model(self.folder.name, encoder=True)
        self.assertTrue(json.loads(self.run_it("inspect", "--json", encoder))["encodes"])
        said = self.run_it("inspect", encoder)
        self.assertIn("embeds texts", said)
        self.assertNotIn("completes", said)

    def test_a_server_and_a_model_of_ones_own_give_the_same_text(self):
        place = f"{self.source}:2:11"
        there = json.loads(self.run_it("complete", place, "--json"))
        here = json.loads(self.local("complete", place, "--json"))
        self.assertEqual(there["text"], here["text"])
        self.assertEqual(there["model"]["name"], "tiny")
        self.assertTrue(there["text"])
        self.assertEqual(there["usage"]["output_tokens"], here["usage"]["output_tokens"])
        prompt = ("generate", "int main", "--max-tokens", "20", "--temperature", "0.8")
        self.assertEqual(self.run_it(*prompt), self.local(*prompt))

    def test_so_they_do_far_into_a_file(self):
        """The default model knows names that are declared above what it reads."""
        model = os.path.join(os.path.dirname(os.path.abspath(waferd.__file__)),
                             "../../resources/models/waferpair-mini.gguf")
        uses = "".join(f"int f{n}(int region) {{\n  return waferBudgetOfRegion(region);\n}}\n"
                       for n in range(4))
        filler = "".join(f"constexpr int kStep{n} = {n};\n" for n in range(400))
        before = uses + filler + "int all(int region) {\n  return waferBud"
        self.assertGreater(len(before), 10_000)
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "far.cpp")
            with open(source, "w", encoding="utf-8") as file:
                file.write(before + "\n}\n")
            line = before.count("\n") + 1
            place = f"{source}:{line}:{len(before) - before.rindex(chr(10))}"
            complete = ("complete", place, "--max-tokens", "12", "--json")
            here = json.loads(self.run_it(*complete, "--model", model, "--threads", "1"))
            with waferd.Server(folder, model=model):
                there = json.loads(self.run_it(*complete, runtime=folder))
        self.assertTrue(there["text"].startswith("getOf"), there["text"])
        self.assertEqual(there["text"], here["text"])

    def test_what_the_model_must_not_see_is_not_completed(self):
        with tempfile.TemporaryDirectory() as folder:
            def put(name, text):
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                return path

            put("in/.waferpairignore", "draft.*\n")
            secrets = {
                put(".env", "KEY=hunter2\n\n"): ".env*",
                put("in/deep/draft.txt", "hunter2\n\n"): "draft.*",
                put("key.txt", "-----BEGIN " + "RSA PRIVATE KEY-----\nhunter2\n"): "a private key",
            }
            os.symlink(os.path.join(folder, ".env"), os.path.join(folder, "plain.txt"))
            secrets[os.path.join(folder, "plain.txt")] = ".env*"
            for path, reason in secrets.items():
                for run in (self.run_it, self.local):
                    said = run("complete", f"{path}:2:1", code=2)
                    self.assertIn(reason, said)
                    self.assertNotIn("hunter2", said)
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            self.assertIn("a FIFO", self.run_it("complete", f"{fifo}:1:1", code=2))
            self.run_it("complete", f"{put('in/open.txt', 'int main')}:1:9")

    def test_the_prompt_may_come_from_standard_input(self):
        limit = ("--max-tokens", "10")
        self.assertEqual(
            self.local("generate", "-", *limit, text="int main"),
            self.local("generate", "int main", *limit),
        )

    def test_figures_name_their_clock(self):
        result = json.loads(self.run_it("generate", "x", "--max-tokens", "9", "--json"))
        self.assertGreater(result["timings"]["host"]["tokens_per_second"], 0)
        self.assertGreater(result["timings"]["wafer"]["tokens_per_second"], 0)
        self.assertTrue(result["timings"]["wafer"]["profile"])

    def test_bench_measures_here_and_there(self):
        flags = ("bench", "--rounds", "2", "--tokens", "20", "--prompt-bytes", "200")
        for result in (json.loads(self.run_it(*flags, "--json")),
                       json.loads(self.local(*flags, "--json"))):
            for name in ("decode_tokens_per_second", "prefill_tokens_per_second",
                         "first_token_ms", "warm_first_token_ms"):
                self.assertGreater(result["host"][name], 0)
            self.assertGreater(result["wafer"]["decode_tokens_per_second"], 0)
            self.assertGreater(result["wafer"]["clock_hz"], 0)
            drafts = result["speculation"]
            self.assertLessEqual(drafts["accepted_tokens"], drafts["drafted_tokens"])
            self.assertLess(drafts["accepted_tokens"], drafts["output_tokens"])
        plain = json.loads(self.run_it(*flags, "--no-speculation", "--json"))
        self.assertEqual(plain["speculation"]["drafted_tokens"], 0)
        text = self.run_it(*flags)
        self.assertIn("this computer", text)
        self.assertIn("emulated with profile", text)

    def test_status_lists_servers_and_says_when_there_is_none(self):
        status = json.loads(self.run_it("status", "--json"))
        self.assertEqual([s["port"] for s in status], [self.server.port])
        self.assertEqual(status[0]["state"], "ready")
        self.assertIn(str(self.server.port), self.run_it("status"))
        empty = os.path.join(self.folder.name, "nobody")
        os.makedirs(empty, exist_ok=True)
        self.assertIn("waferd", self.run_it("status", code=1, runtime=empty))

    def test_a_server_may_be_named(self):
        named = ("--port", str(self.server.port), "--token-file", self.server.token_file)
        self.run_it("generate", "x", "--max-tokens", "2", *named)
        self.assertIn("1", self.run_it("generate", "x", "--port", "1", code=1))

    def test_a_server_on_the_other_loopback_is_reached(self):
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::1", 0))
        except OSError:
            self.skipTest("IPv6 is off")
        with tempfile.TemporaryDirectory() as folder:
            with waferd.Server(folder, "--host", "::1", model=self.model):
                text = self.run_it("generate", "int main", "--max-tokens", "5", runtime=folder)
                status = json.loads(self.run_it("status", "--json", runtime=folder))
        self.assertTrue(text)
        self.assertEqual([s["state"] for s in status], ["ready"])

    def test_mistakes_are_named_with_their_remedy(self):
        self.assertIn("FILE:LINE:COL", self.run_it("complete", "a.c", code=2))
        self.assertIn("a.c:1", self.run_it("complete", "a.c:1", code=2))
        self.assertIn("nowhere.c", self.run_it("complete", "nowhere.c:1:1", code=2))
        self.assertIn("Line 9", self.run_it("complete", f"{self.source}:9:1", code=2))
        # The line has 10 characters in 11 bytes; its end is column 11.
        self.assertIn("10 characters", self.run_it("complete", f"{self.source}:1:12", code=2))
        self.run_it("complete", f"{self.source}:1:11", "--max-tokens", "1")
        self.assertIn("missing.gguf",
                      self.run_it("generate", "x", "--model", "missing.gguf", code=1))
        self.assertIn("nonsense", self.run_it("nonsense", code=2))
        self.run_it("generate", "x", "--max-tokens", "0", code=2)
        self.assertIn("tokens", self.run_it("generate", "% " * waferd.CONTEXT, code=1))

    def test_models_are_quantized_and_measured(self):
        small = os.path.join(self.folder.name, "small.gguf")
        said = self.run_it("quantize", self.model, small, "--format", "q4_0", "--head", "Q5_0",
                           "--keep", "*attn_v*")
        self.assertIn("converted", said)
        self.assertLess(os.path.getsize(small), os.path.getsize(self.model))
        again = self.run_it("quantize", self.model, small, "--format", "q5_1", code=1)
        self.assertIn("--force", again)
        self.run_it("quantize", self.model, small, "--format", "Q4_1", "--force")
        for wrong in (("--format", "q9"), ("--format", "q4_0", "--head", "no"), ()):
            self.run_it("quantize", self.model, small, "--force", *wrong, code=2)
        # Rows of 64 are no blocks of Q6_K.
        self.run_it("quantize", self.model, small, "--force", "--format", "q6_k")
        self.run_it("quantize", self.model, small, "--force", "--format", "Q4_1")

        scores = {}
        for path in (self.model, small):
            found = json.loads(self.run_it("perplexity", path, self.source, waferd.__file__,
                                           "--window", "64", "--threads", "1", "--json"))
            self.assertEqual([f["file"] for f in found["files"]], [self.source, waferd.__file__])
            self.assertEqual(found["window"], 64)
            total = found["total"]
            self.assertEqual(total["bytes"], sum(f["bytes"] for f in found["files"]))
            self.assertAlmostEqual(total["nats"], total["tokens"] * total["nats_per_token"])
            scores[path] = total["bits_per_byte"]
        # Random weights know nothing: 320 tokens of mostly one byte each.
        self.assertTrue(all(7 < score < 10 for score in scores.values()), scores)
        self.assertNotEqual(scores[self.model], scores[small])
        table = self.run_it("perplexity", self.model, self.source, waferd.__file__)
        self.assertEqual(len(table.splitlines()), 3)
        self.assertIn("nowhere.txt", self.run_it("perplexity", self.model, "nowhere.txt", code=1))

    def test_what_the_wafer_does_is_recorded(self):
        prompt = ("generate", "int main", "--max-tokens", "20", "--json")
        for run in (self.run_it, self.local):
            trace = os.path.join(self.folder.name, "run.wptrace")
            result = json.loads(run(*prompt, "--trace", trace))
            self.assertEqual(result["trace"]["tokens"], result["usage"]["output_tokens"])
            info = json.loads(self.run_it("trace", "info", trace, "--json"))
            self.assertTrue(info["whole"])
            self.assertEqual(info["model"], "tiny")
            self.assertEqual(info["wafer"]["cycles"], result["timings"]["wafer"]["cycles"])
            self.assertEqual(info["tokens"], result["usage"]["output_tokens"])
            self.assertIn("emulated", self.run_it("trace", "info", trace))
            exported = os.path.join(self.folder.name, "run.json")
            self.run_it("trace", "export", trace, exported)
            with open(exported, encoding="utf-8") as file:
                events = json.load(file)["traceEvents"]
            slices = [e for e in events if e["ph"] == "X"]
            self.assertEqual(sum(e["args"]["wafer_cycles"] for e in slices if e["pid"] == 2),
                             info["wafer"]["cycles"])
            # Rows of the prompt follow one another, so that ops add up to more.
            ops = [e["args"] for e in slices if e["pid"] == 1]
            self.assertGreaterEqual(sum(o["compute_cycles"] + o["fabric_cycles"] for o in ops),
                                    info["wafer"]["cycles"])
            steps = {e["args"]["step"] for e in slices}
            self.assertEqual({e["id"] for e in events if e["ph"] == "s"}, steps)
        with open(trace, "r+b") as file:
            file.truncate(os.path.getsize(trace) - 5)
        # The readable part is told, but not as if all were well.
        done = self.finish("trace", "info", trace, "--json")
        self.assertEqual(done.returncode, 1)
        cut = json.loads(done.stdout)
        self.assertFalse(cut["whole"])
        self.assertGreater(cut["steps"], 0)
        self.assertIn(f"step {cut['steps']} only", done.stderr)
        self.assertIn("only", self.run_it("trace", "info", trace, code=1))
        self.run_it("trace", "export", trace, exported, code=1)
        with open(exported, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["otherData"]["steps"], cut["steps"])
        self.assertIn("not a trace", self.run_it("trace", "info", self.source, code=1))
        self.assertIn(".wptrace", self.run_it(*prompt, "--trace", "run.txt", code=2))

    def test_programs_run_on_the_mesh(self):
        listed = self.run_it("mesh", "list")
        for name in ("hello", "chain-reduce", "gemm", "deadlock"):
            self.assertIn(name + "\n", listed)
        ran = json.loads(self.run_it("mesh", "run", "hello", "--json"))
        self.assertEqual(ran["printed"], [{"x": 2, "y": 0, "address": 0, "values": [2, 4, 6, 8]}])
        self.assertTrue(ran["as_expected"])
        self.assertIn(f"{ran['cycles']} cycles", self.run_it("mesh", "run", "hello"))
        with tempfile.TemporaryDirectory() as folder:
            # A program of one's own, from the text of a ready one.
            mine = os.path.join(folder, "mine.mesh")
            text = self.run_it("mesh", "show", "hello")
            with open(mine, "w", encoding="utf-8") as file:
                file.write(text.replace("f32=2 4", "f32=3 4"))
            self.assertIn("has 3", self.run_it("mesh", "run", mine, code=1))
            with open(mine, "a", encoding="utf-8") as file:
                file.write("jump 0 0\n")
            said = self.run_it("mesh", "run", mine, code=2)
            self.assertIn(f"Line {text.count(chr(10)) + 1}: ", said)
            out = os.path.join(folder, "out.json")
            self.run_it("mesh", "trace", "hello", out)
            events = json.loads(content(out))["traceEvents"]
            links = [e for e in events if e["ph"] == "X" and e["cat"] == "wavelets"]
            # Four wavelets over two links, and down to two cores.
            self.assertEqual(sum(e["args"]["wavelets"] for e in links), 16)
            self.assertEqual({e["args"]["name"] for e in events if e["name"] == "process_name"},
                             {"PE (0, 0)", "PE (1, 0)", "PE (2, 0)"})
            # What led to a deadlock is written all the same.
            self.assertIn("Deadlock", self.run_it("mesh", "trace", "deadlock", out, code=1))
            events = json.loads(content(out))["traceEvents"]
            self.assertTrue(any("waits for a wavelet" in e["name"] for e in events))
            self.run_it("mesh", "trace", mine, mine, code=2)
            self.assertIn("mesh list", self.run_it("mesh", "run", "nowhere", code=2))

    def record(self, folder):
        trace = os.path.join(folder, "run.wptrace")
        self.local("generate", "int main", "--max-tokens", "20", "--trace", trace)
        return trace, content(trace)

    def test_an_export_never_takes_the_place_of_the_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, before = self.record(folder)
            os.mkdir(os.path.join(folder, "sub"))
            os.symlink("run.wptrace", os.path.join(folder, "link"))
            os.symlink(folder, os.path.join(folder, "sub", "up"))
            os.link(trace, os.path.join(folder, "twin.json"))
            for other in ("run.wptrace", "./run.wptrace", "sub/../run.wptrace", "link",
                          "sub/up/run.wptrace", "twin.json"):
                for source, out in ((trace, other), (os.path.join(folder, other), "run.wptrace")):
                    said = self.run_it("trace", "export", source, os.path.join(folder, out), code=2)
                    self.assertIn("is the recording itself", said)
                    self.assertIn("NAME.json", said)
                    self.assertEqual(content(trace), before)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["link", "run.wptrace", "sub", "twin.json"])

    def test_an_export_that_fails_leaves_what_was_there(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, _ = self.record(folder)
            out = os.path.join(folder, "run.json")
            with open(out, "wb") as file:
                file.write(b"older")
            done = self.finish("trace", "export", trace, out, limit=2000)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(out, done.stderr)
            self.assertIn("ulimit", done.stderr)
            self.assertEqual(content(out), b"older")
            self.assertEqual(sorted(os.listdir(folder)), ["run.json", "run.wptrace"])
            said = self.run_it("trace", "export", trace, os.path.join(folder, "no", "a.json"), code=1)
            self.assertIn("Make its folder", said)
            # A destination that is no regular file takes the bytes as they come.
            piped = self.run_it("trace", "export", trace, "/dev/stdout")
            self.run_it("trace", "export", trace, out)
            self.assertEqual(piped.encode(), content(out))
            self.assertIn("/dev/full", self.run_it("trace", "export", trace, "/dev/full", code=1))

    def test_a_quantized_model_that_does_not_fit_leaves_the_older_one(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "small.gguf")
            with open(out, "wb") as file:
                file.write(b"older")
            done = self.finish("quantize", self.model, out, "--format", "q8_0", "--force",
                               limit=5000)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(out, done.stderr)
            self.assertEqual(content(out), b"older")
            self.assertEqual(os.listdir(folder), ["small.gguf"])

    def test_a_trace_that_does_not_fit_leaves_the_older_one(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, before = self.record(folder)
            # The number of steps of a text depends on the drafts: a longer one surely needs more room.
            done = self.finish("generate", "int main", "--max-tokens", "200", "--trace", trace,
                               "--model", self.model, "--threads", "1", limit=len(before) - 40)
            self.assertEqual(done.returncode, 1, done.stderr)
            left = os.path.join(folder, "run.unfinished.wptrace")
            self.assertIn(left, done.stderr)
            self.assertEqual(content(trace), before)
            self.assertIn("trace", self.run_it("trace", "info", left, code=1))

    def test_output_that_is_lost_is_a_failure(self):
        trace, _ = self.record(self.folder.name)
        with open("/dev/full", "wb") as full:
            done = self.finish("trace", "info", trace, stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Standard output", done.stderr)

    def test_help_is_there_for_all_of_it(self):
        text = self.run_it("--help")
        for command in ("complete", "generate", "bench", "status", "place", "estimate", "quantize",
                        "perplexity", "trace"):
            self.assertIn(command, text)
            self.assertIn("--", self.run_it(command, "--help"))

    def test_what_is_wrong_is_told_before_what_is_missing(self):
        waferctl = os.path.join(waferd.BIN, "waferctl")
        for arguments, told in ((["--nope"], "--nope"), ([], "subcommand is required"), (["nope"], "no command \"nope\"")):
            done = subprocess.run([waferctl, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(told, done.stderr)


if __name__ == "__main__":
    waferd.main()
