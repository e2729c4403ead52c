#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a language server, and misbehaves when told to by the words of its first argument (with commas).

It keeps the texts that it is told of as a server does, so that tests can ask for them ("test/text"), finds
"BAD" an error, "ODD" a warning and "HMM" a hint, and dies of "CRASH".
"""

import json
import os
import re
import signal
import sys
import time

HOW = set((sys.argv[1] if len(sys.argv) > 1 else "").split(","))
UTF8 = "utf8" in HOW
texts = {}     # by URI: the text
told = []      # notifications, and answers to requests of ours
versions = {}  # by URI


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def read():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length))


def lines_of(text):
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


def offset(text, place):
    """The index into the Python string of a place of the protocol."""
    lines = lines_of(text)
    if place["line"] >= len(lines):
        return len(text)
    before = sum(len(line) for line in lines[:place["line"]])
    line = lines[place["line"]].rstrip("\r\n")
    coded = line.encode("utf-8" if UTF8 else "utf-16-le")
    part = coded[:place["character"] * (1 if UTF8 else 2)]
    return before + len(part.decode("utf-8" if UTF8 else "utf-16-le", "ignore"))


def place(text, index):
    before = lines_of(text[:index])
    column = before[-1] if not before[-1].endswith(("\n", "\r")) else ""
    coded = column.encode("utf-8" if UTF8 else "utf-16-le")
    number = len(before) - 1 if before[-1] == column else len(before)
    return {"line": number, "character": len(coded) // (1 if UTF8 else 2)}


def span(text, start, end):
    return {"start": place(text, start), "end": place(text, end)}


def diagnostics(uri):
    text = texts[uri]
    found = []
    for word, severity in (("BAD", 1), ("ODD", 2), ("HMM", 4)):
        for match in re.finditer(word, text):
            found.append({"range": span(text, match.start(), match.end()), "severity": severity,
                          "message": f"{word} is not good", "source": "scripted", "code": severity})
    return found


def publish(uri):
    if "pull" in HOW:
        return
    if "late" in HOW:
        time.sleep(0.3)
    params = {"uri": uri, "diagnostics": diagnostics(uri)}
    if "unversioned" not in HOW:
        params["version"] = versions[uri]
    if "wrong" in HOW:
        params["diagnostics"] = [7, None, {"message": 5}, {"range": "x", "message": "kept", "severity": 99}]
    send({"method": "textDocument/publishDiagnostics", "params": params})


def completions(params):
    uri = params["textDocument"]["uri"]
    text = texts[uri]
    at = offset(text, params["position"])
    start = at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    edit = lambda new: {"range": span(text, start, at), "newText": new}
    items = [
        {"label": "frobnicate(int x)", "filterText": "frobnicate", "kind": 3, "detail": "void",
         "textEdit": edit("frobnicate"), "sortText": "2", "documentation": "Frobnicates **x**.", "data": 1},
        {"label": "frobCount", "kind": 5, "detail": "int", "textEdit": edit("frobCount"), "sortText": "1"},
        {"label": "fromElsewhere", "kind": 7, "textEdit": edit("fromElsewhere"), "sortText": "3", "data": 2,
         **({} if "resolves" in HOW else {"additionalTextEdits": [
             {"range": span(text, 0, 0), "newText": "import elsewhere\n"}]})},
        {"label": "über", "kind": 6, "insertText": "über", "sortText": "4"},
    ]
    if "snippets" in HOW:
        items = [{"label": "frobPair(int a, int b)", "filterText": "frobPair", "kind": 3, "insertTextFormat": 2,
                  "textEdit": edit("frobPair(${1:int a}, ${2:int b})$0"),
                  "additionalTextEdits": [{"range": span(text, 0, 0), "newText": "import pairs\n"}]}]
    if "arrows" in HOW:  # in the place of the sign in front of the word, too
        items = [{"label": " frobArrow", "filterText": "frobArrow", "kind": 5,
                  "textEdit": {"range": span(text, start - 1, at), "newText": "->frobArrow"}}]
    if "huge" in HOW:
        items += [{"label": f"name{i:06}", "sortText": "9", "documentation": "x" * 200} for i in range(20000)]
    if "wrong" in HOW:
        return {"items": [3, {"label": 4}, {"label": "fine", "textEdit": {"range": 1}}]}
    return {"isIncomplete": "partial" in HOW, "items": items}


def resolve(item):
    item["documentation"] = {"kind": "markdown", "value": f"About `{item['label']}`."}
    if item["label"] == "fromElsewhere":
        item["additionalTextEdits"] = [{"range": {"start": {"line": 0, "character": 0},
                                                  "end": {"line": 0, "character": 0}},
                                        "newText": "import elsewhere\n"}]
    return item


def word_at(params):
    text = texts[params["textDocument"]["uri"]]
    at = offset(text, params["position"])
    for match in re.finditer(r"\w+", text):
        if match.start() <= at <= match.end():
            return match
    return None


def locations(params):
    match = word_at(params)
    if not match:
        return []
    return [{"uri": uri, "range": span(text, other.start(), other.end())}
            for uri, text in texts.items() for other in re.finditer(rf"\b{match[0]}\b", text)]


def formatted(params):
    """Puts blanks around each "=" that has none."""
    text = texts[params["textDocument"]["uri"]]
    if "overlap" in HOW:
        return [{"range": span(text, 0, 2), "newText": "x"}, {"range": span(text, 1, 3), "newText": "y"}]
    first, last = 0, len(text)
    if "range" in params:
        first, last = (offset(text, params["range"][side]) for side in ("start", "end"))
    found = [match for match in re.finditer(r"(?<=\w)=(?=\w)", text) if first <= match.start() < last]
    if "whole" in HOW:
        new = re.sub(r"(?<=\w)=(?=\w)", " = ", text)
        if "lf" in HOW:
            new = new.replace("\r\n", "\n")
        return [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 30, "character": 0}}, "newText": new}]
    return [{"range": span(text, match.start(), match.end()), "newText": " = "} for match in reversed(found)]


def renamed(params):
    match = word_at(params)
    new = params["newName"]
    if "refuses" in HOW:
        return None
    changes = [{"textDocument": {"uri": uri, "version": versions[uri]},
                "edits": [{"range": span(text, other.start(), other.end()), "newText": new}
                          for other in re.finditer(rf"\b{match[0]}\b", text)]}
               for uri, text in sorted(texts.items())]
    changes = [change for change in changes if change["edits"]]
    if "closed" in HOW:  # a file that is not open, too, whose first word it is
        uri = params["textDocument"]["uri"].rsplit("/", 1)[0] + "/closed.cpp"
        at = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": len(match[0])}}
        changes.append({"textDocument": {"uri": uri, "version": None}, "edits": [{"range": at, "newText": new}]})
    if "pieces" in HOW:  # each edit in a list of its own, those of a text from its end
        changes = [{**change, "edits": [one]} for change in changes for one in reversed(change["edits"])]
    if "outside" in HOW:
        changes.append({"textDocument": {"uri": "file:///etc/hostname", "version": None}, "edits": changes[0]["edits"]})
    if "removes" in HOW:
        changes.append({"kind": "delete", "uri": "file:///tmp/x"})
    if "moves" in HOW:  # the file of its name, too
        folder = params["textDocument"]["uri"].rsplit("/", 1)[0]
        changes.append({"kind": "rename", "oldUri": f"{folder}/{match[0]}.h", "newUri": f"{folder}/sub/{new}.h"})
    return {"documentChanges": changes}


def actions(params):
    """A fix for each thing that is wrong there, some refactorings of each kind that the protocol has."""
    uri = params["textDocument"]["uri"]
    change = lambda span_, new: {"changes": {uri: [{"range": span_, "newText": new}]}}
    if params["context"].get("only"):  # imports are lines, and are sorted
        text = texts[uri]
        lines = [line for line in text.splitlines(True) if line.startswith("import ")]
        if not lines or lines == sorted(lines):
            return [{"title": "Something else", "kind": "quickfix"}]
        at = text.index(lines[0])
        return [{"title": "Organize imports", "kind": params["context"]["only"][0],
                 "edit": change(span(text, at, at + len("".join(lines))), "".join(sorted(lines)))}]
    found = [{"title": "Say what is done", "command": "scripted.note", "arguments": [uri, "note"]},
             {"title": "Not so", "kind": "refactor", "disabled": {"reason": "it is too late"}},
             {"title": "Later", "kind": "refactor.rewrite", "data": {"uri": uri}}]
    found += [{"title": f"Make it good", "kind": "quickfix", "isPreferred": True, "diagnostics": [wrong],
               "edit": change(wrong["range"], "good")} for wrong in params["context"]["diagnostics"]]
    return found


def apply_edit(edit):
    """Has the client apply it, as a command does, and waits for its word."""
    send({"id": "apply", "method": "workspace/applyEdit", "params": {"label": "a command", "edit": edit}})
    while True:
        message = read()
        if message.get("id") == "apply" and "method" not in message:
            told.append({"method": "applied", "params": message["result"]})
            return message["result"]
        if "method" in message and "id" not in message:
            notice(message["method"], message.get("params", {}))


def end_of(text, match):
    """Where what is declared there ends: where the next such thing begins, or the text ends."""
    following = re.compile("class" if match[1] == "class" else "class|def").search(text, match.end())
    return following.start() if following else len(text)


def symbols(uri):
    """Each "class Name" with the "def name" behind it, up to the next one."""
    found, text = [], texts[uri]
    if "flat" in HOW:
        return [{"name": match[2], "kind": 5 if match[1] == "class" else 12,
                 "location": {"uri": uri, "range": span(text, match.start(), end_of(text, match))}}
                for match in re.finditer(r"(class|def) (\w+)", text)]
    for match in re.finditer(r"(class|def) (\w+)", text):
        one = {"name": match[2], "kind": 5 if match[1] == "class" else 12, "children": [],
               "detail": match[1], "range": span(text, match.start(), end_of(text, match)),
               "selectionRange": span(text, match.start(2), match.end(2))}
        (found[-1]["children"] if found and match[1] == "def" else found).append(one)
    return found


def project_symbols(query):
    return [{"name": match[2], "kind": 5, "location": {"uri": uri, "range": span(text, match.start(2), match.end(2))}}
            for uri, text in texts.items() for match in re.finditer(r"(class|def) (\w+)", text)
            if query.lower() in match[2].lower()]


def signature_help(params):
    """Of the call whose bracket is open at the place, which is one of frobnicate() whatever its name is."""
    uri = params["textDocument"]["uri"]
    told.append({"method": "textDocument/signatureHelp", "params": params})
    if "slow" in HOW:
        time.sleep(0.4)
    if "wrong" in HOW:
        return {"signatures": [7, {"label": ""}, {"label": "f(x)", "parameters": [{"label": [4, 99]}, 3]}],
                "activeSignature": -3, "activeParameter": 0}
    inside = texts[uri][:offset(texts[uri], params["position"])].rpartition("(")
    if not inside[1] or ")" in inside[2]:
        return None
    both = [{"label": "frobnicate(int x, int y)", "documentation": "Frobnicates.",
             "parameters": [{"label": "int x"}, {"label": [18, 23], "documentation": "How often."}]},
            {"label": "frobnicate(long z)", "parameters": [{"label": "long z"}]}]
    return {"signatures": both if "overloads" in HOW else both[:1], "activeSignature": 0,
            "activeParameter": inside[2].count(",")}


TOKEN_TYPES = ["variable", "class", "function", "parameter", "comment"]
token_answers = {}  # by URI: the number of the last answer, and its data


def token_data(uri):
    """Classes are words in capitals, functions those before a bracket, "x" is a parameter, all else variables."""
    data, line, column = [], 0, 0
    text = texts[uri]
    for match in re.finditer(r"\w+", text):
        at, end = place(text, match.start()), place(text, match.end())
        kind = (1 if match[0][0].isupper() else 2 if text[match.end():match.end() + 1] == "("
                else 3 if match[0] == "x" else 0)
        step = at["line"] - line
        data += [step, at["character"] - (column if step == 0 else 0), end["character"] - at["character"], kind, 0]
        line, column = at["line"], at["character"]
    return data


def tokens(params, delta):
    uri = params["textDocument"]["uri"]
    told.append({"method": "tokens delta" if delta else "tokens full", "params": params})
    if "slow" in HOW:
        time.sleep(0.4)
    if "wrong" in HOW:
        return {"resultId": "1", "data": [0, -5, "x"]} if not delta else {"edits": [{"start": 99, "deleteCount": -1}]}
    data = token_data(uri)
    number, before = token_answers.get(uri, (0, []))
    token_answers[uri] = (number + 1, data)
    if delta and params["previousResultId"] == str(number) and "forgets" not in HOW:
        front = 0
        while front < min(len(before), len(data)) and before[front] == data[front]:
            front += 1
        return {"resultId": str(number + 1),
                "edits": [{"start": front, "deleteCount": len(before) - front, "data": data[front:]}]}
    return {"resultId": str(number + 1), "data": data}


def inlay_hints(params):
    """The parameter of each call is called "times", the type behind each "auto NAME" is int."""
    text = texts[params["textDocument"]["uri"]]
    if "wrong" in HOW:
        return [3, {"label": 5}, {"label": "kept", "position": {"line": 999, "character": -4}}]
    calls = [{"position": place(text, match.end()), "label": "times:", "kind": 2}
             for match in re.finditer(r"\w+\((?=\w)", text)]
    types = [{"position": place(text, match.end()), "label": [{"value": ": "}, {"value": "int"}], "kind": 1}
             for match in re.finditer(r"auto \w+", text)]
    return calls + types


def folding_ranges(uri):
    """From each line with "<" to the line before its ">", nested."""
    if "slow" in HOW:
        time.sleep(0.4)
    if "wrongfolds" in HOW:
        return [7, None, {"startLine": "x"}, {"startLine": 1, "endLine": 3}, {"startLine": 2, "endLine": 4},
                {"startLine": -1, "endLine": 2}, {"startLine": 4, "endLine": 1 << 30}, {"startLine": 1 << 30, "endLine": 3},
                *({"startLine": 0, "endLine": 0} for _ in range(50000))]
    found, begun = [], []
    for number, line in enumerate(lines_of(texts[uri])):
        for sign in line:
            if sign == "<":
                begun.append(number)
            if sign == ">" and begun:
                found.append({"startLine": begun.pop(), "endLine": number - 1})
    return found


def document_links(uri):
    """Each "file NAME" leads to the file beside it, "odd" to what no editor opens, "later" to what is told when asked."""
    if "wrong" in HOW:
        return [7, {"range": 5}, {"target": "x"}]
    text, folder = texts[uri], uri.rsplit("/", 1)[0]
    links = [{"range": span(text, match.start(), match.end()), "target": f"{folder}/{match[1]}"}
             for match in re.finditer(r"file (\S+)", text)]
    links += [{"range": span(text, match.start(), match.end()), "target": "ftp://example.org/x"}
              for match in re.finditer(r"odd", text)]
    return links + [{"range": span(text, match.start(), match.end()), "data": folder}
                    for match in re.finditer(r"later", text)]


def item_at(uri, match):
    text = texts[uri]
    return {"name": match[2], "kind": 5 if match[1] == "class" else 12, "uri": uri, "detail": "of " + uri.rsplit("/", 1)[1],
            "range": span(text, match.start(), end_of(text, match)), "selectionRange": span(text, match.start(2), match.end(2))}


def declared():
    return [(uri, match) for uri, text in sorted(texts.items()) for match in re.finditer(r"(class|def) (\w+)", text)]


def hierarchy(method, params):
    """A "def" calls what stands behind it with a bracket; a "class A from B" inherits from B."""
    if "prepare" in method:
        match = word_at(params)
        kind = "def" if "Call" in method else "class"
        return [item_at(uri, one) for uri, one in declared() if match and one[1] == kind and one[2] == match[0]]
    name = params["item"]["name"]
    calls = lambda uri, one: [span(texts[uri], call.start(), call.end() - 1) for call in
                              re.finditer(r"\b\w+\(", texts[uri]) if one.end() < call.start() < end_of(texts[uri], one)]
    called = lambda uri, one: {texts[uri][offset(texts[uri], at["start"]):offset(texts[uri], at["end"])]: at
                               for at in calls(uri, one)}
    if method == "callHierarchy/incomingCalls":
        return [{"from": item_at(uri, one), "fromRanges": [called(uri, one)[name]]}
                for uri, one in declared() if one[1] == "def" and name in called(uri, one)]
    if method == "callHierarchy/outgoingCalls":
        inside = next((called(uri, one) for uri, one in declared() if one[2] == name), {})
        return [{"to": item_at(uri, one), "fromRanges": [inside[one[2]]]} for uri, one in declared() if one[2] in inside]
    parents = {one[2]: re.match(r" from (\w+)", texts[uri][one.end():]) for uri, one in declared()}
    return [item_at(uri, one) for uri, one in declared()
            if (parents.get(name) and parents[name][1] == one[2] if method == "typeHierarchy/supertypes"
                else parents[one[2]] and parents[one[2]][1] == name)]


def answer(method, params):
    if method == "initialize":
        if "silent" in HOW:
            time.sleep(600)
        while "dozes" in HOW and not os.path.exists("wake"):
            time.sleep(0.02)
        told.append({"method": method, "params": params})
        sync = 1 if "full" in HOW else {"openClose": True, "change": 2, "save": {"includeText": True}}
        abilities = {"textDocumentSync": sync, "hoverProvider": True, "definitionProvider": True,
                     "declarationProvider": True, "typeDefinitionProvider": {}, "implementationProvider": True,
                     "referencesProvider": True, "documentHighlightProvider": True, "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
                     "documentFormattingProvider": True, "documentRangeFormattingProvider": True,
                     "renameProvider": {"prepareProvider": True} if "prepares" in HOW else True,
                     "codeActionProvider": {"resolveProvider": True},
                     "documentOnTypeFormattingProvider": {"firstTriggerCharacter": ";", "moreTriggerCharacter": ["\n"]},
                     "semanticTokensProvider": {"legend": {"tokenTypes": TOKEN_TYPES, "tokenModifiers": ["readonly", "static"]},
                                                "full": {"delta": "whole" not in HOW}},
                     "inlayHintProvider": True, "selectionRangeProvider": True, "callHierarchyProvider": True, "typeHierarchyProvider": True,
                     "executeCommandProvider": {"commands": ["scripted.note"]},
                     "documentSymbolProvider": True, "workspaceSymbolProvider": True,
                     "completionProvider": {"triggerCharacters": [".", ">"], "resolveProvider": True}}
        if UTF8:
            abilities["positionEncoding"] = "utf-8"
        if HOW & {"folds", "wrongfolds"}:
            abilities["foldingRangeProvider"] = True
        if "links" in HOW:
            abilities["documentLinkProvider"] = {"resolveProvider": True}
        if "pull" in HOW:
            abilities["diagnosticProvider"] = {"interFileDependencies": False, "workspaceDiagnostics": False}
        if "wrong" in HOW:
            abilities["hoverProvider"] = "yes"
        return {"capabilities": abilities}
    if method == "test/text":
        return texts.get(params["textDocument"]["uri"])
    if method == "test/told":
        return told
    if method in ("test/never", "test/sync"):
        return None
    if method == "test/applies":  # though nobody may have asked for it
        return apply_edit({"changes": {}})
    if method == "shutdown" and "applies" in HOW:
        with open("applied.json", "w", encoding="utf-8") as file:
            json.dump(apply_edit({"changes": {}}), file)
        return None
    if method in ("textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta"):
        return tokens(params, method.endswith("delta"))
    if method == "textDocument/documentLink":
        return document_links(params["textDocument"]["uri"])
    if method == "documentLink/resolve":
        return {**params, "target": params["data"] + "/later.cpp"}
    if method == "textDocument/foldingRange":
        return folding_ranges(params["textDocument"]["uri"])
    if method == "textDocument/selectionRange":  # a word, its half of the text by the "|", all of it
        text = texts[params["textDocument"]["uri"]]
        match = word_at({**params, "position": params["positions"][0]})
        bar = text.find("|")
        half = (0, bar) if match and match.end() <= bar else (bar + 1, len(text))
        around = {"range": span(text, *half), "parent": {"range": span(text, 0, len(text))}}
        return [match and {"range": span(text, match.start(), match.end()), "parent": around}]
    if method == "textDocument/inlayHint":
        return inlay_hints(params)
    if method.startswith(("callHierarchy/", "typeHierarchy/", "textDocument/prepareCall", "textDocument/prepareType")):
        return hierarchy(method, params)
    if method == "textDocument/switchSourceHeader":
        return params["uri"].replace(".cpp", ".far.h") if "counterpart" in HOW else None
    if method == "textDocument/onTypeFormatting":
        told.append({"method": method, "params": params})
        return formatted(params)
    if method == "test/asks":
        send({"id": "asked", "method": "window/showMessageRequest",
              "params": {"type": 3, "message": "Reload the project?", "actions": [{"title": "Yes", "extra": 7}, {"title": "No"}]}})
        return None
    if method == "test/registers":
        send({"id": "r", "method": "client/registerCapability", "params": {"registrations": [
            {"id": "w", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": [
                {"globPattern": "**/*.{cfg,toml}"}, {"globPattern": "**/made.txt", "kind": 1}]}},
            {"id": "c", "method": "textDocument/documentColor"}]}})
        return None
    if method == "test/unregisters":
        send({"id": "u", "method": "client/unregisterCapability", "params": {"unregisterations": [
            {"id": "w", "method": "workspace/didChangeWatchedFiles"}, {"id": "c", "method": "textDocument/documentColor"}]}})
        return None
    if method == "test/works":
        for value in ({"kind": "begin", "title": "Indexing", "cancellable": True, "percentage": 10},
                      {"kind": "report", "message": "3/7", "percentage": 42}):
            send({"method": "$/progress", "params": {"token": "work", "value": value}})
        return None
    if method == "textDocument/diagnostic":
        return {"kind": "full", "items": diagnostics(params["textDocument"]["uri"])}
    if method == "textDocument/completion":
        told.append({"method": method, "params": params})
        if "slow" in HOW:
            time.sleep(0.4)
        return completions(params)
    if method == "completionItem/resolve":
        return resolve(params)
    if method == "textDocument/hover":
        match = word_at(params)
        return match and {"contents": {"kind": "markdown", "value": f"**{match[0]}**: a word\n\n```cpp\nint {match[0]};\n```"}}
    if method == "textDocument/definition":
        return locations(params)[:1]
    if method == "textDocument/declaration":
        return locations(params)[1:2]
    if method == "textDocument/typeDefinition":
        return (locations(params) or [None])[-1]
    if method in ("textDocument/references", "textDocument/implementation"):
        return locations(params)
    if method in ("textDocument/formatting", "textDocument/rangeFormatting"):
        told.append({"method": method, "params": params})
        if "slow" in HOW:
            time.sleep(0.4)
        if "stuck" in HOW:
            time.sleep(4)
        return formatted(params)
    if method == "textDocument/documentHighlight":
        told.append({"method": method, "params": params})
        if "wrong" in HOW:
            return [3, {"range": 5}, {"range": {"start": {"line": 0, "character": 0},
                                                "end": {"line": 9, "character": 99}}, "kind": "x"}]
        match, text = word_at(params), texts[params["textDocument"]["uri"]]
        return match and [{"range": span(text, other.start(), other.end()),
                           "kind": 3 if text[other.end():].lstrip().startswith("=") else 2}
                          for other in re.finditer(rf"\b{match[0]}\b", text)]
    if method == "textDocument/codeAction":
        return [] if "refuses" in HOW else actions(params)
    if method == "codeAction/resolve":
        zero = {"line": 0, "character": 0}
        params["edit"] = {"changes": {params["data"]["uri"]: [{"range": {"start": zero, "end": zero}, "newText": "later "}]}}
        return params
    if method == "workspace/executeCommand":
        uri, text = params["arguments"]
        zero = {"line": 0, "character": 0}
        apply_edit({"changes": {uri: [{"range": {"start": zero, "end": zero}, "newText": text + " "}]}})
        return None
    if method == "textDocument/prepareRename":
        match = word_at(params)
        return match and {"range": span(texts[params["textDocument"]["uri"]], match.start(), match.end()),
                          "placeholder": match[0]}
    if method == "textDocument/rename":
        if "slow" in HOW:
            time.sleep(0.4)
        return renamed(params)
    if method == "textDocument/documentSymbol":
        if "slow" in HOW:
            time.sleep(0.4)
        return symbols(params["textDocument"]["uri"])
    if method == "workspace/symbol":
        return project_symbols(params["query"])
    if method == "textDocument/signatureHelp":
        return signature_help(params)
    return None


def notice(method, params):
    told.append({"method": method, "params": params})
    document = params.get("textDocument", {})
    uri = document.get("uri")
    if method == "textDocument/didOpen":
        texts[uri] = document["text"]
    elif method == "textDocument/didChange":
        for change in params["contentChanges"]:
            text = texts[uri]
            if "range" in change:
                start, end = (offset(text, change["range"][side]) for side in ("start", "end"))
                texts[uri] = text[:start] + change["text"] + text[end:]
            else:
                texts[uri] = change["text"]
    elif method == "textDocument/didClose":
        del texts[uri]
        return
    elif method == "window/workDoneProgress/cancel":
        send({"method": "$/progress", "params": {"token": params["token"], "value": {"kind": "end"}}})
    elif method == "initialized" and "asks" in HOW:
        send({"id": "c", "method": "workspace/configuration",
              "params": {"items": [{"section": "scripted.depth"}, {"section": "nothing"}]}})
        send({"id": 1, "method": "client/registerCapability", "params": {"registrations": []}})
        send({"id": 2, "method": "workspace/workspaceFolders"})
        send({"id": 3, "method": "workspace/applyEdit", "params": {"edit": {}}})
        send({"id": 4, "method": "nobody/knows"})
        send({"id": 5, "method": "window/workDoneProgress/create", "params": {"token": "t"}})
        send({"method": "$/progress", "params": {"token": "t", "value": {"kind": "begin", "title": "Indexing"}}})
        send({"method": "$/progress", "params": {"token": "t", "value": {"kind": "report", "message": "3/7"}}})
        send({"method": "window/showMessage", "params": {"type": 1, "message": "No compile commands"}})
    if uri in texts:
        versions[uri] = document.get("version", versions.get(uri))
        if "CRASH" in texts[uri]:
            print("it hurts", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGSEGV)
        publish(uri)


def main():
    if "dies" in HOW:
        print("no such thing", file=sys.stderr, flush=True)
        sys.exit(3)
    if "garbage" in HOW:
        sys.stdout.write("Welcome to the server!\n" * 400)
        sys.stdout.flush()
        time.sleep(600)
    if "endless" in HOW:
        sys.stdout.write("Content-Length: 99999999999\r\n\r\n")
        sys.stdout.flush()
        time.sleep(600)
    while True:
        message = read()
        method = message.get("method")
        if method == "exit":
            sys.exit(0)
        if method is None:
            told.append({"answer": message["id"], "result": message.get("result"),
                         "error": message.get("error", {}).get("code")})
        elif "id" not in message:
            notice(method, message.get("params", {}))
        elif method == "test/never" or message.get("params", {}).get("arguments", [])[1:] == ["never"]:
            pass
        elif method == "test/fails" or message.get("params", {}).get("arguments", [])[1:] == ["fails"]:
            send({"id": message["id"], "error": {"code": -32803, "message": "It cannot be"}})
        else:
            send({"id": message["id"], "result": answer(method, message.get("params", {}))})
            if method == "initialize" and "deaf" in HOW:
                time.sleep(600)
            while method == "initialize" and "naps" in HOW and not os.path.exists("wake"):
                time.sleep(0.02)


main()
