// SPDX-License-Identifier: GPL-3.0-or-later
// What was typed last into a field (instructions, searches), kept from one run of the program to
// the next. UI thread only; a thread of its own writes the file.
#pragma once

#include <QString>
#include <QStringList>
#include <QThreadPool>

namespace waferpair::gui {

class TextHistory {
 public:
  // The file is made when first written to; one that is damaged is an empty history.
  explicit TextHistory(QString file);
  ~TextHistory();  // what was added is in the file
  Q_DISABLE_COPY_MOVE(TextHistory)

  // The latest comes first.
  const QStringList& entries() const { return entries_; }
  // Each is listed once. What goes wrong with the file is of no consequence here.
  void add(const QString& text);

 private:
  QString file_;
  QStringList entries_;
  QThreadPool writer_;  // one thread: the last one written is the last one added
};

}  // namespace waferpair::gui
