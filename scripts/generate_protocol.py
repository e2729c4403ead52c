#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes of runtime/protocol/messages.toml what follows from it: messages.h beside it, and the
reference in docs/protocol.md. Both are in the repository, so that a build needs no Python and a change
of the protocol can be read in a diff.

    scripts/generate_protocol.py [--check]     --check: says whether they are as they should be, and
                                               whether a field's name is spelled where messages are
                                               read and written
"""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "runtime/protocol/messages.toml"
HEADER = ROOT / "runtime/protocol/messages.h"
PAGE = ROOT / "docs/protocol.md"
BEGIN = "<!-- From here on: made of runtime/protocol/messages.toml by scripts/generate_protocol.py. -->\n"
END = "<!-- End of what is made. -->\n"
# Where messages are read and written: by the names in the header. (The dialects spell names of other
# APIs, which are often the same words.)
SPEAKERS = ("runtime/server/core", "runtime/server/http", "runtime/server/session", "runtime/waferctl/remote_source.cpp",
            "runtime/waferctl/status.cpp", "gui/client")
TYPES = {"text", "integer", "number", "boolean", "id", "any"}
KEYS = {"type", "required", "null", "low", "high", "bytes", "most", "default", "unit", "values", "common", "about"}


def fields(entry):
    """The fields that a message or object has itself."""
    return {name: field for name, field in entry.items() if isinstance(field, dict)}


def problems(table):
    """Returns what is wrong with the table, a line for each problem."""
    for kind in ("request", "event", "object"):
        for name, entry in table[kind].items():
            where = f'{kind} "{name}"'
            if not str(entry.get("about", "")).endswith("."):
                yield f"{where} has no sentence about it"
            for other in entry.get("include", []):
                if other not in table["object"]:
                    yield f"{where} includes {other}, which is no object"
            for key, field in fields(entry).items():
                kind_of = field.get("type", "").split()
                known = (
                    field.get("type") in TYPES
                    or (len(kind_of) == 2 and kind_of[0] in ("object", "list")
                        and (kind_of[1] in table["object"] or kind_of == ["list", "text"]))
                )
                if not known:
                    yield f"{where}: {key} is of no known type"
                for attribute in field.keys() - KEYS:
                    yield f"{where}: {key} has no such thing as {attribute}"
                if not str(field.get("about", "")).endswith("."):
                    yield f"{where}: {key} has no sentence about it"
                if "values" in field and field["values"] not in table["values"]:
                    yield f"{where}: {key} has values that are not listed"


def constant(name):
    return "k" + "".join(part[:1].upper() + part[1:] for part in re.split(r"[._ ]", name))


def number(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def field_constant(name, field):
    parts = [f'.name = "{name}"']
    if field.get("required") and not field.get("null"):
        parts.append(".required = true")
    # The initializers are in the order of the members of Field.
    for key, member in (("low", "low"), ("high", "high"), ("default", "fallback"), ("bytes", "bytes"),
                        ("most", "most")):
        if field.get(key, "") != "":
            parts.append(f".{member} = {number(field[key])}")
    return f"inline constexpr base::Field {constant(name)}{{{', '.join(parts)}}};"


def header(table):
    out = [
        "// SPDX-License-Identifier: GPL-3.0-or-later",
        "// Made of messages.toml by scripts/generate_protocol.py: change that, and run it.",
        "//",
        "// The words both sides of the socket agree on. Text frames are JSON objects with a \"type\" below;",
        "// binary frames are telemetry (telemetry.h). docs/protocol.md tells the story.",
        "#pragma once",
        "",
        "#include <string_view>",
        "",
        '#include "runtime/base/field.h"',
        "",
        "// clang-format off",
        "namespace waferpair::protocol {",
        "",
        f"inline constexpr int kProtocolVersion = {table['protocol']['version']};",
        f'inline constexpr std::string_view kSocketPath = "{table["protocol"]["socket"]}";',
    ]

    def names(namespace, about, entries):
        out.extend(["", f"// {about}", f"namespace {namespace} {{"])
        for name, note in entries:
            line = f'inline constexpr std::string_view {constant(name)} = "{name}";'
            out.append(line + (f"  // {note}" if note else ""))
        out.append(f"}}  // namespace {namespace}")

    names("request", "Client to server.", [(name, "") for name in table["request"]])
    names("event", "Server to client.", [(name, "") for name in table["event"]])
    for name, entry in table["values"].items():
        names(name, entry["about"], [(key, text) for key, text in entry.items() if key != "about"])

    out.extend(["", "// The fields of messages and of the objects in them.", "namespace field {"])
    for kind in ("request", "event", "object"):
        for name, entry in table[kind].items():
            if not fields(entry):
                continue
            namespace = re.sub(r"[. ]", "_", name)
            out.extend([f"// {entry['about']}", f"namespace {namespace} {{"])
            out.extend(field_constant(key, field) for key, field in fields(entry).items())
            out.append(f"}}  // namespace {namespace}")
    out.extend(["}  // namespace field", "", "}  // namespace waferpair::protocol", "// clang-format on", ""])
    return "\n".join(out)


def anchor(name):
    """Returns the anchor of an object's heading, by GitHub's rule."""
    return f"#{name.replace(' ', '-')}-object"


def type_text(field):
    kind = field["type"].split()
    if kind[0] in ("object", "list") and kind[-1] != "text":
        shown = f"[{kind[1]}]({anchor(kind[1])})"
        shown = shown if kind[0] == "object" else f"list of {shown}"
    elif field["type"] == "list text":
        shown = "list of text"
    elif "values" in field:
        shown = f"[{field['values']}](#values)"
    else:
        shown = {"any": "see above"}.get(field["type"], field["type"])
    if field.get("null"):
        shown += " or null"
    return shown


def limits_text(field):
    parts = []

    def shown(value):
        return "2^53" if value == 2**53 else f"{value:,}" if isinstance(value, int) else str(value)

    if "low" in field and "high" in field:
        parts.append(f"{shown(field['low'])} to {shown(field['high'])}")
    elif "low" in field:
        parts.append(f"at least {shown(field['low'])}")
    if "bytes" in field:
        size = field["bytes"]
        parts.append(f"{size >> 20} MiB" if size >= 1 << 20 else f"{size:,} bytes")
    if "most" in field:
        parts.append(f"{field['most']:,} entries")
    if "unit" in field:
        parts.append(field["unit"])
    return ", ".join(parts)


def default_text(field):
    if field.get("required"):
        return "required"
    if field.get("default", "") == "":
        return ""
    default = field["default"]
    return str(default).lower() if isinstance(default, bool) else str(default)


def reference(table):
    out = [BEGIN, "## Reference\n"]

    def section(title, entry):
        out.append(f"#### {title}\n\n{entry['about']}")
        for other in entry.get("include", []):
            out[-1] += f" It has the fields of [{other}]({anchor(other)}), too."
        out[-1] += "\n"
        if fields(entry):
            rows = ["| field | type | limits | when missing | |", "|---|---|---|---|---|"]
            for name, field in fields(entry).items():
                rows.append(f"| `{name}` | {type_text(field)} | {limits_text(field)} | {default_text(field)} "
                            f"| {field['about']} |")
            out.append("\n".join(rows) + "\n")

    out.append("### Requests\n")
    for name, entry in table["request"].items():
        section(f"`{name}`", entry)
    out.append("### Events\n")
    for name, entry in table["event"].items():
        section(f"`{name}`", entry)
    out.append("### Objects\n")
    for name, entry in table["object"].items():
        section(f"{name} (object)", entry)
    out.append("### Values\n")
    for name, entry in table["values"].items():
        rows = [f"| `{name}` | {entry['about']} |", "|---|---|"]
        rows.extend(f"| `{key}` | {text} |" for key, text in entry.items() if key != "about")
        out.append("\n".join(rows) + "\n")
    out.append(END)
    return "\n".join(out)


def page(table):
    text = PAGE.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"{PAGE} lacks the lines between which the reference stands")
    before, rest = text.split(BEGIN)
    return before + reference(table) + rest.split(END)[1]


def spelled(table):
    """Yields a line for each place that spells the name of a field."""
    names = {name for kind in ("request", "event", "object") for entry in table[kind].values()
             for name, field in fields(entry).items() if not field.get("common")}
    literal = re.compile(r'"(\w+)"')
    for speaker in SPEAKERS:
        for path in sorted([ROOT / speaker] if speaker.endswith(".cpp") else (ROOT / speaker).glob("*.*")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for name in literal.findall(line.split("//")[0]):
                    if name in names:
                        yield f'{path.relative_to(ROOT)}:{number}: "{name}" is the name of a field; messages.h has it'


def main():
    table = tomllib.loads(TABLE.read_text())
    wrong = list(problems(table))
    if wrong:
        sys.exit("\n".join(f"{TABLE.relative_to(ROOT)}: {line}" for line in wrong))
    stale = []
    for path, text in ((HEADER, header(table)), (PAGE, page(table))):
        if path.exists() and path.read_text() == text:
            continue
        stale.append(str(path.relative_to(ROOT)))
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
    if "--check" in sys.argv[1:] and stale:
        sys.exit(f"{', '.join(stale)}: not as {TABLE.relative_to(ROOT)} says; run scripts/generate_protocol.py")
    if "--check" in sys.argv[1:] and (places := list(spelled(table))):
        sys.exit("\n".join(places))


if __name__ == "__main__":
    main()
