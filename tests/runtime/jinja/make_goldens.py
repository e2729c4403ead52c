#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes goldens.json: templates in the style of published ones, and what jinja2 makes of them.

Each template below is ours and shows one construct, or several as they stand together. test_template.cpp
renders them and compares; where the reference raises, so must the program."""

import json
import pathlib

from reference import render

NOW = 1_760_000_000
TALK = [{"role": "system", "content": " Be brief. "}, {"role": "user", "content": "Hi\nthere"},
        {"role": "assistant", "content": "<think>\nhm\n</think>\n\nHello"}, {"role": "user", "content": "Ünïcode 数 😀"}]
TOOLS = [{"type": "function", "function": {
    "name": "look", "description": "Looks \"up\" <things> & 'more'.",
    "parameters": {"type": "object", "properties": {"what": {"type": "string", "enum": ["a", "b"]},
                                                    "often": {"type": "integer", "default": 2}}, "required": ["what"]}}}]
VARIABLES = {"messages": TALK, "tools": TOOLS, "documents": None, "add_generation_prompt": True, "bos_token": "<s>",
             "eos_token": "</s>", "n": 7, "r": 2.5, "yes": True, "nothing": None, "empty": [], "text": "  a b  c ",
             "numbers": [3, 1, 2, 3], "names": ["b", "A", "c", "a"], "d": {"z": 1, "a": 2.0, "M": None, "k": [True, "é\n"]}}

CASES = {
    # Whole templates, as models come with them.
    "turns": """{{ bos_token }}{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] | trim + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}""",
    "system apart": """{%- if messages[0]['role'] == 'system' -%}
    {%- set system_message = messages[0].content | trim -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set system_message = '' -%}{%- set loop_messages = messages -%}
{%- endif -%}
{{- bos_token -}}
{%- for message in loop_messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Roles must alternate') }}
    {%- endif %}
    {%- if message.role == 'user' %}
        {%- if loop.first and system_message %}{{ '[INST] ' ~ system_message ~ '\\n\\n' ~ message.content ~ '[/INST]' }}
        {%- else %}{{ '[INST] ' + message.content + '[/INST]' }}{% endif %}
    {%- elif message.role == 'assistant' %}{{ ' ' + message.content.split('</think>')[-1].lstrip('\\n') + eos_token }}
    {%- endif %}
{%- endfor %}""",
    "tools listed": """{%- if tools %}
    {{- '<|im_start|>system\\n# Tools\\n<tools>' }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- endif %}
{{ tools | tojson(indent=4) }}
{{ tools[0].function.parameters.properties.keys() | list }}""",
    "last query": """{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{{ ns.last_query_index }} {{ ns.multi_step_tool }}""",
    "macro that calls itself": """{%- macro type_of(schema) -%}
{%- if schema.type == 'object' -%}{ {% for key, value in schema.properties.items() -%}{{ key }}{{ '?' if key not in schema.required|default([]) else '' }}: {{ type_of(value) }}{{ ', ' if not loop.last }}{%- endfor %} }
{%- elif schema.enum is defined -%}{% for value in schema.enum %}"{{ value }}"{% if not loop.last %} | {% endif %}{% endfor %}
{%- else -%}{{ schema.type }}{%- if schema.default is defined %}, // default: {{ schema.default }}{% endif -%}{%- endif -%}
{%- endmacro -%}
{% for tool in tools %}{{ tool.function.name }}({{ type_of(tool.function.parameters) }}){% endfor %}""",
    "generation": """{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{% set inner = 1 %}{{ m.content }}{% endgeneration %}{{ inner is defined }}{% endif %}{% endfor %}""",
    "date": "{{ strftime_now('%d %B %Y') }} {{ strftime_now(\"%Y-%m-%d %H:%M\") }}",
    "raised": "a{% if n == 7 %}{{ raise_exception('only ' ~ n) }}{% endif %}b",
    # White space.
    "lines trimmed": "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n  {# d #}\n  e {# f #}\n{{ n }}\n\n",
    "lines kept": "a\n  {%+ if yes %}\n  b\n  {%+ endif +%}\nc\n {{- n -}}  \n x {#- y -#} z\n",
    "carriage returns": "a\r\nb\r{% if yes %}\r\nc{% endif %}\r\n",
    "raw": "{% raw %}\n {{ x }} {% y %} {# z #}\n{% endraw %}\n{%- raw -%}  a  {%- endraw -%}  b",
    "no tags": "{ a } {{ '{{' }} }} %} #} {", "empty": "", "one line end": "\n", "blank": "  \n  {%- if yes %} {% endif -%} \n x",
    "tag on a line": "{% set a = 1 %}\n{% set b = 2 %}\n  {% set c = 3 %}  \n{{ a + b + c }}",
    # Statements.
    "loop": "{% for x in numbers %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.depth }};{% endfor %}",
    "loop, filtered": "{% for x in numbers if x > 1 %}{{ x }}/{{ loop.length }} {% else %}none{% endfor %}{% for x in numbers if x > 9 %}{{ x }}{% else %}none{% endfor %}",
    "loops in loops": "{% for a in [1, 2] %}{% for b in [3, 4] %}{{ a }}{{ b }}{{ loop.depth }}{{ loop.last }} {% endfor %}{{ loop.index }}{% endfor %}",
    "break and continue": "{% for x in range(9) %}{% if x == 2 %}{% continue %}{% endif %}{% if x == 5 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "unpacked": "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}{% for (a, b), c in [((1, 2), 3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}{% set a, b = 1, 2 %}{{ a }}{{ b }}",
    "scopes": "{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = i + 5 %}{{ x }}{% endfor %}{{ x }}{% if yes %}{% set x = 9 %}{% endif %}{{ x }}{% with x = 3, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}{{ y is defined }}",
    "set block": "{% set a %} x {{ n }} {% endset %}[{{ a }}]{% set b | trim | upper %} y {% endset %}[{{ b }}]",
    "filter block": "{% filter upper | replace('B', 'x') %}a b {{ n }}{% endfilter %}",
    "macros": "{% macro m(a, b=2, c='z') %}<{{ a }}{{ b }}{{ c }}>{% endmacro %}{{ m(1) }}{{ m(1, c=3) }}{{ m(b=5, a=4) }}{{ m() }}{{ m(1) | length }}",
    "too many arguments": "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "unknown argument": "{% macro m(a) %}{% endmacro %}{{ m(b=2) }}",
    "call block": "{% macro m(a) %}[{{ caller(a + 1) }}]{% endmacro %}{% call(x) m(1) %}x={{ x }}{% endcall %}",
    "else if": "{% for x in [0, 1, 2, 3] %}{% if x == 0 %}a{% elif x == 1 %}b{% elif x == 2 %}c{% else %}d{% endif %}{% endfor %}",
    "namespace": "{% set ns = namespace(a=1, b='x') %}{% for i in numbers %}{% set ns.a = ns.a + i %}{% set ns.new = i %}{% endfor %}{{ ns.a }}{{ ns.b }}{{ ns.new }}{{ ns.other is defined }}",
    # Expressions.
    "arithmetic": "{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ 1 + 2 * 3 - -4 }} {{ 1.5 + 1 }} {{ 7.5 // 2 }} {{ -7.5 % 2 }} {{ 1_000 + 0x1f }} {{ 1e3 }} {{ 1e16 }} {{ 1e-5 }} {{ 0.1 + 0.2 }} {{ 123456789012.5 }}",
    "unary and power": "{{ -2 ** 2 }} {{ 2 ** 3 ** 2 }} {{ -n }} {{ +n }} {{ not n == 7 }} {{ - 3 | abs }}",
    "texts": "{{ 'a' 'b' ~ 1 ~ none ~ true ~ 1.0 ~ [1, 'x'] ~ {'k': 'v'} }} {{ 'ab' * 3 }} {{ '\\x41\\u00e9\\n\\t\\\\\\'\\q' }} {{ \"it's\" }} {{ ['it\\'s', \"q\\\"\", 'b\\n', 'é\\x01'] }}",
    "comparisons": "{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 'a' < 'b' }} {{ 1 == 1.0 }} {{ true == 1 }} {{ '1' == 1 }} {{ [1, 2] == [1, 2] }} {{ {'a': 1} == {'a': 1} }} {{ [1, 2] < [1, 3] }} {{ (1, 2) == [1, 2] }}",
    "unordered": "{{ 1 < 'a' }}", "membership": "{{ 2 in numbers }} {{ 9 not in numbers }} {{ 'z' in d }} {{ 'a' in 'cat' }} {{ 'x' in nothing_here }} {{ not 'a' in 'b' }}",
    "in none": "{{ 'a' in nothing }}", "number in text": "{{ 1 in 'a1' }}",
    "and, or": "{{ 1 and 2 }} {{ 0 and 2 }} {{ '' or 'x' }} {{ 0 or none }} {{ not '' }} {{ yes and not nothing or false }}",
    "inline if": "{{ 'a' if yes else 'b' }} {{ 'a' if nothing else 'b' if nothing else 'c' }} [{{ 'a' if nothing }}]",
    "slices": "{{ 'abcdef'[1:3] }} {{ 'abcdef'[::-1] }} {{ 'abcdef'[-2:] }} {{ 'abcdef'[:-2] }} {{ 'abcdef'[::2] }} {{ 'abcdef'[4:1:-2] }} {{ 'äöü'[1] }} {{ 'äöü'[-1:] }} {{ numbers[1:] }} {{ numbers[::-1] }} {{ (1, 2, 3)[1:] }} {{ 'abc'[9:] }}|{{ 'abc'[-9:2] }}|{{ 'abc'[9] }}|",
    "items": "{{ numbers[0] }} {{ numbers[-1] }} {{ numbers.0 }} {{ d['z'] }} {{ d.z }} {{ d['none'] }} {{ d[nothing] }} {{ numbers['x'] }} {{ tools[0]['function'].name }} {{ {'a': {'b': [5]}}.a.b[0] }}",
    "undefined": "[{{ missing }}] {{ missing is defined }} {{ missing | default('x') }} {{ d.missing | default('y', true) }} {{ '' | default('z') }} {{ '' | d('z', true) }} {{ missing == none }} {{ missing | length }} {% for x in missing %}{% else %}no{% endfor %}",
    "attribute of undefined": "{{ missing.x }}", "sum with undefined": "{{ 'a' + missing }}", "call of undefined": "{{ missing() }}", "sum of kinds": "{{ 'a' + 1 }}", "none with text": "{{ none + 'a' }}",
    "literals": "{{ [] }} {{ {} }} {{ () }} {{ (1,) }} {{ [1, 2,] }} {{ {'a': 1, 'b': [true, none], 3: (1, 2)} }} {{ True }} {{ None }} {{ 1, 2 }}",
    # Tests.
    "is": "{{ n is number }}{{ yes is number }}{{ r is number }}{{ n is integer }}{{ yes is integer }}{{ r is float }}{{ yes is boolean }}{{ yes is true }}{{ n is true }}{{ text is string }}{{ numbers is string }}{{ d is mapping }}{{ numbers is mapping }}{{ numbers is sequence }}{{ text is sequence }}{{ d is sequence }}{{ n is sequence }}{{ numbers is iterable }}{{ d is iterable }}{{ n is iterable }}{{ missing is iterable }}{{ nothing is none }}{{ missing is none }}{{ nothing is defined }}{{ missing is undefined }}{{ range is callable }}{{ false is false }}",
    "is with arguments": "{{ n is equalto 7 }} {{ n is eq(8) }} {{ n is divisibleby 7 }} {{ n is in [1, 7] }} {{ n is odd }} {{ n is even }} {{ n is gt 3 }} {{ n is lessthan(3) }} {{ n is not none }} {{ n is not equalto 3 }} {{ 'a' is lower }} {{ 'A' is upper }} {{ nothing is sameas none }} {{ n is defined and n is number or yes }}",
    "unknown test": "{{ n is strange }}", "unknown filter": "{{ n | strange }}",
    # Filters.
    "text filters": "[{{ text | trim }}] {{ text | upper }} {{ 'aB' | lower }} {{ 'hELLO wORLD' | capitalize }} {{ 'hello wORLD-x (y)' | title }} {{ 'aXbX' | replace('X', '-') }} {{ 'aXbX' | replace('X', '-', 1) }} {{ 12 | string | length }} {{ 'ß' | upper }} {{ 'xxaxx' | trim('x') }} {{ 'a b c' | wordcount }} {{ none | trim }}",
    "indent": "{{ 'a\\nb\\n\\nc' | indent }}|{{ 'a\\nb\\n\\nc' | indent(2, true) }}|{{ 'a\\n\\nb' | indent(width=1, blank=true) }}|{{ 'a\\nb' | indent('> ') }}|{{ '' | indent }}",
    "tojson": "{{ d | tojson }} {{ d | tojson(indent=2) }} {{ '<a href=\"x\">&\\'é\\n\\x01' | tojson }} {{ 'é😀' | tojson(ensure_ascii=true) }} {{ d | tojson(sort_keys=true) }} {{ [1, 2] | tojson(separators=(',', ':')) }} {{ [] | tojson(indent=2) }} {{ {} | tojson }} {{ 1e100 | tojson }} {{ (1, 'x') | tojson }} {{ none | tojson }}",
    "undefined to JSON": "{{ missing | tojson }}",
    "list filters": "{{ numbers | first }}{{ numbers | last }}{{ numbers | length }}{{ names | join(', ') }}{{ numbers | sort }}{{ numbers | sort(reverse=true) }}{{ names | sort }}{{ names | sort(case_sensitive=true) }}{{ numbers | unique | list }}{{ names | unique | list }}{{ numbers | reverse | list }}{{ 'abc' | reverse }}{{ numbers | sum }}{{ numbers | min }}{{ numbers | max }}{{ 'abc' | list }}{{ [] | first is defined }}{{ numbers | batch(3) | list }}{{ names | count }}",
    "dictionaries sorted": "{{ {'b': 1, 'A': 3, 'c': 2} | dictsort }} {{ {'b': 1, 'A': 3, 'c': 2} | dictsort(by='value') }} {{ {'b': 1, 'A': 3} | dictsort(true, reverse=true) }} {% for k, v in d | items %}{{ k }}{% endfor %}",
    "map and select": "{{ messages | map(attribute='role') | list }} {{ messages | map(attribute='x', default='?') | join }} {{ names | map('upper') | join(' ') }} {{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | list }} {{ messages | rejectattr('role', 'in', ['user', 'system']) | list | length }} {{ numbers | select('gt', 1) | list }} {{ numbers | reject('odd') | list }} {{ [0, 1, '', 'x', none] | select | list }} {{ tools | map(attribute='function.name') | first }} {{ messages | selectattr('role') | list | length }} {{ nothing | selectattr('a') | list }}",
    "lazy lists are true": "{% if numbers | select('gt', 99) %}a{% else %}b{% endif %}",
    "groups": "{% for role, all in messages | groupby('role') %}{{ role }}:{{ all | length }} {% endfor %}",
    "number filters": "{{ '12' | int }} {{ 'x' | int }} {{ 'x' | int(5) }} {{ '1.9' | int }} {{ 3.9 | int }} {{ 'ff' | int(base=16) }} {{ '1.5' | float }} {{ 'x' | float }} {{ 2.567 | round(2) }} {{ 2.5 | round }} {{ 3.5 | round }} {{ 2.1 | round(method='ceil') }} {{ -3 | abs }} {{ '%s-%d' | format('a', 3) }} {{ '%.2f' % 2.345 }} {{ true | int }}",
    "escaped": "{{ '<&\"\\'>' | e }} {{ '<b>' }} {{ '<b>' | safe }}",
    # Methods.
    "text methods": "{{ text.strip() }}|{{ text.lstrip() }}|{{ text.rstrip() }}|{{ 'xxaxx'.strip('x') }} {{ 'a,b,,c'.split(',') }} {{ text.split() }} {{ 'a b c'.split(' ', 1) }} {{ 'a b c'.rsplit(' ', 1) }} {{ 'a b  c'.split(none, 1) }} {{ 'ab'.startswith('a') }} {{ 'ab'.endswith(('x', 'b')) }} {{ 'ab'.upper() }} {{ 'hello wORLD'.title() }} {{ 'abc'.capitalize() }} {{ 'aXa'.replace('a', 'b') }} {{ 'aXa'.replace('a', 'b', 1) }} {{ 'abc'.find('c') }} {{ 'äbc'.find('c') }} {{ 'abc'.find('x') }} {{ 'abab'.rfind('ab') }} {{ 'abab'.count('ab') }} {{ '-'.join(['a', 'b']) }} {{ 'a\\nb\\r\\nc'.splitlines() }} {{ 'abc'.removeprefix('a') }} {{ 'abc'.removesuffix('c') }} {{ 'a=b=c'.partition('=') }} {{ 'a=b=c'.rpartition('=') }} {{ '12'.isdigit() }} {{ 'a1'.isalnum() }} {{ 'ab'.isalpha() }} {{ '  '.isspace() }} {{ 'Ab'.islower() }} {{ '{} {1} {x}'.format(1, 2, x=3) if false else '{} {x}'.format(1, x=3) }} {{ 'aBc'.swapcase() }} {{ ''.replace('', 'x') }} {{ 'ab'.replace('', '-') }}",
    "dictionary methods": "{{ d.keys() | list }} {{ d.values() | list }} {{ d.items() | list }} {{ d.get('z') }} {{ d.get('q') }} {{ d.get('q', 5) }} {{ d.items is defined }} {{ {'items': 1}['items'] }} {{ {'items': 1}.items is callable }}",
    "lists do not change": "{% set x = numbers.append(1) %}{{ numbers }}", "dictionaries do not change": "{{ d.update({'a': 1}) }}", "pop": "{{ numbers.pop() }}",
    "list methods": "{{ numbers.index(2) }} {{ numbers.count(3) }} {{ numbers + [9] }} {{ [0] * 3 }}",
    "functions": "{{ range(3) | list }} {{ range(1, 7, 2) | list }} {{ range(3, 0, -1) | list }} {{ dict(a=1, b=2) }} {{ dict({'x': 1}, y=2) }}",
    "range too big": "{{ range(100001) | list }}",
    "spread": "{% macro m(a, b, c=0) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(*[1, 2], **{'c': 3}) }}",
    # What is no template.
    "open tag": "{% if yes %}a", "unknown tag": "{% strange %}", "open output": "{{ n ", "open string": "{{ 'a }}", "bad character": "{{ n ? 1 }}",
    "wrong end": "{% for x in numbers %}{% endif %}", "open comment": "{# a", "break outside": "{% break %}", "missing name": "{{ n | }}", "open bracket": "{{ (n }}",
}


def main() -> None:
    goldens = [{"name": name, "template": template, **render(template, VARIABLES, NOW)} for name, template in CASES.items()]
    whole = {"now": NOW, "variables": VARIABLES, "goldens": goldens}
    target = pathlib.Path(__file__).resolve().parent / "goldens.json"
    target.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
