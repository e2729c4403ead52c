// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which a CompletionList asks what could stand at a place, without knowing
// who answers: words of the open texts (word_source.h), a language server. UI thread only; every
// call returns at once.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QVector>

#include "editor/assist/document_sync.h"

namespace waferpair::editor {

struct ListItem {
  QByteArray text;  // takes the place of what is typed
  QString detail;   // a word or two about it, for people

  bool operator==(const ListItem&) const = default;
};

struct ListQuery {
  DocumentId document;
  qint64 offset = 0;  // of the caret
  QByteArray typed;   // the word's part in front of it; may be empty
};

class ListSource : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Asks for items that fit what is typed. A newer request ends the older one, which says nothing
  // more. Returns the request, never 0.
  virtual quint64 request(const ListQuery& query) = 0;
  // The user took it: it is worth more from now on.
  virtual void taken(const ListItem& item) = 0;

 Q_SIGNALS:
  // The best come first. `isWhole`: there are no others, so what is typed on only leaves some out.
  void ready(quint64 request, const QVector<waferpair::editor::ListItem>& items, bool isWhole);
};

}  // namespace waferpair::editor
