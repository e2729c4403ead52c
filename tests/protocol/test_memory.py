# SPDX-License-Identifier: GPL-3.0-or-later
"""What long messages take of waferd's memory goes back to the system, while the sessions that sent them stay open, too."""

import asyncio
import json
import time

import soak
import waferd

LONG = 26 << 20  # bytes of a message
TIMES = 3
GROWTH = 20 << 20  # that may stay


class Memory(waferd.unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.folder = waferd.tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.server = waferd.Server(self.folder.name)
        self.addCleanup(self.server.stop)
        async with await self.server.session():
            pass  # the model is ready
        self.before = self.used()

    def used(self):
        return soak.memory(self.server.process.pid)

    async def check_given_back(self):
        end = time.monotonic() + waferd.PATIENCE
        while self.used() > self.before + GROWTH and time.monotonic() < end:
            await asyncio.sleep(0.2)
        self.assertLessEqual(self.used() >> 20, (self.before + GROWTH) >> 20, f"MiB; {self.before >> 20} before")

    async def test_a_session_that_stays_open(self):
        texts = {
            "one text": json.dumps({"type": "nonsense", "text": "x" * LONG}),
            "many small values": json.dumps({"type": "nonsense", "values": [{"a": [1]}] * (LONG // 14)}),
        }
        async with await self.server.session() as session:
            for kind, text in texts.items():
                with self.subTest(kind):
                    for _ in range(TIMES):
                        await session.socket.send(text)
                        await session.until("error")
                    await self.check_given_back()

    async def test_documents_that_are_closed(self):
        async with await self.server.session() as session:
            for each in range(TIMES):
                uri = f"file:///{each}.txt"
                await session.send("document.open", uri=uri, version=1, text="int x = 1;\n" * (LONG // 11))
                await session.send("document.close", uri=uri)
            await session.alive()
            await self.check_given_back()

    async def test_requests_over_http(self):
        body = {"model": "tiny", "input": [{"role": "user", "content": "int x = 1;\n" * 10}] * (LONG // 160)}
        for _ in range(TIMES):
            answer, said = await asyncio.to_thread(self.server.request, "POST", "/v1/responses", body)
            self.assertEqual(answer.status, 400, said[:200])
        await self.check_given_back()


if __name__ == "__main__":
    waferd.main()
