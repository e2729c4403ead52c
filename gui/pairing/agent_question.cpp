// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/agent_question.h"

#include <QDir>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/seen_to_end.h"
#include "gui/pairing/code_block.h"
#include "pairing/changes/project_path.h"

namespace waferpair::gui {
namespace {

using pairing::AgentDiff;
using pairing::AgentOption;
using pairing::AgentStep;

constexpr int kMostOfPanel = 260;  // pixels of what it wants to do; the rest is scrolled to

QString marked(const QString& text, QChar mark) {
  QString lines;
  for (const QString& line : text.split(u'\n')) lines += mark + line + u'\n';
  return lines;
}

// Lines that are the same at either end are left out: agents send whole files and fragments.
QString diffText(const AgentDiff& diff) {
  QStringList before = diff.before.split(u'\n');
  QStringList after = diff.after.split(u'\n');
  if (diff.isNewFile) before.clear();
  while (!before.isEmpty() && !after.isEmpty() && before.constLast() == after.constLast()) {
    before.removeLast();
    after.removeLast();
  }
  qsizetype same = 0;
  while (same < before.size() && same < after.size() && before[same] == after[same]) ++same;
  before = before.mid(same);
  after = after.mid(same);
  QString text;
  if (!before.isEmpty()) text += marked(before.join(u'\n'), u'-');
  if (!after.isEmpty()) text += marked(after.join(u'\n'), u'+');
  return text;
}

// The places of options, those that allow something once before those that allow it for good.
QVector<int> narrowestFirst(const QVector<AgentOption>& options) {
  QVector<int> places, once, always;
  for (int i = 0; i < options.size(); ++i) {
    const bool allowsOnce = options[i].kind == AgentOption::Kind::kAllowOnce;
    const bool allowsAlways = options[i].kind == AgentOption::Kind::kAllowAlways;
    if (allowsOnce) once.append(i);
    if (allowsAlways) always.append(i);
    places.append(allowsOnce || allowsAlways ? -1 : i);
  }
  QVector<int> allowed = once + always;
  for (int& place : places)
    if (place < 0) place = allowed.takeFirst();
  return places;
}

}  // namespace

AgentQuestionCard::AgentQuestionCard(QWidget* parent)
    : QFrame(parent),
      title_(new QLabel(this)),
      warning_(new QLabel(this)),
      scroll_(new QScrollArea(this)),
      seen_(new SeenToEnd(scroll_)),
      options_(new QVBoxLayout) {
  setObjectName(QStringLiteral("agentQuestion"));
  title_->setObjectName(QStringLiteral("agentQuestionTitle"));
  title_->setProperty("role", QStringLiteral("heading"));
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  warning_->setObjectName(QStringLiteral("agentQuestionWarning"));
  warning_->setProperty("role", QStringLiteral("warning"));
  warning_->setTextFormat(Qt::PlainText);
  warning_->setWordWrap(true);
  auto* content = new QWidget(scroll_);
  content->setObjectName(QStringLiteral("agentQuestionContent"));
  blocks_ = new QVBoxLayout(content);
  blocks_->setContentsMargins(0, 0, 0, 0);
  blocks_->setSpacing(4);
  scroll_->setWidget(content);
  content->installEventFilter(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setAccessibleName(tr("What the agent wants to do"));
  options_->setSpacing(4);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  column->addWidget(title_);
  column->addWidget(warning_);
  column->addWidget(scroll_);
  column->addLayout(options_);
  hide();
}

void AgentQuestionCard::clear() {
  question_ = 0;
  safest_ = nullptr;
  buttons_.clear();
  for (QLayout* layout : {static_cast<QLayout*>(blocks_), static_cast<QLayout*>(options_)}) {
    while (QLayoutItem* item = layout->takeAt(0)) {
      // One of them may be what was just pressed.
      if (item->widget()) item->widget()->hide();
      if (item->widget()) item->widget()->deleteLater();
      delete item;
    }
  }
  hide();
}

void AgentQuestionCard::show(const QString& agent, const pairing::AgentQuestion& question,
                             const QString& folder) {
  if (question.number == question_) return;
  clear();
  question_ = question.number;
  const QString what = question.text.isEmpty() ? question.step.title.simplified() : QString();
  title_->setText(editor::approvalForm(question.text.isEmpty() ? tr("%1 asks: %2").arg(agent, what)
                                                               : question.text));
  setAccessibleName(title_->text());
  showStep(question.step, folder);
  // Of what can be granted the narrowest stands first; all else stays as the agent has it.
  const int safest = question.safest();
  const QVector<int> order = narrowestFirst(question.options);
  for (qsizetype i = 0; i < order.size(); ++i)
    addButton(question.options[order[i]], static_cast<int>(i) + 1, order[i] == safest);
  if (safest < 0)
    addButton({{}, tr("Cancel"), AgentOption::Kind::kRejectOnce},
              static_cast<int>(question.options.size()) + 1, true);
  QFrame::show();
}

void AgentQuestionCard::showStep(const AgentStep& step, const QString& folder) {
  QStringList elsewhere;
  const auto add = [this](const QString& code, const QString& language, const QString& place,
                          const QString& path, const QString& why) {
    auto* block = new CodeBlock(codeFont_, scroll_->widget());
    block->setApproved();
    const QToolButton* button = block->setPlace(editor::shownForm(place), why);
    connect(button, &QToolButton::clicked, this, [this, path] { Q_EMIT openWanted(path, 1); });
    block->showCode(code, language);
    blocks_->addWidget(block);
  };
  // A path in the project is named by where it leads from there, one elsewhere as the agent does.
  const auto shown = [&](const QString& path) {
    const auto inside = pairing::placeInProject(folder, path);
    if (!inside && !elsewhere.contains(path)) elsewhere.append(path);
    if (inside && inside->isEmpty()) return QString(QDir(folder).dirName() + u'/');
    return inside.value_or(path);
  };
  if (!step.command.isEmpty()) {
    const QString where = step.folder.isEmpty() ? folder : step.folder;
    add(step.command, QStringLiteral("Bash"), shown(where), where, tr("runs there"));
  }
  for (const AgentDiff& diff : step.diffs)
    add(diffText(diff), QStringLiteral("Diff"), shown(diff.path), diff.path,
        diff.isNewFile ? tr("a new file") : tr("would be changed"));
  for (const QString& path : step.paths) {
    const QString place = shown(path);
    if (step.diffs.isEmpty() && step.command.isEmpty()) add(path, {}, place, path, step.kind);
  }
  warning_->setText(tr("Outside of the project: %1")
                        .arg(editor::shownForm(elsewhere.join(QStringLiteral(", ")))));
  warning_->setVisible(!elsewhere.isEmpty());
  scroll_->setVisible(blocks_->count() > 0);
  blocks_->activate();
  fit();
  scroll_->verticalScrollBar()->setValue(0);
  seen_->restart();
}

void AgentQuestionCard::fit() {
  const int wanted = scroll_->widget()->sizeHint().height() + 2;
  scroll_->setFixedHeight(std::min(wanted, kMostOfPanel));
}

// Lines are wrapped anew where there is another width.
bool AgentQuestionCard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) fit();
  return QFrame::eventFilter(watched, event);
}

