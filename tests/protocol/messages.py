# SPDX-License-Identifier: GPL-3.0-or-later
"""The protocol as its table says it (runtime/protocol/messages.toml), to hold messages against."""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = tomllib.loads((ROOT / "runtime/protocol/messages.toml").read_text(encoding="utf-8"))


def fields_of(entry):
    """All fields of a message or object, those that it includes among them."""
    fields = {}
    for other in entry.get("include", []):
        fields.update(fields_of(TABLE["object"][other]))
    fields.update({name: field for name, field in entry.items() if isinstance(field, dict)})
    return fields


def values(name):
    return [value for value in TABLE["values"][name] if value != "about"]


def problem_of_value(value, field):
    """Returns what is wrong with the value of a field, or None."""
    kind, _, of = field["type"].partition(" ")
    if kind == "any":
        return None
    if kind == "text":
        if not isinstance(value, str):
            return "is no text"
        if len(value.encode()) > field.get("bytes", float("inf")):
            return "is too long"
        if "values" in field and value not in values(field["values"]):
            return f"is not one of {field['values']}"
        return None
    if kind == "boolean":
        return None if isinstance(value, bool) else "is no boolean"
    if kind in ("integer", "number", "id"):
        if kind == "id" and isinstance(value, str):
            return None
        if isinstance(value, bool) or not isinstance(value, int if kind != "number" else (int, float)):
            return f"is no {kind}"
        if not field.get("low", float("-inf")) <= value <= field.get("high", float("inf")):
            return "is out of range"
        return None
    if kind == "object":
        return problem_of(value, TABLE["object"][of])
    assert kind == "list"
    if not isinstance(value, list):
        return "is no list"
    if len(value) > field.get("most", float("inf")):
        return "has too many entries"
    for index, entry in enumerate(value):
        problem = (problem_of_value(entry, {"type": "text"}) if of == "text"
                   else problem_of(entry, TABLE["object"][of]))
        if problem:
            return f"[{index}] {problem}"
    return None


def problem_of(value, entry, known=()):
    """Returns what is wrong with a message or an object in one, or None. It may have `known` fields, too."""
    if not isinstance(value, dict):
        return "is no object"
    fields = fields_of(entry)
    for name in value.keys() - fields.keys() - set(known):
        return f"has {name}, which is not in the table"
    for name, field in fields.items():
        if value.get(name) is None:
            if name in value and not field.get("null") or name not in value and field.get("required"):
                return f"lacks {name}"
            continue
        problem = problem_of_value(value[name], field)
        if problem:
            return f"{name} {problem}"
    return None


def check_event(event):
    """Raises AssertionError unless the table knows such an event."""
    entry = TABLE["event"].get(event.get("type"))
    problem = problem_of(event, entry, known=fields_of(TABLE["object"]["message"])) if entry else "is of no known type"
    assert problem is None, f"{event}: {problem}"
