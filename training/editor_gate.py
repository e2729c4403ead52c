# SPDX-License-Identifier: GPL-3.0-or-later
"""What the editor asks for and shows by itself: editor/assist/suggestion_gate.h, with its numbers read from
the .cpp. Standard library only."""

import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "editor/assist/suggestion_gate.cpp"
LINE_START, MEMBER, WORD, ELSEWHERE = PLACES = ("line start", "behind . -> ::", "in a word", "elsewhere")
COMPETING_LINES = 6  # editor::kCompetingLines


def number(name):
    return float(re.search(rf"{name} = ([\d.]+);", SOURCE.read_text())[1])


ANYTHING_MAY_FOLLOW = number("kWhereAnythingMayFollow")
BETWEEN_WORDS = number("kBetweenWords")
AFTER_CONTRADICTION = number("kAfterContradiction")
FEWEST_LETTERS = number("kFewestLetters")
FEWEST_AT_AN_END = number("kFewestAtAnEnd")


def is_word(character):
    return character.isalnum() or character == "_" or ord(character) > 127


def place_of(line):
    """`line` is what stands left of the caret in its line."""
    if not line.strip():
        return LINE_START
    if is_word(line[-1]):
        return WORD
    return MEMBER if line.endswith((".", "->", "::")) else ELSEWHERE


def letters(text):
    return sum(not character.isspace() for character in text)


def least_probability(level, place, contradicted):
    doubt = 1 - level
    if place in (LINE_START, MEMBER):
        doubt *= ANYTHING_MAY_FOLLOW
    if place == ELSEWHERE:
        doubt *= BETWEEN_WORDS
    return 1 - (doubt * AFTER_CONTRADICTION if contradicted else doubt)


def is_worth_showing(text, line, ends_line):
    ends_word = text and line and is_word(text[0]) and is_word(line[-1])
    return letters(text) >= (FEWEST_AT_AN_END if ends_word or ends_line else FEWEST_LETTERS)


def is_right(shown, rest):
    """All of it is how the line goes on, and it does not end inside a word."""
    if not rest.startswith(shown):
        return False
    return len(shown) == len(rest) or not (is_word(shown[-1]) and is_word(rest[len(shown)]))
