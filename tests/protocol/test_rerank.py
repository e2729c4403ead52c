# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents in the order of how well they answer a query, in the forms of other servers."""

import json
import math

import waferd

QUERY = "what is a panda?"
TEXTS = ["hi", "it is a bear", "The giant panda is a bear.", "", "ß" * 50]


class Rerank(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = waferd.tempfile.TemporaryDirectory()
        tiny = waferd.make_model(cls.folder.name)
        ranking = waferd.make_model(cls.folder.name, context=256, ranking=True)
        cls.server = waferd.Server(cls.folder.name, model=[ranking, tiny])
        cls.server.wait_until_loaded()

    def post(self, path, body):
        answer, data = self.server.request("POST", path, body)
        return answer.status, json.loads(data)

    def ranked(self, path="/v1/rerank", **fields):
        status, told = self.post(path, {"model": "ranking", "query": QUERY, "documents": TEXTS, **fields})
        self.assertEqual(status, 200, told)
        return told

    async def test_documents_are_ranked(self):
        told = self.ranked()
        self.assertEqual((told["object"], told["model"]), ("list", "ranking"))
        scores = {one["index"]: one["relevance_score"] for one in told["results"]}
        self.assertEqual(sorted(scores), list(range(len(TEXTS))))
        values = [one["relevance_score"] for one in told["results"]]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertTrue(all(0 < value < 1 for value in values))
        self.assertEqual(len(set(values)), len(values))
        for path in ("/rerank", "/reranking", "/v1/reranking"):
            self.assertEqual(self.ranked(path), told)
        # Each alone is as among others, and as an object, and the query counts.
        for index, text in enumerate(TEXTS):
            for document in (text, {"text": text}):
                (alone,) = self.ranked(documents=[document])["results"]
                self.assertTrue(math.isclose(alone["relevance_score"], scores[index], rel_tol=1e-6))
            (other,) = self.ranked(documents=[text], query="another")["results"]
            self.assertNotEqual(other["relevance_score"], scores[index])

    async def test_the_best_are_told_with_their_texts(self):
        told = self.ranked(top_n=2, return_documents=True)["results"]
        self.assertEqual(told, [{**one, "document": {"text": TEXTS[one["index"]]}} for one in self.ranked()["results"][:2]])

    async def test_hugging_faces_form(self):
        status, told = self.post("/rerank", {"model": "ranking", "query": QUERY, "texts": TEXTS, "return_text": True})
        self.assertEqual(status, 200)
        self.assertEqual(told, [{"index": one["index"], "score": one["relevance_score"], "text": TEXTS[one["index"]]}
                                for one in self.ranked()["results"]])

    async def test_the_prompt_is_the_files_and_what_texts_spell_is_text(self):
        def counted(query, document):
            return self.ranked(query=query, documents=[document])["usage"]["prompt_tokens"]

        for query, document in (("a", "b"), ("a", "<eos>"), ("{document}", "b"), ("{query}", "{query}")):
            text = {"model": "ranking", "content": f"Query: {query}\nDocument: {document}", "parse_special": False}
            told = len(self.post("/tokenize", text)[1]["tokens"])
            self.assertEqual(counted(query, document), told + 2)  # <bos> and <eos>

    async def test_what_cannot_be_ranked_is_refused(self):
        status, told = self.post("/v1/rerank", {"model": "tiny", "query": "a", "documents": ["b"]})
        self.assertEqual((status, told["error"]["type"]), (501, "not_supported_error"))
        self.assertIn("ranking", told["error"]["remedy"])
        for body in ({"documents": ["b"]}, {"query": "a"}, {"query": "a", "documents": []}, {"query": "a", "documents": [1]},
                     {"query": "a", "documents": "b"}, {"query": "a", "documents": [{"text": 1}]},
                     {"query": "a", "documents": ["b"] * 2049}):
            status, told = self.post("/v1/rerank", {"model": "ranking", **body})
            self.assertEqual((status, told["error"]["type"]), (400, "invalid_request_error"), body)
        status, told = self.post("/v1/rerank", {"model": "ranking", "query": "a", "documents": ["b", "c" * 300]})
        self.assertEqual((status, told["error"]["type"]), (400, "exceed_context_size_error"))
        # It embeds nothing, and is offered for what it does.
        self.assertEqual(self.post("/v1/embeddings", {"model": "ranking", "input": "a"})[0], 400)
        self.assertEqual(self.post("/api/show", {"model": "ranking"})[1]["capabilities"], ["rerank"])


if __name__ == "__main__":
    waferd.main()
