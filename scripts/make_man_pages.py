#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the manual pages and what bash, zsh and fish complete from the programs' own tables of options
(PROGRAM --describe-options), into resources/man and resources/completions.

    scripts/make_man_pages.py [--check] [BIN]     BIN: the folder of the programs, build/release/bin

--check changes nothing, says what is not up to date, and ends with 1 then."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("waferpair", "waferd", "waferctl")

# What the pages say beyond the options: sections of paragraphs; one that is a pair is a term and what
# is to be said of it.
MORE = {
    "waferpair": [
        ("ONE INSTANCE", [
            "A window that runs already shows the files that a second start names: the one whose folder "
            "they are in, else the one used last. A folder is shown by the window that has it open, or in "
            "a window of its own. Each profile (--new-profile) is an instance of its own, and so is a "
            "start with --new-window, --model, --no-runtime, --reproducible, --trust, --automation or --tour."]),
        ("EXAMPLES", [
            ("waferpair src/main.cpp:12:4", "Opens the file at line 12, column 4."),
            ('git config --global core.editor "waferpair --wait"', "Makes it the editor of git's messages."),
            ("git config --global difftool.waferpair.cmd 'waferpair --wait --diff \"$LOCAL\" \"$REMOTE\"'",
             "Then \"git difftool --tool waferpair\" compares."),
            ("git config --global mergetool.waferpair.cmd 'waferpair --wait --merge \"$BASE\" \"$LOCAL\" \"$REMOTE\" \"$MERGED\"'",
             "Then \"git mergetool --tool waferpair\" merges; mergetool.waferpair.trustExitCode may be true."),
        ]),
        ("EXIT STATUS", [("0", "Done."), ("1", "A file could not be shown, or --wait waited in vain."),
                         ("2", "Wrong usage.")]),
        ("FILES", [
            ("$XDG_CONFIG_HOME/waferpair, ~/.config/waferpair",
             "settings.json, keys.json, tasks.json, snippets and other files that you may edit."),
            ("$XDG_STATE_HOME/waferpair, ~/.local/state/waferpair",
             "Sessions, copies of unsaved text, earlier states of files, crash reports."),
            ("$XDG_RUNTIME_DIR/waferpair", "Sockets and tokens, for you alone."),
            (".waferpair, .waferpairignore", "A project's own settings, and files that the model never sees."),
        ]),
    ],
    "waferd": [("FILES", [
        ("$XDG_RUNTIME_DIR/waferpair/PORT.token", "The access token, which only you can read."),
        ("$XDG_STATE_HOME/waferpair/crashes", "Reports of crashes. They are sent to nobody."),
    ])],
    "waferctl": [],
}
SUMMARY = {
    "waferpair": "code editor with a model that runs on an emulated wafer",
    "waferd": "serve a code model on this computer",
    "waferctl": "use a code model on an emulated wafer from the command line",
}


def table_of(folder, program):
    ran = subprocess.run([folder / program, "--describe-options"], check=True, stdout=subprocess.PIPE, text=True)
    return tidied(json.loads(ran.stdout), True)


def tidied(table, is_program=False):
    """The table with its choices as they are typed ("fast", not "fast->0"), sentences with ends, and --help
    once."""
    if not is_program:
        table["options"] = [option for option in table["options"] if "--help" not in option["names"]]
    for option in table["options"]:
        option["choices"] = [choice.split("->")[0] for choice in option["choices"]]
        if option["help"] and not option["help"].rstrip().endswith((".", ")")):
            option["help"] = option["help"].rstrip() + "."
    for command in table["commands"]:
        tidied(command)
    return table


# -- The manual page


