# SPDX-License-Identifier: GPL-3.0-or-later
"""A window for each test of pytest: pytest -p waferpair.pytest_plugin

    def test_what_is_typed_is_there(waferpair_window):
        waferpair_window.key("Ctrl+N")
        waferpair_window.type("hello")
        assert waferpair_window.text() == "hello"

It opens an empty folder of its own, waferpair_window.folder_opened, without a model; @pytest.mark.waferpair(model=True, flags=[...])
says otherwise."""

import pytest

import waferpair


def pytest_configure(config):
    config.addinivalue_line("markers", "waferpair(model, flags): how the window of this test is started")


@pytest.fixture
def waferpair_window(request, tmp_path):
    mark = request.node.get_closest_marker("waferpair")
    options = {"model": False, **(mark.kwargs if mark else {})}
    project = tmp_path / "project"
    project.mkdir()
    with waferpair.Window(str(project), **options) as window:
        window.folder_opened = str(project)
        yield window
