// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/code_block.h"

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/SyntaxHighlighter>
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtMath>
#include <algorithm>

#include "editor/text/unseen.h"
#include "editor/view/theme.h"
#include "gui/kit/elided.h"
#include "gui/kit/theme.h"
#include "gui/pairing/apply_code.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kCodeAtOnce = 8000;  // UTF-16 units that are laid out in one go
constexpr qsizetype kMostOfLine =
    2000;  // UTF-16 units of a line that are shown; copied it is whole

KSyntaxHighlighting::Definition definitionNamed(const QString& language) {
  if (language.isEmpty()) return {};
  const auto& repository = editor::syntaxRepository();
  const KSyntaxHighlighting::Definition byName = repository.definitionForName(language);
  if (byName.isValid()) return byName;
  const bool isFile = language.contains(u'.');
  return repository.definitionForFileName(isFile ? language : QStringLiteral("code.") + language);
}

// A line of megabytes is laid out anew with each letter behind it.
QString withLinesCut(const QString& code, bool* isCut) {
  if (code.size() <= kMostOfLine) return code;
  QString cut;
  for (qsizetype at = 0; at < code.size();) {
    qsizetype end = code.indexOf(u'\n', at);
    if (end < 0) end = code.size();
    const QStringView line = QStringView(code).sliced(at, end - at);
    cut += line.first(std::min(line.size(), kMostOfLine));
    if (line.size() > kMostOfLine) cut += u'…';
    if (end < code.size()) cut += u'\n';
    *isCut = *isCut || line.size() > kMostOfLine;
    at = end + 1;
  }
  return cut;
}

}  // namespace