def roff(text):
    """Text as roff has it."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    escaped = (line.replace("\\", "\\(rs").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha")
               .replace("~", "\\(ti").replace("`", "\\(ga") for line in lines if line)
    return "\n".join("\\&" + line if line.startswith((".", "\\(aq")) else line for line in escaped)


def roff_option(option):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option["names"])
    value = f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""
    lines = [".TP", names + value, roff(option["help"] or "")]
    if option["choices"] and not all(choice in option["help"] for choice in option["choices"]):
        lines.append(roff(f"One of {', '.join(option['choices'])}."))
    if option.get("default"):
        lines.append(roff(f"Default: {option['default']}."))
    return [line for line in lines if line]


def roff_command(table, depth):
    """The positionals, options and commands of a command of a program."""
    lines = []
    for each in table["positionals"]:
        lines += [".TP", f"\\fI{roff(each['name'])}\\fR", roff(each["help"] or "") or "\\&"]
    for option in table["options"]:
        lines += roff_option(option)
    for command in table["commands"]:
        lines += [f".{'SS' if depth == 0 else 'PP'} {roff(command['full'])}" if depth == 0 else ".PP",
                  *([] if depth == 0 else [f"\\fB{roff(command['full'])}\\fR", ".br"]),
                  roff(command["description"])]
        if command["footer"]:
            lines += [".PP", roff(command["footer"])]
        lines += roff_command(command, depth + 1)
    return lines


def name_fully(table, prefix=""):
    """Gives each command its name with those above it."""
    for command in table["commands"]:
        command["full"] = f"{prefix} {command['name']}".strip()
        name_fully(command, command["full"])


def manual(table):
    program = table["name"]
    name_fully(table, program)
    lines = ['.\\" Made by scripts/make_man_pages.py from the program\'s own options. Do not edit.',
             f'.TH {program.upper()} 1 "" "Waferpair {table["version"]}" "Waferpair"',
             ".SH NAME", f"{program} \\- {roff(SUMMARY[program])}", ".SH SYNOPSIS", f".B {program}"]
    lines.append("[\\fIOPTION\\fR]...")
    if table["commands"]:
        lines.append("\\fICOMMAND\\fR ...")
    lines += [f"\\fI{roff(each['name'])}\\fR" for each in table["positionals"]]
    lines += [".SH DESCRIPTION", roff(table["description"])]
    if table["footer"]:
        lines += [".PP", roff(table["footer"])]
    commands, table["commands"] = table["commands"], []
    positionals, table["positionals"] = table["positionals"], []
    lines += [".SH OPTIONS", *roff_command(table, 0)]
    table["commands"], table["positionals"] = commands, positionals
    if commands:
        lines += [".SH COMMANDS", *roff_command({"positionals": [], "options": [], "commands": commands}, 0)]
    for title, paragraphs in MORE[program]:
        lines.append(f".SH {title}")
        for paragraph in paragraphs:
            if isinstance(paragraph, tuple):
                lines += [".TP", f"\\fB{roff(paragraph[0])}\\fR", roff(paragraph[1])]
            else:
                lines += [".PP", roff(paragraph)]
    others = [other for other in PROGRAMS if other != program]
    lines += [".SH SEE ALSO", ",\n".join(f".BR {other} (1)" for other in others)]
    return "\n".join(lines) + "\n"


# -- What shells complete


def kind_of(option):
    """What a value of the option is: "file", "folder", its choices, or None for anything."""
    if option["choices"]:
        return option["choices"]
    value = option["value"].lower()
    if "dir" in value or "folder" in value:
        return "folder"
    return "file" if re.search("file|path|gguf|shape", value) else None


def first_sentence(text):
    """Short enough to stand beside a name in a list."""
    flat = " ".join((text or "").split())
    return re.split(r"(?<=[a-z0-9)])[.;:] |\.$", flat)[0]


def walk(table, names=()):
    """Each command with the names that lead to it, the program itself first."""
    yield names, table
    for command in table["commands"]:
        yield from walk(command, (*names, command["name"]))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash(table):
    program = table["name"]
    cases, values = [], []
    for names, command in walk(table):
        words = [name for option in command["options"] for name in option["names"]]
        words += [each["name"] for each in command["commands"]]
        files = not command["commands"]
        cases.append(f'    {quoted(" ".join(names))}) words={quoted(" ".join(words))}; files={"yes" if files else "no"} ;;')
        for option in command["options"]:
            if not option["value"]:
                continue
            kind = kind_of(option)
            then = {"file": "_filedir", "folder": "_filedir -d", None: "return"}.get(
                kind if not isinstance(kind, list) else "", None)
            if isinstance(kind, list):
                then = f'COMPREPLY=($(compgen -W {quoted(" ".join(kind))} -- "$cur"))'
            for name in option["names"]:
                values.append(f"    {quoted((' '.join(names) + ' ' + name).strip())}) {then}; return ;;")
    subcommands = [(" ".join(names), [each["name"] for each in command["commands"]])
                   for names, command in walk(table) if command["commands"]]
    enter = "\n".join(f'      {quoted(path)}) case "$word" in {"|".join(under)}) path="${{path:+$path }}$word" ;; esac ;;'
                      for path, under in subcommands)
    fallback = ('declare -F _filedir >/dev/null || _filedir() {\n'
                '  local options=(-f)\n  [ "${1:-}" = -d ] && options=(-d)\n  compopt -o filenames 2>/dev/null\n'
                '  mapfile -t COMPREPLY < <(compgen "${options[@]}" -- "$cur")\n}\n')
    walkthrough = (f'  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do\n    case "$path" in\n{enter}\n    esac\n  done\n'
                   if subcommands else "")
    return (f"# bash completion for {program}. Made by scripts/make_man_pages.py; do not edit.\n{fallback}"
            f"_{program}() {{\n"
            f'  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" path="" word words files\n'
            f"  COMPREPLY=()\n{walkthrough}"
            '  case "${path:+$path }$prev" in\n' + "\n".join(values) + "\n  esac\n"
            '  case "$path" in\n' + "\n".join(cases) + "\n  esac\n"
            '  if [[ $cur == -* || $files = no ]]; then\n'
            '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")\n'
            "  else\n    _filedir\n  fi\n}\n"
            f"complete -F _{program} {program}\n")


def zsh_option(option):
    help_text = first_sentence(option["help"]).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    kind = kind_of(option)
    action = ""
    if option["value"]:
        message = re.sub(r"[\[\]:=]", "", option["value"]).lower() or "value"
        what = {"file": "_files", "folder": "_files -/", None: ""}.get(kind if not isinstance(kind, list) else "", None)
        if isinstance(kind, list):
            what = f"({' '.join(kind)})"
        action = f":{message}:{what}"
    names = option["names"]
    others = f"({' '.join(names)})" if len(names) > 1 else ""
    return [quoted(f"{others}{name}[{help_text}]{action}") for name in names]


def zsh_function(name, command):
    lines = [f"{name}() {{"]
    specs = [spec for option in command["options"] for spec in zsh_option(option)]
    if command["commands"]:
        rows = " ".join(quoted(each["name"] + ":" + first_sentence(each["description"]).replace(":", "\\:"))
                        for each in command["commands"])
        lines += ["  local curcontext=$curcontext state line", f"  local -a commands=({rows})",
                  "  _arguments -C -s \\", *(f"    {spec} \\" for spec in specs),
                  "    '1: :->command' '*:: :->rest'", "  case $state in",
                  "    command) _describe command commands ;;", "    rest) case $words[1] in"]
        lines += [f"      {each['name']}) {name}_{each['name'].replace('-', '_')} ;;" for each in command["commands"]]
        lines += ["    esac ;;", "  esac"]
    else:
        lines += ["  _arguments -s \\", *(f"    {spec} \\" for spec in specs), "    '*:file:_files'"]
    lines.append("}")
    for each in command["commands"]:
        lines += zsh_function(f"{name}_{each['name'].replace('-', '_')}", each)
    return lines


def zsh(table):
    program = table["name"]
    return "\n".join([f"#compdef {program}", "# Made by scripts/make_man_pages.py; do not edit.",
                      *zsh_function(f"_{program}", table), f'_{program} "$@"']) + "\n"


def fish(table):
    program = table["name"]
    lines = [f"# fish completion for {program}. Made by scripts/make_man_pages.py; do not edit."]
    top = [each["name"] for each in table["commands"]]
    for names, command in walk(table):
        if not names:
            condition = "__fish_use_subcommand" if top else ""
        else:
            condition = " ; and ".join(f"__fish_seen_subcommand_from {name}" for name in names)
        when = f" -n {quoted(condition)}" if condition else ""
        for option in command["options"]:
            parts = [f"-s {name[1:]}" if not name.startswith("--") else f"-l {name[2:]}" for name in option["names"]]
            kind = kind_of(option)
            if option["value"]:
                parts.append({"file": "-rF", "folder": "-x -a '(__fish_complete_directories)'", None: "-x"}.get(
                    kind if not isinstance(kind, list) else "", None) or f"-x -a {quoted(' '.join(kind))}")
            lines.append(f"complete -c {program}{when} {' '.join(parts)} -d {quoted(first_sentence(option['help']))}")
        under = [each["name"] for each in command["commands"]]
        for each in command["commands"]:
            other = f"__fish_use_subcommand" if not names else f"{condition} ; and not __fish_seen_subcommand_from {' '.join(under)}"
            lines.append(f"complete -c {program} -f -n {quoted(other)} -a {each['name']} -d {quoted(first_sentence(each['description']))}")
    return "\n".join(lines) + "\n"


def made(folder):
    """The path of each file, relative to the sources, and what belongs into it."""
    for program in PROGRAMS:
        table = table_of(folder, program)
        yield f"resources/man/{program}.1", manual(table)
        yield f"resources/completions/bash/{program}", bash(table)
        yield f"resources/completions/zsh/_{program}", zsh(table)
        yield f"resources/completions/fish/{program}.fish", fish(table)


def main():
    arguments = [each for each in sys.argv[1:] if each != "--check"]
    folder = pathlib.Path(arguments[0] if arguments else ROOT / "build/release/bin").resolve()
    stale = []
    for name, text in made(folder):
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} {'is not up to date: call scripts/make_man_pages.py' if '--check' in sys.argv else 'was made'}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
