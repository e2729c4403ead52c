# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests what assistive technology is told: each control of each window, panel and dialog has a name
and a role, and each command that a menu shows tells its keys."""

import unittest

from window_test import WindowTest, waferpair

# Roles of elements that are used: pressed, chosen, typed into.
CONTROLS = {
    "button", "push button", "button menu", "button drop down", "check box", "radio button",
    "combo box", "editable text",
    "spin box", "slider", "dial", "list", "tree", "table", "page tab", "page tab list", "menu item",
    "menu bar", "hotkey field", "link",
}
# Parts of controls, which are told by their names alone.
ITEMS = {"list item", "tree item", "cell", "row", "column header", "page tab", "menu item"}
# Roles that say nothing to a user who cannot see the element.
SILENT = {"no role", "unknown", "client", "user role"}


def walk(element, path=()):
    """Each element of the tree with its ancestors' names."""
    yield element, path
    for child in element.get("children", ()):
        yield from walk(child, (*path, element.get("name") or element["role"]))


def nameless(element, path):
    """Returns what is wrong with the element; None if nothing is."""
    states = element.get("states", ())
    role = element["role"]
    if element.get("object", "").startswith("qt_") or "disabled" in states:
        return None  # Qt's own inner parts; what cannot be used for now
    where = " > ".join((*path, f"{role} {element.get('object', '')}"))
    if "focusable" in states and role in SILENT:
        return f"{where}: it takes the keyboard and has no role"
    if (role in CONTROLS or "focusable" in states) and not element.get("name"):
        return f"{where}: it has no name"
    standard = role == "button" and path[-1] == "grouping"  # "Close" and its like, which Qt makes
    if "focusable" in states and role not in ITEMS and not element.get("object") and not standard:
        return f"{where} {element['name']}: scripts cannot tell it by its object's name"
    return None


class Accessibility(WindowTest):
    files = {"src/main.cpp": "int main() { return 0; }\n", "a.txt": "text\n"}
    model = True

    def look(self, what):
        self.window.idle()
        wrong = []
        for top in self.window.call("tree"):
            for element, path in walk(top):
                wrong.append(nameless(element, path))
        self.assertEqual([text for text in wrong if text], [], what)

    def dialog(self, command):
        """Opens it by its command, looks, and closes it as a user does."""
        before = self.window.state("/dialogs")
        self.window.run(command)
        self.look(command)
        self.assertNotEqual((self.window.state("/dialogs"), self.window.state("/overlay")),
                            (before, None), command)
        self.window.key("Escape")
        self.window.idle()
        self.assertEqual(self.window.state("/dialogs"), before, command)

    def test_the_window_in_all_its_states(self):
        window = self.window
        window.wait("/model/state", equals="ready")
        window.resize(1440, 900)
        self.look("start page")
        window.open(self.path("src/main.cpp"))
        self.look("a text")
        window.key("Ctrl+H")
        self.look("find and replace")
        window.key("Escape")
        window.key("Ctrl+Shift+P")
        self.look("palette")
        window.key("Escape")
        window.key("Ctrl+G")
        self.look("a prompt")
        window.key("Escape")
        window.open(self.path("a.txt"))
        self.write("a.txt", "changed behind its back\n")
        window.type("mine ")
        window.run("file.save")
        window.wait("/document/modified", equals=True)
        self.look("a banner")
        self.assertTrue(window.state("/document/banners"))
        window.resize(700, 500)
        self.look("a small window")

    def test_dialogs(self):
        self.window.wait("/model/state", equals="ready")
        self.window.open(self.path("a.txt"))
        for command in ("app.settings", "help.shortcuts", "help.keys", "help.guide", "help.crashReports", "help.about",
                        "model.details", "wafer.shadowPlacement", "wafer.machine"):
            self.dialog(command)
        self.window.type("unsaved")
        self.dialog("file.close")

    def test_menus_tell_the_keys_of_their_commands(self):
        self.window.open(self.path("a.txt"))
        keys = {}
        bar = self.window.call("tree", element={"role": "menu bar"})
        for menu in bar["children"]:
            self.window.click({"role": "menu bar"}, {"role": "menu item", "name": menu["name"]})
            self.window.idle()
            self.look(menu["name"])
            for item in self.window.call("tree", element={"role": "popup menu"})["children"]:
                keys[item.get("name", "")] = item.get("keys", "")
            self.window.key("Escape")
            self.window.key("Escape")
        told = 0
        for command in self.window.call("commands"):
            title = command["title"].split(": ", 1)[1]
            # A key may mean another command while this one cannot be run.
            if title in keys and command["keys"] and command["enabled"]:
                self.assertEqual(keys[title], command["keys"].split(" or ")[0], command["id"])
                told += 1
        self.assertGreater(told, 20)


if __name__ == "__main__":
    unittest.main(verbosity=2)
