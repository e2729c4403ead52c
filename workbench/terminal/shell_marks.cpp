// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TerminalScreen that follows a shell's marks (OSC 133): A before the prompt, B before
// what is typed, C before the output, D;STATUS behind it.
#include <algorithm>

#include "workbench/terminal/terminal_screen.h"

namespace waferpair::workbench {
namespace {

constexpr size_t kMostCommands = 10000;

}  // namespace

void TerminalScreen::readMark(const QByteArray& mark) {
  if (isAlternate_ || mark.isEmpty()) return;
  const bool hasOpen = !commands_.empty() && !commands_.back().isOver;
  switch (mark[0]) {
    case 'A':
      // A prompt that is drawn anew is the same one.
      if (!hasOpen || commands_.back().hasRun) {
        if (hasOpen) commands_.back().isOver = true;
        commands_.push_back({folder_, false, false, std::nullopt});
        if (commands_.size() > kMostCommands) {
          commands_.pop_front();
          ++firstCommand_;
        }
      }
      addMark(RowMark::Kind::kPrompt);
      return;
    case 'B':
      if (hasOpen) addMark(RowMark::Kind::kInput);
      return;
    case 'C':
      if (!hasOpen) return;
      commands_.back().hasRun = true;
      commands_.back().folder = folder_;
      addMark(RowMark::Kind::kOutput);
      return;
    case 'D': {
      if (!hasOpen || !commands_.back().hasRun) return;
      addMark(RowMark::Kind::kEnd);
      commands_.back().isOver = true;
      bool isNumber = false;
      const int status = mark.mid(2).split(';').constFirst().toInt(&isNumber);
      if (isNumber) commands_.back().status = status;
      return;
    }
    default:
      return;
  }
}

// The same mark of the command elsewhere on the screen is gone: it was drawn anew.
void TerminalScreen::addMark(RowMark::Kind kind) {
  const int number = firstCommand_ + static_cast<int>(commands_.size()) - 1;
  for (int i = 0; i < main_.rows(); ++i) {
    std::vector<RowMark>& marks = main_.screen(i).marks;
    marks.erase(std::remove_if(marks.begin(), marks.end(),
                               [&](const RowMark& mark) {
                                 return mark.kind == kind && mark.command == number;
                               }),
                marks.end());
  }
  const CellPlace at = cursor().place;
  std::vector<RowMark>& marks = main_.row(at.row).marks;
  // Of many that a program writes to one place only so many are kept.
  constexpr size_t kMostInRow = 16;
  if (marks.size() < kMostInRow) marks.push_back({kind, at.column, number});
  std::stable_sort(marks.begin(), marks.end(),
                   [](const RowMark& a, const RowMark& b) { return a.column < b.column; });
}

int TerminalScreen::lastCommand() const {
  for (auto i = static_cast<int>(commands_.size()) - 1; i >= 0; --i)
    if (commands_[i].hasRun) return firstCommand_ + i;
  return -1;
}

int TerminalScreen::openCommand() const {
  if (commands_.empty() || commands_.back().isOver) return -1;
  return firstCommand_ + static_cast<int>(commands_.size()) - 1;
}

const ShellCommand* TerminalScreen::command(int number) const {
  const int index = number - firstCommand_;
  return index >= 0 && index < static_cast<int>(commands_.size()) ? &commands_[index] : nullptr;
}

std::optional<CellPlace> TerminalScreen::markPlace(RowMark::Kind kind, int command) const {
  for (qint64 row = main_.end() - 1; row >= main_.first(); --row)
    for (const RowMark& mark : main_.row(row).marks)
      if (mark.kind == kind && mark.command == command) return CellPlace{row, mark.column};
  return std::nullopt;
}

std::optional<std::pair<CellPlace, CellPlace>> TerminalScreen::outputOf(int number) const {
  const ShellCommand* command = this->command(number);
  if (isAlternate_ || !command || !command->hasRun) return std::nullopt;
  const auto begin = markPlace(RowMark::Kind::kOutput, number);
  const auto end = markPlace(RowMark::Kind::kEnd, number);
  if (!begin && (!end || main_.first() == 0)) return std::nullopt;
  // What has scrolled away is gone; what goes on ends with the text.
  const CellPlace from = begin.value_or(CellPlace{main_.first(), 0});
  const CellPlace to = end.value_or(cursor().place);
  return std::pair(from, std::max(from, to));
}

QString TerminalScreen::lineOf(int command) const {
  if (isAlternate_) return {};
  const auto from = markPlace(RowMark::Kind::kInput, command);
  const auto to = markPlace(RowMark::Kind::kOutput, command);
  return from && to ? text(*from, *to).trimmed() : QString();
}

std::optional<QString> TerminalScreen::typedText() const {
  const int open = openCommand();
  const ShellCommand* command = this->command(open);
  if (isAlternate_ || !command || command->hasRun) return std::nullopt;
  const auto from = markPlace(RowMark::Kind::kInput, open);
  if (!from) return std::nullopt;
  return text(*from, {end() - 1, columns()});
}

}  // namespace waferpair::workbench
