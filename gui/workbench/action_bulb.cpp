// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/action_bulb.h"

#include <QToolButton>
#include <algorithm>
#include <chrono>
#include <utility>

#include "editor/view/announce.h"
#include "editor/view/word.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/icon_button.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/language_actions.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::word;
using Sci = QsciScintillaBase;

namespace {

constexpr std::chrono::milliseconds kBulbRest(400);

// Where the line's first letter stands, in pixels from the text's left edge; of a line without any,
// far away.
int roomBefore(const CodeEditor* editor, int line) {
  const long first = editor->sci(Sci::SCI_GETLINEINDENTPOSITION, word(line));
  if (first == editor->lineEnd(line)) return editor->viewport()->width();
  const auto x = [editor](long at) { return editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, at); };
  return static_cast<int>(x(first) - x(static_cast<long>(editor->lineStart(line))));
}

}  // namespace

ActionBulb::ActionBulb(const LanguageGuideParts& parts, LanguageActions* actions, QObject* parent)
    : QObject(parent), p_(parts), actions_(actions) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &ActionBulb::ask);
  connect(p_.tabs, &EditorTabs::opened, this, &ActionBulb::follow);
  connect(p_.service, &workbench::LanguageService::diagnosticsChanged, this, [this] {
    if (Document* document = p_.tabs->current()) look(document);
  });
}

void ActionBulb::follow(Document* document) {
  const CodeEditor* editor = document->editor();
  connect(editor, &CodeEditor::cursorMoved, this, [this, document] {
    if (document != document_ || document->editor()->caretLine() != line_) look(document);
  });
  connect(editor, &CodeEditor::textChanged, this, [this, document] { look(document); });
  connect(editor, &Sci::SCN_UPDATEUI, this, [this, document] {
    if (document == document_) place();
  });
}

void ActionBulb::look(Document* document) {
  hide();
  wanted_ = document;
  soon_.start(kBulbRest);
}

void ActionBulb::ask() {
  const QPointer<Document> document = std::exchange(wanted_, nullptr);
  if (!document || document != p_.tabs->current()) return;
  const CodeEditor* editor = document->editor();
  if (!editor->hasOneCaret() || !p_.marks->atLine(document, editor->caret())) return;
  actions_->countFixes(document, [this, document](qsizetype fixes) {
    if (document && fixes > 0) show(document, fixes);
  });
}

void ActionBulb::show(Document* document, qsizetype fixes) {
  hide();
  document_ = document;
  line_ = document->editor()->caretLine();
  const QString text = tr("%n fix(es) for this line (Ctrl+.)", nullptr, static_cast<int>(fixes));
  button_ = makeIconButton(QStringLiteral("actionBulb"), QStringLiteral("bulb"), text,
                           document->editor()->viewport());
  button_->setFocusPolicy(Qt::NoFocus);
  button_->setCursor(Qt::ArrowCursor);
  button_->setAutoRaise(true);
  connect(button_, &QToolButton::clicked, actions_, &LanguageActions::choose);
  place();
  editor::announce(document->editor(), text);
}

void ActionBulb::hide() {
  document_ = nullptr;
  if (button_) button_->deleteLater();
  button_ = nullptr;
}

// Before the line's first letter, or that of a line beside it; else behind the line.
void ActionBulb::place() {
  if (!button_) return;
  const CodeEditor* editor = document_->editor();
  const auto side = static_cast<int>(editor->sci(Sci::SCI_TEXTHEIGHT, word(line_)));
  const auto xOf = [editor](qint64 at) {
    return static_cast<int>(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(at)));
  };
  const auto yOf = [editor](int line) {
    return static_cast<int>(
        editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(editor->lineStart(line))));
  };
  int line = -1;
  for (const int each : {line_, line_ - 1, line_ + 1}) {
    const bool isThere = each >= 0 && each < editor->lineCount();
    if (line < 0 && isThere && roomBefore(editor, each) >= side) line = each;
  }
  const bool isBefore = line >= 0;
  const int x = isBefore ? xOf(editor->lineStart(line)) : xOf(editor->lineEnd(line_)) + side / 2;
  const int y = yOf(isBefore ? line : line_);
  button_->setGeometry(x, y, side, side);
  button_->setIconSize({side - 4, side - 4});
  // Scrolled aside, or above the first row, there is no place for it.
  button_->setVisible(y >= 0 && editor->sci(Sci::SCI_GETXOFFSET) == 0);
}

}  // namespace waferpair::gui
