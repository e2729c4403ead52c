# SPDX-License-Identifier: GPL-3.0-or-later
"""The socket itself: whose it is, what it refuses, and that no client can hold up the window."""

import json
import os
import stat
import unittest

from window_test import WindowTest, waferpair


class Socket(WindowTest):
    files = {"a.txt": "text\n"}

    def other(self):
        connection = waferpair.Connection(self.window.path)
        self.addCleanup(connection.close)
        return connection

    def test_only_its_owner_gets_at_it(self):
        mode = os.stat(self.window.path).st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        folder = os.stat(os.path.dirname(self.window.path))
        self.assertEqual(stat.S_IMODE(folder.st_mode), 0o700)
        self.assertEqual(folder.st_uid, os.geteuid())

    def test_it_goes_with_the_window(self):
        self.window.stop()
        self.assertFalse(os.path.exists(self.window.path))

    def test_wrong_requests_are_answered_and_the_next_one_too(self):
        wrong = {
            b"nonsense": -32700,
            b"[]": -32600,
            b'{"jsonrpc": "1.0", "id": 1, "method": "state"}': -32600,
            b'{"jsonrpc": "2.0", "id": 1}': -32600,
            b'{"jsonrpc": "2.0", "id": [], "method": "state"}': -32600,
            b'{"jsonrpc": "2.0", "id": 1, "method": "state", "params": [1]}': -32600,
            b'{"jsonrpc": "2.0", "id": 1, "method": "explode"}': -32601,
            b'{"jsonrpc": "2.0", "id": 1, "method": "type"}': -32602,
            b'{"jsonrpc": "2.0", "id": 1, "method": "type", "params": {"text": 1}}': -32602,
            b'{"jsonrpc": "2.0", "id": 1, "method": "state", "params": {"txt": true}}': -32602,
        }
        for line, code in wrong.items():
            with self.subTest(line=line):
                self.window.send(line + b"\n")
                answer = self.window.receive()
                self.assertEqual(answer["error"]["code"], code)
                self.assertTrue(answer["error"]["message"])
                self.assertTrue(answer["error"]["data"]["remedy"])
        self.assertEqual(self.window.state("/folder"), self.project)

    def test_a_misspelt_parameter_is_told_with_those_there_are(self):
        with self.assertRaises(waferpair.Refused) as refused:
            self.window.call("open", file="/")
        self.assertIn("path", str(refused.exception))
        with self.assertRaises(waferpair.Refused) as refused:
            self.window.call("open", path="/", colum=1)
        self.assertIn("colum", str(refused.exception))
        self.assertIn("column", refused.exception.remedy)

    def test_several_requests_are_answered_in_order(self):
        requests = [
            {"jsonrpc": "2.0", "id": 1, "method": "wait"},
            {"jsonrpc": "2.0", "id": "two", "method": "state", "params": {"at": "/folder"}},
            {"jsonrpc": "2.0", "method": "run", "params": {"command": "file.new"}},
            {"jsonrpc": "2.0", "id": 4, "method": "state", "params": {"at": "/document/bytes"}},
        ]
        self.window.send(b"".join(json.dumps(each).encode() + b"\n" for each in requests))
        answers = [self.window.receive() for _ in range(3)]
        self.assertEqual([answer["id"] for answer in answers], [1, "two", 4])
        self.assertEqual(answers[2]["result"], 0)  # the notification was heard, not answered

    def test_a_line_without_end_is_refused(self):
        other = self.other()
        try:
            other.send(b"x" * (17 << 20))
            self.assertEqual(other.receive()["error"]["code"], -32600)
            self.assertIsNone(other.receive())
        except (BrokenPipeError, ConnectionResetError):
            pass  # it hung up before all was sent
        self.assertEqual(self.window.state("/folder"), self.project)

    def test_a_client_that_does_not_read_holds_up_nobody(self):
        slow = self.other()
        slow.socket.setblocking(False)
        request = b'{"jsonrpc": "2.0", "id": 1, "method": "commands"}\n'
        sent = 0
        try:
            while sent < 16 << 20:
                sent += slow.socket.send(request * 100)
        except BlockingIOError:
            pass  # the window has stopped reading
        self.assertLess(sent, 16 << 20)
        self.window.open(self.path("a.txt"))
        self.assertEqual(self.window.text(), "text\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
