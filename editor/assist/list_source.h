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

// An item names one of these, as far as lists tell them apart.
enum class ListKind {
  kWord,
  kFunction,
  kVariable,
  kField,
  kType,
  kConstant,
  kModule,
  kKeyword,
  kFile,
  kSnippet,
};

struct ListItem {
  QByteArray text;  // takes the place of what is typed
  QString detail;   // a word or two about it, for people
  ListKind kind = ListKind::kWord;
  QString label = {};     // is shown; empty: `text` is
  QByteArray match = {};  // is compared with what is typed; empty: `text` is
  // Is put in in the text's place, and its fields filled in: see snippet.h. Empty: there are none.
  QByteArray snippet = {};
  quint64 key = 0;    // by which its source knows it; 0: there is nothing to ask about it
  qint64 before = 0;  // bytes in front of what is typed that it takes the place of, too

  const QByteArray& matched() const { return match.isEmpty() ? text : match; }
  QString shown() const { return label.isEmpty() ? QString::fromUtf8(text) : label; }
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
  // Returns whether the list is to open by itself behind this beginning of a line: behind "value."
  // it may be known what can follow.
  virtual bool opensBehind(const DocumentId& document, QByteArrayView before) const;
  // Returns what else changes in the text with the item, as it is known by now: an import. None
  // overlaps another; offsets are of the text as it is.
  virtual QVector<TextEdit> editsWith(const ListItem& item) const;
  // Asks what there is to say about an item; described() tells, if anything does.
  virtual void describe(const ListItem& item);

 Q_SIGNALS:
  // The best come first. `isWhole`: there are no others, so what is typed on only leaves some out.
  // Unless it `isLast`, the request is answered again, with these items and more.
  void ready(quint64 request, const QVector<waferpair::editor::ListItem>& items, bool isWhole,
             bool isLast = true);
  // `markdown` is about the item of this key.
  void described(quint64 key, const QString& markdown);
  // These go with an item that was taken before they were known; as editsWith().
  void editsCame(const waferpair::editor::DocumentId& document,
                 const QVector<waferpair::editor::TextEdit>& edits);
};

}  // namespace waferpair::editor
