// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/two_answers.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <algorithm>
#include <utility>

#include "editor/widget/code_editor.h"
#include "editor/widget/decorations.h"
#include "gui/documents/document.h"
#include "gui/kit/small_button.h"

namespace waferpair::gui {
namespace {

// With less width the two stand one above the other.
constexpr int kRoomSideBySide = 640;
constexpr int kLinesAbove = 3;  // of the first change

}  // namespace

using editor::CodeEditor;

TwoAnswers::TwoAnswers(Document* document, const editor::Hunks* first, const editor::Hunks* second)
    : QFrame(document),
      document_(document),
      editor_(document->editor()),
      splitter_(new QSplitter(this)) {
  setObjectName(QStringLiteral("twoAnswers"));
  setAccessibleName(tr("Two answers"));
  setAutoFillBackground(true);
  splitter_->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(splitter_);
  addSide(kFirst, first, tr("First answer"));
  addSide(kSecond, second, tr("Second answer"));
  for (const int side : {kFirst, kSecond})
    connect(sides_[static_cast<std::size_t>(side)].view, &QsciScintillaBase::SCN_UPDATEUI, this,
            [this, side](int updated) {
              if (updated & QsciScintillaBase::SC_UPDATE_V_SCROLL) scrolled(side);
            });
  editor_->installEventFilter(this);
  setGeometry(editor_->geometry());
  show();
  raise();
}

TwoAnswers::~TwoAnswers() {
  // They speak to their views to the last.
  for (Side& side : sides_) delete side.decorations;
}

void TwoAnswers::addSide(int side, const editor::Hunks* hunks, const QString& name) {
  auto* panel = new QWidget(splitter_);
  Side& made = sides_[static_cast<std::size_t>(side)];
  made.hunks = hunks;
  made.caption = new QLabel(name, panel);
  made.caption->setObjectName(QStringLiteral("answerCaption%1").arg(side + 1));
  made.caption->setProperty("role", QStringLiteral("heading"));
  made.caption->setTextFormat(Qt::PlainText);
  made.caption->setWordWrap(true);
  made.view = new CodeEditor(panel);
  made.view->setObjectName(QStringLiteral("answerView%1").arg(side + 1));
  made.view->setAccessibleName(name);
  made.view->setText(document_->text().toByteArray());
  document_->dress(made.view);
  made.view->sci(QsciScintillaBase::SCI_SETREADONLY, 1UL);
  made.view->installEventFilter(this);
  made.decorations = new editor::Decorations(made.view, this);
  made.decorations->show(hunks);
  made.take = makeSmallButton(side == kFirst ? "takeFirst" : "takeSecond", tr("Take This"),
                              tr("Its changes are offered over the text (Return)"), panel);
  connect(made.take, &QPushButton::clicked, this, [this, side] { Q_EMIT taken(side); });
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 6, 8, 6);
  head->addWidget(made.caption, 1);
  head->addWidget(made.take);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(made.view, 1);
}

void TwoAnswers::setCaption(int side, const QString& text) {
  sides_[static_cast<std::size_t>(side)].caption->setText(text);
}

void TwoAnswers::setComplete(int side, bool complete) {
  sides_[static_cast<std::size_t>(side)].take->setEnabled(complete);
}

void TwoAnswers::choose(int side) {
  sides_[static_cast<std::size_t>(side)].view->setFocus(Qt::OtherFocusReason);
}

void TwoAnswers::reveal() {
  for (const Side& side : sides_) {
    const auto& hunks = side.hunks->hunks();
    if (hunks.isEmpty()) continue;
    const int line = side.view->lineAt(hunks.constFirst().range.start());
    side.view->sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE,
                   static_cast<unsigned long>(std::max(line - kLinesAbove, 0)));
    return;
  }
}

// The other follows, as far as it can, which is no move of its own.
void TwoAnswers::scrolled(int side) {
  Side& moved = sides_[static_cast<std::size_t>(side)];
  Side& other = sides_[static_cast<std::size_t>(1 - side)];
  const long top = moved.view->sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
  if (std::exchange(moved.top, top) == top) return;
  other.view->sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top));
  other.top = other.view->sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
}

bool TwoAnswers::keyPressed(int side, int key) {
  switch (key) {
    case Qt::Key_Left:
      choose(kFirst);
      return true;
    case Qt::Key_Right:
      choose(kSecond);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (sides_[static_cast<std::size_t>(side)].take->isEnabled()) Q_EMIT taken(side);
      return true;
    case Qt::Key_Escape:
      Q_EMIT closed();
      return true;
    default:
      return false;
  }
}

bool TwoAnswers::eventFilter(QObject* watched, QEvent* event) {
  // Nothing is asked of the document here: events come while it is being destroyed, too.
  if (watched == editor_) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
      setGeometry(editor_->geometry());
    return false;
  }
  const bool isKey = event->type() == QEvent::KeyPress;
  if (!isKey && event->type() != QEvent::ShortcutOverride) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if ((key->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  constexpr std::array kOwn = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Return, Qt::Key_Enter,
                               Qt::Key_Escape};
  const bool isOwn =
      std::any_of(kOwn.begin(), kOwn.end(), [key](Qt::Key each) { return key->key() == each; });
  if (!isOwn) return false;
  if (!isKey) {
    event->accept();  // it is no command's
    return true;
  }
  return keyPressed(watched == sides_[kFirst].view ? kFirst : kSecond, key->key());
}

void TwoAnswers::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  splitter_->setOrientation(width() < kRoomSideBySide ? Qt::Vertical : Qt::Horizontal);
}

}  // namespace waferpair::gui
