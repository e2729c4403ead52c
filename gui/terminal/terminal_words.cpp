// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_words.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyle>
#include <QSysInfo>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/kit/approved_text.h"
#include "gui/kit/icons.h"
#include "gui/kit/seen_to_end.h"
#include "gui/kit/small_button.h"
#include "gui/kit/start_gate.h"
#include "gui/terminal/terminal_prompt.h"
#include "gui/terminal/terminal_view.h"
#include "pairing/context/gather_in_background.h"
#include "pairing/context/mentions.h"
#include "pairing/models/model_roster.h"
#include "pairing/request/reply_wait.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using pairing::ModelReply;
using pairing::ModelRoster;
using pairing::ReadCommand;
using pairing::ReplyDone;
using workbench::TerminalSession;

namespace {

constexpr int kMostRowsOfCommand = 5;           // that are seen at a time
constexpr qsizetype kMostOfTail = 3'000;        // UTF-16 units of an output that go along: its end
constexpr qint64 kMostTokensOfContext = 1'200;  // estimated
// Below, more commands than not are wrong, and a few do harm (docs/terminal.md).
constexpr qint64 kFewestParameters = 3'000'000'000;

// What is behind the last so many units, from a line's beginning on.
QString tailOf(const QString& output) {
  if (output.size() <= kMostOfTail) return output;
  const QString tail = output.right(kMostOfTail);
  const qsizetype line = tail.indexOf(u'\n');
  return line < 0 ? tail : tail.mid(line + 1);
}

bool isReturn(int key) { return key == Qt::Key_Return || key == Qt::Key_Enter; }

}  // namespace

TerminalWords::TerminalWords(const Parts& parts, QWidget* parent)
    : QWidget(parent),
      parts_(parts),
      history_(parts.history),
      words_(new QLineEdit(this)),
      command_(new QPlainTextEdit(this)),
      seen_(new SeenToEnd(command_)),
      state_(new QLabel(this)),
      insert_(makeSmallButton("terminalWordsInsert", tr("Insert"),
                              tr("Put it at the prompt, where it waits (Enter)"), this)),
      run_(makeSmallButton("terminalWordsRun", tr("Run"),
                           tr("Put it at the prompt and run it (Ctrl+Enter)"), this)) {
  setObjectName(QStringLiteral("terminalWords"));
  setAccessibleName(tr("A command from words"));
  send_ = addTool("terminalWordsSend", "play", tr("Ask for the command (Enter)"));
  close_ = addTool("terminalWordsClose", "close", tr("Close (Esc)"));
  layOut();
  connect(send_, &QToolButton::clicked, this, [this] { isAsking_ ? stop() : submit(); });
  connect(close_, &QToolButton::clicked, this, &TerminalWords::dismiss);
  connect(insert_, &QPushButton::clicked, this, &TerminalWords::insert);
  connect(run_, &QPushButton::clicked, this, &TerminalWords::run);
  connect(words_, &QLineEdit::textEdited, this, [this] { recalled_ = -1; });
  connect(command_, &QPlainTextEdit::textChanged, this, &TerminalWords::showParts);
  connect(command_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged,
          this, &TerminalWords::fitCommand);
  seen_->guard(run_);
  hide();
}

TerminalWords::~TerminalWords() {
  if (reply_) reply_->disconnect(this);
}

QToolButton* TerminalWords::addTool(const char* name, const char* symbol, const QString& text) {
  auto* button = new QToolButton(this);
  button->setObjectName(QLatin1String(name));
  button->setIcon(icon(QLatin1String(symbol)));
  button->setToolTip(text);
  button->setAccessibleName(text);
  return button;
}

