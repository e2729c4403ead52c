// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+P: a file of the project by a few letters of its name, with the files used last on top.
#pragma once

#include <QObject>
#include <QStringList>

namespace waferpair::gui {

class FileIndex;
class Picker;

class QuickOpen : public QObject {
  Q_OBJECT
 public:
  QuickOpen(FileIndex* index, Picker* picker);

  // `recent`: absolute paths, latest first.
  void open(const QStringList& recent);

 Q_SIGNALS:
  void chosen(const QString& path);
  // Sent when there is nothing to choose from, as no folder is open.
  void openFolderWanted();
  // One of these is typed first: the box is closed, and what it stands for is to take its place.
  // ":" a line, "@" a symbol of the file, "#" one of the project, ">" a command, "?" a question.
  void prefixTyped(QChar prefix);

 private:
  void fill();

  FileIndex* index_;
  Picker* picker_;
  QStringList recent_;
  bool open_ = false;
};

}  // namespace waferpair::gui
