# SPDX-License-Identifier: GPL-3.0-or-later
"""What repositories say is put together."""

import unittest

import support  # noqa: F401
import editor_gate

try:
    import replay
except ImportError:  # python3-websockets is absent
    replay = None


def of_repository(name, keys):
    found = replay.Found()
    found.results = [name]
    found.letters = 10 * keys
    found.servers = {name: [0.1]}
    found.certainties = [replay.Certainty(name, editor_gate.WORD, 0.5, True)]
    tally = found.tallies[editor_gate.WORD]
    tally.keys, tally.ghosts, tally.right, tally.right_letters = keys, 3, 2, 7
    found.named_tallies[editor_gate.LINE_START].keys = 1
    return found


@unittest.skipUnless(replay, "needs python3-websockets")
class FoundTest(unittest.TestCase):
    def test_repositories_add_up(self):
        whole = replay.Found()
        whole.add(of_repository("one", 20))
        whole.add(of_repository("two", 30))
        self.assertEqual(whole.results, ["one", "two"])
        self.assertEqual(whole.letters, 500)
        self.assertEqual(whole.servers, {"one": [0.1], "two": [0.1]})
        self.assertEqual([c.repository for c in whole.certainties], ["one", "two"])
        word = {"keys": 50, "ghosts": 6, "right": 4, "right_letters": 14}
        self.assertEqual(vars(whole.tallies[editor_gate.WORD]), word)
        self.assertEqual(vars(whole.tallies[editor_gate.LINE_START]), dict.fromkeys(word, 0))
        self.assertEqual(whole.named_tallies[editor_gate.LINE_START].keys, 2)

    def test_the_table_has_a_row_of_all_places(self):
        found = of_repository("one", 20)
        found.tallies[editor_gate.LINE_START].keys = 4
        found.tallies[editor_gate.LINE_START].ghosts = 1
        last = replay.typing_table(found.tallies, found.letters).splitlines()[-1]
        self.assertEqual(last, "| all | 24 | 4 | 50.0 | 3.5 | 8.33 | 3.5 |")


if __name__ == "__main__":
    unittest.main()
