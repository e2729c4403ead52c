#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Has a real model make small edits of real functions, and judges what is offered.

small_edits.py MODEL.gguf SOURCES [--only NAME...] [--record FILE] [--parameters N]: SOURCES holds click, leveldb and
express, checked out (click at 2c8cd3ac, leveldb at 78a352f4; express at a3714473, with its packages
installed). Each edit is right, wrong (it was offered, and is not right) or refused. WAFERPAIR_BIN names the
folder with waferd and small_edit.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "protocol"))
sys.path.append(str(HERE))
import waferd
from small_edits_cases import CASES

LANGUAGES = {".py": "Python", ".cc": "C++", ".js": "JavaScript"}
IMPORT = re.compile(r"\s*(import\b|from\b.*\bimport\b|#\s*include|(const|let|var)\b.*\brequire\()")
SECONDS = 120  # for a check; only a hang takes that long


def planted(case, sources):
    text = (sources / case.file).read_text(encoding="utf-8")
    if case.plant:
        assert text.count(case.plant[0]) == 1, case.name
        text = text.replace(*case.plant)
    return text


def line_of(case, text):
    return next(i for i, line in enumerate(text.split("\n"), 1) if case.at in line)


def comments(lines, suffix):
    """The lines that hold comments or descriptions, without blanks, those behind code too."""
    found, quoted = [], False
    for line in lines:
        mark = re.search(r"#.*|\"\"\".*" if suffix == ".py" else r"//.*|^\s*/?\*.*", line)
        if quoted or mark:
            found.append((line if quoted else mark.group(0)).strip())
        if suffix == ".py" and line.count('"""') % 2:
            quoted = not quoted
    return [line for line in found if line]


def elsewhere(before, after, first, end):
    """What is changed beside lines [first, end), imports aside."""
    old, new = before.split("\n"), after.split("\n")
    if new[len(new) - len(old) + end:] != old[end:]:
        return "what follows is changed, too"
    at = 0
    for number, line in enumerate(old[:first], 1):
        while at < len(new) and new[at] != line and (IMPORT.match(new[at]) or not new[at].strip()):
            at += 1
        if at == len(new) or new[at] != line:
            return f"line {number} is changed, too"
        at += 1
    return ""


def ran(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS,
                          check=False, **options)
    return "" if done.returncode == 0 else (done.stdout.strip().split("\n") or ["failed"])[-1] or "failed"


def checked(case, copy):
    """Runs the case's check beside the edited file in a copy of its project."""
    file = copy / case.file
    if file.suffix == ".py":
        environment = {**os.environ, "PYTHONPATH": str(copy / "click/src"), "PYTHONDONTWRITEBYTECODE": "1"}
        return ran([sys.executable, "-c", case.check], env=environment, cwd=copy)
    if file.suffix == ".js":
        program = file.parent / "check.js"
        program.write_text(case.check, encoding="utf-8")
        return ran(["node", program.name], cwd=file.parent)
    program = copy / "check.cc"
    program.write_text(case.check, encoding="utf-8")
    root = copy / "leveldb"
    return ran(["g++", "-std=c++17", "-w", "-O0", "-DLEVELDB_PLATFORM_POSIX=1", f"-I{root}", f"-I{root}/include",
                str(program), "-static", "-Wl,--unresolved-symbols=ignore-all", "-o", str(copy / "check")]) or ran([str(copy / "check")])


def fault_of(case, before, result, sources):
    """Why the edit is not right; empty where it is."""
    after = result["text"]
    first, end = result["first"], result["first"] + result["count"]
    suffix = pathlib.Path(case.file).suffix
    tail = len(before.split("\n")) - end
    new = after.split("\n")
    function = "\n".join(new[first:len(new) - tail])
    if case.gone and re.search(case.gone, function):
        return f"{case.gone} is still there"
    if case.function and not re.search(case.function, function):
        return f"{case.function} is not there"
    if fault := elsewhere(before, after, first, end):
        return fault
    kept = "\n".join(line.strip() for line in new)
    for comment in comments(before.split("\n")[first:end], suffix):
        if comment not in kept:
            return f"a comment is lost: {comment}"
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        project = case.file.split("/", maxsplit=1)[0]
        shutil.copytree(sources / project, copy / project, symlinks=True,
                        ignore=shutil.ignore_patterns("docs", "doc", "test", "tests", "third_party"))
        (copy / case.file).write_text(after, encoding="utf-8")
        return checked(case, copy)


def asked(cases, arguments, server, folder):
    asked_for = []
    for case in cases:
        text = planted(case, arguments.sources)
        file = pathlib.Path(folder) / (case.name + pathlib.Path(case.file).suffix)
        file.write_text(text, encoding="utf-8")
        asked_for.append({"id": case.name, "file": str(file), "path": case.file.split("/", maxsplit=1)[1],
                          "language": LANGUAGES[file.suffix], "line": line_of(case, text),
                          "instruction": case.instruction})
        if arguments.replay:
            asked_for[-1]["answers"] = arguments.recorded[case.name]["answers"]
    command = [os.path.join(waferd.BIN, "small_edit")]
    if server:
        command += ["--url", f"http://127.0.0.1:{server.port}/v1", "--token-file", server.token_file]
    if arguments.parameters:
        command += ["--parameters", str(arguments.parameters)]
    done = subprocess.run(command, input=json.dumps(asked_for), stdout=subprocess.PIPE, text=True, check=True)
    return {result["id"]: result for result in map(json.loads, done.stdout.splitlines())}


def measured(cases, arguments):
    with tempfile.TemporaryDirectory() as folder:
        with waferd.Server(folder, model=[arguments.model], threads=None) as server:
            server.wait_until_loaded()
            return asked(cases, arguments, server, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--record", type=pathlib.Path, help="write the model's answers there, as JSON")
    parser.add_argument("--parameters", type=int, help="that the model has, as its file says")
    parser.add_argument("--replay", type=pathlib.Path, help="judge answers that were recorded there, without the model")
    parser.add_argument("--show", action="store_true", help="print what is offered, and answers that are not")
    arguments = parser.parse_args()
    cases = [case for case in CASES if not arguments.only or case.name in arguments.only]
    load = os.getloadavg()[0]
    if arguments.replay:
        arguments.recorded = json.loads(arguments.replay.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            results = asked(cases, arguments, None, folder)
    else:
        results = measured(cases, arguments)
    counts = {"right": 0, "wrong": 0, "refused": 0}
    for case in cases:
        result = results[case.name]
        before = planted(case, arguments.sources)
        why = result["says"].replace("\n", " ")
        verdict = "refused"
        if result["outcome"] == "offered":
            why = fault_of(case, before, result, arguments.sources)
            verdict = "wrong" if why else "right"
        counts[verdict] += 1
        print(f"{case.name:24} {verdict:8} {result['ms'] / 1000:6.1f} s  {len(result['answers'])}  {why[:150]}")
        if arguments.show:
            for answer in result["answers"]:
                print("    | " + answer.replace("\n", "\n    | "))
    times = [result["ms"] / 1000 for result in results.values()]
    print(f"{counts['right']} right, {counts['wrong']} wrong ones offered, {counts['refused']} refused, of {len(cases)}; "
          f"median {statistics.median(times):.1f} s, longest {max(times):.1f} s; load {load:.1f} before, "
          f"{os.getloadavg()[0]:.1f} after")
    if arguments.record:
        arguments.record.write_text(json.dumps(
            {name: {"instruction": next(c.instruction for c in cases if c.name == name), "answers": result["answers"]}
             for name, result in results.items()}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