void AgentQuestionCard::addButton(const AgentOption& option, int number, bool isSafest) {
  QString name = editor::shownForm(option.name).simplified();
  auto* button = new QPushButton(
      QStringLiteral("%1  %2").arg(number).arg(name.replace(u'&', QStringLiteral("&&"))), this);
  button->setObjectName(QStringLiteral("agentOption%1").arg(number));
  button->setProperty("role", QStringLiteral("small"));
  button->setAccessibleName(option.name);
  button->setMinimumWidth(1);
  QString tip = option.name;
  if (option.kind == AgentOption::Kind::kAllowAlways)
    tip += u'\n' + tr("The agent does not ask for such things again.");
  button->setToolTip(tip);
  connect(button, &QPushButton::clicked, this, [this, id = option.id] { give(id); });
  const bool rejects = option.kind == AgentOption::Kind::kRejectOnce ||
                       option.kind == AgentOption::Kind::kRejectAlways;
  if (!rejects && !scroll_->isHidden()) seen_->guard(button);
  options_->addWidget(button);
  buttons_.append(button);
  if (isSafest) safest_ = button;
}

void AgentQuestionCard::give(const QString& optionId) {
  const int question = question_;
  clear();
  Q_EMIT answered(question, optionId);
}

QString AgentQuestionCard::text() const {
  QStringList parts{title_->text()};
  if (!warning_->isHidden()) parts.append(warning_->text());
  for (const CodeBlock* block : scroll_->widget()->findChildren<CodeBlock*>())
    if (!block->isHidden()) parts.append(block->shownText());
  for (const QPushButton* button : buttons_) parts.append(button->accessibleName());
  return parts.join(u'\n');
}

void AgentQuestionCard::enter() {
  if (safest_) safest_->setFocus(Qt::OtherFocusReason);
}

void AgentQuestionCard::keyPressEvent(QKeyEvent* event) {
  const int number = event->key() - Qt::Key_0;
  if (event->modifiers() == Qt::NoModifier && number >= 1 && number <= buttons_.size())
    return buttons_[number - 1]->click();
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  for (QPushButton* button : std::as_const(buttons_))
    if (isReturn && button->hasFocus()) return button->click();
  QFrame::keyPressEvent(event);
}

}  // namespace waferpair::gui
