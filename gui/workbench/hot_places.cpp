// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/hot_places.h"

#include <QJsonObject>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <utility>

#include "editor/view/view_numbers.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "gui/documents/editor_tabs.h"
#include "gui/workbench/text_links.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::word;
using workbench::ByteRange;
using workbench::LanguageAnswer;
using workbench::LanguageClient;
using Sci = QsciScintillaBase;

namespace {

constexpr int kHandCursor = 8;  // as Scintilla numbers them

ByteRange nameAt(const CodeEditor* editor, long offset) {
  return {editor->sci(Sci::SCI_WORDSTARTPOSITION, word(offset), 1),
          editor->sci(Sci::SCI_WORDENDPOSITION, word(offset), 1)};
}

// -1: there is no letter.
long byteAt(const CodeEditor* editor, QPoint at) {
  return editor->sci(Sci::SCI_CHARPOSITIONFROMPOINTCLOSE, word(at.x()), at.y());
}

}  // namespace

HotPlaces::HotPlaces(TextLinks* links, LanguageGuide* guide, QObject* parent)
    : QObject(parent), links_(links), guide_(guide) {
  connect(guide->parts().tabs, &EditorTabs::opened, this, &HotPlaces::follow);
}

void HotPlaces::follow(Document* document) {
  CodeEditor* editor = document->editor();
  editor->installEventFilter(this);
  editor->viewport()->installEventFilter(this);
  connect(editor, &CodeEditor::textChanged, this, [this, document] {
    if (document == document_ || document == about_) cool();
  });
}

Document* HotPlaces::documentOf(const QObject* watched) const {
  for (Document* document : guide_->parts().tabs->documents())
    if (document->editor() == watched || document->editor()->viewport() == watched) return document;
  return nullptr;
}

bool HotPlaces::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::KeyPress:
      if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Control) {
        Document* document = documentOf(watched);
        QWidget* view = document ? document->editor()->viewport() : nullptr;
        if (view && view->underMouse()) look(document, view->mapFromGlobal(QCursor::pos()));
      } else if (document_ || about_) {
        cool();
      }
      break;
    case QEvent::KeyRelease:
    case QEvent::Leave:
    case QEvent::FocusOut:
      if (document_ || about_) cool();
      break;
    case QEvent::MouseMove: {
      const auto* move = static_cast<QMouseEvent*>(event);
      if (move->modifiers() != Qt::ControlModifier || move->buttons() != Qt::NoButton) {
        if ((document_ || about_) && !isPressed_) cool();
      } else if (Document* document = documentOf(watched)) {
        look(document, move->position().toPoint());
      }
      break;
    }
    case QEvent::MouseButtonPress: {
      const auto* press = static_cast<QMouseEvent*>(event);
      isPressed_ = document_ && press->button() == Qt::LeftButton &&
                   press->modifiers() == Qt::ControlModifier &&
                   watched == document_->editor()->viewport() &&
                   isHotAt(document_, press->position().toPoint());
      if (isPressed_) return true;
      break;
    }
    case QEvent::MouseButtonRelease:
      if (std::exchange(isPressed_, false)) {
        const auto* release = static_cast<QMouseEvent*>(event);
        if (document_ && isHotAt(document_, release->position().toPoint())) go();
        return true;
      }
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

void HotPlaces::look(Document* document, QPoint at) {
  if (isHotAt(document, at)) return;
  CodeEditor* editor = document->editor();
  editor->flushEdits();
  const long offset = byteAt(editor, at);
  if (offset < 0) return cool();
  if (auto link = links_->at(document, offset)) {
    cool();
    heat(document, link->range);
    if (!link->target.isEmpty())
      QToolTip::showText(editor->viewport()->mapToGlobal(at), link->target, editor->viewport());
    link_ = std::move(link);
    return;
  }
  const ByteRange name = nameAt(editor, offset);
  if (name.start >= name.end) return cool();
  if (about_ == document && aboutName_ == name) return;  // asked already
  cool();
  askAbout(document, name);
}

void HotPlaces::askAbout(Document* document, ByteRange name) {
  about_ = document;
  aboutName_ = name;
  LanguageClient* client = guide_->parts().service->clientOf(document->id());
  if (!client || !client->offers(QStringLiteral("definitionProvider"))) return;
  asked_ = client;
  question_ =
      client->askAt(QStringLiteral("textDocument/definition"), document->id(), name.start, {},
                    [this, name, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                      question_ = 0;
                      if (!at || at != about_ || answer.isLate || !answer.problem.isEmpty()) return;
                      if (!workbench::readLocations(answer.result, answer.unit).isEmpty())
                        heat(at, name);
                    });
}

void HotPlaces::heat(Document* document, ByteRange range) {
  CodeEditor* editor = document->editor();
  document_ = document;
  range_ = range;
  editor->sci(Sci::SCI_INDICSETSTYLE, editor::kHotIndicator, Sci::INDIC_PLAIN);
  editor->SendScintilla(Sci::SCI_INDICSETFORE, editor::kHotIndicator, editor->colors().text);
  editor->sci(Sci::SCI_SETINDICATORCURRENT, editor::kHotIndicator);
  editor->sci(Sci::SCI_INDICATORFILLRANGE, word(range.start),
              static_cast<long>(range.end - range.start));
  editor->sci(Sci::SCI_SETCURSOR, kHandCursor);
}

void HotPlaces::cool() {
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
  about_ = nullptr;
  isPressed_ = false;
  link_.reset();
  const QPointer<Document> document = std::exchange(document_, nullptr);
  if (!document) return;
  CodeEditor* editor = document->editor();
  editor->sci(Sci::SCI_SETINDICATORCURRENT, editor::kHotIndicator);
  editor->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(editor->length()));
  editor->sci(Sci::SCI_SETCURSOR, word(Sci::SC_CURSORNORMAL));
}

bool HotPlaces::isHotAt(const Document* document, QPoint at) const {
  if (!document || document != document_) return false;
  const long offset = byteAt(document->editor(), at);
  return range_.start <= offset && offset < range_.end;
}

void HotPlaces::go() {
  const QPointer<Document> document = document_;
  const auto link = link_;
  const qint64 start = range_.start;
  cool();
  guide_->parts().tabs->setCurrent(document);
  document->editor()->setSelection(start, start);
  link ? links_->follow(document, *link) : guide_->goToDefinition();
}

}  // namespace waferpair::gui
