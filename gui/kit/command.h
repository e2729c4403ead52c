// SPDX-License-Identifier: GPL-3.0-or-later
// A command is a row: what it is called, its keys, where it is shown, when it can be run, and what
// it runs. The registry, the menus, the palette, the shortcuts dialog and docs/keys.md follow.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <functional>

#include "gui/kit/contexts.h"

namespace waferpair::gui {

// Where a menu or bar shows a command: in which one (gui/shell/menus.cpp has the names), and in
// which of its groups, which separators divide. Within a group by `order`, then as they were added.
struct MenuPlace {
  const char* menu = "";
  int group = 1;
  int order = 0;
};

enum class KeysGoTo {
  kWindow,  // a shortcut of the window runs the command
  kOwner,   // whoever added the command takes the keys itself and asks the registry which they are
};

struct Command {
  QString id;        // "file.save": names it in keys.json and as the action's object name
  QString category;  // "File"
  QString text;      // "&Save", as in a menu
  QString help;      // one sentence
  QList<QKeySequence> keys = {};  // as shipped
  QString icon = {};              // see icons.h
  bool checkable = false;
  When when = {};      // it can be run
  When keysWhen = {};  // beyond that: when its keys mean it
  KeysGoTo keysGoTo = KeysGoTo::kWindow;
  QList<MenuPlace> places = {};
  std::function<void()> run = {};

  When keyContext() const { return when && keysWhen; }
  // As it stands alone: "&Open File…" is "Open File".
  QString caption() const;
  // "File: Save", as in the palette.
  QString title() const;
};

// Whether nothing tells whose a key is that both have. Told apart are two that can't be meant at
// the same time, and two of which one asks more before a key means it: that one has it then.
bool clash(const Command& a, const Command& b);

}  // namespace waferpair::gui
