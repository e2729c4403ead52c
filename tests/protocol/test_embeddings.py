# SPDX-License-Identifier: GPL-3.0-or-later
"""Embeddings in OpenAI's form and in both of Ollama's, and by the packages openai and ollama of npm,
unmodified; scripts/install_clients.sh fetches these."""

import base64
import http.client
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import time
import unittest

import waferd

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = HERE.parent.parent / "build" / "clients"
PACKAGES = [CLIENTS / "node_modules" / name for name in ("openai", "ollama")]
WIDTH, VOCABULARY = 64, 320
TEXTS = ["for (;;)", "return the int", "for (;;)", "ß" * 50]


def length(vector):
    return math.sqrt(sum(value * value for value in vector))


def decoded(text):
    data = base64.b64decode(text, validate=True)
    return list(struct.unpack(f"<{len(data) // 4}f", data))


def parsed(text):
    """JSON, its numbers as floats of 32 bits: it has the shortest digits that tell these apart."""
    return json.loads(text, parse_float=lambda digits: struct.unpack("<f", struct.pack("<f", float(digits)))[0])


class Embeddings(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = waferd.tempfile.TemporaryDirectory()
        tiny = waferd.make_model(cls.folder.name)
        embedding = waferd.make_model(cls.folder.name, context=256, embedding=True)
        encoder = waferd.make_model(cls.folder.name, encoder=True)
        cls.server = waferd.Server(cls.folder.name, model=[tiny, embedding, encoder])

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the first model is ready; the other is loaded when it is asked for
        end = time.monotonic() + waferd.PATIENCE  # and its file's header is read by then
        while self.post("/v1/embeddings", {"input": "a"})[0] == 503 and time.monotonic() < end:
            time.sleep(0.01)

    def post(self, path, body):
        answer, data = self.server.request("POST", path, {"model": "embedding", **body})
        return answer.status, parsed(data)

    def asked(self, path, **body):
        status, answer = self.post(path, body)
        self.assertEqual(status, 200, answer)
        return answer

    def vectors(self, texts, **fields):
        answer = self.asked("/v1/embeddings", input=texts, **fields)
        self.assertEqual((answer["object"], answer["model"]), ("list", fields.get("model", "embedding")))
        self.assertEqual([one["index"] for one in answer["data"]], list(range(len(answer["data"]))))
        self.assertEqual({one["object"] for one in answer["data"]}, {"embedding"})
        return [one["embedding"] for one in answer["data"]]

    def tokens(self, text):
        return self.asked("/tokenize", content=text)["tokens"]

    async def test_a_text_has_a_vector_of_length_one_alone_or_among_others(self):
        many = self.vectors(TEXTS)
        self.assertEqual(len(many), len(TEXTS))
        for text, vector in zip(TEXTS, many):
            self.assertEqual(len(vector), WIDTH)
            self.assertAlmostEqual(length(vector), 1, places=6)
            self.assertEqual(self.vectors(text), [vector])
        self.assertEqual(many[0], many[2])
        self.assertNotEqual(many[0], many[1])

    async def test_tokens_are_as_good_as_text_and_are_counted(self):
        tokens = [self.tokens(text) for text in TEXTS]
        expected = self.vectors(TEXTS)
        self.assertEqual(self.vectors(tokens), expected)
        self.assertEqual(self.vectors(tokens[1]), expected[1:2])
        usage = self.asked("/v1/embeddings", input=TEXTS)["usage"]
        count = sum(map(len, tokens))
        self.assertEqual(usage, {"prompt_tokens": count, "total_tokens": count})

    async def test_an_encoder_embeds_texts_and_writes_none(self):
        many = self.vectors(TEXTS, model="encoder")
        for text, vector in zip(TEXTS, many):
            self.assertEqual(len(vector), WIDTH)
            self.assertAlmostEqual(length(vector), 1, places=6)
            self.assertEqual(self.vectors(text, model="encoder"), [vector])
        self.assertNotEqual(many[0], many[1])
        status, answer = self.post("/v1/completions", {"model": "encoder", "prompt": "int", "max_tokens": 4})
        self.assertGreaterEqual(status, 400)
        self.assertIn("does not write", answer["error"]["message"])

    async def test_base64_is_the_same_numbers(self):
        expected = self.vectors(TEXTS, encoding_format="float")
        coded = self.vectors(TEXTS, encoding_format="base64")
        self.assertEqual([decoded(one) for one in coded], expected)
        for dimensions in (1, 2, 3):  # that many bytes of padding, and none
            (one,) = self.vectors("a", encoding_format="base64", dimensions=dimensions)
            self.assertEqual([decoded(one)], self.vectors("a", dimensions=dimensions))

    async def test_fewer_dimensions_are_the_first_at_length_one(self):
        (whole,) = self.vectors("return")
        for dimensions in (1, 8, WIDTH):
            (short,) = self.vectors("return", dimensions=dimensions)
            first = whole[:dimensions]
            self.assertEqual(len(short), dimensions)
            for value, expected in zip(short, first):
                self.assertAlmostEqual(value, expected / length(first), places=6)

    async def test_ollama_has_the_same_in_its_form(self):
        expected = self.vectors(TEXTS)
        answer = self.asked("/api/embed", input=TEXTS)
        self.assertEqual((answer["model"], answer["embeddings"]), ("embedding", expected))
        self.assertEqual(answer["prompt_eval_count"], sum(len(self.tokens(text)) for text in TEXTS))
        self.assertGreater(answer["total_duration"], 0)
        one = self.asked("/api/embed", input=TEXTS[0], model="embedding:latest")
        self.assertEqual(one["embeddings"], expected[:1])
        short = self.asked("/api/embed", input="a", dimensions=8)["embeddings"]
        self.assertEqual(short, self.vectors("a", dimensions=8))
        self.assertEqual(self.asked("/api/embed", input="a", dimensions=1000)["embeddings"], self.vectors("a"))
        self.assertEqual(self.asked("/api/embeddings", prompt=TEXTS[1]), {"embedding": expected[1]})
        for body in ({}, {"input": ""}, {"input": []}):  # the model is to be loaded
            self.assertEqual(self.asked("/api/embed", **body)["embeddings"], [])
        self.assertEqual(self.asked("/api/embeddings"), {"embedding": []})

    async def test_llama_server_has_the_same_in_its_form(self):
        vectors = self.vectors(TEXTS)
        self.assertEqual(self.asked("/embedding", content=TEXTS),
                         [{"index": i, "embedding": [vector]} for i, vector in enumerate(vectors)])
        self.assertEqual(self.asked("/embedding", content=TEXTS[0]), [{"index": 0, "embedding": [vectors[0]]}])
        self.assertEqual(self.asked("/embeddings", input=TEXTS), self.asked("/v1/embeddings", input=TEXTS))

    async def test_ollama_is_told_which_model_embeds(self):
        shown = self.asked("/api/show")
        self.assertEqual(shown["capabilities"], ["embedding"])
        self.assertEqual(shown["model_info"]["llama.embedding_length"], WIDTH)
        self.assertNotIn("embedding", self.asked("/api/show", model="tiny")["capabilities"])

    async def test_what_is_longer_than_the_context_is_refused_or_cut_off(self):
        ids = [65] * 257
        status, answer = self.post("/v1/embeddings", {"input": [ids[:256], ids]})
        error = answer["error"]
        self.assertEqual((status, error["code"]), (400, "context_length_exceeded"))
        self.assertEqual((error["param"], error["type"]), ("input[1]", "invalid_request_error"))
        self.assertIn("257", error["message"])
        self.vectors(ids[:256])  # the whole context
        text = "q" * 300
        status, answer = self.post("/api/embed", {"input": text, "truncate": False})
        self.assertEqual(status, 400)
        self.assertRegex(answer["error"], "300 tokens.*256")
        self.assertEqual(self.asked("/api/embed", input=text)["embeddings"], self.vectors(text[:256]))
        self.assertEqual(self.asked("/api/embeddings", prompt=text)["embedding"], self.vectors(text[:256])[0])

    async def test_a_model_without_a_pooling_type_is_refused(self):
        for model in ({"model": "tiny"}, {"model": ""}):  # the first
            status, answer = self.post("/v1/embeddings", {"input": "a", **model})
            error = answer["error"]
            self.assertEqual((status, error["code"], error["param"]), (400, "invalid_field", "model"))
            self.assertIn("tiny is no embedding model", error["message"])
            self.assertIn("way of pooling", error["message"])
            self.assertRegex(error["remedy"], r"^Choose an embedding model: embedding(, encoder)?\.$")
        for path, field in (("/api/embed", "input"), ("/api/embeddings", "prompt")):
            status, answer = self.post(path, {field: "a", "model": "tiny"})
            self.assertEqual(status, 400)
            self.assertRegex(answer["error"], "tiny is no embedding model.*Choose an embedding model: embedding")
        status, answer = self.post("/v1/embeddings", {"input": "a", "model": "other"})
        self.assertEqual((status, answer["error"]["code"]), (404, "model_not_found"))
        self.assertEqual(self.post("/api/embed", {"input": "a", "model": "other"})[0], 404)

    async def test_bad_requests_are_refused_by_field(self):
        cases = [
            ({}, "input"), ({"input": None}, "input"), ({"input": 7}, "input"), ({"input": {}}, "input"),
            ({"input": ""}, "input"), ({"input": []}, "input"), ({"input": ["a", ""]}, "input[1]"),
            ({"input": ["a", 7]}, "input[1]"), ({"input": [[65], []]}, "input[1]"), ({"input": [65, "a"]}, "input"),
            ({"input": [-1]}, "input"), ({"input": [1.5]}, "input"), ({"input": [2**40]}, "input"),
            ({"input": [VOCABULARY]}, "input"), ({"input": [[65], [VOCABULARY]]}, "input[1]"),
            ({"input": ["a"] * 2049}, "input"),
            ({"input": "a", "encoding_format": "hex"}, "encoding_format"),
            ({"input": "a", "encoding_format": 1}, "encoding_format"),
            ({"input": "a", "dimensions": 0}, "dimensions"), ({"input": "a", "dimensions": 1.5}, "dimensions"),
            ({"input": "a", "dimensions": WIDTH + 1}, "dimensions"), ({"input": "a", "model": 1}, "model"),
        ]
        for body, field in cases:
            with self.subTest(body=str(body)[:60]):
                status, answer = self.post("/v1/embeddings", body)
                error = answer["error"]
                self.assertEqual((status, error["code"], error["param"]), (400, "invalid_field", field))
                self.assertTrue(error["message"] and error["remedy"])
        for path, body in (
            ("/api/embed", {"input": 7}), ("/api/embed", {"input": [7]}), ("/api/embed", {"input": ["a", ""]}),
            ("/api/embed", {"input": "a", "truncate": 1}), ("/api/embed", {"input": "a", "dimensions": -1}),
            ("/api/embeddings", {"prompt": ["a"]}),
        ):
            with self.subTest(path=path, body=body):
                status, answer = self.post(path, body)
                self.assertEqual((status, list(answer)), (400, ["error"]))
        answer, data = self.server.request("POST", "/v1/embeddings", "{")
        self.assertEqual((answer.status, parsed(data)["error"]["code"]), (400, "malformed_json"))
        answer, _ = self.server.request("GET", "/v1/embeddings")
        self.assertEqual(answer.status, 405)
        self.assertEqual(self.server.request("POST", "/v1/embeddings", {"input": "a"}, token="wrong")[0].status, 401)

    def figure(self, name):
        _, data = self.server.request("GET", "/metrics")
        return float(re.search(rf'^{name}{{model="embedding"}} (\S+)$', data.decode(), re.M)[1])

    async def test_a_client_that_hangs_up_cancels_the_rest(self):
        self.vectors("a")
        before = self.figure("waferpair_embeddings_total")
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        body = json.dumps({"model": "embedding", "input": [[65] * 256] * 2000})
        connection.request("POST", "/v1/embeddings", body, {"Authorization": f"Bearer {self.server.token}"})
        end = time.monotonic() + waferd.PATIENCE
        while self.figure("waferpair_embeddings_total") == before and time.monotonic() < end:
            time.sleep(0.01)
        connection.close()
        # Between two texts none runs, either.
        ended = -1
        while (now := self.figure("waferpair_embeddings_total") - before) != ended and time.monotonic() < end:
            ended = now
            time.sleep(0.5)
        self.assertTrue(0 < ended < 2000, ended)
        self.vectors("a")
        self.assertEqual(self.figure("waferpair_embeddings_total"), before + ended + 1)

    @unittest.skipUnless(shutil.which("node") and all(package.exists() for package in PACKAGES),
                         "scripts/install_clients.sh has not installed the packages")
    async def test_the_packages_are_answered_as_by_their_own_servers(self):
        command = ["node", HERE / "embeddings_client.mjs", CLIENTS, f"http://127.0.0.1:{self.server.port}",
                   self.server.token]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=waferd.PATIENCE, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        told = parsed(ran.stdout)
        expected = self.vectors(TEXTS[:2])
        self.assertEqual((told["floats"], told["vectors"]), (expected, expected))
        self.assertEqual([told["short"]], self.vectors(TEXTS[1], dimensions=8))
        count = sum(len(self.tokens(text)) for text in TEXTS[:2])
        self.assertEqual(told["usage"], {"prompt_tokens": count, "total_tokens": count})
        self.assertEqual(told["openAiError"], {"status": 400, "code": "invalid_field", "param": "model",
                                               "type": "invalid_request_error"})
        self.assertEqual((told["ollama"], told["ollamaTokens"]), (expected, count))
        self.assertEqual((told["one"], told["older"]), (expected[:1], expected[0]))
        self.assertEqual(told["capabilities"], ["embedding"])
        self.assertEqual(told["ollamaError"]["status"], 400)
        self.assertIn("no embedding model", told["ollamaError"]["message"])


if __name__ == "__main__":
    waferd.main()
