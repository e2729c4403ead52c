// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TerminalView that marks text: selection, search, links, outputs.
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>

#include "gui/terminal/terminal_view.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::CellPlace;
using workbench::CellRange;
using workbench::RowMark;
using workbench::TerminalLine;
using workbench::TerminalScreen;
using workbench::TextLink;

namespace {

// What a double click takes beside letters and digits: paths and options are whole.
bool isPartOfWord(QChar c) {
  return c.isLetterOrNumber() || QStringLiteral("_-./~+@%:#?=&").contains(c);
}

// The folder of the command whose output has this row; empty: it is not known.
QString folderOf(const TerminalScreen& screen, qint64 row) {
  constexpr int kMostCommands = 50;  // that are looked at
  const int last = screen.lastCommand();
  for (int number = last; number >= std::max(0, last - kMostCommands) && last >= 0; --number) {
    const auto output = screen.outputOf(number);
    if (!output || row < output->first.row || row > output->second.row) continue;
    const workbench::ShellCommand* command = screen.command(number);
    return command ? command->folder : QString();
  }
  return {};
}

}  // namespace

CellRange TerminalView::selection() const {
  if (!isSelected_) return {};
  const CellPlace first = std::min(anchor_, caret_), last = std::max(anchor_, caret_);
  switch (unit_) {
    case Unit::kCell:
      return {first, last};
    case Unit::kWord:
      return {wordAt(first).start, wordAt(last).end};
    case Unit::kLine: {
      const TerminalLine from = lineAt(session_->screen(), first.row);
      const TerminalLine to = lineAt(session_->screen(), last.row);
      return {{from.firstRow, 0}, {to.lastRow, session_->screen().columns()}};
    }
  }
  Q_UNREACHABLE();
}

QString TerminalView::selectedText() const {
  const CellRange range = selection();
  return range.isEmpty() ? QString() : session_->screen().text(range.start, range.end);
}

void TerminalView::select(CellPlace anchor, CellPlace caret) {
  anchor_ = anchor;
  caret_ = caret;
  isSelected_ = true;
  viewport()->update();
  Q_EMIT selectionChanged();
}

void TerminalView::clearSelection() {
  if (!isSelected_) return;
  isSelected_ = false;
  viewport()->update();
  Q_EMIT selectionChanged();
}

CellRange TerminalView::wordAt(CellPlace place) const {
  const TerminalScreen& screen = session_->screen();
  place.row = std::clamp(place.row, screen.first(), screen.end() - 1);
  const TerminalLine line = lineAt(screen, place.row);
  const auto after = std::upper_bound(line.places.begin(), line.places.end() - 1, place);
  qsizetype at = std::max<qsizetype>(0, after - line.places.begin() - 1);
  if (line.text.isEmpty() || !isPartOfWord(line.text[at]))
    return {place, {place.row, place.column + 1}};
  qsizetype end = at;
  while (at > 0 && isPartOfWord(line.text[at - 1])) --at;
  while (end < line.text.size() && isPartOfWord(line.text[end])) ++end;
  return {line.places[at], line.places[end]};
}

void TerminalView::selectAll() {
  unit_ = Unit::kCell;
  const TerminalScreen& screen = session_->screen();
  select({screen.first(), 0}, {screen.end() - 1, screen.columns()});
}

void TerminalView::selectOutput() {
  const TerminalScreen& screen = session_->screen();
  int wanted = screen.lastCommand();
  // Of the command that the user has scrolled to.
  if (!follows_) {
    for (qint64 row = firstVisible(); row >= screen.first(); --row) {
      const auto& marks = screen.row(row).marks;
      const auto mark = std::find_if(marks.rbegin(), marks.rend(), [](const RowMark& each) {
        return each.kind == RowMark::Kind::kPrompt || each.kind == RowMark::Kind::kOutput;
      });
      if (mark == marks.rend()) continue;
      wanted = mark->command;
      break;
    }
  }
  const auto output = screen.outputOf(wanted);
  if (!output) return;
  unit_ = Unit::kCell;
  select(output->first, output->second);
  reveal(output->first.row);
}

void TerminalView::jumpToPrompt(int direction) {
  const TerminalScreen& screen = session_->screen();
  for (qint64 row = firstVisible() + direction; row >= screen.first() && row < screen.end();
       row += direction) {
    const auto& marks = screen.row(row).marks;
    const bool isPrompt = std::any_of(marks.begin(), marks.end(), [](const RowMark& mark) {
      return mark.kind == RowMark::Kind::kPrompt;
    });
    if (!isPrompt) continue;
    verticalScrollBar()->setValue(static_cast<int>(row - screen.first()));
    return;
  }
  scrollRows(direction > 0 ? screen.rows() : -verticalScrollBar()->maximum());
}

// -- By keys

void TerminalView::startMarking() {
  marking_ = true;
  unit_ = Unit::kCell;
  clearSelection();
  caret_ = anchor_ = session_->screen().cursor().place;
  reveal(caret_.row);
  viewport()->update();
}

