// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/remark_hints.h"

#include <algorithm>

#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::LineHint;

namespace {

constexpr qsizetype kMostOfHint = 72;  // UTF-16 units behind a line

}  // namespace

RemarkHints::RemarkHints(EditorTabs* tabs, QObject* parent) : QObject(parent), tabs_(tabs) {
  connect(tabs, &EditorTabs::opened, this, [this](Document* document) {
    follow(document);
    showIn(document);
  });
}

void RemarkHints::follow(Document* document) {
  connect(document->editor(), &CodeEditor::edited, this,
          [this, document](const QVector<editor::TextEdit>& edits) {
            for (Shown& shown : shown_) {
              if (shown.document != document) continue;
              for (const editor::TextEdit& edit : edits) shown.at.follow(edit);
              draw(shown);
            }
          });
}

void RemarkHints::set(const QVector<Place>& places) {
  if (places == places_) return;
  for (const Shown& shown : std::as_const(shown_)) delete shown.hint;
  shown_.clear();
  places_ = places;
  for (Document* document : tabs_->documents()) showIn(document);
}

void RemarkHints::showIn(Document* document) {
  CodeEditor* editor = document->editor();
  for (const Place& place : std::as_const(places_)) {
    if (place.path != document->path()) continue;
    const int line = static_cast<int>(std::min<qint64>(place.line, editor->lineCount())) - 1;
    const bool isTaken = std::any_of(shown_.cbegin(), shown_.cend(), [&](const Shown& other) {
      return other.document == document && other.place.line == place.line;
    });
    Shown shown{place,
                document,
                isTaken ? nullptr : new LineHint(editor, editor->ghost()),
                {editor->lineStart(line), editor::Bias::kAfter}};
    if (shown.hint) {
      shown.hint->setObjectName(QStringLiteral("remarkHint"));
      connect(shown.hint, &LineHint::clicked, this,
              [this, remark = place.remark] { Q_EMIT clicked(remark); });
    }
    draw(shown);
    shown_.append(shown);
  }
}

void RemarkHints::draw(Shown& shown) {
  if (!shown.hint || !shown.document) return;
  const QString text = shown.place.text.simplified();
  const QString cut = text.size() > kMostOfHint ? text.left(kMostOfHint - 1) + u'…' : text;
  const int line = shown.document->editor()->lineAt(shown.at.offset);
  if (shown.hint->isOffered() && shown.hint->line() == line) return;
  shown.hint->offer(line, cut, tr("Remark at line %1: %2").arg(line + 1).arg(text));
}

std::optional<int> RemarkHints::lineOf(qsizetype remark) const {
  for (const Shown& shown : shown_)
    if (shown.place.remark == remark && shown.document)
      return shown.document->editor()->lineAt(shown.at.offset) + 1;
  return std::nullopt;
}

}  // namespace waferpair::gui
