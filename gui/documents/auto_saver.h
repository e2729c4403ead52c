// SPDX-License-Identifier: GPL-3.0-or-later
// Saves texts by themselves where the user wants it (AutoSave). A text without a file, and one
// whose file is gone or was changed by another program, waits for the user. UI thread only.
#pragma once

#include <QObject>
#include <QTimer>

namespace waferpair::gui {

class Document;
class EditorTabs;
class Settings;

class AutoSaver : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  AutoSaver(EditorTabs* tabs, Settings* settings, QObject* parent = nullptr);

 private:
  void watch(Document* document);
  void focusChanged(const QWidget* from, const QWidget* to);
  void saveAll();

  EditorTabs* tabs_;
  Settings* settings_;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
