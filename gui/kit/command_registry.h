// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the program can be told to do, once: menus, tool bar, palette and the keyboard
// shortcuts dialog all show these commands. UI thread only.
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>

class QAction;
class QWidget;

namespace waferpair::gui {

struct Command {
  QString id;        // "file.save": names it in keys.json and as the action's object name
  QString category;  // "File"
  QString text;      // "&Save", as in a menu
  QString help;      // one sentence
  QList<QKeySequence> keys = {};  // as shipped
  QString icon = {};              // see icons.h
  bool checkable = false;
  bool needsDocument = false;  // disabled while no editor is open
  QWidget* scope = nullptr;    // its keys work only in here; null: in the whole window
};

class CommandRegistry : public QObject {
  Q_OBJECT
 public:
  // Actions belong to `window` and their keys work anywhere in it. `keysFile` keeps the keys that
  // the user changed: {"file.save": ["Ctrl+S"]}; ids it names that are unknown stay in it.
  CommandRegistry(QWidget* window, QString keysFile);

  // `run` is called on each trigger. The id must be new.
  QAction* add(const Command& command, std::function<void()> run);

  const QList<Command>& commands() const { return commands_; }
  // Null for an unknown id.
  QAction* action(const QString& id) const { return actions_.value(id); }
  // "File: Save", as in the palette.
  static QString title(const Command& command);

  QList<QKeySequence> keys(const QString& id) const;
  // The command that has this key now; empty if none.
  QString commandWithKey(const QKeySequence& key) const;
  // Any command that had one of these keys loses it. Saved at once; returns what went wrong.
  QString setKeys(const QString& id, const QList<QKeySequence>& keys);
  QString resetKeys(const QString& id);
  bool isDefault(const QString& id) const;

  // Reads keysFile, after all commands have been added. Returns what is wrong with it, if anything.
  QString load();

  void setDocumentOpen(bool open);

 Q_SIGNALS:
  void keysChanged();
  void triggered(const QString& id);

 private:
  const Command* find(const QString& id) const;
  void showKeys(const QString& id);
  QString save() const;

  QWidget* window_;
  QString keysFile_;
  QList<Command> commands_;
  QHash<QString, QAction*> actions_;
  QHash<QString, QList<QKeySequence>> changed_;  // only what differs from the shipped keys
};

}  // namespace waferpair::gui