void TerminalWords::layOut() {
  words_->setObjectName(QStringLiteral("terminalWordsField"));
  words_->setAccessibleName(tr("What the command is to do"));
  words_->setPlaceholderText(tr("What is the command to do? Enter asks, Esc closes"));
  words_->installEventFilter(this);
  command_->setObjectName(QStringLiteral("terminalWordsCommand"));
  command_->setAccessibleName(tr("Command: Enter puts it at the prompt, Ctrl+Enter runs it"));
  command_->setTabChangesFocus(true);
  wrapAnywhere(command_);
  command_->installEventFilter(this);
  state_->setObjectName(QStringLiteral("terminalWordsState"));
  state_->setTextFormat(Qt::PlainText);
  state_->setWordWrap(true);
  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  top->addWidget(words_, 1);
  top->addWidget(send_);
  top->addWidget(close_);
  auto* below = new QHBoxLayout;
  below->setSpacing(6);
  below->addWidget(state_, 1);
  below->addWidget(insert_, 0, Qt::AlignTop);
  below->addWidget(run_, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(6);
  column->addLayout(top);
  column->addWidget(command_);
  column->addLayout(below);
}

void TerminalWords::setCodeFont(const QFont& font) {
  command_->setFont(font);
  command_->document()->setDefaultFont(font);  // the style sheet has a say about the other
  fitCommand();
}

void TerminalWords::fitCommand() {
  command_->setFixedHeight(
      heightOf(*command_, std::clamp(rowsOf(*command_), 1, kMostRowsOfCommand)));
}

TerminalView* TerminalWords::terminal() const { return isHidden() ? nullptr : view_.data(); }

QString TerminalWords::stateText() const { return state_->text(); }

void TerminalWords::say(const QString& text, bool isWrong) {
  state_->setText(text);
  state_->setProperty("role", isWrong ? QStringLiteral("problem") : QStringLiteral("muted"));
  state_->style()->polish(state_);
  showParts();
}

void TerminalWords::showParts() {
  const bool isThere = !command_->isHidden();
  const bool isAny = !command_->toPlainText().trimmed().isEmpty();
  insert_->setVisible(isThere);
  run_->setVisible(isThere);
  insert_->setEnabled(isAny);
  seen_->setWanted(run_, isAny);
  state_->setVisible(!state_->text().isEmpty());
  send_->setIcon(icon(isAsking_ ? QStringLiteral("stop") : QStringLiteral("play")));
  const QString tip = isAsking_ ? tr("Stop (Esc)") : tr("Ask for the command (Enter)");
  send_->setToolTip(tip);
  send_->setAccessibleName(tip);
}

void TerminalWords::open(TerminalView* view, const std::optional<pairing::TerminalText>& output) {
  const bool isSame = terminal() == view;
  if (!isSame) {
    forget();
    command_->clear();
    command_->hide();
    say(promptText(*view->session()) == PromptText::kSomething
            ? tr("The command is put where the cursor is, in what stands at the prompt already.")
            : QString());
  }
  view_ = view;
  output_ = output;
  show();
  words_->setFocus(Qt::ShortcutFocusReason);
  words_->selectAll();
}

void TerminalWords::forget() {
  ++round_;
  isAsking_ = false;
  if (!reply_) return;
  reply_->disconnect(this);
  reply_.release()->deleteLater();
}

void TerminalWords::dismiss() {
  const bool hadKeyboard = isAncestorOf(QApplication::focusWidget());
  forget();
  hide();
  if (view_ && hadKeyboard) view_->setFocus(Qt::OtherFocusReason);
  view_ = nullptr;
}

// -- Asking

void TerminalWords::submit() {
  const QString words = words_->text().trimmed();
  if (words.isEmpty() || !view_) return;
  forget();
  command_->hide();
  const ModelRoster::Choice choice = parts_.roster->choose(pairing::Work::kSmallEdit);
  if (!choice.endpoint) return say(choice.reason, true);
  history_.add(words);
  recalled_ = -1;
  asked_ = words;
  isAsking_ = true;
  const TerminalSession& session = *view_->session();
  const workbench::TerminalScreen& screen = session.screen();
  place_ = {session.profile().name, QSysInfo::prettyProductName(), QDir(session.folder()).dirName(),
            std::nullopt};
  const workbench::ShellCommand* last = screen.command(screen.lastCommand());
  if (last) place_.lastStatus = last->status;
  say(tr("Asking %1…").arg(choice.model->name));
  // Of a shell without marks it is not known what the last command printed.
  if (!output_ || (!last && !output_->isSelection)) return send({});
  pairing::ContextRequest request;
  request.root = project_;
  request.question = pairing::mentionOf(QLatin1String(pairing::kTerminalMention));
  request.budget = kMostTokensOfContext;
  request.terminal = output_;
  request.terminal->text = tailOf(output_->text);
  pairing::gatherInBackground(request, {}, this,
                              [this, round = round_](const pairing::GatheredContext& gathered) {
                                if (round == round_) send(gathered.items);
                              });
}

void TerminalWords::send(const QVector<pairing::ContextItem>& context) {
  const ModelRoster::Choice choice = parts_.roster->choose(pairing::Work::kSmallEdit);
  const auto fail = [this](const QString& why) {
    isAsking_ = false;
    say(why, true);
  };
  if (!choice.endpoint) return fail(choice.reason);  // not any more
  QStringList along{place_.shell, place_.system, place_.folder};
  for (const pairing::ContextItem& item : context)
    along.append(item.isSent() ? item.name : tr("not %1: %2").arg(item.name, item.why));
  along.removeAll(QString());
  along_ = tr("Along went: %1.").arg(along.join(QStringLiteral(", ")));
  const auto shown = pairing::ShownRequest::of(pairing::commandRequest(asked_, place_, context));
  if (!shown) return fail(shown.error().message());
  const qint64 size = choice.model->size();
  isSmall_ = size >= 0 && size < kFewestParameters;
  reply_ = choice.endpoint->send(*shown);
  connect(reply_.get(), &ModelReply::waited, this,
          [this] { say(tr("%1. Esc stops.").arg(pairing::progressText(*reply_))); });
  connect(reply_.get(), &ModelReply::finished, this, [this, fail](ReplyDone done) {
    if (done.reason == ReplyDone::Reason::kLength)
      return fail(tr("The answer is longer than a command. Say it in other words."));
    take();
  });
  connect(reply_.get(), &ModelReply::failed, this,
          [fail](const pairing::ReplyFailure& failure) { fail(failure.message()); });
  showParts();
}

void TerminalWords::stop() {
  forget();
  say(tr("Stopped."));
}

void TerminalWords::take() {
  const auto command = pairing::commandFromAnswer(reply_->text());
  isAsking_ = false;
  if (!command) return say(command.error().message(), true);
  showCommand(*command);
  // Who has gone on to type other words meanwhile stays there.
  if (words_->hasFocus() && words_->text().trimmed() == asked_)
    command_->setFocus(Qt::OtherFocusReason);
}

void TerminalWords::showCommand(const ReadCommand& command) {
  command_->setPlainText(command.text);
  command_->moveCursor(QTextCursor::End);
  command_->show();
  seen_->restart();
  fitCommand();
  QStringList lines{
      command.note,
      isSmall_ ? tr("A model of this size often writes a wrong command: read it.") : QString(),
      along_};
  lines.removeAll(QString());
  say(lines.join(u' '));
}

// -- The prompt

std::optional<QString> TerminalWords::readyCommand() {
  if (!view_ || command_->isHidden()) return std::nullopt;
  const ReadCommand command = pairing::asCommandLine(command_->toPlainText());
  if (command.text.isEmpty()) return std::nullopt;
  // What was changed is seen before it goes anywhere.
  if (!command.note.isEmpty()) {
    showCommand(command);
    return std::nullopt;
  }
  if (const QString why = whyNoPrompt(*view_->session()); !why.isEmpty()) {
    say(why, true);
    return std::nullopt;
  }
  return command.text;
}

void TerminalWords::insert() {
  const auto command = readyCommand();
  if (!command) return;
  view_->pasteText(*command);
  dismiss();
}

void TerminalWords::run() {
  const auto command = readyCommand();
  if (!command) return;
  const QString folder = view_->session()->folder();
  const bool isProjects = !project_.isEmpty() && (folder + u'/').startsWith(project_ + u'/');
  if (!isProjects || parts_.gate->isTrusted(folder)) return runAgreed(*command);
  say(tr("The folder is not trusted, and no command of a model is run there. It can be inserted."),
      true);
  parts_.gate->start({folder, programs::GivenStart::Kind::kCommand, *command, {}, {}},
                     [guard = QPointer<TerminalWords>(this), command = *command] {
                       if (guard) guard->runAgreed(command);
                     });
}

void TerminalWords::runAgreed(const QString& command) {
  if (readyCommand() != command) return;
  switch (promptText(*view_->session())) {
    case PromptText::kSomething:
      return say(tr("Something stands at the prompt already, and would run with it. Insert the "
                    "command, and look at the whole line there."),
                 true);
    case PromptText::kUnknown:
      return say(tr("This shell does not mark its prompts, so it is not known what stands there "
                    "already. Insert the command, and run it there."),
                 true);
    case PromptText::kNothing:
      break;
  }
  TerminalSession* session = view_->session();
  session->paste(command);
  session->key(Qt::Key_Return, {}, QStringLiteral("\r"));
  dismiss();
}

// -- Keys

void TerminalWords::recall(int direction) {
  const QStringList& entries = history_.entries();
  const int to = recalled_ + direction;
  if (to < -1 || to >= entries.size()) return;
  recalled_ = to;
  words_->setText(to < 0 ? QString() : entries[to]);
}

bool TerminalWords::keyInWords(int key) {
  if (key == Qt::Key_Escape) {
    isAsking_ ? stop() : dismiss();
  } else if (isReturn(key)) {
    submit();
  } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
    recall(key == Qt::Key_Up ? +1 : -1);
  } else {
    return false;
  }
  return true;
}

bool TerminalWords::keyInCommand(int key, Qt::KeyboardModifiers modifiers) {
  if (key == Qt::Key_Escape) {
    dismiss();
  } else if (isReturn(key) && modifiers.testFlag(Qt::ControlModifier)) {
    if (run_->isEnabled())
      run();
    else if (!seen_->isSeen())
      say(run_->toolTip(), true);
  } else if (isReturn(key)) {
    insert();  // also with Shift: a line has no second one
  } else {
    return false;
  }
  return true;
}

bool TerminalWords::eventFilter(QObject* watched, QEvent* event) {
  const bool isPress = event->type() == QEvent::KeyPress;
  if (!isPress && event->type() != QEvent::ShortcutOverride)
    return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  // Commands of the window that have such a key wait while the box has the keyboard.
  const bool isOurs = key->key() == Qt::Key_Escape || isReturn(key->key());
  if (!isPress) {
    if (isOurs) event->accept();
    return isOurs;
  }
  if (watched == words_) return keyInWords(key->key());
  if (watched == command_) return keyInCommand(key->key(), key->modifiers());
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
