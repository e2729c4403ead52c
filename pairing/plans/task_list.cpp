// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/task_list.h"

#include <QRegularExpression>
#include <optional>

#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {
namespace {

// A line that begins an item.
struct ItemLine {
  qsizetype indent = 0;
  bool hasBox = false;
  bool isDone = false;
  QString text;
};

qsizetype indentOf(const QString& line) {
  qsizetype columns = 0;
  for (const QChar sign : line) {
    if (sign != u' ' && sign != u'\t') break;
    columns += sign == u'\t' ? 4 : 1;
  }
  return columns;
}

std::optional<ItemLine> itemIn(const QString& line) {
  static const QRegularExpression pattern(
      QStringLiteral("^\\s*(?:[-*+\\x{2022}]|\\d{1,3}[.)])\\s+(?:\\[([ xX~-]?)\\]\\s*)?(\\S.*)$"));
  const auto match = pattern.match(line);
  if (!match.hasMatch()) return std::nullopt;
  const bool hasBox = match.capturedStart(1) >= 0;
  static const QRegularExpression emptyBox(QStringLiteral("^\\[[ xX~-]?\\]\\s*$"));
  if (!hasBox && emptyBox.match(match.captured(2)).hasMatch()) return std::nullopt;
  return ItemLine{indentOf(line), hasBox, match.captured(1).compare(u"x", Qt::CaseInsensitive) == 0,
                  match.captured(2).trimmed()};
}

// Takes marks off that stand around the whole text: "**Do it**", "~~struck~~".
bool unwrap(QString* text, const QString& mark) {
  const bool isAround = text->size() > 2 * mark.size() && text->startsWith(mark) &&
                        text->endsWith(mark) &&
                        text->indexOf(mark, mark.size()) == text->size() - mark.size();
  if (isAround) *text = text->sliced(mark.size(), text->size() - 2 * mark.size()).trimmed();
  return isAround;
}

TaskItem itemOf(const ItemLine& line) {
  TaskItem item{line.text.simplified(), line.isDone, false};
  unwrap(&item.text, QStringLiteral("**"));
  item.isStruck = unwrap(&item.text, QStringLiteral("~~"));
  unwrap(&item.text, QStringLiteral("**"));
  item.text.truncate(kLongestTask);
  item.text = item.text.trimmed();
  return item;
}

// The items of one part of the text: inside of fences, or outside.
class Items {
 public:
  void take(const QString& line) {
    if (line.trimmed().isEmpty()) {
      goesOn_ = false;
      return;
    }
    if (const auto begun = itemIn(line)) {
      lines_.append(*begun);
      goesOn_ = true;
    } else if (goesOn_ && indentOf(line) > lines_.last().indent &&
               lines_.last().text.size() < kLongestTask) {
      lines_.last().text += u' ' + line.trimmed();
    } else {
      goesOn_ = false;
    }
  }
  bool isEmpty() const { return lines_.isEmpty(); }

  // Where some have boxes the others are remarks; so are those that lie deeper, without boxes.
  QVector<TaskItem> items() const {
    bool haveBoxes = false;
    qsizetype outermost = 1'000;
    for (const ItemLine& line : lines_) {
      haveBoxes = haveBoxes || line.hasBox;
      outermost = std::min(outermost, line.indent);
    }
    QVector<TaskItem> items;
    for (const ItemLine& line : lines_) {
      if (haveBoxes ? !line.hasBox : line.indent > outermost + 1) continue;
      const TaskItem item = itemOf(line);
      if (!item.text.isEmpty() && items.size() < kMostTasks) items.append(item);
    }
    return items;
  }

 private:
  QVector<ItemLine> lines_;
  bool goesOn_ = false;
};

}  // namespace

TaskList readTaskList(QStringView markdown) {
  static const QRegularExpression heading(QStringLiteral("^#{1,6}\\s+(.*?\\S)\\s*#*\\s*$"));
  TaskList list;
  Items outside, inside;
  std::optional<CodeFence> fence;
  const auto lines = markdown.split(u'\n');
  for (const QStringView view : lines) {
    QString line = view.toString();
    if (line.endsWith(u'\r')) line.chop(1);
    const QByteArray utf8 = line.toUtf8();
    const auto opened = fence ? std::nullopt : CodeFence::opening(utf8);
    if (opened || (fence && fence->closedBy(utf8))) {
      fence = opened;  // none: it was closed
      continue;
    }
    (fence ? inside : outside).take(line);
    if (!list.title.isEmpty()) continue;
    if (const auto match = heading.match(line); match.hasMatch())
      list.title = match.captured(1).left(kLongestTask);
  }
  list.items = (outside.isEmpty() ? inside : outside).items();
  return list;
}

QString writeTaskList(const QString& title, const QVector<PlanStep>& steps) {
  QString text;
  if (!title.isEmpty()) text += QStringLiteral("# %1\n\n").arg(title.simplified());
  for (const PlanStep& step : steps) {
    const QString words = step.text.simplified();
    text += step.state == StepState::kDone ? QStringLiteral("- [x] ") : QStringLiteral("- [ ] ");
    text +=
        step.state == StepState::kStruck ? QStringLiteral("~~%1~~\n").arg(words) : words + u'\n';
  }
  return text;
}

}  // namespace waferpair::pairing
