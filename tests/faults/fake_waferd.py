#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model server as bad as WAFERPAIR_FAKE_WAY says. Standard library only."""

import base64
import hashlib
import json
import os
import random
import signal
import socket
import struct
import sys
import threading
import time

WAYS = {
    "mute": "says nothing at all",
    "babble": "prints without a line end for ever",
    "scribble": "prints lines of garbage",
    "refuse": "ends at once",
    "crash": "crashes when it listens",
    "nowhere": "names a port where nobody listens",
    "deaf": "never accepts",
    "hang_up": "hangs up at once",
    "no_http": "answers the handshake with garbage",
    "half_http": "answers with half a handshake",
    "slow_http": "answers with an endless handshake",
    "silent": "shakes hands and falls silent",
    "no_frames": "sends bytes that are no frames",
    "no_json": "sends text that is no JSON",
    "odd_json": "sends JSON of other shapes than agreed",
    "odd_frames": "sends telemetry that is none",
    "half_frame": "sends half a frame",
    "huge_frame": "announces a frame of 2^62 bytes",
    "flood": "floods the window with messages",
}
GREETING = {"type": "session.ready", "protocol": 1, "server": "waferd 0.1.0", "state": "ready",
            "model": None}


def mark():
    """Tells the suite that the deed is being done."""
    with open(os.environ["WAFERPAIR_FAKE_MARKS"], "a", encoding="ascii") as file:
        file.write("x")


def listening(port):
    path = os.environ["WAFERPAIR_FAKE_MARKS"] + ".token"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
        file.write("0" * 64 + "\n")
    print(json.dumps({"event": "listening", "port": port, "token_file": path, "pid": os.getpid()}),
          flush=True)


def frame(kind, payload, length=None):
    length = len(payload) if length is None else length
    head = bytes([0x80 | kind])
    if length < 126:
        return head + bytes([length]) + payload
    if length < 1 << 16:
        return head + b"\x7e" + struct.pack(">H", length) + payload
    return head + b"\x7f" + struct.pack(">Q", length) + payload


def text(message):
    return frame(1, message if isinstance(message, bytes) else json.dumps(message).encode())


def odd_messages():
    types = ["session.ready", "status", "completion.delta", "completion.done", "error",
             "telemetry.layout", "trace.changed", "shadow.changed", "nonsense"]
    values = [None, -1, 1 << 62, 1e308, "", "\u0000", [], {}, True, [[[[]]]], {"type": {}}]
    keys = ["id", "state", "model", "text", "usage", "error", "document", "offset", "version",
            "shadow", "shapes", "regions"]
    chance = random.Random(1)
    for kind in types:
        for _ in range(40):
            yield {"type": kind, **{key: chance.choice(values) for key in keys}}
    yield from ([], "text", 5, None, {}, {"type": 5})


def shake_hands(connection):
    request = b""
    while b"\r\n\r\n" not in request:
        part = connection.recv(4096)
        if not part:
            return False
        request += part
    key = next(line.split(b":", 1)[1].strip() for line in request.split(b"\r\n")
               if line.lower().startswith(b"sec-websocket-key"))
    magic = key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(magic).digest())
    connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                       b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    return True


def serve(way, connection):
    noise = random.Random(2).randbytes(1 << 16)
    if way == "hang_up":
        return mark()
    if way in ("no_http", "half_http", "slow_http"):
        connection.sendall(noise if way == "no_http" else b"HTTP/1.1 101 Switch")
        mark()
        while way == "slow_http":
            connection.sendall(b"ing: x\r\nX-Header" * 1000)
        return hold(connection)
    if not shake_hands(connection):
        return None
    if way not in ("silent", "no_frames"):
        connection.sendall(text(GREETING))
    if way == "no_frames":
        connection.sendall(noise)
    elif way == "no_json":
        for line in (b"", b"{", b"\xff\xfe", b'{"type":', b"[" * 100_000, noise[:500]):
            connection.sendall(text(line))
    elif way == "odd_json":
        for message in odd_messages():
            connection.sendall(text(message))
    elif way == "odd_frames":
        for size in (0, 1, 103, 104, 105, 5000):
            connection.sendall(frame(2, noise[:size]))
            connection.sendall(frame(2, (b"WPTF\x02\x00\x00\x00" + noise)[:size]))
            connection.sendall(frame(2, (b"WPTF\x02\x00\x00\x00" + b"\xff" * 8 + noise)[:size]))
    elif way == "half_frame":
        connection.sendall(frame(1, b'{"type":"sta', length=10_000_000))
    elif way == "huge_frame":
        connection.sendall(frame(1, b"{", length=1 << 62))
    mark()
    while way == "flood":
        for message in odd_messages():
            connection.sendall(text(message))
        time.sleep(0.005)
    return hold(connection)


def hold(connection):
    """Reads on, and says nothing."""
    while connection.recv(1 << 16):
        pass


def serve_quietly(way, connection):
    try:
        serve(way, connection)
    except OSError:  # the window has had enough
        mark()
    finally:
        connection.close()


def leave_with_parent():
    """Ends when its standard input ends, as waferd does."""
    while sys.stdin.buffer.read(1 << 16):
        pass
    os._exit(0)


def main():
    way = os.environ["WAFERPAIR_FAKE_WAY"]
    threading.Thread(target=leave_with_parent, daemon=True).start()
    if way == "refuse":
        mark()
        sys.exit("this is no server")
    if way in ("mute", "babble", "scribble"):
        mark()
        while way != "mute":
            sys.stdout.write("x" * 1000 if way == "babble" else '{"event":5}\n[[\n\x00\x01\n')
            sys.stdout.flush()
            time.sleep(0.001)
        signal.pause()
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    if way == "nowhere":
        listener.close()
    listening(port)
    if way == "crash":
        mark()
        os.kill(os.getpid(), signal.SIGSEGV)
    if way in ("nowhere", "deaf"):
        mark()
        signal.pause()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve_quietly, args=(way, connection), daemon=True).start()


if __name__ == "__main__":
    main()
