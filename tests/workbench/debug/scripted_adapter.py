#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a debug adapter, and misbehaves when told to by the words of its first argument (with commas).

The program that it pretends to debug has lines 1 to 100 in each file and two threads. It stops at each
breakpoint in order of lines, its local x is the line, and ends behind the last one.

  silent       answers nothing           deaf      nothing but "initialize"
  die          dies in the midst of an answer to "launch"
  refuse       refuses "launch"          late      answers "initialize" a second late
  noise        what is no message comes before each message
  garbage      sends no protocol at all
  huge         x has a value of 3 MB, and a list has a million values
  stay         does not answer "disconnect", and lives on
  kill         dies when it is told to go on
  terminal     has the program run in a terminal
  lies         answers with values of the wrong types

With an address as its second argument it speaks over a connection that it makes to it.
"""

import json
import os
import socket
import sys
import time

HOW = set((sys.argv[1] if len(sys.argv) > 1 else "").split(","))
breakpoints = {}  # by path: the lines, and what they were told with
told = []
state = {"line": 0, "path": "", "x": None, "launched": False, "number": 1000}
seq = 0
source, sink = sys.stdin.buffer, sys.stdout.buffer
if len(sys.argv) > 2:
    host, _, port = sys.argv[2].partition(":")
    connection = socket.create_connection((host, int(port)))
    source, sink = connection.makefile("rb"), connection.makefile("wb")


def send(message):
    global seq
    seq += 1
    body = json.dumps({"seq": seq, **message}).encode()
    if "noise" in HOW:
        noise = b'[1, "no message"]'
        sink.write(b"Content-Length: %d\r\n\r\n%s" % (len(noise), noise))
    sink.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sink.flush()
    return seq


def event(name, **body):
    send({"type": "event", "event": name, "body": body})


def answer(request, success=True, message=None, **body):
    full = {"type": "response", "request_seq": request["seq"], "command": request["command"], "success": success, "body": body}
    if message:
        full["message"] = message
    send(full)


def read():
    length = 0
    while True:
        line = source.readline()
        if not line:
            if "stay" in HOW:
                time.sleep(60)
            sys.exit(0)
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(source.read(length))


def go_on():
    """To the next breakpoint, or to the end."""
    places = sorted((path, one["line"]) for path, all in breakpoints.items() for one in all)
    after = [place for place in places if place > (state["path"], state["line"])]
    if not after:
        event("exited", exitCode=7)
        event("terminated")
        return
    stop_at(after[0][0], after[0][1], "breakpoint")


def stop_at(path, line, reason):
    state.update(path=path, line=line, x=None)
    event("stopped", reason=reason, threadId=1, allThreadsStopped=True)


def frames():
    return [{"id": 10 + i, "name": ["inner", "outer", "main"][i], "line": state["line"] + i, "column": 1,
             "source": {"name": os.path.basename(state["path"]), "path": state["path"]}} for i in range(3)]


def variables(arguments):
    reference = arguments["variablesReference"]
    if reference == 1:
        x = str(state["x"] if state["x"] is not None else state["line"])
        if "huge" in HOW:
            x = "v" * (3 << 20)
        return [{"name": "x", "value": x, "type": "int", "variablesReference": 0, "evaluateName": "x"},
                {"name": "same", "value": "5", "type": "int", "variablesReference": 0, "evaluateName": "same"},
                {"name": "list", "value": "[…]", "type": "list", "variablesReference": 2,
                 "indexedVariables": 1_000_000 if "huge" in HOW else 250, "evaluateName": "list"},
                {"name": "point", "value": "{…}", "type": "Point", "variablesReference": 3, "evaluateName": "point"}]
    if reference == 2:
        start, count = arguments.get("start", 0), arguments.get("count", 250)
        return [{"name": f"[{i}]", "value": str(i * state["line"]), "variablesReference": 0} for i in range(start, start + count)]
    return [{"name": "a", "value": str(state["line"] * 2), "variablesReference": 0},
            {"name": "b", "value": "2", "variablesReference": 0}]


def handle(request):
    command, arguments = request["command"], request.get("arguments", {})
    told.append(command)
    if "deaf" in HOW and command != "initialize":
        return
    if command == "initialize":
        if "late" in HOW:
            time.sleep(1)
        answer(request, supportsConfigurationDoneRequest=True, supportsSetVariable=True, supportsEvaluateForHovers=True,
               supportsConditionalBreakpoints=True, supportsExceptionInfoRequest=True,
               exceptionBreakpointFilters=[{"filter": "raised", "label": "Raised"}, {"filter": "uncaught", "label": "Uncaught", "default": True}])
    elif command in ("launch", "attach"):
        if "die" in HOW:
            sink.write(b'Content-Length: 500\r\n\r\n{"seq": 2, "type": "resp')
            sink.flush()
            sys.stderr.write("the adapter is broken\n")
            os._exit(3)
        if "refuse" in HOW:
            return send({"type": "response", "request_seq": request["seq"], "command": command, "success": False, "message": "no",
                         "body": {"error": {"id": 1, "format": "There is no {what} here.", "variables": {"what": "program"}}}})
        state["arguments"] = arguments
        event("output", category="console", output="launching " + str(arguments.get("program")) + "\n")
        event("initialized")
        state["launch"] = request
    elif command == "setBreakpoints":
        breakpoints[arguments["source"]["path"]] = arguments["breakpoints"]
        bound = []
        for one in arguments["breakpoints"]:
            state["number"] += 1
            bound.append({"id": state["number"], "verified": one["line"] <= 100, "line": one["line"]} |
                         ({} if one["line"] <= 100 else {"message": "no code there"}))
        answer(request, breakpoints=bound)
    elif command == "setExceptionBreakpoints":
        state["filters"] = arguments["filters"]
        answer(request)
    elif command == "configurationDone":
        answer(request)
        answer(state["launch"])
        if "terminal" in HOW:
            send({"type": "request", "command": "runInTerminal",
                  "arguments": {"kind": "integrated", "title": "Its terminal", "cwd": os.getcwd(),
                                "args": ["/bin/sh", "-c", "echo in $PLACE; cat"], "env": {"PLACE": "the terminal", "GONE": None}}})
        else:
            go_on()
    elif command == "threads":
        threads = [{"id": 1, "name": "main"}, {"id": 2, "name": "worker"}]
        answer(request, threads="none" if "lies" in HOW else threads)
    elif command == "stackTrace":
        if "lies" in HOW:
            return answer(request, stackFrames=[{"id": "x", "line": -5, "name": {"a": 1}, "source": 3}, 17, None], totalFrames=-1)
        all = frames()
        start = arguments.get("startFrame", 0)
        answer(request, stackFrames=all[start:], totalFrames=3)
    elif command == "scopes":
        if "lies" in HOW:
            return answer(request, scopes=[{"name": 5, "variablesReference": -3}, "scope"])
        answer(request, scopes=[{"name": "Locals", "variablesReference": 1, "expensive": False},
                                {"name": "Registers", "variablesReference": 9, "expensive": True}])
    elif command == "variables":
        answer(request, variables=variables(arguments))
    elif command == "setVariable":
        if not arguments["value"].lstrip("-").isdigit():
            return answer(request, False, "That is no number.")
        state["x"] = int(arguments["value"])
        answer(request, value=arguments["value"], type="int")
    elif command == "evaluate":
        expression = arguments["expression"]
        if expression == "told":
            return answer(request, result=" ".join(told), variablesReference=0)
        if expression == "filters":
            return answer(request, result=" ".join(state["filters"]), variablesReference=0)
        if expression == "arguments":
            return answer(request, result=json.dumps(state["arguments"]), variablesReference=0)
        if expression == "lines":
            return answer(request, result=json.dumps(breakpoints), variablesReference=0)
        if expression == "x":
            return answer(request, result=str(state["x"] if state["x"] is not None else state["line"]), type="int", variablesReference=0)
        if expression == "point":
            return answer(request, result="{…}", variablesReference=3)
        answer(request, False, "There is no " + expression + ".")
    elif command == "exceptionInfo":
        answer(request, exceptionId="ValueError", description="a bad value", breakMode="always")
    elif command == "continue":
        if "kill" in HOW:
            os.kill(os.getpid(), 9)
        answer(request, allThreadsContinued=True)
        go_on()
    elif command in ("next", "stepIn", "stepOut"):
        answer(request)
        stop_at(state["path"], state["line"] + {"next": 1, "stepIn": 10, "stepOut": -1}[command], "step")
    elif command == "pause":
        answer(request)
        stop_at(state["path"] or "/nowhere", state["line"] or 1, "pause")
    elif command == "disconnect":
        if "stay" in HOW:
            return
        answer(request)
        sys.exit(0)
    else:
        answer(request, False, "not known")


if "garbage" in HOW:
    print("Hello, I am a program that prints.\n" * 1000, flush=True)
    time.sleep(30)
while True:
    message = read()
    if "silent" not in HOW and message.get("type") == "request":
        handle(message)
    elif message.get("type") == "response":
        event("output", category="stdout", output="terminal " + ("ok" if message["success"] else "failed: " + message.get("message", "")) + "\n")
