# SPDX-License-Identifier: GPL-3.0-or-later
"""Jinja as transformers sets it up for chat templates (utils/chat_template_utils.py); needs python3-jinja2."""

import datetime
import json

import jinja2
import jinja2.ext
import jinja2.sandbox


class GenerationTag(jinja2.ext.Extension):
    """{% generation %} marks what the assistant writes; rendered, it is what is inside."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

    def _inside(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment(now: int) -> jinja2.Environment:
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, jinja2.ext.LoopControlExtension])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = datetime.datetime.fromtimestamp(now, datetime.timezone.utc).strftime
    return made


def render(template: str, variables: dict, now: int) -> dict:
    """{"text": ...} or {"error": ...}."""
    try:
        return {"text": environment(now).from_string(template).render(**variables)}
    except Exception as error:  # whatever the template does
        return {"error": f"{type(error).__name__}: {error}"}
