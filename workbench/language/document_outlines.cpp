// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/document_outlines.h"

#include "editor/text/anchor.h"

namespace waferpair::workbench {

using editor::DocumentId;
using editor::SyncedDocument;
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
    : QObject(parent), service_(service) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    const QList<DocumentId> ids = outlines_.keys();
    for (const DocumentId& id : ids)
      if (outlines_[id].isStale) ask(id);
  });
  // Queued: the service tells of its state while it is told of texts.
  connect(service_, &LanguageService::stateChanged, this, &DocumentOutlines::followServers,
          Qt::QueuedConnection);
  sync->subscribe(this);
}

const QVector<OutlineSymbol>& DocumentOutlines::symbols(const DocumentId& id) {
  const auto found = outlines_.constFind(id);
  if (found != outlines_.cend()) return found->symbols;
  outlines_.insert(id, {});
  ask(id);
  return outlines_[id].symbols;
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

// -- Open texts

void DocumentOutlines::opened(const SyncedDocument& document) {
  if (outlines_.contains(document.id)) ask(document.id);
}

void DocumentOutlines::changed(const SyncedDocument& document, const QVector<TextEdit>& edits) {
  const auto found = outlines_.find(document.id);
  if (found == outlines_.end()) return;
  for (OutlineSymbol& symbol : found->symbols) {
    followEdits(symbol.range, edits);
    followEdits(symbol.place, edits);
  }
  found->isStale = true;
  soon_.start(kOutlinePause);
}

void DocumentOutlines::closed(const DocumentId& id) { outlines_.remove(id); }

// -- Servers

void DocumentOutlines::followServers() {
  const QList<DocumentId> ids = outlines_.keys();
  for (const DocumentId& id : ids) {
    Outline& outline = outlines_[id];
    const LanguageClient* client = service_->clientOf(id);
    if (!client) {
      outline.asked = nullptr;
      set(id, {});
    } else if (client->state() != LanguageClient::State::kReady) {
      outline.asked = nullptr;
    } else if (outline.asked != client) {
      ask(id);
    }
  }
}

void DocumentOutlines::ask(const DocumentId& id) {
  Outline& outline = outlines_[id];
  LanguageClient* client = service_->clientOf(id);
  if (!client || !client->offers(QStringLiteral("documentSymbolProvider"))) return;
  // One question at a time: its answer is followed through the edits that were made meanwhile.
  if (outline.isOpen && outline.asked == client) return;
  const qint64 question =
      client->ask(QStringLiteral("textDocument/documentSymbol"), id, {},
                  [this, id, at = QPointer(this), client](const LanguageAnswer& answer) {
                    if (!at || service_->clientOf(id) != client) return;
                    take(id, answer);
                  });
  if (question == 0) return;
  outline.asked = client;
  outline.isOpen = true;
  outline.isStale = false;
}

void DocumentOutlines::take(const DocumentId& id, const LanguageAnswer& answer) {
  const auto found = outlines_.find(id);
  if (found == outlines_.end()) return;
  found->isOpen = false;
  if (found->isStale) soon_.start(kOutlinePause);
  const MirroredText* text = found->asked ? found->asked->text(id) : nullptr;
  if (!answer.problem.isEmpty() || !text) return;
  // Where the text's way from then to now is forgotten, another question is on its way.
  if (answer.isLate && !text->textOf(answer.version)) return;
  QVector<OutlineSymbol> symbols = readOutline(answer.result, answer.text, answer.unit);
  if (answer.isLate) {
    for (OutlineSymbol& symbol : symbols) {
      symbol.range = text->now(symbol.range, answer.version);
      symbol.place = text->now(symbol.place, answer.version);
    }
  }
  set(id, symbols);
}

void DocumentOutlines::set(const DocumentId& id, const QVector<OutlineSymbol>& symbols) {
  Outline& outline = outlines_[id];
  if (outline.symbols == symbols) return;
  outline.symbols = symbols;
  Q_EMIT outlineChanged(id);
}

}  // namespace waferpair::workbench
