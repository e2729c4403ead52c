// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/document_outlines.h"

#include <utility>

#include "editor/text/anchor.h"

namespace waferpair::workbench {

using editor::DocumentId;
using editor::TextEdit;

namespace {

constexpr std::chrono::milliseconds kOutlinePause(400);

void followEdits(ByteRange& range, const QVector<TextEdit>& edits) {
  auto anchored = editor::AnchoredRange::fixed(range.start, range.end);
  for (const TextEdit& edit : edits) anchored.follow(edit);
  range = {anchored.start(), anchored.end()};
}

}  // namespace

DocumentOutlines::DocumentOutlines(editor::DocumentSync* sync, LanguageService* service,
                                   QObject* parent, const QStringList& tagPrograms)
    : QObject(parent),
      sync_(sync),
      question_(sync, service, QStringLiteral("documentSymbolProvider"), kOutlinePause,
                RepeatedQuestion::byMethod(QStringLiteral("textDocument/documentSymbol"))),
      tags_(tagPrograms, this) {
  connect(&question_, &RepeatedQuestion::answered, this, &DocumentOutlines::take);
  connect(&question_, &RepeatedQuestion::edited, this, &DocumentOutlines::follow);
  connect(&question_, &RepeatedQuestion::lost, this, &DocumentOutlines::forget);
  tagsSoon_.setSingleShot(true);
  connect(&tagsSoon_, &QTimer::timeout, this, [this] {
    const QSet<DocumentId> ids = std::exchange(staleTags_, {});
    for (const DocumentId& id : ids) readTagsOf(id);
  });
}

const QVector<OutlineSymbol>& DocumentOutlines::symbols(const DocumentId& id) {
  if (!question_.follows(id)) {
    question_.follow(id);
    readTagsOf(id);
  }
  return outlines_[id];
}

QVector<int> DocumentOutlines::pathAt(const DocumentId& id, qint64 offset) {
  const QVector<OutlineSymbol>& all = symbols(id);
  QVector<int> path;
  for (int i = 0; i < all.size(); ++i) {
    if (offset < all[i].range.start || offset > all[i].range.end) continue;
    const qsizetype around = path.indexOf(all[i].parent);
    if (all[i].parent >= 0 && around < 0) continue;
    path.resize(around + 1);
    path.append(i);
  }
  return path;
}

void DocumentOutlines::follow(const DocumentId& id, const QVector<TextEdit>& edits) {
  for (OutlineSymbol& symbol : outlines_[id]) {
    followEdits(symbol.range, edits);
    followEdits(symbol.place, edits);
  }
  if (const auto read = sinceTags_.find(id); read != sinceTags_.end()) *read += edits;
  if (told_.contains(id)) return;
  staleTags_.insert(id);
  tagsSoon_.start(kOutlinePause);
}

// What is known stays until something else is.
void DocumentOutlines::forget(const DocumentId& id) {
  if (told_.remove(id) && !tags_.isThere()) set(id, {});
  if (question_.follows(id)) return readTagsOf(id);
  outlines_.remove(id);
  staleTags_.remove(id);
}

void DocumentOutlines::readTagsOf(const DocumentId& id) {
  const editor::SyncedDocument* document = sync_->find(id);
  if (!document || told_.contains(id) || !tags_.isThere()) return;
  if (sinceTags_.contains(id)) {
    staleTags_.insert(id);
    return;
  }
  sinceTags_.insert(id, {});
  tags_.read(id, document->text,
             [this, id](const QVector<OutlineSymbol>& symbols) { takeTags(id, symbols); });
}

void DocumentOutlines::takeTags(const DocumentId& id, QVector<OutlineSymbol> symbols) {
  const QVector<TextEdit> edits = sinceTags_.take(id);
  if (staleTags_.contains(id)) tagsSoon_.start(kOutlinePause);
  if (told_.contains(id) || !question_.follows(id)) return;
  for (OutlineSymbol& symbol : symbols) {
    followEdits(symbol.range, edits);
    followEdits(symbol.place, edits);
  }
  set(id, symbols);
}

void DocumentOutlines::take(const DocumentId& id, const LanguageAnswer& answer) {
  QVector<OutlineSymbol> symbols = readOutline(answer.result, answer.text, answer.unit);
  if (answer.isLate) {
    for (OutlineSymbol& symbol : symbols) {
      symbol.range = question_.now(id, symbol.range, answer);
      symbol.place = question_.now(id, symbol.place, answer);
    }
  }
  told_.insert(id);
  set(id, symbols);
}

void DocumentOutlines::set(const DocumentId& id, const QVector<OutlineSymbol>& symbols) {
  QVector<OutlineSymbol>& known = outlines_[id];
  if (known == symbols) return;
  known = symbols;
  Q_EMIT outlineChanged(id);
}

}  // namespace waferpair::workbench
