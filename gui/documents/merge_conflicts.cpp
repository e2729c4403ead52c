// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/merge_conflicts.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <chrono>

#include "editor/view/view_numbers.h"
#include "editor/view/word.h"
#include "gui/documents/document.h"
#include "gui/documents/merge_bar.h"

namespace waferpair::gui {
namespace {

using editor::CodeEditor;
using editor::Conflict;
using editor::Resolution;
using editor::word;
using Sci = QsciScintillaBase;

constexpr std::chrono::milliseconds kConflictPause(150);
constexpr qint64 kMostSearched = 16 << 20;  // bytes of a text
constexpr int kFromRight = 6;               // pixels

}  // namespace

MergeConflicts* MergeConflicts::of(const Document* document) {
  return document ? document->findChild<MergeConflicts*>(QString(), Qt::FindDirectChildrenOnly)
                  : nullptr;
}

MergeConflicts::MergeConflicts(Document* document) : QObject(document), document_(document) {
  CodeEditor* editor = document->editor();
  later_.setSingleShot(true);
  later_.setInterval(kConflictPause);
  connect(&later_, &QTimer::timeout, this, &MergeConflicts::look);
  connect(editor, &CodeEditor::textChanged, &later_, qOverload<>(&QTimer::start));
  connect(editor, &CodeEditor::cursorMoved, this, [this] {
    if (conflicts_.isEmpty() || later_.isActive() || current() == current_) return;
    current_ = current();
    Q_EMIT changed();
  });
  connect(editor, &CodeEditor::themeChanged, this, &MergeConflicts::mark);
  connect(editor, &Sci::SCN_UPDATEUI, this, &MergeConflicts::placeSoon);
  connect(editor, &CodeEditor::zoomChanged, this, &MergeConflicts::placeSoon);
  editor->viewport()->installEventFilter(this);
  look();
}

bool MergeConflicts::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) placeSoon();
  return QObject::eventFilter(watched, event);
}

void MergeConflicts::lookNow() {
  if (later_.isActive()) look();
}

void MergeConflicts::look() {
  later_.stop();
  QVector<Conflict> found;
  if (document_->editor()->length() <= kMostSearched)
    found = editor::conflictsIn(document_->text().toByteArray());
  if (found.isEmpty() && conflicts_.isEmpty()) return;
  conflicts_ = std::move(found);
  if (!bar_) {
    bar_ = new MergeBar(this, document_);
    document_->setBar(bar_);
  }
  current_ = current();
  mark();
  placeSoon();
  bar_->setVisible(!conflicts_.isEmpty());
  Q_EMIT changed();
}

// -- Going through and deciding

qsizetype MergeConflicts::current() const {
  const qint64 caret = document_->editor()->caret();
  for (qsizetype i = 0; i < conflicts_.size(); ++i) {
    const editor::ByteRange& whole = conflicts_[i].whole;
    if (caret >= whole.start && caret < whole.end) return i;
  }
  return -1;
}

void MergeConflicts::step(int direction) {
  lookNow();
  if (conflicts_.isEmpty()) return;
  const qint64 caret = document_->editor()->caret();
  qsizetype to = direction > 0 ? 0 : conflicts_.size() - 1;
  if (direction > 0) {
    const auto next = std::find_if(conflicts_.begin(), conflicts_.end(),
                                   [&](const Conflict& c) { return c.whole.start > caret; });
    if (next != conflicts_.end()) to = next - conflicts_.begin();
  } else {
    const auto before = std::find_if(conflicts_.rbegin(), conflicts_.rend(),
                                     [&](const Conflict& c) { return c.whole.end <= caret; });
    if (before != conflicts_.rend()) to = conflicts_.rend() - before - 1;
  }
  CodeEditor* editor = document_->editor();
  editor->goToLine(editor->lineAt(conflicts_[to].whole.start));
}

bool MergeConflicts::resolve(qsizetype conflict, Resolution resolution) {
  lookNow();
  if (conflict < 0 || conflict >= conflicts_.size()) return false;
  const editor::TextEdit edit =
      editor::resolve(conflicts_[conflict], resolution, document_->text());
  const bool done = document_->textDocument()->apply({edit}).has_value();
  look();
  return done;
}

bool MergeConflicts::resolveAll(Resolution resolution) {
  lookNow();
  if (conflicts_.isEmpty()) return false;
  const editor::Snapshot text = document_->text();
  // From the last one on, so that the places of those before stay as they are.
  QVector<editor::TextEdit> edits;
  for (auto it = conflicts_.crbegin(); it != conflicts_.crend(); ++it)
    edits.append(editor::resolve(*it, resolution, text));
  const bool done = document_->textDocument()->apply(edits).has_value();
  look();
  return done;
}

// -- Drawing

