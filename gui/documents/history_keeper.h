// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps each text that is saved in the FileHistory, and how it was before the first save; shows and
// restores earlier states. What the model may not see (runtime/exclusions) is not kept either. UI
// thread only.
#pragma once

#include <QHash>
#include <QObject>

#include "gui/store/file_history.h"

namespace waferpair::gui {

class CommandRegistry;
class Document;
class EditorTabs;
class Picker;
class Settings;

class HistoryKeeper : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  HistoryKeeper(EditorTabs* tabs, Settings* settings, const QString& directory,
                QObject* parent = nullptr);

  FileHistory* history() { return &history_; }
  // Lists the states of the file in front; the one that is chosen is compared with the text.
  void choose(Picker* picker);

 private:
  struct Opened {
    QDateTime time;
    editor::Snapshot text;
  };
  void track(Document* document);
  void keep(Document* document);

  EditorTabs* tabs_;
  Settings* settings_;
  FileHistory history_;
  QHash<const Document*, Opened> opened_;  // until the first save
};

void addHistoryCommands(CommandRegistry& commands, HistoryKeeper* keeper, EditorTabs* tabs,
                        Settings* settings, Picker* picker);

}  // namespace waferpair::gui
