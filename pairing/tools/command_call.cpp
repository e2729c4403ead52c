// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/command_call.h"

#include "editor/text/translate.h"
#include "editor/text/unseen.h"

namespace waferpair::pairing {
namespace {

const char kRunOption[] = "run";
const char kRefuseOption[] = "refuse";
constexpr qsizetype kMostCommand = 4'000;  // UTF-16 units
// Of a long output the end says more than the beginning.
constexpr qsizetype kHeadPart = 4;

QString withEnds(const QString& text, qsizetype most) {
  if (text.size() <= most) return text;
  const qsizetype head = most / kHeadPart, tail = most - head;
  return text.left(head) +
         QStringLiteral("\n[%1 characters are left out here.]\n").arg(text.size() - head - tail) +
         text.right(tail);
}

}  // namespace

CommandCall::CommandCall(const AgentStep& step, std::function<bool()> mayRun)
    : step_(step), mayRun_(std::move(mayRun)) {
  static int last = 0;
  AgentQuestion question;
  question.number = --last;  // agents count upwards
  question.step = step;
  question.options = {
      {QLatin1String(kRunOption), translate("Run It Once"), AgentOption::Kind::kAllowOnce},
      {QLatin1String(kRefuseOption), translate("Do Not Run It"), AgentOption::Kind::kRejectOnce}};
  question_ = question;
}

QString CommandCall::refusal(const QString& command) {
  if (command.trimmed().isEmpty()) return QStringLiteral("No command is given.");
  if (command.size() > kMostCommand) return QStringLiteral("The command is too long.");
  if (editor::firstUnseen(command) >= 0 || command.contains(u'\0'))
    return QStringLiteral("The command has characters that one does not see.");
  return {};
}

void CommandCall::answer(const QString& optionId) {
  if (!question_) return;
  question_.reset();
  if (optionId != QLatin1String(kRunOption)) {
    refused_ = QStringLiteral("The user does not want this command to be run.");
  } else if (!mayRun_()) {
    refused_ = QStringLiteral("No command is run in this folder, which is not trusted.");
  }
  if (!refused_.isEmpty()) {
    Q_EMIT over();
    return;
  }
  run_ = std::make_unique<CommandRun>(step_.command, step_.folder);
  connect(run_.get(), &CommandRun::grew, this, &CommandCall::changed);
  connect(run_.get(), &CommandRun::finished, this, &CommandCall::over);
  Q_EMIT changed();
}

QString CommandCall::output() const {
  return run_ ? run_->record().output.right(AgentActivity::kMostOutput) : QString();
}

ToolResult CommandCall::result(qsizetype mostBytes) const {
  if (!run_) return ToolResult::error(refused_);
  if (!run_->problem().isEmpty()) return ToolResult::error(run_->problem());
  const CommandRecord record = run_->record();
  ToolResult result;
  const QString ended = record.exitCode
                            ? QStringLiteral("It ended with exit code %1.").arg(*record.exitCode)
                            : QStringLiteral("It was stopped.");
  // An estimate of bytes: most output is ASCII.
  result.text = withEnds(record.output, mostBytes) +
                (record.output.isEmpty() || record.output.endsWith(u'\n') ? QString()
                                                                          : QStringLiteral("\n")) +
                ended;
  result.title = record.exitCode
                     ? translate("Ran %1: exit code %2").arg(record.command).arg(*record.exitCode)
                     : translate("Ran %1: stopped").arg(record.command);
  return result;
}

}  // namespace waferpair::pairing
