# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP as no library sends it, told to the socket byte by byte: what is malformed or doubled, old or
from a web page."""

import json
import socket

import waferd


class HttpEdges(waferd.WaferdTest):
    async def asyncSetUp(self):
        async with await self.server.session():
            pass  # the model is ready

    def connect_plainly(self):
        connection = socket.create_connection(("127.0.0.1", self.server.port))
        connection.settimeout(waferd.PATIENCE)
        return connection

    def head(self, first_line, *fields, token=True):
        authorization = [f"Authorization: Bearer {self.server.token}"] if token else []
        return "\r\n".join([first_line, "Host: x", *authorization, *fields, "", ""]).encode()

    def exchange(self, data):
        """Sends it and returns what comes until the server closes."""
        with self.connect_plainly() as connection:
            connection.sendall(data)
            answer = b""
            while piece := connection.recv(1 << 16):
                answer += piece
            return answer

    def parts(self, answer):
        """The status, the header's fields by their names in small letters, and the body."""
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        fields = [line.split(": ", 1) for line in lines]
        names = [name.lower() for name, _ in fields]
        self.assertEqual(len(names), len(set(names)), names)
        return int(first.split()[1]), {name.lower(): value for name, value in fields}, body

    def ask(self, first_line, *fields, token=True):
        return self.parts(self.exchange(self.head(first_line, "Connection: close", *fields, token=token)))

    def test_what_is_malformed_is_told_so(self):
        for data in (b"nonsense\r\n\r\n", b"GET /health HTTP/7.1\r\n\r\n",
                     b"GET /health HTTP/1.1\r\nno colon\r\n\r\n",
                     b"POST /v1/responses HTTP/1.1\r\nContent-Length: minus\r\n\r\n"):
            status, _, body = self.parts(self.exchange(data))
            self.assertEqual(status, 400, data)
            error = json.loads(body)["error"]
            self.assertEqual(error["code"], "malformed_request")
            self.assertIn("HTTP", error["message"] + error["remedy"])

    def test_a_malformed_body_is_told_so(self):
        data = self.head("POST /v1/responses HTTP/1.1", "Transfer-Encoding: chunked") + b"zz\r\n\r\n"
        status, _, body = self.parts(self.exchange(data))
        self.assertEqual((status, json.loads(body)["error"]["code"]), (400, "malformed_request"))

    def test_an_address_in_full_is_its_path(self):
        for target in ("http://127.0.0.1:1/v1/models", f"http://x/t/{self.server.token}/v1/models?x=/"):
            self.assertEqual(self.ask(f"GET {target} HTTP/1.1")[0], 200, target)
        self.assertEqual(self.ask("GET http://x/nowhere HTTP/1.1")[0], 404)

    def test_what_comes_before_a_dialect_is_told_in_its_form(self):
        """Without the token, where nothing is served, and by a method that is not."""
        for path, method, status in (("/api/chat", "POST", 401), ("/api/nowhere", "POST", 404), ("/api/push", "POST", 501), ("/api/tags", "PUT", 405)):
            answer = self.ask(f"{method} {path} HTTP/1.1", "Content-Length: 0", token=status != 401)
            self.assertEqual(answer[0], status, path)
            self.assertIsInstance(json.loads(answer[2])["error"], str, path)
        for path, method, status, kind in (
                ("/v1/messages", "POST", 401, "authentication_error"), ("/v1/messages/batches", "POST", 404, "not_found_error"),
                ("/v1/messages", "PUT", 405, "invalid_request_error")):
            answer = self.ask(f"{method} {path} HTTP/1.1", "Content-Length: 0", token=status != 401)
            body = json.loads(answer[2])
            self.assertEqual((answer[0], body["type"], body["error"]["type"]), (status, "error", kind), path)
        for path, method, status in (("/infill", "POST", 401), ("/props", "PUT", 405)):
            answer = self.ask(f"{method} {path} HTTP/1.1", "Content-Length: 0", token=status != 401)
            self.assertEqual((answer[0], json.loads(answer[2])["error"]["code"]), (status, status), path)
        answer = self.ask("POST /v1/chat/completions HTTP/1.1", "Content-Length: 0", token=False)
        self.assertEqual((answer[0], json.loads(answer[2])["error"]["code"]), (401, "invalid_token"))
        answer = self.ask("POST /v1/messages HTTP/1.1", "Content-Length: 99999999")
        self.assertEqual((answer[0], json.loads(answer[2])["error"]["type"]), (413, "request_too_large"))

    def test_who_leaves_within_a_request_is_told_nothing(self):
        with self.connect_plainly() as connection:
            connection.sendall(b"GET /health HT")
            connection.shutdown(socket.SHUT_WR)
            self.assertEqual(connection.recv(100), b"")

    def test_doubled_fields_that_decide_are_refused(self):
        mine, token = "Origin: http://localhost:5173", f"Authorization: Bearer {self.server.token}"
        for fields in ((mine, "Origin: https://evil.example"), (mine, mine), (token,),
                       ("Authorization: Bearer x",)):
            status, answered, body = self.ask("GET /v1/models HTTP/1.1", *fields)
            self.assertEqual(status, 400, fields)
            self.assertEqual(json.loads(body)["error"]["code"], "malformed_request")
            self.assertNotIn("access-control-allow-origin", answered)
        # Open paths are no exception.
        twice = ("Origin: http://localhost", "Origin: http://localhost")
        self.assertEqual(self.ask("GET /health HTTP/1.1", *twice, token=False)[0], 400)

    def test_who_waits_to_be_told_to_send_is_told(self):
        body = json.dumps({"input": "x", "max_output_tokens": 1}).encode()
        with self.connect_plainly() as connection:
            connection.sendall(self.head("POST /v1/responses HTTP/1.1", "Expect: 100-continue",
                                         "Connection: close", f"Content-Length: {len(body)}"))
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(body)
            answer = b""
            while piece := connection.recv(1 << 16):
                answer += piece
        self.assertEqual(self.parts(answer)[0], 200)

    def test_nobody_is_told_to_send_in_vain(self):
        expect = "Expect: 100-continue"
        status, _, _ = self.ask("POST /v1/responses HTTP/1.1", expect, "Content-Length: 9", token=False)
        self.assertEqual(status, 401)
        status, _, _ = self.ask("POST /v1/responses HTTP/1.1", expect, f"Content-Length: {64 << 20}")
        self.assertEqual(status, 413)
        status, _, _ = self.ask("POST /nowhere HTTP/1.1", expect, "Content-Length: 9")
        self.assertEqual(status, 404)
        status, _, body = self.ask("POST /v1/responses HTTP/1.1", "Expect: a-miracle", "Content-Length: 9")
        self.assertEqual((status, json.loads(body)["error"]["code"]), (417, "malformed_request"))

    def test_a_stream_for_an_old_client_has_no_chunks(self):
        body = json.dumps({"input": "for", "max_output_tokens": 8, "stream": True}).encode()
        length = f"Content-Length: {len(body)}"
        old = self.head("POST /v1/responses HTTP/1.0", length, "Connection: keep-alive") + body
        status, fields, events = self.parts(self.exchange(old))
        self.assertEqual(status, 200)
        self.assertNotIn("transfer-encoding", fields)
        self.assertEqual(fields.get("connection", "close"), "close")
        self.assertTrue(events.startswith(b"event: response.created\ndata: {"), events[:60])
        self.assertIn(b"event: response.incomplete\n", events)
        self.assertTrue(events.endswith(b"\n\n"))

    def test_a_page_of_this_computer_may_ask(self):
        page = "Origin: http://localhost:5173"
        status, fields, body = self.ask("OPTIONS /v1/responses HTTP/1.1", page, "Access-Control-Request-Method: POST",
                                        "Access-Control-Request-Headers: authorization,content-type,x-stainless-os",
                                        token=False)
        self.assertEqual((status, body), (204, b""))
        self.assertEqual(fields["access-control-allow-origin"], "http://localhost:5173")
        self.assertEqual(fields["access-control-allow-methods"], "GET, HEAD, POST, DELETE")
        self.assertEqual(fields["access-control-allow-headers"], "authorization,content-type,x-stainless-os")
        self.assertEqual(fields["vary"], "Origin")
        self.assertNotIn("access-control-allow-credentials", fields)
        # It still needs the token, and can read that it does.
        for token, expected in ((True, 200), (False, 401)):
            status, fields, _ = self.ask("GET /v1/models HTTP/1.1", page, token=token)
            self.assertEqual((status, fields["access-control-allow-origin"], fields["vary"]),
                             (expected, "http://localhost:5173", "Origin"))
        body = json.dumps({"input": "for", "max_output_tokens": 2, "stream": True}).encode()
        data = self.head("POST /v1/responses HTTP/1.1", page, "Connection: close",
                         f"Content-Length: {len(body)}") + body
        self.assertEqual(self.parts(self.exchange(data))[1]["access-control-allow-origin"], "http://localhost:5173")

    def test_a_page_from_elsewhere_may_not(self):
        asks = "Access-Control-Request-Method: POST"
        for origin in ("https://evil.example", "null", "http://localhost.evil.example"):
            status, fields, _ = self.ask("OPTIONS /v1/responses HTTP/1.1", f"Origin: {origin}", asks, token=False)
            self.assertEqual(status, 403)
            self.assertNotIn("access-control-allow-origin", fields)
        # And nothing is said of pages to who is none; nor is OPTIONS without a page a way around the token.
        self.assertNotIn("access-control-allow-origin", self.ask("GET /v1/models HTTP/1.1")[1])
        self.assertEqual(self.ask("OPTIONS /v1/responses HTTP/1.1", asks, token=False)[0], 401)

    def knock(self, count):
        """Connections that say nothing."""
        connections = [self.connect_plainly() for _ in range(count)]
        self.addCleanup(lambda: [connection.close() for connection in connections])
        return connections

    def test_who_says_nothing_makes_room(self):
        first, *_, last = self.knock(300)
        # Who has the token is served, and the oldest of the silent were closed for it.
        status, _, _ = self.ask("GET /v1/models HTTP/1.1")
        self.assertEqual(status, 200)
        self.assertEqual(first.recv(1), b"")
        # The last is still heard.
        last.sendall(self.head("GET /v1/models HTTP/1.1", "Connection: close"))
        self.assertIn(b" 200 ", last.recv(64))

    def test_where_all_are_known_there_is_no_room(self):
        models = self.head("GET /v1/models HTTP/1.1")
        known = self.knock(256)
        for connection in known:
            connection.sendall(models)
            self.assertIn(b" 200 ", connection.recv(1 << 16))
        status, fields, body = self.parts(self.exchange(models))
        self.assertEqual((status, fields["connection"]), (503, "close"))
        self.assertEqual(json.loads(body)["error"]["code"], "limit_exceeded")
        # Room again.
        known[0].close()
        while self.ask("GET /v1/models HTTP/1.1")[0] == 503:
            pass

    def test_a_header_has_to_come(self):
        silent, slow = self.knock(2)
        slow.sendall(b"GET /v1/models HTTP/1.1\r\nHost: x\r\n")
        for connection in (silent, slow):
            self.assertEqual(connection.recv(1), b"")


if __name__ == "__main__":
    waferd.main()
