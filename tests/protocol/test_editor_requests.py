# SPDX-License-Identifier: GPL-3.0-or-later
"""What llama.vscode, Zed, Minuet and QodeAssist send, written after their sources, is answered as each of them reads it."""

import json
import pathlib

import test_tools
import waferd

RECORDINGS = pathlib.Path(__file__).resolve().parent / "recordings"
REQUESTS = json.loads((RECORDINGS / "editors.json").read_text(encoding="utf-8"))


def texts(path, data):
    """The texts that the client takes from an answer, streamed or not."""
    data = data.replace(":\n\n", "")  # comments, which say that the prompt is being read
    streamed = data.startswith("data: ") or ("\n{" in data and path.startswith("/api/"))
    if not streamed:
        told = json.loads(data)
        if isinstance(told, list):  # llama.vscode, of its alternatives
            return [each["content"] for each in told]
        if path == "/infill":
            return [told["content"]]
        if path == "/api/generate":
            return [told["response"]] if told["created_at"] else []
        assert told["id"] and told["usage"]["total_tokens"] > 0
        choice = told["choices"][0]
        return [choice["text"] if "text" in choice else choice["message"]["content"]]
    lines = [line.removeprefix("data: ") for line in data.splitlines() if line and line != "data: [DONE]"]
    events = [json.loads(line) for line in lines]
    if path == "/infill":
        return ["".join(event["content"] for event in events)]
    if path == "/api/generate":
        assert events[-1]["done"]
        return ["".join(event["response"] for event in events)]
    choices = [event["choices"][0] for event in events if event["choices"]]
    return ["".join(choice["text"] if "text" in choice else choice["delta"].get("content", "") for choice in choices)]


class EditorRequests(test_tools.ToolServer):
    async def test_each_is_answered(self):
        for number, request in enumerate(REQUESTS):
            with self.subTest(f'{request["client"]}: {request["what"]}'):
                answer, data = self.server.request("POST", request["path"], request["body"])
                self.assertEqual(answer.status, 200, data)
                told = texts(request["path"], data.decode())
                if request["limit"] == 0:
                    self.assertEqual(told, [""])
                    continue
                # What the model wrote may have ended the block that the gap is in.
                self.assertTrue(all(told) or b'"stop"' in data or b'"eos"' in data, data)
                self.assertEqual(len(told), request["body"].get("n_cmpl", 1), number)

    async def test_what_is_filled_in_is_what_a_session_is_told(self):
        async with await self.server.session() as session:
            for number, request in enumerate(REQUESTS):
                body = request["body"]
                sampled = body.get("temperature") or body.get("options", {}).get("temperature")
                if sampled or "messages" in body or request["limit"] == 0 or "input_extra" in body:
                    continue
                with self.subTest(f'{request["client"]}: {request["what"]}'):
                    _, data = self.server.request("POST", request["path"], body)
                    prefix, uri = request["prefix"], f"file:///{number}"
                    await session.send("document.open", uri=uri, version=1, text=prefix + request["suffix"])
                    told, _ = await session.complete(number, uri=uri, version=1, offset=len(prefix), max_tokens=request["limit"])
                    self.assertEqual(texts(request["path"], data.decode()), [told])

    async def test_a_limit_by_openais_name_is_one_at_llama_servers_path(self):
        body = {"input_prefix": "a", "input_suffix": "b", "max_tokens": 5}
        answer, data = self.server.request("POST", "/infill", body)
        self.assertEqual((answer.status, json.loads(data)["tokens_predicted"]), (200, 5))


if __name__ == "__main__":
    waferd.main()
