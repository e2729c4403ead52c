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

// The place of a command in a menu or bar: its name (see gui/shell/menus.cpp) and one of its
// groups, which separators divide. Commands of a group go by `order`, then as they were added.
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
  // Returns the text as it stands alone: "&Open File…" is "Open File".
  QString caption() const;
  // Returns "File: Save", as the palette shows it.
  QString title() const;
};

// Returns the keys Ctrl+M and then this one, with which the commands begin that have no key of
// their own.
QKeySequence chord(QKeyCombination key);

// Ctrl, Shift and their kin, which mean nothing alone.
bool isModifier(Qt::Key key);

// Returns whether a key that both have is ambiguous. It is not where the two cannot be meant at the
// same time, or where one asks more before a key means it: that one has the key then.
bool clash(const Command& a, const Command& b);

}  // namespace waferpair::gui