void TerminalView::keyInMarking(const QKeyEvent& event) {
  const TerminalScreen& screen = session_->screen();
  const int page = screen.rows() - 1;
  CellPlace to = caret_;
  switch (event.key()) {
    case Qt::Key_Escape:
      marking_ = false;
      return clearSelection();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      marking_ = false;
      copy();
      return clearSelection();
    case Qt::Key_Left:
      --to.column;
      break;
    case Qt::Key_Right:
      ++to.column;
      break;
    case Qt::Key_Up:
      --to.row;
      break;
    case Qt::Key_Down:
      ++to.row;
      break;
    case Qt::Key_PageUp:
      to.row -= page;
      break;
    case Qt::Key_PageDown:
      to.row += page;
      break;
    case Qt::Key_Home:
      to.column = 0;
      if (event.modifiers().testFlag(Qt::ControlModifier)) to.row = screen.first();
      break;
    case Qt::Key_End:
      to.column = static_cast<int>(screen.row(to.row).cells.size());
      if (event.modifiers().testFlag(Qt::ControlModifier)) to.row = screen.end() - 1;
      break;
    default:
      return;
  }
  to.row = std::clamp(to.row, screen.first(), screen.end() - 1);
  to.column = std::clamp(to.column, 0, screen.columns());
  if (event.modifiers().testFlag(Qt::ShiftModifier)) {
    select(isSelected_ ? anchor_ : caret_, to);
  } else {
    clearSelection();
    anchor_ = caret_ = to;
  }
  reveal(to.row);
  viewport()->update();
}

// -- Search

bool TerminalView::find(const QString& text, bool isCaseSensitive, int direction) {
  const TerminalScreen& screen = session_->screen();
  const CellRange now = selection();
  const bool isSame = text == sought_ && isCaseSensitive == isSoughtExactly_ && !now.isEmpty();
  sought_ = text;
  isSoughtExactly_ = isCaseSensitive;
  // The first match is the last one above the end: what is newest is nearest.
  const CellPlace from = now.isEmpty()   ? CellPlace{screen.end(), 0}
                         : direction > 0 ? (isSame ? now.end : now.start)
                                         : now.start;
  const auto match =
      findText(screen, text, isCaseSensitive ? Qt::CaseSensitive : Qt::CaseInsensitive, from,
               now.isEmpty() ? -1 : direction);
  if (!match) {
    clearSelection();
    return false;
  }
  unit_ = Unit::kCell;
  select(match->start, match->end);
  reveal(match->start.row);
  return true;
}

void TerminalView::endFind() { sought_.clear(); }

// -- Links

QVector<TerminalView::FoundLink> TerminalView::linksOfRow(qint64 row) const {
  const TerminalScreen& screen = session_->screen();
  const TerminalLine line = lineAt(screen, row);
  QVector<FoundLink> found;
  // What a program made a link of, as one as far as it goes.
  for (qsizetype i = 0; i < line.text.size();) {
    const auto cellOf = [&](qsizetype at) -> const workbench::Cell& {
      return screen.row(line.places[at].row).cells[line.places[at].column];
    };
    const quint16 number = cellOf(i).link;
    qsizetype end = i + 1;
    while (end < line.text.size() && cellOf(end).link == number) ++end;
    if (number != 0) {
      TextLink link;
      link.address = screen.link(cellOf(i));
      found.append({{line.places[i], line.places[end]}, link});
    }
    i = end;
  }
  // Where the command ran that printed it, which may not be where the shell is by now.
  const QString then = folderOf(screen, row), now = session_->folder();
  const auto fileOf = [&](const QString& path) {
    const QString file = then.isEmpty() ? QString() : workbench::fileOfLink(path, then, {});
    return file.isEmpty() ? workbench::fileOfLink(path, now, project_) : file;
  };
  const auto isFile = [&](const QString& path) { return !fileOf(path).isEmpty(); };
  for (TextLink link : workbench::linksIn(line.text, isFile)) {
    const CellRange range{line.places[link.start], line.places[link.end]};
    if (link.address.isEmpty()) link.path = fileOf(link.path);
    found.append({range, link});
  }
  return found;
}

std::optional<TerminalView::FoundLink> TerminalView::linkAt(CellPlace place) const {
  for (const FoundLink& link : linksOfRow(place.row))
    if (link.range.start <= place && place < link.range.end) return link;
  return std::nullopt;
}

void TerminalView::open(const TextLink& link) {
  if (!link.address.isEmpty()) {
    Q_EMIT addressWanted(link.address);
  } else {
    Q_EMIT fileWanted(link.path, link.line, link.column);
  }
}

void TerminalView::lookForLink(QPoint position, Qt::KeyboardModifiers modifiers) {
  std::optional<FoundLink> now;
  if (modifiers.testFlag(Qt::ControlModifier)) now = linkAt(screenCell(position));
  const bool isOther =
      now.has_value() != hovered_.has_value() || (now && now->range != hovered_->range);
  if (!isOther) return;
  hovered_ = now;
  viewport()->setCursor(now ? Qt::PointingHandCursor : Qt::IBeamCursor);
  viewport()->update();
}

bool TerminalView::goToLink() {
  const TerminalScreen& screen = session_->screen();
  const CellPlace before = marked_ ? marked_->range.start : CellPlace{screen.end(), 0};
  // A screen's worth above what is in sight is looked at: each file is asked for.
  const qint64 last = std::max(screen.first(), screen.end() - 500);
  for (qint64 row = std::min(before.row, screen.end() - 1); row >= last; --row) {
    const QVector<FoundLink> links = linksOfRow(row);
    for (auto link = links.rbegin(); link != links.rend(); ++link) {
      if (link->range.start >= before || link->range.start.row > row) continue;
      marked_ = *link;
      unit_ = Unit::kCell;
      select(link->range.start, link->range.end);
      reveal(link->range.start.row);
      return true;
    }
  }
  marked_.reset();
  return false;
}

void TerminalView::openMarkedLink() {
  if (marked_ || goToLink()) open(marked_->link);
}

}  // namespace waferpair::gui
