# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of a folder: listed, copied and deleted by clients, there and nowhere else."""

import json
import os
import pathlib
import shutil
import tempfile

import waferd


class ModelsFolder(waferd.unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name).resolve()
        self.folder = self.scratch / "models"
        self.folder.mkdir()
        self.model = waferd.make_model(scratch.name)
        other = waferd.make_model(scratch.name, seed=8)
        for name in ("a.gguf", "b.gguf"):
            shutil.copyfile(other, self.folder / name)
        (self.folder / "notes.txt").write_text("mine", encoding="utf-8")

    def start(self, *flags):
        self.server = waferd.Server(str(self.scratch), *flags, model=self.model)
        self.addCleanup(self.server.stop)
        self.server.wait_until_loaded()

    def offered(self):
        self.start("--models-dir", str(self.folder))
        self.ask("POST", "/api/copy", {"source": "a", "destination": "c"})  # behind it all are read
        self.assertEqual(self.names(), ["a", "b", "c", "tiny"])

    def ask(self, method, path, body=None):
        answer, data = self.server.request(method, path, body)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data) if data else None

    def refusal(self, method, path, body):
        answer, data = self.server.request(method, path, body)
        self.assertGreaterEqual(answer.status, 400, data)
        return answer.status, json.loads(data)["error"]

    def names(self):
        names = sorted(model["name"] for model in self.ask("GET", "/api/tags")["models"])
        self.assertEqual(sorted(model["id"] for model in self.ask("GET", "/models")["data"]), names)
        return names

    def files(self):
        return sorted(os.listdir(self.folder))

    async def test_its_files_are_offered_by_their_names(self):
        self.offered()
        self.assertEqual(self.ask("POST", "/api/show", {"model": "b"})["modelfile"], f"FROM {self.folder}/b.gguf\n")
        told = self.ask("POST", "/api/generate", {"model": "b:latest", "prompt": "x", "stream": False, "options": {"num_predict": 2}})
        self.assertEqual(told["eval_count"], 2)
        status = {model["id"]: model["status"]["value"] for model in self.ask("GET", "/models")["data"]}
        self.assertEqual(status, {"a": "unloaded", "b": "loaded", "c": "unloaded", "tiny": "loaded"})
        # One that came later is offered, too.
        shutil.copyfile(self.model, self.folder / "late.gguf")
        self.assertEqual(self.ask("POST", "/models/load", {"model": "late"}), {"success": True})
        self.assertEqual(self.ask("POST", "/api/pull", {"model": "late", "stream": False}), {"status": "success"})

    async def test_a_copy_is_there_at_once_and_outlasts_what_it_is_of(self):
        self.offered()
        self.ask("DELETE", "/api/delete", {"model": "a"})
        self.assertEqual((self.names(), self.files()), (["b", "c", "tiny"], ["b.gguf", "c.gguf", "notes.txt"]))
        told = self.ask("POST", "/api/generate", {"model": "c", "prompt": "x", "stream": False, "options": {"num_predict": 2}})
        self.assertEqual(told["eval_count"], 2)
        before = (self.folder / "b.gguf").stat()
        status, why = self.refusal("POST", "/api/copy", {"source": "c", "destination": "b"})
        self.assertEqual(status, 400)
        self.assertIn("There is a model b already.", why)
        self.assertEqual((self.folder / "b.gguf").stat(), before)

    async def test_no_name_leads_out_of_the_folder(self):
        self.offered()
        before = sorted(self.scratch.rglob("*.gguf"))
        for name in ("../x", "/tmp/x", "a/b", "..", ".hidden", "", "x" * 201, "a b", "a\n"):
            self.assertEqual(self.refusal("POST", "/api/copy", {"source": "a", "destination": name})[0], 400, name)
        for name in ("../a", str(self.folder / "a.gguf"), "", "tiny", self.model):
            self.assertGreaterEqual(self.refusal("DELETE", "/api/delete", {"model": name})[0], 400, name)
        self.assertEqual(self.refusal("DELETE", "/api/delete", {"model": "notes"})[0], 404)
        self.assertIn("does not lie in the folder", self.refusal("DELETE", "/api/delete", {"model": "tiny"})[1])
        self.assertIn("does not lie in the folder", self.refusal("POST", "/api/copy", {"source": "tiny", "destination": "d"})[1])
        self.assertEqual(sorted(self.scratch.rglob("*.gguf")), before)

    async def test_a_link_is_deleted_and_not_what_it_leads_to(self):
        (self.folder / "link.gguf").symlink_to(self.model)
        self.offered_with_link()
        self.ask("DELETE", "/api/delete", {"model": "link"})
        self.assertEqual(self.files(), ["a.gguf", "b.gguf", "c.gguf", "notes.txt"])
        self.assertTrue(os.path.exists(self.model))

    def offered_with_link(self):
        self.start("--models-dir", str(self.folder))
        self.ask("POST", "/api/copy", {"source": "a", "destination": "c"})
        self.assertIn("link", self.names())

    async def test_a_model_at_work_is_kept(self):
        self.offered()
        async with await self.server.session() as session:
            await session.send("response.create", model="b", input="x", max_output_tokens=10000)
            await session.until("response.output_text.delta")
            self.assertIn("at work", self.refusal("DELETE", "/api/delete", {"model": "b"})[1])
            self.assertIn("b.gguf", self.files())

    async def test_without_a_folder_it_is_refused_with_the_remedy(self):
        self.start()
        for method, path, body in (("POST", "/api/copy", {"source": "tiny", "destination": "x"}), ("DELETE", "/api/delete", {"model": "tiny"})):
            status, why = self.refusal(method, path, body)
            self.assertEqual(status, 501)
            self.assertIn("--models-dir", why)
        # And nothing is fetched.
        status, why = self.refusal("POST", "/api/pull", {"model": "llama3.2"})
        self.assertEqual(status, 404)
        self.assertIn("Nothing is fetched over the API", why)


if __name__ == "__main__":
    waferd.main()
