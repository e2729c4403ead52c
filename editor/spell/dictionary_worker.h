// SPDX-License-Identifier: GPL-3.0-or-later
// The dictionaries on their thread: an object that is called there by queued calls.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "editor/spell/dictionary.h"

namespace waferpair::editor {

class DictionaryWorker : public QObject {
  Q_OBJECT
 public:
  void load(const QStringList& names);
  // Answered by judged(), with the same generation.
  void judge(const QStringList& words, int generation);
  // Answered by suggested(), with the same ticket.
  void suggest(const QString& word, int ticket);

 Q_SIGNALS:
  void judged(const QStringList& words, const QList<bool>& right, int generation);
  void suggested(const QStringList& words, int ticket);
  void problem(const QString& text);

 private:
  std::vector<std::unique_ptr<Dictionary>> dictionaries_;
};

}  // namespace waferpair::editor