QList<QColor> conflictGrounds(const editor::ThemeColors& colors) {
  // In as much of the color as leaves the text readable.
  const auto tinted = [&colors](const QColor& tint, double share) {
    QColor ground = editor::mix(colors.background, tint, share).rgb();
    while (share > 0.02 && editor::contrast(colors.text, ground) < editor::kTextContrast) {
      share *= 0.8;
      ground = editor::mix(colors.background, tint, share).rgb();
    }
    return ground;
  };
  const QColor blue = colors.dark ? QColor(0x3a, 0x6e, 0xb8) : QColor(0x5a, 0x9a, 0xe8);
  return {colors.addedGround, tinted(blue, 0.3), tinted(colors.text, 0.08),
          tinted(colors.text, 0.16)};
}

void MergeConflicts::defineLook() {
  CodeEditor* editor = document_->editor();
  const QList<QColor> grounds = conflictGrounds(editor->colors());
  const int markers[] = {editor::kOursMarker, editor::kTheirsMarker, editor::kBaseMarker,
                         editor::kConflictLineMarker};
  for (qsizetype i = 0; i < grounds.size(); ++i) {
    editor->sci(Sci::SCI_MARKERDEFINE, word(markers[i]), Sci::SC_MARK_BACKGROUND);
    editor->SendScintilla(Sci::SCI_MARKERSETBACK, word(markers[i]), grounds[i]);
  }
}

void MergeConflicts::mark() {
  if (!bar_) return;
  defineLook();
  CodeEditor* editor = document_->editor();
  for (const int marker : {editor::kOursMarker, editor::kTheirsMarker, editor::kBaseMarker,
                           editor::kConflictLineMarker})
    editor->sci(Sci::SCI_MARKERDELETEALL, word(marker));
  const auto lines = [editor](const editor::ByteRange& range, int marker) {
    for (int line = editor->lineAt(range.start); editor->lineStart(line) < range.end; ++line) {
      editor->sci(Sci::SCI_MARKERADD, word(line), marker);
      if (line + 1 == editor->lineCount()) break;
    }
  };
  const auto markerLine = [editor](qint64 at) {
    editor->sci(Sci::SCI_MARKERADD, word(editor->lineAt(at)), editor::kConflictLineMarker);
  };
  for (const Conflict& conflict : std::as_const(conflicts_)) {
    markerLine(conflict.whole.start);
    lines(conflict.ours, editor::kOursMarker);
    if (conflict.base) {
      markerLine(conflict.ours.end);
      lines(*conflict.base, editor::kBaseMarker);
    }
    markerLine(conflict.theirs.start - 1);
    lines(conflict.theirs, editor::kTheirsMarker);
    markerLine(conflict.theirs.end);
  }
}

// The text's layout is known once the event that changes it is over.
void MergeConflicts::placeSoon() {
  if (posted_ || (buttons_.isEmpty() && conflicts_.isEmpty())) return;
  posted_ = true;
  QMetaObject::invokeMethod(this, &MergeConflicts::place, Qt::QueuedConnection);
}

MergeConflicts::Buttons MergeConflicts::makeButtons() {
  Buttons made{new QFrame(document_->editor()->viewport()), std::make_shared<qsizetype>(-1)};
  made.frame->setObjectName(QStringLiteral("conflictButtons"));
  made.frame->setCursor(Qt::ArrowCursor);
  auto* row = new QHBoxLayout(made.frame);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  const auto add = [&](const char* name, const QString& text, const QString& tip,
                       Resolution resolution) {
    auto* button = new QToolButton(made.frame);
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setToolTip(tip);
    // The commands do the same with the keyboard; a click leaves it where it is.
    button->setFocusPolicy(Qt::NoFocus);
    row->addWidget(button);
    connect(button, &QToolButton::clicked, this,
            [this, resolution, at = made.conflict] { resolve(*at, resolution); });
  };
  add("conflictOurs", tr("Ours"), tr("Keep our side of this conflict"), Resolution::kOurs);
  add("conflictTheirs", tr("Theirs"), tr("Keep their side of this conflict"), Resolution::kTheirs);
  add("conflictBoth", tr("Both"), tr("Keep both sides, ours first"), Resolution::kBoth);
  made.frame->adjustSize();
  return made;
}

void MergeConflicts::place() {
  posted_ = false;
  const CodeEditor* editor = document_->editor();
  const QWidget* viewport = editor->viewport();
  const auto rowHeight = static_cast<int>(editor->sci(Sci::SCI_TEXTHEIGHT));
  qsizetype used = 0;
  for (qsizetype i = 0; i < conflicts_.size(); ++i) {
    const qint64 start = conflicts_[i].whole.start;
    if (start > editor->length()) continue;  // an edit is not looked at yet
    const auto y =
        static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(start)));
    if (y <= -rowHeight || y >= viewport->height()) continue;
    if (used == buttons_.size()) buttons_.append(makeButtons());
    const Buttons& buttons = buttons_[used++];
    *buttons.conflict = i;
    const QString line = QString::number(editor->lineAt(start) + 1);
    for (QToolButton* button : buttons.frame->findChildren<QToolButton*>())
      button->setAccessibleName(tr("%1: conflict at line %2").arg(button->toolTip(), line));
    buttons.frame->move(viewport->width() - buttons.frame->width() - kFromRight, y);
    buttons.frame->show();
  }
  for (qsizetype i = used; i < buttons_.size(); ++i) buttons_[i].frame->hide();
}

}  // namespace waferpair::gui
