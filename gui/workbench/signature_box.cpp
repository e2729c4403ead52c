// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/signature_box.h"

#include <QEvent>
#include <QKeyEvent>
#include <QTextDocument>
#include <algorithm>

#include "editor/ghost/ghost_text.h"
#include "editor/view/announce.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/prose.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

using Sci = QsciScintillaBase;
using workbench::Signature;

namespace {

constexpr int kSignatureWidth = 620;          // pixels
constexpr qsizetype kMostOfShownAbout = 400;  // UTF-16 units
constexpr qsizetype kMostRead = 4000;

// The first paragraph in plain words.
QString beginningOf(const QString& markdown) {
  QTextDocument text;
  editor::fillProse(&text, markdown.left(kMostRead));
  const QString plain = text.toPlainText().trimmed();
  const QString first = plain.section(u'\n', 0, 0).simplified();
  return first.size() <= kMostOfShownAbout ? first
                                           : first.left(kMostOfShownAbout) + QStringLiteral("…");
}

}  // namespace

SignatureBox::SignatureBox(editor::CodeEditor* editor)
    : QLabel(editor->viewport()), editor_(editor) {
  setObjectName(QStringLiteral("signatureBox"));
  setAccessibleName(tr("Parameters"));
  setTextFormat(Qt::RichText);
  setWordWrap(true);
  setMargin(6);
  setFocusPolicy(Qt::NoFocus);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  QLabel::hide();
  editor->installEventFilter(this);
  editor->viewport()->installEventFilter(this);
  connect(editor, &Sci::SCN_UPDATEUI, this, [this](int what) {
    if (open_ && (what & (Sci::SC_UPDATE_V_SCROLL | Sci::SC_UPDATE_H_SCROLL)) != 0) dismiss();
  });
  connect(editor->list(), &editor::ListPopup::changed, this, &SignatureBox::place);
  connect(editor->ghost(), &editor::GhostText::changed, this, &SignatureBox::place);
  connect(editor->ghost(), &editor::GhostText::appeared, this, &SignatureBox::place);
}

void SignatureBox::showHelp(const workbench::SignatureHelp& help) {
  if (help.signatures.isEmpty()) return dismiss();
  const QString chosen = chosen_ ? help_.signatures.value(current_).label : QString();
  const bool wasOpen = std::exchange(open_, true);
  if (wasOpen && help == help_) return place();
  help_ = help;
  current_ = help.active;
  const auto same = std::find_if(help.signatures.cbegin(), help.signatures.cend(),
                                 [&](const Signature& one) { return one.label == chosen; });
  chosen_ = wasOpen && chosen_ && same != help.signatures.cend();
  if (chosen_) current_ = same - help.signatures.cbegin();
  if (!wasOpen) line_ = -1;
  showCurrent();
}

void SignatureBox::dismiss() {
  hide();
  chosen_ = false;
  help_ = {};
  current_ = 0;
  if (std::exchange(open_, false)) Q_EMIT closed();
}

void SignatureBox::showCurrent() {
  const Signature& one = help_.signatures[current_];
  const WindowColors& colors = Theme::instance().colors();
  const QString parameter =
      one.label.mid(one.parameterStart, one.parameterEnd - one.parameterStart);
  QString html =
      QStringLiteral("<span style=\"font-family:'%1'\">%2<b style=\"color:%3\">%4</b>%5</span>")
          .arg(editor_->editorFont().family(), one.label.left(one.parameterStart).toHtmlEscaped(),
               colors.accent.name(), parameter.toHtmlEscaped(),
               one.label.mid(one.parameterEnd).toHtmlEscaped());
  if (help_.signatures.size() > 1)
    html += QStringLiteral("&nbsp;&nbsp;<span style=\"color:%1\">%2</span>")
                .arg(colors.muted.name(),
                     tr("%1 of %2, Up and Down").arg(current_ + 1).arg(help_.signatures.size()));
  const QString about = beginningOf(one.about);
  if (!about.isEmpty())
    html += QStringLiteral("<div style=\"color:%1\">%2</div>")
                .arg(colors.muted.name(), about.toHtmlEscaped());
  if (html == text()) return place();
  setText(html);
  place();
  const QString spoken =
      parameter.isEmpty() ? one.label : parameter + QStringLiteral(", ") + one.label;
  setAccessibleDescription(spoken);
  editor::announce(editor_, spoken);
}

void SignatureBox::place() {
  if (!open_) return;
  // The list stands where this does, and is what the user looks at while it is open.
  if (editor_->list()->isOpen()) return hide();
  const qint64 caret = editor_->caret();
  const int line = editor_->lineAt(caret);
  const QSize room = editor_->viewport()->size();
  if (std::exchange(line_, line) != line)
    x_ = static_cast<int>(editor_->sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(caret)));
  const int y =
      static_cast<int>(editor_->sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(caret)));
  const int lineHeight = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, editor::word(line)));
  const int most = std::min(kSignatureWidth, room.width());
  setMaximumWidth(most);
  // A label that wraps asks for a square; one that does not, for the width of its lines.
  setWordWrap(false);
  const int width = std::min(most, sizeHint().width());
  setWordWrap(true);
  const int height = heightForWidth(width);
  const int below = y + lineHeight * editor_->ghost()->rows();
  const bool isAbove = y >= height || y >= room.height() - below;
  setGeometry(std::clamp(x_, 0, std::max(0, room.width() - width)), isAbove ? y - height : below,
              width, height);
  show();
  raise();
}

void SignatureBox::step(qsizetype by) {
  const qsizetype count = help_.signatures.size();
  current_ = (current_ + by + count) % count;
  chosen_ = true;
  showCurrent();
}

bool SignatureBox::takesKey(int key, Qt::KeyboardModifiers modifiers) const {
  if (!isVisible() || modifiers != Qt::NoModifier) return false;
  if (key == Qt::Key_Escape) return true;
  return help_.signatures.size() > 1 && (key == Qt::Key_Up || key == Qt::Key_Down);
}

bool SignatureBox::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
      const auto* key = static_cast<QKeyEvent*>(event);
      if (watched != editor_ || !takesKey(key->key(), key->modifiers() & ~Qt::KeypadModifier))
        break;
      if (event->type() == QEvent::KeyPress) {
        if (key->key() == Qt::Key_Escape) {
          dismiss();
        } else {
          step(key->key() == Qt::Key_Down ? 1 : -1);
        }
      }
      event->accept();
      return true;
    }
    case QEvent::FocusOut:
      if (watched == editor_ && open_) dismiss();
      break;
    case QEvent::Resize:
      if (watched == editor_->viewport() && open_) dismiss();
      break;
    default:
      break;
  }
  return QLabel::eventFilter(watched, event);
}

}  // namespace waferpair::gui
