# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's vim in a terminal of its own, keys and all: with the plugin llama.vim over HTTP, set up by waferctl connect, and
with Debian's ALE over the language server. llama.vim is used where scripts/install_clients.sh could fetch it."""

import json
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import waferd

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LLAMA_VIM = ROOT / "build" / "clients" / "llama.vim"
ALE = pathlib.Path("/usr/share/vim-ale")  # where Debian has it
MODEL = ROOT / "resources" / "models" / "waferpair-mini.gguf"
LINES = "def total(numbers):\n    result = 0\n    for number in numbers:\n        result += number\n    return result\n\n\n"
TYPED = "print(total([1, 2]))\nprint(total([3, 4]))\n"

# Tells 20 times a second which lines the plugin shows text in.
WATCH = """
set nocompatible nomore noswapfile shortmess+=IF hidden
filetype plugin on
function! Watch(timer)
  let shown = []
  for line in range(1, line('$'))
    for each in prop_list(line)
      if each.type =~# '^llama_hl_fim_hint'
        call add(shown, line)
      endif
    endfor
  endfor
  call writefile([json_encode(shown)], $WATCHED . '.new')
  call rename($WATCHED . '.new', $WATCHED)
endfunction
call timer_start(50, 'Watch', {'repeat': -1})
"""

ALE_SETTINGS = """
set nocompatible nomore noswapfile shortmess+=IF hidden completeopt=menuone runtimepath^=/usr/share/vim-ale
let g:ale_disable_lsp = 0
let g:ale_completion_enabled = 0
let g:ale_linters_explicit = 1
let g:ale_linters = {'python': ['waferpair']}
filetype plugin on
function! Root(buffer)
  return getcwd()
endfunction
call ale#linter#Define('python', {'name': 'waferpair', 'lsp': 'stdio', 'executable': $WAFERCTL,
  \\ 'command': '%e lsp', 'project_root': function('Root'), 'initialization_options': {'minProbabilityInLists': 0}})
set omnifunc=ale#completion#OmniFunc
"""


class Vim:
    """vim in a terminal; what it draws is read and thrown away."""

    def __init__(self, file, settings, home, **environment):
        self.settings = home / "settings.vim"
        self.settings.write_text(settings, encoding="utf-8")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(home)
            os.environ.update(HOME=str(home), TERM="xterm", **environment)
            os.execvp("vim", ["vim", "-u", str(self.settings), str(file)])

    def work(self, seconds=0.1):
        """Reads on for so long; false once vim has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    if not os.read(self.terminal, 65536):
                        return False
                except OSError:
                    return False
        return True

    def type(self, keys):
        os.write(self.terminal, keys.encode())
        self.work()

    def until(self, happened, again=None):
        end = time.monotonic() + waferd.PATIENCE
        while time.monotonic() < end:
            if found := happened():
                return found
            if again:
                again()
            if not self.work(0.2):
                return happened()
        return None

    def end(self):
        self.type("\x1b")
        self.type(":wq\r")
        self.until(lambda: not self.work(0.1))
        os.close(self.terminal)
        os.waitpid(self.process, 0)


@unittest.skipUnless(shutil.which("vim"), "vim is not installed")
class VimTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.server = waferd.Server(folder.name, model=str(MODEL), threads=None)
        self.addCleanup(self.server.stop)
        self.file = self.home / "sum.py"
        self.file.write_text(LINES + TYPED, encoding="utf-8")
        self.environment = {"XDG_RUNTIME_DIR": folder.name, "XDG_STATE_HOME": folder.name,
                            "WAFERCTL": os.path.join(os.path.abspath(waferd.BIN), "waferctl")}
        end = time.monotonic() + waferd.PATIENCE
        while json.loads(self.server.request("GET", "/health")[1])["state"] != "ready" and time.monotonic() < end:
            time.sleep(0.1)

    @unittest.skipUnless(LLAMA_VIM.exists(), "scripts/install_clients.sh could not fetch llama.vim")
    def test_llama_vim_shows_text_and_takes_it(self):
        subprocess.run([self.environment["WAFERCTL"], "connect", "vim", "--write", "--port", str(self.server.port)], check=True,
                       env={**os.environ, **self.environment, "HOME": str(self.home)}, capture_output=True)
        plugins = self.home / ".vim" / "pack" / "others" / "start"
        plugins.mkdir(parents=True)
        (plugins / "llama.vim").symlink_to(LLAMA_VIM)
        watched = self.home / "shown.json"
        vim = Vim(self.file, WATCH, self.home, WATCHED=str(watched), **self.environment)

        def shown():
            return watched.exists() and json.loads(watched.read_text(encoding="utf-8"))

        self.assertIsNotNone(vim.until(watched.exists))
        vim.type("Go")
        vim.type("print(tot")
        self.assertTrue(vim.until(shown), "nothing was shown")
        vim.type("\t")
        vim.end()
        written = self.file.read_text(encoding="utf-8")
        self.assertTrue(written.startswith(LINES + TYPED + "print(total("), written)

    @unittest.skipUnless(ALE.exists(), "vim-ale is not installed")
    def test_ale_takes_an_item_of_the_language_server(self):
        vim = Vim(self.file, ALE_SETTINGS, self.home, **self.environment)
        vim.work(1)
        vim.type("Go")
        vim.type("print(tot")

        def finished():
            vim.type("\x18\x0f")  # completes
            vim.work(0.5)
            vim.type("\x19")  # takes the item
            vim.type("\x1b:w\r")
            vim.type("a")
            return "print(total" in self.file.read_text(encoding="utf-8").removeprefix(LINES + TYPED)

        self.assertTrue(vim.until(finished), self.file.read_text(encoding="utf-8"))
        vim.end()
        self.assertTrue(self.file.read_text(encoding="utf-8").startswith(LINES + TYPED + "print(total"))


if __name__ == "__main__":
    if not shutil.which("vim"):
        print("skipped: vim is not installed")
        sys.exit(77)
    waferd.main()
