# SPDX-License-Identifier: GPL-3.0-or-later
"""Several models in one waferd: their names, their memory, and how they share the computer."""

import asyncio
import json
import os
import tempfile
import unittest

import soak
import waferd

LONG_RESPONSE = 16000
TEXT = "int value = compute(value);\n" * 20


class TwoModels(unittest.IsolatedAsyncioTestCase):
    """A small model "fast" and another one "deep"; each test has a server of its own. Files of models
    are made once for all tests: under sanitizers a large one takes seconds."""

    @classmethod
    def setUpClass(cls):
        cls.files = tempfile.TemporaryDirectory()
        cls.fast = waferd.make_model(cls.files.name, seed=7)
        cls.deep = waferd.make_model(cls.files.name, seed=10, chat_template="{{ '<|im_start|>' }}")

    @classmethod
    def tearDownClass(cls):
        cls.files.cleanup()

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name

    def tearDown(self):
        self.scratch.cleanup()

    def large(self, seed=7):
        """A model whose memory shows in that of the process."""
        return waferd.make_model(self.files.name, context=1024, seed=seed, large=True)

    def server(self, *flags, models=None):
        models = models or [f"fast={self.fast}", f"deep={self.deep}"]
        return waferd.Server(self.folder, *flags, model=models)

    async def model(self, session, name):
        """What status says of a model; one whose file was not read yet has no name of its own."""
        found = None
        await session.send("status.get")
        while not found:
            listed = (await session.until("status"))[-1]["models"]
            found = next((model for model in listed if model["name"] == name), None)
        return found

    async def until_state(self, session, name, state):
        found = await self.model(session, name)
        while found["state"] != state:
            listed = (await session.until("status"))[-1]["models"]
            found = next(model for model in listed if model["name"] == name)
        return found

    async def catch_up(self, session):
        """Reads all that was said so far."""
        await session.send("response.create", id="nobody's", previous_response_id="no", input="x")
        while (await session.until("error"))[-1].get("response_id") != "nobody's":
            pass

    async def respond(self, session, model, tokens=4, **fields):
        await session.send("response.create", model=model, input="int ", max_output_tokens=tokens,
                           **fields)
        events = await session.until("response.completed", "response.incomplete",
                                     "response.failed", "error")
        return events[-1]

    def post(self, server, path, body):
        answer, data = server.request("POST", path, body)
        return answer.status, json.loads(data)

    def text_of(self, event):
        self.assertIn(event["type"], ("response.completed", "response.incomplete"), event)
        return event["response"]["output"][0]["content"][0]["text"]

    async def text_alone(self, file, tokens):
        """What the model says where it is the only one."""
        with waferd.Server(self.folder, model=file) as server:
            async with await server.session() as session:
                return self.text_of(await self.respond(session, "", tokens))

    async def test_each_answers_to_its_name_and_the_first_to_none(self):
        fast, deep = await self.text_alone(self.fast, 20), await self.text_alone(self.deep, 20)
        self.assertNotEqual(fast, deep)
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                for name, text in (("", fast), ("fast", fast), (self.fast, fast),
                                   ("deep", deep), (self.deep, deep)):
                    self.assertEqual(self.text_of(await self.respond(session, name, 20)), text)
                await session.send("document.open", uri="a", version=1, text=TEXT)
                texts = {}
                for number, name in enumerate(("fast", "deep")):
                    texts[name], done = await session.complete(
                        number, model=name, uri="a", version=1, offset=len(TEXT), max_tokens=20)
                    self.assertEqual(done["reason"], "max_tokens")
                self.assertNotEqual(texts["fast"], texts["deep"])

    async def test_an_unknown_name_lists_those_that_there_are(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                error = (await self.respond(session, "wide"))["error"]
                self.assertEqual((error["code"], error["field"]), ("model_not_found", "model"))
                self.assertIn("wide", error["message"])
                self.assertIn("fast, deep", error["remedy"])
                await session.send("document.open", uri="a", version=1, text=TEXT)
                await session.send("completion.create", id=1, uri="a", version=1, offset=0,
                                   model="wide")
                error = (await session.until("error"))[-1]
                self.assertEqual((error["id"], error["error"]["code"]), (1, "model_not_found"))
            answer, data = server.request("POST", "/v1/responses", {"model": "wide", "input": "x"})
            self.assertEqual(answer.status, 404)
            self.assertEqual(json.loads(data)["error"]["code"], "model_not_found")
            listed = json.loads(server.request("GET", "/v1/models")[1])["data"]
            self.assertEqual([model["id"] for model in listed], ["fast", "deep"])

    async def test_an_http_request_waits_until_its_model_is_loaded(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
            body = {"model": "deep", "input": "int ", "max_output_tokens": 20}
            status, response = await asyncio.to_thread(self.post, server, "/v1/responses", body)
            self.assertEqual(status, 200)
            self.assertEqual(response["output"][0]["content"][0]["text"],
                             await self.text_alone(self.deep, 20))

    async def test_a_form_is_kept_by_a_model_that_was_not_in_memory(self):
        schema = {"format": {"type": "json_schema", "name": "n", "schema": {"enum": ["ab", "cd"]}}}
        wrong = {"format": {"type": "grammar", "syntax": "gbnf", "definition": "root ::= ("}}
        for form, kind in ((schema, "response.completed"), (wrong, "response.failed")):
            with self.server() as server:
                async with await server.session() as session:
                    await self.until_state(session, "deep", "idle")
                    event = await self.respond(session, "deep", 30, text=form)
                    self.assertEqual(event["type"], kind)
                    if kind == "response.completed":
                        self.assertIn(json.loads(self.text_of(event)), ("ab", "cd"))
                    else:
                        self.assertEqual(event["response"]["error"]["code"], "invalid_field")

    async def test_a_job_that_waits_for_its_model_can_be_cancelled(self):
        large = self.large()
        with self.server(models=[f"fast={self.fast}", f"deep={large}"]) as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                await session.send("document.open", uri="a", version=1, text=TEXT)
                await session.send("completion.create", id=1, model="deep", uri="a", version=1,
                                   offset=4)
                await session.send("response.create", id="r", model="deep", input="x")
                await session.send("completion.create", id=2, model="deep", uri="a", version=1,
                                   offset=8)
                await session.send("completion.cancel", id=1)
                await session.send("response.cancel", response_id="r")
                await session.send("document.change", uri="a", version=2,
                                   edits=[{"start": 0, "end": 0, "text": "x"}])
                ends = {}
                while len(ends) < 3:
                    event = await session.receive()
                    if event["type"] == "completion.done":
                        ends[event["id"]] = event["reason"]
                    elif event["type"] in ("response.cancelled", "response.completed"):
                        ends[event["response_id"]] = event["type"]
                self.assertEqual(ends, {1: "cancelled", "r": "response.cancelled", 2: "stale"})

    async def test_a_model_is_loaded_when_it_is_asked_for_and_says_how_far_it_is(self):
        large = self.large()
        with self.server(models=[self.fast, large]) as server:
            async with await server.session() as session:
                idle = await self.until_state(session, "large", "idle")
                self.assertIsNone(idle["progress"])
                self.assertGreater(idle["memory_bytes"], 90 << 20)
                self.assertEqual(idle["model"]["name"], "large")
                self.assertEqual((idle["threads"], idle["kernels"]), (0, ""))
                before = soak.memory(server.process.pid)
                await session.send("model.load", model="large")
                states = []
                while "ready" not in states:
                    event = (await session.until("status"))[-1]
                    found = next(m for m in event["models"] if m["name"] == "large")
                    if found["state"] == "idle" and not states:  # told before the load was asked for
                        continue
                    states.append(found["state"])
                    if found["state"] == "loading":
                        self.assertLess(found["progress"], 1)
                    # The first serves all the while.
                    self.assertEqual(event["state"], "ready")
                self.assertEqual(states[0], "loading")
                self.assertGreater(found["threads"], 0)
                self.assertNotEqual(found["kernels"], "")
                grown = soak.memory(server.process.pid) - before
                self.assertGreater(grown, 80 << 20)

    async def test_memory_is_given_back_and_had_again(self):
        large = self.large()
        with self.server(models=[self.fast, large]) as server:
            pid = server.process.pid
            async with await server.session() as session:
                await self.until_state(session, "large", "idle")
                text = self.text_of(await self.respond(session, "large", 8))
                loaded = soak.memory(pid)
                before = await self.model(session, "large")
                for _ in range(3):
                    await session.send("model.unload", model="large")
                    await self.until_state(session, "large", "idle")
                    while loaded - soak.memory(pid) < 80 << 20:  # the engine ends on its own time
                        await asyncio.sleep(0.01)
                    freed = soak.memory(pid)
                    again = self.text_of(await self.respond(session, "large", 8))
                    self.assertEqual(again, text)
                    after = await self.model(session, "large")
                    self.assertEqual(after["memory_bytes"], before["memory_bytes"])
                    self.assertGreater(soak.memory(pid) - freed, 64 << 20)  # what was loaded, less noise
                    self.assertLess(soak.memory(pid) - loaded, 24 << 20)

    async def test_a_model_at_work_keeps_its_memory(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                await session.send("response.create", id="r", model="deep", input="for",
                                   max_output_tokens=LONG_RESPONSE)
                await session.until("response.output_text.delta")
                for forget in (False, True):
                    await session.send("model.unload", model="deep", forget=forget)
                    error = (await session.until("error"))[-1]["error"]
                    self.assertEqual(error["code"], "not_ready")
                    self.assertIn("deep is at work", error["message"])
                await session.send("response.cancel", response_id="r")
                await session.until("response.cancelled")
                await session.send("model.unload", model="deep")
                await self.until_state(session, "deep", "idle")

    async def test_one_makes_room_for_another_under_a_limit(self):
        models = [self.fast, f"one={self.large()}", f"two={self.large(seed=8)}"]
        with self.server("--memory", "220", "--kv-memory", "16", models=models) as server:
            async with await server.session() as session:
                await self.until_state(session, "two", "idle")
                self.text_of(await self.respond(session, "one"))
                first = soak.memory(server.process.pid)
                self.text_of(await self.respond(session, "two"))
                states = {m["name"]: m["state"] for m in (await session.alive())["models"]}
                self.assertEqual(states["two"], "ready")
                self.assertEqual((states["tiny"], states["one"]), ("ready", "idle"))
                self.assertLess(abs(soak.memory(server.process.pid) - first), 40 << 20)

    async def test_the_wafer_may_have_room_for_less_than_the_computer(self):
        long = waferd.make_scripted_model(self.folder, ["Hi", "."], context=262144, name="long")
        with self.server("--kv-memory", "2000", models=[long]) as server:
            server.wait_until_loaded()
            answer, data = server.request("POST", "/v1/completions", {"prompt": "x"})
            self.assertEqual((answer.status, json.loads(data)["choices"][0]["text"]), (200, "Hi."))

    async def test_what_cannot_fit_is_refused_before_memory_goes(self):
        large = self.large()
        with self.server("--memory", "64", models=[self.fast, large]) as server:
            async with await server.session() as session:
                await self.until_state(session, "large", "idle")
                before = soak.memory(server.process.pid)
                failed = await self.respond(session, "large")
                self.assertEqual(failed["type"], "response.failed")
                error = failed["response"]["error"]
                self.assertEqual(error["code"], "not_ready")
                self.assertIn("64 MiB of --memory", error["message"])
                self.assertIn("--memory", error["remedy"])
                self.assertLess(soak.memory(server.process.pid) - before, 8 << 20)
                found = await self.model(session, "large")
                self.assertEqual(found["state"], "idle")
                self.assertEqual(found["error"]["message"], error["message"])
                self.text_of(await self.respond(session, "tiny"))
            for path, question in (("responses", {"input": "int "}), ("completions", {"prompt": "int "})):
                status, answer = await asyncio.to_thread(self.post, server, f"/v1/{path}",
                                                         {"model": "large", **question})
                self.assertEqual((status, answer["error"]["code"]), (503, "not_ready"), answer)

    async def test_models_are_offered_and_forgotten_while_it_runs(self):
        with waferd.Server(self.folder, model=self.fast) as server:
            async with await server.session() as session:
                own = (await session.alive())["models"][0]["name"]
                await session.send("model.load", model=self.deep, now=False)
                listed = (await session.alive())["models"]
                self.assertEqual([model["file"] for model in listed], [self.fast, self.deep])
                while listed[1]["state"] != "idle":
                    listed = (await session.until("status"))[-1]["models"]
                self.assertEqual(listed[1]["model"]["chat"], "chatml")
                self.text_of(await self.respond(session, self.deep))
                await session.send("model.load", model=self.deep, now=False)  # once
                self.assertEqual(len((await session.alive())["models"]), 2)
                await session.send("model.unload", model=self.deep, forget=True)
                await self.catch_up(session)
                self.assertEqual(len((await session.alive())["models"]), 1)
                await session.send("model.unload", model=self.deep)
                error = (await session.until("error"))[-1]["error"]
                self.assertEqual(error["code"], "model_not_found")
                await session.send("model.unload", model=own, forget=True)
                error = (await session.until("error"))[-1]["error"]
                self.assertEqual((error["code"], error["field"]), ("invalid_field", "model"))
                self.text_of(await self.respond(session, "whatever"))  # the only one

    async def test_adapters_make_another_model_of_a_file(self):
        adapter = waferd.make_adapter(self.folder, self.fast)
        half, whole = [{"file": adapter, "factor": 0.5}], [{"file": adapter}]
        models = [f"plain={self.fast}", f"half={self.fast}"]
        flags = ("--adapter", f"half={adapter}:0.5", "--session-cache", os.path.join(self.folder, "kv"))
        with self.server(*flags, models=models) as server:
            async with await server.session() as session:
                await self.until_state(session, "half", "idle")
                plain = self.text_of(await self.respond(session, "plain", 20))
                halved = self.text_of(await self.respond(session, "half", 20))
                self.assertEqual((await self.model(session, "plain"))["model"]["adapters"], [])
                found = (await self.model(session, "half"))["model"]
                self.assertEqual((found["name"], found["adapters"]), ("tiny + style", half))
                self.assertGreater((await self.model(session, "half"))["memory_bytes"], 0)
                for _ in range(2):  # the second one is the first one
                    await session.send("model.load", model=self.fast, adapters=whole)
                added = await self.until_state(session, "tiny + style", "ready")
                self.assertEqual(added["model"]["adapters"], [{"file": adapter, "factor": 1}])
                self.assertEqual(len((await session.alive())["models"]), 3)
                texts = {plain, halved, self.text_of(await self.respond(session, "tiny + style", 20))}
                self.assertEqual(len(texts), 3)
                for wrong, named in (({"model": "plain", "adapters": whole}, "adapters"),
                                     ({"model": self.fast, "adapters": [{"file": "here.gguf"}]},
                                      "adapters[0].file"),
                                     ({"model": self.fast, "adapters": [{"file": adapter, "factor": "x"}]},
                                      "adapters[0].factor")):
                    await session.send("model.load", **wrong)
                    error = (await session.until("error"))[-1]["error"]
                    self.assertEqual((error["code"], error["field"]), ("invalid_field", named))
        # What was computed without an adapter is no beginning of what is computed with it.
        with self.server("--adapter", adapter, *flags[2:], models=[self.fast]) as server:
            async with await server.session() as session:
                event = await self.respond(session, "", 20)
                self.assertIn(self.text_of(event), texts - {plain, halved})
                self.assertEqual(event["response"]["usage"]["input_tokens_details"]["cached_tokens"], 0)

    async def test_an_adapter_that_does_not_fit_is_told_of(self):
        broken = os.path.join(self.folder, "broken.gguf")
        with open(broken, "wb") as file:
            file.write(b"GGUF and no more")
        for adapter, named in ((self.deep, "is no adapter"), (broken, broken),
                               (os.path.join(self.folder, "none.gguf"), "none.gguf")):
            with waferd.Server(self.folder, "--adapter", adapter, model=self.fast) as server:
                self.assertEqual(server.process.wait(20), 3)
                self.assertIn(named, server.process.stderr.read())
        with self.server(models=[self.fast]) as server:
            async with await server.session() as session:
                await self.until_state(session, "tiny", "ready")
                await session.send("model.load", model=self.fast, adapters=[{"file": self.deep}])
                found = await self.until_state(session, self.fast, "failed")
                self.assertIn("is no adapter", found["error"]["message"])

    async def test_a_file_that_is_no_model_is_told_of(self):
        broken = os.path.join(self.folder, "broken.gguf")
        with open(broken, "wb") as file:
            file.write(b"GGUF" + b"\x00" * 20)
        with waferd.Server(self.folder, model=self.fast) as server:
            async with await server.session() as session:
                await session.send("model.load", model=broken)
                failed = await self.until_state(session, broken, "failed")
                self.assertIn("broken.gguf", failed["error"]["message"])
                error = (await self.respond(session, broken))["error"]
                self.assertEqual(error["code"], "not_ready")
                self.assertIn("broken.gguf", error["message"])
                self.text_of(await self.respond(session, ""))
        with self.server(models=[self.fast, f"deep={broken}"]) as server:
            self.assertEqual(server.process.wait(waferd.PATIENCE), 3)
            self.assertIn("broken.gguf", server.process.stderr.read())

    async def test_the_wafer_that_is_shown_is_of_the_model_that_works(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                await session.send("telemetry.subscribe", hz=240)
                first = (await session.until("telemetry.layout"))[-1]["layout"]
                self.assertEqual(first["model"], "tiny")
                await session.send("response.create", model="deep", input="for",
                                   max_output_tokens=200)
                events = await session.until("response.incomplete")
                kinds = [event["type"] for event in events]
                self.assertEqual(kinds.count("telemetry.layout"), 1)
                # Frames of the work follow its layout, and the sums are that model's.
                while not session.frames or session.frames[-1].tokens_decoded < 200:
                    message = await asyncio.wait_for(session.socket.recv(), waferd.PATIENCE)
                    if isinstance(message, bytes):
                        session.frames.append(waferd.Frame(message))
                self.assertEqual(session.frames[-1].tokens_decoded, 200)
                await session.send("model.unload", model="deep")
                await session.until("telemetry.layout")  # the first model's again

    async def test_the_wafer_that_is_shown_stays_with_completions_beside_the_first_model(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                await session.send("telemetry.subscribe", hz=240)
                await session.until("telemetry.layout")
                await session.send("document.open", uri="file:///a.cpp", language="cpp", version=1, text="for")
                place = {"uri": "file:///a.cpp", "version": 1, "offset": 3, "max_tokens": 50}
                events = []
                for number, model in enumerate(("deep", "", "deep", "")):
                    await session.send("completion.create", id=number, model=model, **place)
                    events += await session.until("completion.done")
                    self.assertEqual(events[-1]["id"], number)
                self.assertNotIn("telemetry.layout", [event["type"] for event in events])
                # An answer of that model is shown, though it may end before the wafer that is shown
                # has come to rest.
                await session.send("response.create", model="deep", input="for", max_output_tokens=5)
                kinds = [event["type"] for event in await session.until("response.incomplete")]
                if "telemetry.layout" not in kinds:
                    await session.until("telemetry.layout")

    async def test_a_trace_is_of_the_model_that_was_named(self):
        path = os.path.join(self.folder, "run.wptrace")
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                await session.send("trace.start", file=path, model="deep")
                error = (await session.until("error"))[-1]["error"]
                self.assertIn("deep is not in memory", error["message"])
                self.text_of(await self.respond(session, "deep"))
                await session.send("trace.start", file=path, model="deep")
                await session.until("trace.started")
                self.text_of(await self.respond(session, "fast", 30))
                self.text_of(await self.respond(session, "deep", 5))
                await session.send("model.unload", model="deep")
                self.assertIn("at work", (await session.until("error"))[-1]["error"]["message"])
                await session.send("trace.stop")
                stopped = (await session.until("trace.stopped"))[-1]
                self.assertEqual(stopped["tokens"], 5)

    async def test_figures_carry_the_name_of_their_model(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                self.text_of(await self.respond(session, "deep", 7))
            lines = server.request("GET", "/metrics")[1].decode().splitlines()
            self.assertIn('waferpair_output_tokens_total{model="deep"} 7', lines)
            self.assertIn('waferpair_output_tokens_total{model="fast"} 0', lines)
            self.assertEqual(lines.count("# TYPE waferpair_output_tokens_total counter"), 1)

    async def test_a_completion_comes_while_another_model_answers(self):
        with self.server() as server:
            async with await server.session() as session:
                await self.until_state(session, "deep", "idle")
                await session.send("document.open", uri="a", version=1, text=TEXT)
                alone, _ = await session.complete(0, uri="a", version=1, offset=30, max_tokens=20)
                await session.send("response.create", id="r", model="deep", input="for",
                                   max_output_tokens=LONG_RESPONSE)
                await session.until("response.output_text.delta")
                for number in range(1, 6):
                    await session.send("completion.create", id=number, uri="a", version=1,
                                       offset=30, max_tokens=20)
                    events = await session.until("completion.done", "response.incomplete")
                    self.assertEqual(events[-1]["type"], "completion.done")
                    text = "".join(e["text"] for e in events if e["type"] == "completion.delta")
                    self.assertEqual(text, alone)
                await session.send("response.cancel", response_id="r")
                await session.until("response.cancelled")

    async def test_prompts_are_kept_for_each_model(self):
        cache = os.path.join(self.folder, "session")
        prompt = TEXT * 4

        async def cached(name):
            with self.server("--session-cache", cache) as server:
                async with await server.session() as session:
                    await self.until_state(session, "deep", "idle")
                    await session.send("response.create", model=name, input=prompt,
                                       max_output_tokens=1)
                    events = await session.until("response.incomplete")
                    usage = events[-1]["response"]["usage"]
                    await session.send("model.unload", model=name)
                    return usage["input_tokens_details"]["cached_tokens"]

        self.assertEqual(await cached("deep"), 0)
        self.assertGreater(await cached("deep"), 100)
        self.assertEqual(await cached("fast"), 0)
        self.assertTrue(os.path.exists(cache + ".deep"))

    def test_wrong_options_are_refused(self):
        for flags in (["--model", f"fast={self.fast}", "--model", f"fast={self.deep}"],
                      ["--model", self.fast, "--kv-memory", "deep=5"],
                      ["--model", self.fast, "--kv-memory", "much"],
                      ["--model", self.fast, "--adapter", "deep=style.gguf"],
                      ["--model", self.fast, "--adapter", "style.gguf:much"]):
            with waferd.Server(self.folder, *flags, model=[], wait=False) as server:
                _, errors = server.process.communicate(timeout=waferd.PATIENCE)
                self.assertEqual(server.process.returncode, 2, errors)
                self.assertIn(flags[2], errors)


if __name__ == "__main__":
    waferd.main()
