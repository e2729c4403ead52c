# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion golf: how much of a line needs no typing, when each suggestion that fits is taken.

After the line completion golf of JetBrains' evaluation plugin: at each character the top suggestion
is asked for; it is taken when it is how the line goes on and has at least two characters, else the
next character is typed. Standard library only.
"""

import collections

SHORTEST_ACCEPTED = 2  # characters

# Of one line: its characters, those that suggestions brought, suggestions asked for, taken, and
# shown in vain.
Game = collections.namedtuple("Game", "characters completed asked accepted wrong")


def play(truth, ask, patient=False):
    """Writes the line `truth`. `ask(typed)` is what is shown behind what stands there already.

    With `patient`, as the editor does it: nothing new is asked for as long as what is typed goes
    along with what is shown."""
    at = completed = asked = accepted = wrong = 0
    while at < len(truth):
        shown = ask(truth[:at])
        asked += 1
        if len(shown) >= SHORTEST_ACCEPTED and truth.startswith(shown, at):
            at += len(shown)
            completed += len(shown)
            accepted += 1
            continue
        if shown:
            wrong += 1
        agreed = patient and shown[:1] == truth[at]
        at += 1
        while agreed and shown[1:] and at < len(truth):
            shown = shown[1:]
            agreed = shown[:1] == truth[at]
            at += 1
    return Game(len(truth), completed, asked, accepted, wrong)


def matched_ratio(games):
    """The share of characters that suggestions brought."""
    return sum(g.completed for g in games) / sum(g.characters for g in games)


def actions(game, wrong_costs=0):
    """Characters typed, suggestions taken, and what suggestions in vain cost."""
    return game.characters - game.completed + game.accepted + wrong_costs * game.wrong


def moves_normalized(games):
    """0 when each line was one action, 1 when all was typed."""
    characters = sum(g.characters for g in games)
    return (sum(map(actions, games)) - len(games)) / (characters - len(games))


def actions_saved(games):
    """The share of key strokes saved where each wrong suggestion costs one; may be negative."""
    spent = sum(actions(game, wrong_costs=1) for game in games)
    return 1 - spent / sum(g.characters for g in games)


def perfect_lines(games):
    """The share of lines that the very first suggestion completed."""
    return sum(g.asked == 1 and g.completed == g.characters for g in games) / len(games)
