# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses that are asked for by id, over HTTP and from a WebSocket, and what goes with them."""

import asyncio
import http.client
import json
import tempfile
import threading

import waferd
from test_responses_socket import TEMPLATE, user

LONG = 12000  # tokens: it does not end by itself while a test looks at it


def output_text(response):
    return "".join(part["text"] for item in response["output"] if item["type"] == "message" for part in item["content"])


class StoredResponses(waferd.WaferdTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        model = waferd.make_model(cls.folder.name, chat_template=TEMPLATE)
        cls.server = waferd.Server(cls.folder.name, model=model)

    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def ask(self, method, path="", body=None):
        """(status, JSON) of a request under /v1/responses."""
        answer, data = self.server.request(method, "/v1/responses" + path, body)
        return answer.status, json.loads(data)

    def create(self, **fields):
        status, response = self.ask("POST", body={"model": "tiny", "max_output_tokens": 8, "input": [user("Hi")], **fields})
        self.assertEqual(status, 200, response)
        return response

    def until(self, identity, *states):
        while True:
            status, response = self.ask("GET", "/" + identity)
            self.assertEqual(status, 200)
            if response["status"] in states:
                return response

    def assert_not_found(self, answer):
        status, body = answer
        self.assertEqual(status, 404)
        self.assertEqual((body["error"]["type"], body["error"]["param"]), ("invalid_request_error", "id"))
        self.assertIn("not found", body["error"]["message"])

    async def test_a_response_is_had_again_until_it_is_deleted(self):
        response = self.create()
        path = "/" + response["id"]
        self.assertEqual(self.ask("GET", path), (200, response))
        self.assertEqual(self.ask("POST", path + "/cancel"), (200, response))  # it has ended
        self.assertEqual(self.ask("DELETE", path), (200, {"id": response["id"], "object": "response", "deleted": True}))
        self.assert_not_found(self.ask("GET", path))
        self.assert_not_found(self.ask("DELETE", path))
        self.assert_not_found(self.ask("POST", path + "/cancel"))

    async def test_one_that_is_not_stored_is_not_kept(self):
        response = self.create(store=False)
        self.assertIs(response["store"], False)
        self.assert_not_found(self.ask("GET", "/" + response["id"]))
        status, body = self.ask("POST", body={"input": [user("x")], "previous_response_id": response["id"]})
        self.assertEqual((status, body["error"]["code"]), (400, "previous_response_not_found"))
        self.assertEqual(body["error"]["param"], "previous_response_id")

    async def test_a_conversation_goes_on_over_http(self):
        first = self.create()
        second = self.create(previous_response_id=first["id"], input=[user("More")])
        said = {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": output_text(first)}]}
        whole = self.create(input=[user("Hi"), said, user("More")])
        self.assertEqual(output_text(second), output_text(whole))
        self.assertEqual(second["usage"]["input_tokens"], whole["usage"]["input_tokens"])
        self.assertEqual(second["previous_response_id"], first["id"])
        # From any of them, as often as wanted.
        again = self.create(previous_response_id=first["id"], input=[user("More")])
        self.assertEqual(output_text(again), output_text(whole))

    async def test_instructions_are_of_one_request_and_do_not_pile_up(self):
        def counted(items, **fields):
            return self.create(input=items, store=False, **fields)["usage"]["input_tokens"]

        first = self.create(instructions="Be brief.")
        said = {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": output_text(first)}]}
        whole = [user("Hi"), said, user("More")]
        for instructions in ("Be brief.", "Be verbose, and rhyme.", None):
            second = self.create(previous_response_id=first["id"], input=[user("More")], instructions=instructions)
            self.assertEqual(second["usage"]["input_tokens"], counted(whole, instructions=instructions))
            third = self.create(previous_response_id=second["id"], input=[user("On")], instructions="Be brief.")
            said = {**said, "content": [{"type": "output_text", "text": output_text(second)}]}
            self.assertEqual(third["usage"]["input_tokens"], counted([*whole, said, user("On")], instructions="Be brief."))

    async def test_nothing_need_be_added_to_what_was_said(self):
        first = self.create()
        said = {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": output_text(first)}]}
        whole = self.create(input=[user("Hi"), said], store=False)
        # Items that are left out are none.
        for nothing in ([], [{"type": "reasoning", "summary": []}], ""):
            on = self.create(previous_response_id=first["id"], input=nothing)
            self.assertEqual(output_text(on), output_text(whole), nothing)
            self.assertEqual(on["usage"]["input_tokens"], whole["usage"]["input_tokens"])
        status, body = self.ask("POST", body={"input": []})
        self.assertEqual((status, body["error"]["param"]), (400, "input"))

    async def test_a_stream_is_stored_and_a_socket_goes_on_from_it(self):
        _, body = self.server.request(
            "POST", "/v1/responses",
            {"model": "tiny", "max_output_tokens": 8, "input": [user("Hi")], "stream": True})
        events = [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: {")]
        streamed = events[-1]["response"]
        self.assertEqual(self.ask("GET", "/" + streamed["id"]), (200, streamed))
        socket = await self.server.connect(path="/v1/responses")
        self.addAsyncCleanup(socket.close)
        await socket.send(json.dumps({
            "type": "response.create", "max_output_tokens": 8, "input": [user("More")],
            "previous_response_id": streamed["id"]}))
        while (event := json.loads(await asyncio.wait_for(socket.recv(), waferd.PATIENCE)))["type"] not in waferd.RESPONSE_ENDS:
            pass
        over_socket = event["response"]
        self.assertEqual(output_text(over_socket),
                         output_text(self.create(previous_response_id=streamed["id"], input=[user("More")])))
        # What was asked for over the socket outlives it.
        await socket.close()
        self.assertEqual(self.ask("GET", "/" + over_socket["id"]), (200, over_socket))

    async def test_a_response_in_the_background_is_watched_and_cancelled(self):
        begun = self.create(background=True, max_output_tokens=LONG)
        self.assertEqual((begun["status"], begun["background"]), ("queued", True))
        self.assertEqual(self.until(begun["id"], "in_progress")["output"], [])
        status, ended = self.ask("POST", f"/{begun['id']}/cancel")
        self.assertEqual((status, ended["status"]), (200, "cancelled"))
        self.assertLess(ended["usage"]["output_tokens"], LONG)
        self.assertEqual(self.ask("GET", "/" + begun["id"]), (200, ended))
        # Nothing goes on from half an answer.
        status, body = self.ask("POST", body={"input": [user("x")], "previous_response_id": begun["id"]})
        self.assertEqual((status, body["error"]["code"]), (400, "previous_response_not_found"))

    async def test_the_background_ends_as_the_foreground(self):
        begun = self.create(background=True)
        self.assertEqual(output_text(self.until(begun["id"], "incomplete", "completed")), output_text(self.create()))

    async def test_a_stream_in_the_background_goes_on_without_its_client(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        connection.request("POST", "/v1/responses",
                           json.dumps({"input": [user("Hi")], "max_output_tokens": 400, "stream": True, "background": True}),
                           {"Authorization": f"Bearer {self.server.token}"})
        stream = connection.getresponse()
        line = ""
        while not line.startswith("data: "):
            line = stream.readline().decode()
        identity = json.loads(line[6:])["response"]["id"]
        stream.close()
        connection.close()
        ended = self.until(identity, "incomplete", "completed")
        self.assertEqual(ended["usage"]["output_tokens"], 400)

    async def test_one_under_way_is_deleted_and_leaves_nothing(self):
        begun = self.create(background=True, max_output_tokens=LONG)
        self.assertEqual(self.ask("DELETE", "/" + begun["id"])[0], 200)
        self.assert_not_found(self.ask("GET", "/" + begun["id"]))
        async with await self.server.session() as session:
            while (await session.alive())["queue"]["running"]:
                pass

    async def test_another_client_cancels_a_response_that_somebody_waits_for(self):
        ids = []
        ends = []

        def wait():
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
            connection.request("POST", "/v1/responses",
                               json.dumps({"input": [user("Hi")], "max_output_tokens": LONG, "stream": True}),
                               {"Authorization": f"Bearer {self.server.token}"})
            for line in connection.getresponse():
                if line.startswith(b"data: {"):
                    event = json.loads(line[6:])
                    ids.append(event["response_id"])
                    ends.append(event["type"])
            connection.close()

        waiting = threading.Thread(target=wait)
        waiting.start()
        while not ids:
            await asyncio.sleep(0.01)
        status, response = self.ask("POST", f"/{ids[0]}/cancel")
        waiting.join(waferd.PATIENCE)
        self.assertEqual((status, response["status"], ends[-1]), (200, "cancelled", "response.cancelled"))

    async def test_who_hangs_up_leaves_nothing(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        connection.request("POST", "/v1/responses",
                           json.dumps({"input": [user("Hi")], "max_output_tokens": LONG, "stream": True}),
                           {"Authorization": f"Bearer {self.server.token}"})
        stream = connection.getresponse()
        while not (line := stream.readline()).startswith(b"data: "):
            pass
        identity = json.loads(line[6:])["response"]["id"]
        stream.close()
        connection.close()
        while self.ask("GET", "/" + identity)[0] == 200:
            pass

    async def test_the_background_has_its_limit_and_wants_to_be_stored(self):
        status, body = self.ask("POST", body={"input": "x", "background": True, "store": False})
        self.assertEqual((status, body["error"]["param"]), (400, "background"))
        ids = []
        while True:
            status, body = self.ask("POST", body={"input": [user("Hi")], "background": True})
            if status != 200:
                break
            ids.append(body["id"])
        self.assertEqual((status, body["error"]["code"], len(ids)), (429, "limit_exceeded", 64))
        for identity in ids:
            self.ask("DELETE", "/" + identity)
        self.create()

    async def test_tokens_are_counted_as_they_are_read(self):
        tools = [{"type": "function", "name": "add", "description": "Adds.",
                  "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]
        first = self.create()
        for fields in ({"input": "int main"}, {"input": [user("Hi")], "instructions": "Be brief."},
                       {"input": [user("Hi")], "tools": tools},
                       {"input": [user("More")], "previous_response_id": first["id"]}):
            status, counted = self.ask("POST", "/input_tokens", fields)
            self.assertEqual((status, counted["object"]), (200, "response.input_tokens"))
            self.assertEqual(counted["input_tokens"], self.create(tool_choice="none", **fields)["usage"]["input_tokens"])
        self.assertEqual(self.ask("POST", "/input_tokens", {})[0], 400)

    async def test_a_conversation_is_compacted(self):
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "word " * 600}]}
        call = {"type": "function_call", "call_id": "c", "name": "read", "arguments": "{}"}
        items = [user("Read it."), said, call, {"type": "function_call_output", "call_id": "c", "output": "text " * 600}]
        status, compacted = self.ask("POST", "/compact", {"model": "tiny", "input": items, "instructions": "Be brief."})
        self.assertEqual((status, compacted["object"]), (200, "response.compaction"))
        message, summary = compacted["output"]
        self.assertEqual((message["role"], message["content"]), ("user", [{"type": "input_text", "text": "Read it."}]))
        self.assertEqual(summary["type"], "compaction")
        self.assertGreater(compacted["usage"]["output_tokens"], 0)
        # What comes back is read as what was said before.
        shorter = self.create(input=[*compacted["output"], user("Go on.")], store=False)
        text = summary["encrypted_content"].removeprefix("waferd-summary:")
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
        self.assertEqual(output_text(shorter), output_text(self.create(input=[user("Read it."), said, user("Go on.")])))
        # Also of a response that is stored.
        first = self.create(input=[user("Begin.")])
        status, compacted = self.ask("POST", "/compact", {"input": [user("More.")], "previous_response_id": first["id"]})
        self.assertEqual([item.get("content", [{}])[0].get("text") for item in compacted["output"]], ["Begin.", "More.", None])
        # What another server has made cannot be read.
        status, body = self.ask("POST", body={"input": [{"type": "compaction", "encrypted_content": "gAAAA"}]})
        self.assertEqual((status, body["error"]["param"]), (400, "input[0].encrypted_content"))

    async def test_what_is_not_served_below_one_is_not_taken_for_its_id(self):
        path = "/" + self.create()["id"] + "/input_items"
        for method in ("GET", "POST", "DELETE"):
            status, body = self.ask(method, path)
            self.assertEqual((status, body["error"]["code"]), (404, "not_found"))
            self.assertIn(f"{method} /v1/responses{path} is not served", body["error"]["message"])

    async def test_without_the_token_there_is_nothing(self):
        path = "/v1/responses/" + self.create()["id"]
        for method in ("GET", "DELETE"):
            self.assertEqual(self.server.request(method, path, token="f" * 64)[0].status, 401)
        for method, path in (("POST", "/v1/responses/x"), ("PUT", "/v1/responses/x"), ("GET", "/v1/responses/")):
            self.assertIn(self.server.request(method, path)[0].status, (404, 405), path)


class WithoutChat(waferd.WaferdTest):
    async def test_a_model_that_does_not_answer_cannot_sum_up(self):
        async with await self.server.session():
            pass
        answer, data = self.server.request("POST", "/v1/responses/compact", {"input": "int main"})
        self.assertEqual(answer.status, 400)
        self.assertEqual(json.loads(data)["error"]["code"], "unknown_chat_template")


class Ending(waferd.WaferdTest):
    async def test_a_server_ends_beside_a_response_in_the_background(self):
        async with await self.server.session():
            pass
        answer, _ = self.server.request("POST", "/v1/responses",
                                        {"input": "int main", "background": True, "max_output_tokens": LONG})
        self.assertEqual(answer.status, 200)
        self.server.stop()  # and finds nothing wrong


class LittleMemory(waferd.WaferdTest):
    async def test_stored_texts_take_no_more_than_the_caches_may(self):
        with tempfile.TemporaryDirectory() as folder:
            server = waferd.Server(
                folder, "--kv-memory", "1", model=waferd.make_model(folder, chat_template=TEMPLATE)
            )
            self.addCleanup(server.stop)
            async with await server.session():
                pass  # the model is ready

            def ask(method, path="", body=None):
                answer, data = server.request(method, "/v1/responses" + path, body)
                return answer.status, json.loads(data)

            body = {"model": "tiny", "max_output_tokens": 1, "input": [user("word " * 400)]}
            identities = []
            for _ in range(600):  # 2,000 bytes each, and what is beside them
                status, response = ask("POST", body=body)
                self.assertEqual(status, 200, response)
                identities.append(response["id"])
            self.assertEqual(ask("GET", "/" + identities[0])[0], 404)
            self.assertEqual(ask("GET", "/" + identities[-1])[0], 200)
            kept = sum(ask("GET", "/" + identity)[0] == 200 for identity in identities)
            self.assertGreater(kept, 75)
            # They live on half of what is for the caches, and the caches on what they leave.
            taken = self.metric(server, "waferpair_stored_responses_bytes")
            self.assertGreater(taken, kept * 2000)
            self.assertLessEqual(taken, self.metric(server, "waferpair_kv_cache_bytes") / 2)
            answer, data = server.request("POST", "/v1/responses", {
                "input": [user("word " * 300)], "max_output_tokens": 1, "store": False})
            self.assertEqual(answer.status, 200, data)
            cached = self.metric(server, "waferpair_kv_cache_used_bytes")
            self.assertLessEqual(taken + cached, self.metric(server, "waferpair_kv_cache_bytes"))
            # Who goes on from one that made room is told its name, and what to do.
            status, body = ask("POST", body={"input": "x", "previous_response_id": identities[0]})
            self.assertEqual((status, body["error"]["code"]), (400, "previous_response_not_found"))
            self.assertIn(identities[0], body["error"]["message"])
            self.assertIn("--kv-memory", json.dumps(body))
            # A job that needs more than they leave gets it, and the oldest make room.
            answer, data = server.request("POST", "/v1/responses", {
                "input": [user("word " * 600)], "max_output_tokens": 1, "store": False})
            self.assertEqual(answer.status, 200, data)
            while self.metric(server, "waferpair_stored_responses_bytes") >= taken:
                pass
            self.assertEqual(ask("GET", "/" + identities[-1])[0], 200)

    def metric(self, server, name):
        data = server.request("GET", "/metrics")[1].decode()
        return float(next(line for line in data.splitlines() if line.startswith(name + " ")).split()[1])


if __name__ == "__main__":
    waferd.main()
