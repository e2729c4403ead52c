# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that a language server says can stand at a place, as the editor asks for them
(workbench/language/place_names.h): the server's completions where a word begins, in the tree of a commit.
Needs git and the server. Standard library only.
"""

import collections
import json
import os
import pathlib
import queue
import re
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build/servers/node_modules/.bin"  # of scripts/install_servers.sh
PATIENCE = 20  # seconds; what takes longer is no answer
MOST_NAMES, LONGEST_NAME = 1000, 128  # of a request (runtime/protocol/messages.toml)
TEXT_KIND, SNIPPET_KIND = 1, 15  # of completion items
PATH_KINDS = (17, 19)  # files and folders
SIGNS = (".", "->", "::")
NAME = re.compile(r"[^\W\d]\w*|[\w$]*", re.ASCII)

# How a server is started for a language, what its protocol calls the language, and files that it needs to
# make sense of a tree.
Server = collections.namedtuple("Server", "command language files")
INCLUDES = "-I.\n-Iinclude\n-Isrc\n-Isrc/unix\n"
SERVERS = {
    "c": Server(["clangd", "--background-index=0"], "c", {"compile_flags.txt": "-xc\n" + INCLUDES}),
    "cpp": Server(
        ["clangd", "--background-index=0"], "cpp", {"compile_flags.txt": "-xc++\n-std=c++17\n" + INCLUDES}
    ),
    "javascript": Server([PROGRAMS / "typescript-language-server", "--stdio"], "javascript", {}),
    "python": Server(["pylsp"], "python", {}),
    "typescript": Server([PROGRAMS / "typescript-language-server", "--stdio"], "typescript", {}),
}
OTHERS = {"pyright": Server([PROGRAMS / "pyright-langserver", "--stdio"], "python", {})}

# `all`: no other name can stand there. `seconds`: how long the server took.
Names = collections.namedtuple("Names", "names all seconds")


def word_start(line):
    """Where the word begins that `line` ends with."""
    return len(line) - len(re.search(r"[\w$]*\Z", line).group())


def read_names(result, is_member):
    """(names, whether they are all) of the result of a completion."""
    is_list = isinstance(result, list)
    items = result if is_list else (result or {}).get("items") or []
    is_all = bool(is_member and items and (is_list or not result.get("isIncomplete")))
    if any(item.get("kind") in PATH_KINDS for item in items):
        return [], False  # the place is in a path, as of an import
    names = []
    for item in items:
        if item.get("kind") == SNIPPET_KIND:
            continue
        if item.get("kind") == TEXT_KIND:
            is_all = False  # words of the text: the server does not know
            continue
        text = (item.get("textEdit") or {}).get("newText") or item.get("insertText") or item["label"]
        name = NAME.match(text.strip().removeprefix("•").strip()).group()
        if name and len(name.encode()) <= LONGEST_NAME and name not in names:
            names.append(name)
    return names[:MOST_NAMES], is_all and bool(names) and len(names) <= MOST_NAMES


class Tree:
    """The files of a commit in a folder of their own."""

    def __init__(self, git):
        self.git = git
        self._folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._folder.name, "tree")
        os.mkdir(self.path)

    def show(self, commit):
        index = dict(os.environ, GIT_INDEX_FILE=os.path.join(self._folder.name, "index"))
        command = ["git", f"--git-dir={self.git}", f"--work-tree={self.path}", "read-tree", "--reset", "-u"]
        subprocess.run([*command, commit], check=True, env=index, cwd=self.path, stdout=subprocess.DEVNULL)

    def close(self):
        self._folder.cleanup()


class LanguageServer:
    """A running server, asked about one text at a time."""

    def __init__(self, server, folder):
        self.server, self.folder = server, folder
        for name, text in server.files.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        self._process = subprocess.Popen(
            server.command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._number = 0
        self._open = None  # (uri, version, text)
        uri = pathlib.Path(folder).as_uri()
        abilities = {"textDocument": {"completion": {"completionItem": {"snippetSupport": False}}}}
        self._ask(
            "initialize",
            processId=os.getpid(),
            rootUri=uri,
            workspaceFolders=[{"uri": uri, "name": "tree"}],
            capabilities=abilities,
        )
        self._tell("initialized")

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def names(self, path, text, cursor):
        """Names for the character `cursor` of a text, which need not be the file's."""
        self._show(path, text)
        before = text[:cursor]
        line = before.rsplit("\n", 1)[-1]
        place = {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}
        begun = time.perf_counter()
        result = self._ask(
            "textDocument/completion",
            textDocument={"uri": self._open[0]},
            position=place,
            context={"triggerKind": 1},
        )
        is_member = line[: word_start(line)].endswith(SIGNS)
        return Names(*read_names(result, is_member), time.perf_counter() - begun)

    def _show(self, path, text):
        uri = pathlib.Path(self.folder, path).as_uri()
        if self._open and self._open[0] != uri:
            self._tell("textDocument/didClose", textDocument={"uri": self._open[0]})
            self._open = None
        if not self._open:
            document = {"uri": uri, "languageId": self.server.language, "version": 1, "text": text}
            self._tell("textDocument/didOpen", textDocument=document)
            self._open = uri, 1, text
        elif self._open[2] != text:
            version = self._open[1] + 1
            document = {"uri": uri, "version": version}
            self._tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])
            self._open = uri, version, text

    def _tell(self, method, **params):
        self._send({"method": method, "params": params})

    def _send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _ask(self, method, **params):
        """None where there is no answer in time."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        until = time.monotonic() + PATIENCE
        while (left := until - time.monotonic()) > 0:
            try:
                message = self._messages.get(timeout=left)
            except queue.Empty:
                break
            if message is None:
                raise RuntimeError(f"{self.server.command[0]} ended")
            if "method" in message and "id" in message:
                asked = message["method"] == "workspace/configuration"
                result = [None for _ in message["params"]["items"]] if asked else None
                self._send({"id": message["id"], "result": result})
            elif message.get("id") == number:
                return message.get("result")
        self._send({"method": "$/cancelRequest", "params": {"id": number}})
        return None

    def _read(self):
        out = self._process.stdout
        try:
            while header := out.readline():
                length = 0
                while header.strip():
                    if header.lower().startswith(b"content-length:"):
                        length = int(header.split(b":")[1])
                    header = out.readline()
                self._messages.put(json.loads(out.read(length)))
        except ValueError:
            pass  # closed, or no message
        self._messages.put(None)


class Project:
    """A server in the tree of a history's commits."""

    def __init__(self, git, server):
        self._tree = Tree(git)
        self._server = server
        self._running = None
        self._commit = None
        self.seconds = []  # that answers took

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._running:
            self._running.close()
        self._tree.close()

    def names(self, commit, path, text, cursor):
        if commit != self._commit:
            self._tree.show(commit)
            self._commit = commit
        if not self._running:
            self._running = LanguageServer(self._server, self._tree.path)
        names = self._running.names(path, text, cursor)
        self.seconds.append(names.seconds)
        return names
