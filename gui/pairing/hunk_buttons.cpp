// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/hunk_buttons.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "editor/assist/hunks.h"
#include "gui/documents/document.h"
#include "gui/kit/icons.h"

namespace waferpair::gui {
namespace {

constexpr int kFromEdge = 6;  // pixels

}  // namespace

HunkButtons::HunkButtons(Document* document) : QObject(document), document_(document) {
  const editor::CodeEditor* editor = document->editor();
  connect(document->hunks(), &editor::Hunks::changed, this, &HunkButtons::placeSoon);
  connect(editor, &QsciScintillaBase::SCN_UPDATEUI, this, &HunkButtons::placeSoon);
  connect(editor, &editor::CodeEditor::zoomChanged, this, &HunkButtons::placeSoon);
  editor->viewport()->installEventFilter(this);
}

bool HunkButtons::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) placeSoon();
  return QObject::eventFilter(watched, event);
}

// The text's layout is known once the event that changes it is over.
void HunkButtons::placeSoon() {
  if (posted_ || (pairs_.isEmpty() && document_->hunks()->offeredCount() == 0)) return;
  posted_ = true;
  QMetaObject::invokeMethod(this, &HunkButtons::place, Qt::QueuedConnection);
}

HunkButtons::Pair HunkButtons::makePair() {
  Pair pair{new QFrame(document_->editor()->viewport()), nullptr, nullptr,
            std::make_shared<qsizetype>(-1)};
  pair.frame->setObjectName(QStringLiteral("hunkButtons"));
  pair.frame->setCursor(Qt::ArrowCursor);
  auto* row = new QHBoxLayout(pair.frame);
  row->setContentsMargins(1, 1, 1, 1);
  row->setSpacing(0);
  const auto add = [&](const char* name, const char* symbol, const QString& tip) {
    auto* button = new QToolButton(pair.frame);
    button->setObjectName(QLatin1String(name));
    button->setIcon(icon(QLatin1String(symbol), IconTint::kText));
    button->setToolTip(tip);
    // The commands do the same with the keyboard; a click leaves it where it is.
    button->setFocusPolicy(Qt::NoFocus);
    row->addWidget(button);
    return button;
  };
  pair.accept = add("hunkAccept", "check", tr("Accept this change (Alt+Return)"));
  pair.reject = add("hunkReject", "close", tr("Reject this change (Alt+Backspace)"));
  connect(pair.accept, &QToolButton::clicked, this,
          [this, hunk = pair.hunk] { document_->hunks()->accept(*hunk); });
  connect(pair.reject, &QToolButton::clicked, this,
          [this, hunk = pair.hunk] { document_->hunks()->dismiss(*hunk); });
  pair.frame->adjustSize();
  return pair;
}

void HunkButtons::place() {
  posted_ = false;
  const editor::CodeEditor* editor = document_->editor();
  const auto& hunks = document_->hunks()->hunks();
  const QWidget* viewport = editor->viewport();
  const auto rowHeight = static_cast<int>(editor->sci(QsciScintillaBase::SCI_TEXTHEIGHT));
  qsizetype used = 0;
  for (qsizetype i = 0; i < hunks.size(); ++i) {
    if (hunks[i].state != editor::HunkState::kOffered) continue;
    const qint64 start = hunks[i].range.start();
    if (start > editor->length()) continue;  // not all of an edit is told yet
    auto y = static_cast<int>(
        editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, static_cast<long>(start)));
    const int at = editor->lineAt(start);
    const int last = editor->lineAt(std::max(start, hunks[i].range.end() - 1));
    int bottom =
        static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                     static_cast<long>(editor->lineStart(last)))) +
        rowHeight * (1 + static_cast<int>(editor->sci(QsciScintillaBase::SCI_ANNOTATIONGETLINES,
                                                      static_cast<unsigned long>(last))));
    // Whole lines that would be inserted are drawn in rows below the line before them.
    if (hunks[i].isInsertion() && at > 0 && start == editor->lineStart(at)) {
      const auto above = static_cast<unsigned long>(at - 1);
      bottom = y;
      y -= rowHeight *
           static_cast<int>(editor->sci(QsciScintillaBase::SCI_ANNOTATIONGETLINES, above));
    }
    if (bottom <= 0 || y >= viewport->height()) continue;
    // Of one whose beginning is scrolled past they stay in reach.
    y = std::min(std::max(y, 0), std::max(y, bottom - rowHeight));
    if (used == pairs_.size()) pairs_.append(makePair());
    const Pair& pair = pairs_[used++];
    *pair.hunk = i;
    const QString line = QString::number(at + 1);
    pair.accept->setAccessibleName(tr("Accept the change at line %1").arg(line));
    pair.reject->setAccessibleName(tr("Reject the change at line %1").arg(line));
    pair.frame->move(viewport->width() - pair.frame->width() - kFromEdge, y);
    pair.frame->show();
  }
  for (qsizetype i = used; i < pairs_.size(); ++i) pairs_[i].frame->hide();
}

}  // namespace waferpair::gui
