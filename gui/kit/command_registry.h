// SPDX-License-Identifier: GPL-3.0-or-later
// The registry of everything that the program can be told to do: menus, bars, palette, the keyboard
// shortcuts dialog, docs/keys.md and automation all go by these commands. Whether one is enabled
// and whose a key is follow from the contexts. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <optional>
#include <vector>

#include "gui/kit/command.h"
#include "gui/kit/key_maps.h"

class QAction;
class QWidget;

namespace waferpair::gui {

// "Ctrl+S" for each, the same on every desktop and in every language.
QStringList portableTexts(const QList<QKeySequence>& keys);

class CommandRegistry : public QObject {
  Q_OBJECT
 public:
  // Actions belong to `window` and their keys work anywhere in it. `keysFile` keeps the keys that
  // the user changed: {"file.save": ["Ctrl+S"]}; ids it names that are unknown stay in it.
  CommandRegistry(QWidget* window, QString keysFile);

  // The id must be new.
  QAction* add(Command command);

  // From now on the commands whose ids begin with one of these are shown, and can be run, only
  // while `context` holds, whatever else they ask.
  void showOnlyWhile(Context context, const QStringList& beginnings);

  // The commands in the order in which they were added.
  QList<const Command*> commands() const;
  // Null for an unknown id.
  const Command* find(const QString& id) const;
  QAction* action(const QString& id) const;
  Contexts* contexts() { return &contexts_; }
  // Runs the command as a choice in a menu does; false for an unknown id and for a command that is
  // disabled now.
  bool run(const QString& id);

  struct Placed {
    const Command* command;
    MenuPlace place;
  };
  // The commands that have their place in this menu, in order.
  QList<Placed> placedIn(const char* menu) const;

  // Returns the command's keys as the user has them.
  QList<QKeySequence> keys(const QString& id) const;
  // Returns them without those that mean another command now, because its condition asks more.
  QList<QKeySequence> activeKeys(const QString& id) const;
  QStringList commandsWithKey(const QKeySequence& key) const;
  // A command has active keys that begin with this one and go on.
  bool beginsChord(QKeyCombination key) const;
  // A command that clashes over one of these keys loses it. Saved at once; returns what went wrong.
  QString setKeys(const QString& id, const QList<QKeySequence>& keys);
  // The command's keys are those of the key map again.
  QString resetKeys(const QString& id);
  // The user has not changed its keys.
  bool isDefault(const QString& id) const;
  // The keys that commands have where the user has not changed them: those of the table, and their
  // own where it names no others and gives none of them to a command that clashes.
  void setKeyMap(const KeyTable& table);

  // Reads keysFile, after all commands have been added. Returns what is wrong with it, if anything.
  QString load();

 Q_SIGNALS:
  void keysChanged();
  // Sent also when the keys stay as they are set and mean another command than before.
  void activeKeysChanged();
  void triggered(const QString& id);

 private:
  struct Entry {
    Command command;
    QAction* action;
    When shownWhen = {};
    QList<QKeySequence> given;                   // by the key map
    std::optional<QList<QKeySequence>> changed;  // by the user
    QList<QKeySequence> keys;                    // as the user has them
    QList<QKeySequence> active;                  // those of them that mean this command now

    When runsWhen() const { return command.when && shownWhen; }
  };

  Entry* entry(const QString& id) { return byId_.value(id); }
  const Entry* entry(const QString& id) const { return byId_.value(id); }
  void follow(quint64 changedContexts);
  void change(Entry* entry, const QList<QKeySequence>& keys);
  void keysWereSet();
  void dealKeys();
  void show(const Entry& entry);
  QString save() const;

  QWidget* window_;
  QString keysFile_;
  Contexts contexts_;
  std::vector<std::unique_ptr<Entry>> entries_;
  QHash<QString, Entry*> byId_;
  quint64 keyContexts_ = 0;  // those by which keys change hands
};

// docs/keys.md's table of all commands: their ids, keys as they are shipped, what they do and when,
// in Markdown.
QString commandTable(const CommandRegistry& commands);

}  // namespace waferpair::gui
