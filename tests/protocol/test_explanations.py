# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that a session tells how tokens of its completions came about, as docs/protocol.md describes it."""

import waferd


class Explanations(waferd.WaferdTest):
    async def completed(self, session, identity=1, **fields):
        text = "for (int i = 0; i < n; ++i) sum += values[i];\n" * 3 + "for (int"
        await session.send("document.open", uri=f"{identity}.c", language="c", version=1, text=text)
        return await session.complete(
            identity, uri=f"{identity}.c", version=1, offset=len(text), max_tokens=12, **fields
        )

    async def explained(self, session, **fields):
        await session.send("token.explain", **fields)
        return (await session.until("token.explained"))[-1]

    async def refused(self, session, kind, **fields):
        await session.send(kind, **fields)
        return (await session.until("error"))[-1]["error"]

    async def test_each_token_has_its_step(self):
        async with await self.server.session() as session:
            text, done = await self.completed(session)
            first = await self.explained(session, completion=1, token=0)
            pieces = first["tokens"]
            self.assertEqual(len(pieces), done["usage"]["output_tokens"])
            for before, after in zip(pieces, pieces[1:]):
                self.assertEqual(before["end"], after["start"])
            whole = "".join(piece["text"] for piece in pieces)
            # What is behind the shown text was chosen, and held back. A random model's tokens need not
            # be whole characters.
            if "\ufffd" not in whole:
                self.assertTrue(whole.encode()[-pieces[0]["start"]:].startswith(text.encode()))
            drafted = 0
            for index, piece in enumerate(pieces):
                told = await self.explained(session, completion=1, token=index)
                self.assertEqual(told["token"], index)
                drafted += told["drafted"]
                chosen = [one for one in told["alternatives"] if one["chosen"]]
                self.assertLessEqual(len(chosen), 1)
                if chosen:
                    self.assertEqual(chosen[0]["text"], piece["text"])
                    self.assertAlmostEqual(chosen[0]["probability"], told["probability"], places=4)
                shares = [one["probability"] for one in told["alternatives"]]
                self.assertEqual(shares, sorted(shares, reverse=True))
                self.assertLess(told["step"]["row"], told["step"]["rows"])
                wafer = told["wafer"]
                self.assertEqual(len(wafer["ops"]) % 5, 0)
                ops = [wafer["ops"][i:i + 5] for i in range(0, len(wafer["ops"]), 5)]
                self.assertEqual(len(ops), len(wafer["layout"]["ops"]))
                self.assertEqual(max(end for _, end, *_ in ops), wafer["cycles"])
                if wafer["rows"] == 1:
                    # One row is in one place at a time, from the beginning to the end.
                    self.assertEqual(sum(compute + fabric for *_, compute, fabric, _ in ops),
                                     wafer["cycles"])
                    self.assertEqual(ops[0][0], 0)
                    for before, after in zip(ops, ops[1:]):
                        self.assertEqual(before[1], after[0])
            self.assertEqual(drafted, done["usage"]["output_tokens_details"]["accepted_tokens"])

    async def test_a_token_is_found_by_a_byte_of_the_text(self):
        async with await self.server.session() as session:
            await self.completed(session)
            end = max(piece["end"] for piece in (await self.explained(session, completion=1))["tokens"])
            for at in (0, end // 2, end - 1):
                told = await self.explained(session, completion=1, at=at)
                piece = told["tokens"][told["token"]]
                self.assertLessEqual(piece["start"], at)
                self.assertGreater(piece["end"], at)
            # Behind the end it is the last one with any text.
            told = await self.explained(session, completion=1, at=1 << 20)
            self.assertFalse("".join(p["text"] for p in told["tokens"][told["token"] + 1:]))

    async def test_an_op_is_told_term_by_term(self):
        async with await self.server.session() as session:
            await self.completed(session, speculation=False)
            told = await self.explained(session, completion=1, token=2)
            names = [op["name"] for op in told["wafer"]["layout"]["ops"]]
            self.assertEqual(told["wafer"]["rows"], 1)
            kinds = set()
            for op, name in enumerate(names):
                await session.send("op.explain", completion=1, token=2, op=op)
                form = (await session.until("op.explained"))[-1]
                kinds.add(form["kind"])
                self.assertFalse(form["gemm"])
                self.assertEqual(form["positions"], told["wafer"]["context"] + 1)
                for fabric, place in ((False, 2), (True, 3)):
                    sum_of_terms = sum(t["cycles"] for t in form["terms"] if t["fabric"] == fabric)
                    # The charge is rounded to whole cycles.
                    self.assertAlmostEqual(sum_of_terms, told["wafer"]["ops"][5 * op + place], delta=0.5)
                self.assertEqual(form["kv"] is None, not name.endswith(("attn_score", "attn_mix")))
                for reduce in form["reduces"]:
                    self.assertLessEqual(reduce["groups"], reduce["cores"])
            self.assertLessEqual({"embed", "norm", "matmul", "score", "softmax", "attend", "sample"}, kinds)

    async def test_a_cutout_runs_and_can_be_looked_into(self):
        async with await self.server.session() as session:
            await self.completed(session, speculation=False)
            told = await self.explained(session, completion=1, token=1)
            names = [op["name"] for op in told["wafer"]["layout"]["ops"]]
            error = await self.refused(session, "cutout.look", cycle=0, x=0, y=0)
            self.assertEqual(error["code"], "unknown_token")
            op = names.index("blk.0.attn_output")
            await session.send("cutout.run", completion=1, token=1, op=op, size=8)
            ran = (await session.until("cutout.ran"))[-1]
            self.assertLessEqual(max(ran["width"], ran["height"]), 8)
            cores = ran["width"] * ran["height"]
            events = [ran["events"][i:i + 3] for i in range(0, len(ran["events"]), 3)]
            self.assertEqual([e[0] for e in events], sorted(e[0] for e in events))
            self.assertTrue(all(0 <= core < cores for _, core, _ in events))
            # Wavelets over links, ramps (port 4) left out.
            hops = sum(1 for *_, what in events if what < 0 and (-1 - what) % 5 != 4)
            self.assertEqual(hops, ran["hops"])
            self.assertGreater(ran["stalls"]["busy"], 0)
            self.assertLess(max(e[0] for e in events), ran["cycles"] + 1)
            before = None
            for cycle in (0, ran["cycles"] // 2, ran["cycles"]):
                await session.send("cutout.look", cycle=cycle, x=1, y=1)
                seen = (await session.until("cutout.seen"))[-1]
                self.assertEqual((seen["cycle"], seen["x"], seen["y"]), (cycle, 1, 1))
                self.assertTrue(seen["switches"])
                if before:
                    self.assertGreaterEqual(seen["stalls"]["busy"], before["stalls"]["busy"])
                before = seen
            self.assertEqual(before["queues"], [])
            error = await self.refused(session, "cutout.look", cycle=0, x=63, y=0)
            self.assertEqual((error["code"], error["field"]), ("unknown_token", "x"))

    async def test_what_is_not_there_is_refused(self):
        async with await self.server.session() as session, await self.server.session() as other:
            await self.completed(session)
            for fields, field in (
                ({"completion": 2}, "completion"),
                ({"completion": "1"}, "completion"),
                ({"completion": 1, "token": 1000}, "token"),
            ):
                error = await self.refused(session, "token.explain", **fields)
                self.assertEqual((error["code"], error["field"]), ("unknown_token", field))
            error = await self.refused(session, "op.explain", completion=1, token=0, op=60000)
            self.assertEqual((error["code"], error["field"]), ("unknown_token", "op"))
            # Completions are their session's own.
            error = await self.refused(other, "token.explain", completion=1)
            self.assertEqual(error["code"], "unknown_token")

    async def test_only_the_last_are_remembered(self):
        async with await self.server.session() as session:
            await session.send("document.open", uri="a.c", language="c", version=1, text="for (int")
            for identity in range(65):
                await session.complete(identity, uri="a.c", version=1, offset=8, max_tokens=1)
            error = await self.refused(session, "token.explain", completion=0)
            self.assertEqual(error["code"], "unknown_token")
            await self.explained(session, completion=1)
            await self.explained(session, completion=64)

    async def test_with_a_shadow_the_wafer_is_the_shadows(self):
        async with await self.server.session() as session:
            await session.send("shadow.set", shape="llama-3.1-70b")
            await session.until("shadow.changed")
            await self.completed(session)
            told = await self.explained(session, completion=1, token=1)
            layout = told["wafer"]["layout"]
            self.assertEqual(layout["model"], "llama-3.1-70b")
            self.assertTrue(layout["shadow_of"])
            self.assertGreater(layout["wafers"], 1)
            # It stays what it was when the shadow goes.
            await session.send("shadow.clear")
            await session.until("shadow.changed")
            again = await self.explained(session, completion=1, token=1)
            self.assertEqual(again, told)


if __name__ == "__main__":
    waferd.main()
