// SPDX-License-Identifier: GPL-3.0-or-later
// What the open texts declare, kept up to date: their servers are asked once somebody wants to
// know, and again at each pause in typing; Universal Ctags reads those that no server has told of.
// Meanwhile what is known moves with the text. UI thread only.
#pragma once

#include "workbench/language/repeated_question.h"
#include "workbench/language/symbols.h"
#include "workbench/language/tag_reader.h"

namespace waferpair::workbench {

class DocumentOutlines : public QObject {
  Q_OBJECT
 public:
  // Both outlive this. `tagPrograms` as for TagReader.
  DocumentOutlines(editor::DocumentSync* sync, LanguageService* service, QObject* parent = nullptr,
                   const QStringList& tagPrograms = TagReader::usualPrograms());

  // What this open text declares, at its bytes by now; each symbol stands behind the one that it is
  // in. Empty while nothing is known: outlineChanged() tells when there is more. From the first
  // call on the outline is kept up to date until the text is closed. Good until the next call or
  // event.
  const QVector<OutlineSymbol>& symbols(const editor::DocumentId& id);
  // The indexes of the symbols around this byte, the outermost first. At the edge of two it is in
  // the later one.
  QVector<int> pathAt(const editor::DocumentId& id, qint64 offset);

 Q_SIGNALS:
  // There are other symbols than before, or they are elsewhere for another reason than an edit.
  void outlineChanged(const QString& id);

 private:
  void take(const editor::DocumentId& id, const LanguageAnswer& answer);
  void follow(const editor::DocumentId& id, const QVector<editor::TextEdit>& edits);
  void forget(const editor::DocumentId& id);
  void set(const editor::DocumentId& id, const QVector<OutlineSymbol>& symbols);
  void readTagsOf(const editor::DocumentId& id);
  void takeTags(const editor::DocumentId& id, QVector<OutlineSymbol> symbols);

  editor::DocumentSync* sync_;
  RepeatedQuestion question_;
  QHash<editor::DocumentId, QVector<OutlineSymbol>> outlines_;
  QSet<editor::DocumentId> told_;  // by a server
  TagReader tags_;
  QHash<editor::DocumentId, QVector<editor::TextEdit>> sinceTags_;  // of texts that are being read
  QSet<editor::DocumentId> staleTags_;
  QTimer tagsSoon_{this};
};

}  // namespace waferpair::workbench
