// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/document_outlines.h"

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
                                   QObject* parent)
    : QObject(parent),
      question_(sync, service, QStringLiteral("documentSymbolProvider"), kOutlinePause,
                RepeatedQuestion::byMethod(QStringLiteral("textDocument/documentSymbol"))) {
  connect(&question_, &RepeatedQuestion::answered, this, &DocumentOutlines::take);
  connect(&question_, &RepeatedQuestion::edited, this, &DocumentOutlines::follow);
  connect(&question_, &RepeatedQuestion::lost, this, [this](const DocumentId& id) {
    if (question_.follows(id)) return set(id, {});
    outlines_.remove(id);
  });
}

const QVector<OutlineSymbol>& DocumentOutlines::symbols(const DocumentId& id) {
  QVector<OutlineSymbol>& symbols = outlines_[id];
  question_.follow(id);
  return symbols;
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
}

void DocumentOutlines::take(const DocumentId& id, const LanguageAnswer& answer) {
  QVector<OutlineSymbol> symbols = readOutline(answer.result, answer.text, answer.unit);
  if (answer.isLate) {
    for (OutlineSymbol& symbol : symbols) {
      symbol.range = question_.now(id, symbol.range, answer);
      symbol.place = question_.now(id, symbol.place, answer);
    }
  }
  set(id, symbols);
}

void DocumentOutlines::set(const DocumentId& id, const QVector<OutlineSymbol>& symbols) {
  QVector<OutlineSymbol>& known = outlines_[id];
  if (known == symbols) return;
  known = symbols;
  Q_EMIT outlineChanged(id);
}

}  // namespace waferpair::workbench
