# SPDX-License-Identifier: GPL-3.0-or-later
"""A model server that answers garbage, half answers, or nothing."""

import pathlib
import shutil

import fake_waferd
from program import BIN, Display, Place, Program, gone, until
from suite import case


@case("A model server that misbehaves", ways=fake_waferd.WAYS.values(),
      short=len(fake_waferd.WAYS), long=2 * len(fake_waferd.WAYS))
def fake_server(_chance, number):
    way, what = list(fake_waferd.WAYS.items())[number % len(fake_waferd.WAYS)]
    with Display() as display, Place() as place:
        path = place.write("a.txt", "end\n")
        # The window starts the waferd beside itself, with the model that lies in ../share.
        folder = place.root / "bin"
        folder.mkdir()
        (place.root / "share").symlink_to((BIN / "../share").resolve())
        program = pathlib.Path(shutil.copy(BIN / "waferpair", folder))
        shutil.copy(fake_waferd.__file__, folder / "waferd")
        (folder / "waferd").chmod(0o755)
        marks = place.root / "marks"
        environment = {"WAFERPAIR_FAKE_WAY": way, "WAFERPAIR_FAKE_MARKS": marks}
        try:
            with Program(display, place, place.project, path, options=(), program=program,
                         environment=environment) as window:
                window.shows("a.txt")
                # So that what is typed meets what the server does.
                until(lambda: marks.exists(), "the server's deed")
                window.type("typed all the same ")
                window.fence()
                assert window.saved("a.txt", "typed all the same end\n"), place.read("a.txt")
                pids = window.pids()
                window.key("ctrl+q")
                assert window.wait() == 0, window.output()
                until(lambda: all(map(gone, pids)), "the end of the server")
        except AssertionError as error:
            raise AssertionError(f"{what}: {error}") from error
