# SPDX-License-Identifier: GPL-3.0-or-later
"""The HTTP surface, as docs/protocol.md describes it."""

import http.client
import json
import re
import socket
import time

import waferd


class Http(waferd.WaferdTest):
    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def metric(self, name):
        text = self.server.request("GET", "/metrics")[1].decode()
        return float(re.search(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)[1])

    async def test_health_needs_no_token_and_tells_little(self):
        for path in ("/health", "/v1/health"):
            answer, data = self.server.request("GET", path, token="")
            self.assertEqual(answer.status, 200)
            self.assertEqual(json.loads(data), {"status": "ok", "state": "ready"})

    async def test_head_is_get_without_its_body(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        headers = {"Authorization": f"Bearer {self.server.token}"}
        for path in ("/health", "/v1/models", "/nowhere"):
            connection.request("GET", path, headers=headers)
            whole = connection.getresponse()
            length = len(whole.read())
            connection.request("HEAD", path, headers=headers)
            head = connection.getresponse()
            self.assertEqual((head.status, head.read()), (whole.status, b""))
            # "HEAD /nowhere is not served here." is a letter longer.
            more = 1 if whole.status == 404 else 0
            self.assertEqual(int(head.headers["Content-Length"]), length + more)
        connection.request("HEAD", "/infill", headers=headers)
        self.assertEqual(connection.getresponse().status, 405)
        connection.close()
        self.assertEqual(self.server.request("HEAD", "/v1/models", token="")[0].status, 401)

    async def test_all_else_needs_the_token(self):
        for method, path in [("GET", "/v1/models"), ("GET", "/metrics"), ("POST", "/v1/responses"),
                             ("GET", "/nowhere")]:
            for token in ("", "f" * 64):
                answer, data = self.server.request(method, path, token=token)
                self.assertEqual(answer.status, 401)
                self.assertIn("remedy", json.loads(data)["error"])
        headers = {"Origin": "https://evil.example"}
        self.assertEqual(self.server.request("GET", "/v1/models", headers=headers)[0].status, 403)

    async def test_a_refused_upload_can_read_why(self):
        answer, data = self.server.request("POST", "/v1/responses", "x" * 3_000_000, token="")
        self.assertEqual(answer.status, 401)
        self.assertEqual(json.loads(data)["error"]["code"], "invalid_token")

    async def test_a_body_that_is_too_long_is_refused_by_its_header(self):
        for token, status in ((self.server.token, 413), ("f" * 64, 401)):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
            connection.putrequest("POST", "/v1/responses")
            connection.putheader("Authorization", f"Bearer {token}")
            connection.putheader("Content-Length", str((32 << 20) + 1))
            connection.endheaders()
            answer = connection.getresponse()
            self.assertEqual(answer.status, status)
            self.assertTrue(json.loads(answer.read())["error"]["remedy"])
            connection.close()

    async def test_models_are_listed(self):
        listed = json.loads(self.server.request("GET", "/v1/models")[1])
        self.assertEqual(listed["object"], "list")
        self.assertEqual([model["id"] for model in listed["data"]], ["tiny"])

    async def test_unknown_paths_and_methods_are_named(self):
        answer, data = self.server.request("GET", "/nowhere?x=1")
        self.assertEqual(answer.status, 404)
        self.assertIn("/nowhere", json.loads(data)["error"]["message"])
        self.assertEqual(self.server.request("DELETE", "/v1/models")[0].status, 405)

    async def test_a_response_comes_as_one_object(self):
        body = {"input": "int main", "max_output_tokens": 12}
        answer, data = self.server.request("POST", "/v1/responses", body)
        self.assertEqual(answer.status, 200)
        response = json.loads(data)
        self.assertEqual(response["object"], "response")
        self.assertEqual(response["usage"]["output_tokens"], 12)
        self.assertEqual(response["output"][0]["content"][0]["type"], "output_text")

    async def test_streamed_it_is_the_same_text_in_events(self):
        body = {"input": "int main", "max_output_tokens": 12}
        whole = json.loads(self.server.request("POST", "/v1/responses", body)[1])
        answer, data = self.server.request("POST", "/v1/responses", {**body, "stream": True})
        self.assertTrue(answer.headers["Content-Type"].startswith("text/event-stream"))
        events = []
        for block in data.decode().strip().split("\n\n"):
            head, payload = block.split("\n")
            event = json.loads(payload.removeprefix("data: "))
            self.assertEqual(head, "event: " + event["type"])
            events.append(event)
        self.assertEqual(events[0]["type"], "response.created")
        self.assertEqual(events[-1]["type"], "response.incomplete")
        self.assertEqual([e["sequence_number"] for e in events], list(range(len(events))))
        text = "".join(e["delta"] for e in events if e["type"] == "response.output_text.delta")
        self.assertEqual(text, whole["output"][0]["content"][0]["text"])

    async def test_bad_bodies_are_refused_with_the_field(self):
        for body, code, field in [
            ("nonsense", "malformed_json", None),
            ({}, "invalid_field", "input"),
            ({"input": 5}, "invalid_field", "input"),
            ({"input": "x", "temperature": "hot"}, "invalid_field", "temperature"),
            ({"input": "x", "previous_response_id": "r"}, "previous_response_not_found",
             "previous_response_id"),
            ({"input": "% " * waferd.CONTEXT}, "context_length_exceeded", "input"),
        ]:
            streamed = [{**body, "stream": True}] if isinstance(body, dict) else []
            for asked in [body, *streamed]:
                answer, data = self.server.request("POST", "/v1/responses", asked)
                self.assertEqual(answer.status, 400)
                error = json.loads(data)["error"]
                self.assertEqual((error["code"], error["param"]), (code, field))

    async def test_a_connection_serves_request_after_request(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, waferd.PATIENCE)
        headers = {"Authorization": f"Bearer {self.server.token}"}
        for number in range(120):
            stream = number % 3 == 0
            body = json.dumps({"input": "x", "max_output_tokens": 1, "stream": stream})
            connection.request("POST", "/v1/responses", body, headers)
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, 200)
            connection.request("GET", "/health")
            self.assertEqual(connection.getresponse().read()[:1], b"{")
        connection.close()

    async def test_hanging_up_cancels(self):
        cancelled = self.metric("waferpair_cancelled_total")
        for stream in (True, False):
            body = json.dumps({"input": "for", "max_output_tokens": 16000, "stream": stream})
            with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                connection.sendall(
                    f"POST /v1/responses HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
                    f"Authorization: Bearer {self.server.token}\r\n\r\n{body}".encode()
                )
                if stream:
                    connection.recv(100)
                else:
                    while not self.metric("waferpair_queue_running"):
                        pass
            cancelled += 1
            deadline = time.monotonic() + waferd.PATIENCE
            while self.metric("waferpair_cancelled_total") < cancelled:
                self.assertLess(time.monotonic(), deadline)

    async def test_every_metric_has_a_name_of_its_own_a_help_and_a_type(self):
        lines = self.server.request("GET", "/metrics")[1].decode().splitlines()
        names = []
        for about, kind, value in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            name = re.fullmatch(r"# HELP (\w+) \S.*\.", about)[1]
            kind = re.fullmatch(rf"# TYPE {name} (gauge|counter)", kind)[1]
            self.assertEqual(kind == "counter", name.endswith("_total"))
            self.assertRegex(value, rf"^{name}({{.*}})? [-+.\de]+$")
            names.append(name)
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("waferpair_sessions", names)

    async def test_metrics_keep_the_two_clocks_apart(self):
        self.server.request("POST", "/v1/responses", {"input": "int", "max_output_tokens": 9})
        self.assertGreater(self.metric("waferpair_output_tokens_total"), 0)
        self.assertGreater(self.metric("waferpair_host_decode_seconds_total"), 0)
        self.assertGreater(self.metric("waferpair_wafer_decode_cycles_total"), 0)
        text = self.server.request("GET", "/metrics")[1].decode()
        for line in text.splitlines():
            if line.startswith("waferpair_wafer"):
                self.assertIn('profile="', line)


if __name__ == "__main__":
    waferd.main()
