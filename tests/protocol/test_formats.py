# SPDX-License-Identifier: GPL-3.0-or-later
"""The program that makes the tables of docs/formats.md, on a tiny model."""

import os
import subprocess
import sys
import tempfile
import unittest

import waferd

SCRIPT = os.path.join(os.path.dirname(__file__), "../../scripts/format_table.py")


class FormatTable(unittest.TestCase):
    def test_a_row_for_each_format_that_fits(self):
        with tempfile.TemporaryDirectory() as folder:
            model = waferd.make_model(folder)
            done = subprocess.run(
                [sys.executable, SCRIPT, "--model", model, "--bin", waferd.BIN, "--rounds", "1",
                 "--formats", "Q4_0/Q8_0,Q4_0,Q4_K", "--window", "64", __file__],
                capture_output=True, encoding="utf-8", timeout=waferd.PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]]
                for line in done.stdout.splitlines() if line.startswith("|")]
        self.assertEqual([row[0] for row in rows[2:]], ["as it is", "Q4_0/Q8_0", "Q4_0", "Q4_K"])
        sizes = [float(row[1]) for row in rows[2:]]
        self.assertEqual(sizes[:3], sorted(sizes[:3], reverse=True))
        self.assertGreater(sizes[3], sizes[2])  # rows of 64 are no blocks of Q4_K: they fall back to more bits
        for row in rows[2:]:
            self.assertGreater(float(row[2]), 0)
            self.assertTrue(row[4].endswith("%"))
            self.assertGreater(float(row[5].split()[0]), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