CodeBlock::CodeBlock(const QFont& font, QWidget* parent)
    : QFrame(parent),
      title_(new ElidedLabel(this)),
      copy_(new QToolButton(this)),
      insert_(new QToolButton(this)),
      apply_(new QToolButton(this)),
      text_(new QTextEdit(this)),
      highlighter_(new KSyntaxHighlighting::SyntaxHighlighter(text_->document())) {
  setProperty("role", QStringLiteral("codeBlock"));
  title_->setProperty("role", QStringLiteral("muted"));
  title_->setMinimumWidth(1);  // it gives way first
  copy_->setObjectName(QStringLiteral("codeCopy"));
  copy_->setText(tr("Copy"));
  copy_->setToolTip(tr("Copy this code"));
  insert_->setObjectName(QStringLiteral("codeInsert"));
  insert_->setText(tr("Insert"));
  insert_->setToolTip(tr("Put this code in at the caret"));
  apply_->setObjectName(QStringLiteral("codeApply"));
  apply_->setText(tr("Apply"));
  apply_->hide();
  for (QToolButton* button : {copy_, insert_, apply_}) {
    button->setAccessibleName(button->toolTip());
    button->setFocusPolicy(Qt::TabFocus);
  }
  connect(copy_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(code()); });
  connect(insert_, &QToolButton::clicked, this, [this] { Q_EMIT insertWanted(code()); });
  connect(apply_, &QToolButton::clicked, this, [this] { Q_EMIT applyWanted(block_); });

  text_->setReadOnly(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setLineWrapMode(QTextEdit::NoWrap);
  text_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  text_->setFont(font);
  text_->document()->setDocumentMargin(6);
  text_->viewport()->installEventFilter(this);
  text_->setTabChangesFocus(true);
  text_->setAccessibleName(tr("Code"));

  head_ = new QHBoxLayout;
  head_->setContentsMargins(8, 2, 4, 2);
  head_->setSpacing(2);
  head_->addWidget(title_);
  head_->addStretch(1);
  head_->addWidget(apply_);
  head_->addWidget(insert_);
  head_->addWidget(copy_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addLayout(head_);
  column->addWidget(text_);
  showSoon_.setSingleShot(true);
  connect(&showSoon_, &QTimer::timeout, this, &CodeBlock::showMore);
  connect(&Theme::instance(), &Theme::changed, this, &CodeBlock::applyTheme);
  applyTheme();
}

CodeBlock::~CodeBlock() = default;

QString CodeBlock::shownText() const { return text_->toPlainText(); }

void CodeBlock::setApproved() {
  isApproved_ = true;
  text_->setLineWrapMode(QTextEdit::WidgetWidth);
  text_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QTextOption option = text_->document()->defaultTextOption();
  option.setWrapMode(QTextOption::WrapAnywhere);
  option.setTextDirection(Qt::LeftToRight);
  option.setFlags(option.flags() | QTextOption::IncludeTrailingSpaces);
  text_->document()->setDefaultTextOption(option);
  // How many rows there are depends on the width.
  connect(text_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged,
          this, &CodeBlock::fit);
}

QToolButton* CodeBlock::setPlace(const QString& place, const QString& why) {
  isPlaced_ = true;
  insert_->hide();
  title_->setText(why);
  title_->setToolTip(why);
  auto* button = new ElidedButton(this);
  button->setObjectName(QStringLiteral("passageOpen"));
  button->setProperty("role", QStringLiteral("place"));
  button->setText(place);
  button->setToolTip(why.isEmpty() ? tr("Open %1").arg(place)
                                   : tr("Open %1, which %2").arg(place, why));
  button->setAccessibleName(button->toolTip());
  button->setFocusPolicy(Qt::TabFocus);
  head_->insertWidget(0, button);
  return button;
}

void CodeBlock::showCode(const QString& code, const QString& language) {
  if (language != language_) {
    language_ = language;
    const KSyntaxHighlighting::Definition definition = definitionNamed(language);
    if (isColored_) highlighter_->setDefinition(definition);
    if (!isPlaced_) title_->setText(definition.isValid() ? definition.translatedName() : language);
  }
  const QString whole = code.endsWith(u'\n') ? code.chopped(1) : code;
  if (whole == code_) return;
  code_ = whole;
  bool isCut = false;
  // What is approved is seen whole.
  wanted_ =
      isApproved_ ? editor::approvalForm(whole) : editor::shownForm(withLinesCut(whole, &isCut));
  // Grammars take the square of the time for a long line.
  if (isColored_ && isCut) {
    isColored_ = false;
    highlighter_->setDefinition({});
  }
  // Markers of changes are no code to put in.
  insert_->setVisible(!isPlaced_ && !proposesChanges(whole));
  // Code that streams in is put behind what is there, so that a selection stays.
  if (!wanted_.startsWith(shown_)) {
    shown_.clear();
    text_->clear();
  }
  showMore();
}

// What is still being written is not offered.
void CodeBlock::showBlock(const AnswerBlock& block) {
  block_ = block;
  showCode(block.text, block.language);
  const bool isApplied = block.isWhole && mayBeApplied(block);
  apply_->setVisible(isApplied);
  if (!isApplied) return;
  const QString where =
      block.path.isEmpty() ? tr("the text that it is for") : QStringLiteral("“%1”").arg(block.path);
  apply_->setToolTip(tr("Offer it as changes in %1, to be accepted one by one").arg(where));
  apply_->setAccessibleName(apply_->toolTip());
}

// Long code comes over several turns of the events.
void CodeBlock::showMore() {
  const QString more = wanted_.mid(shown_.size(), isApproved_ ? -1 : kCodeAtOnce);
  shown_ += more;
  QTextCursor end(text_->document());
  end.movePosition(QTextCursor::End);
  end.insertText(more);
  if (shown_.size() < wanted_.size()) showSoon_.start();
  fit();
}

void CodeBlock::applyTheme() {
  const QString name = Theme::instance().codeTheme();
  highlighter_->setTheme(editor::themeNamed(name));
  highlighter_->rehighlight();
}

void CodeBlock::fit() {
  const QSizeF size = text_->document()->size();
  const bool scrolls = size.width() > text_->viewport()->width();
  const int bar = scrolls ? text_->horizontalScrollBar()->sizeHint().height() : 0;
  text_->setFixedHeight(qCeil(size.height()) + bar);
}

void CodeBlock::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

bool CodeBlock::eventFilter(QObject* watched, QEvent* event) {
  // Up and down the answer as a whole is scrolled.
  if (event->type() == QEvent::Wheel) {
    const auto* wheel = static_cast<QWheelEvent*>(event);
    if (qAbs(wheel->angleDelta().y()) >= qAbs(wheel->angleDelta().x())) {
      event->ignore();
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace waferpair::gui
