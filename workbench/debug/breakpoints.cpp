// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/breakpoints.h"

#include <QJsonObject>
#include <algorithm>
#include <optional>
#include <utility>

#include "editor/text/anchor.h"
#include "editor/text/line_diff.h"

namespace waferpair::workbench {

using editor::ChangedLines;

namespace {

constexpr qsizetype kMostOfCondition = 10'000;  // UTF-16 units
// All of this is done between two keys. In bytes of a text, and in lines up and down.
constexpr qint64 kMostCompared = 1 << 20;
constexpr int kFarthest = 2000;

// Returns the first byte of the line that is no blank: a line that is broken before it takes its
// breakpoint along.
qint64 codeStart(const editor::Snapshot& text, int line) {
  const QByteArray code = text.line(line);
  const auto first =
      std::find_if(code.begin(), code.end(), [](char c) { return c != ' ' && c != '\t'; });
  const qint64 blanks = first == code.end() ? 0 : first - code.begin();
  return text.lineStart(line) + blanks;
}

// The line of the changes that reads like `code`, the nearest to `line`; none near it: -1.
int nearestWith(const editor::Snapshot& text, const QByteArray& code, int line,
                const QVector<ChangedLines>& changes) {
  const auto isThere = [&](int at) {
    const auto behind = std::upper_bound(
        changes.begin(), changes.end(), at,
        [](int wanted, const ChangedLines& change) { return wanted < change.newStart; });
    return at < text.lineCount() && behind != changes.begin() &&
           at < std::prev(behind)->newStart + std::prev(behind)->newCount &&
           text.line(at).trimmed() == code;
  };
  for (int away = 0; away <= kFarthest; ++away)
    for (const int at : {line - away, line + away})
      if (isThere(at)) return at;
  return -1;
}

// Where a line is that was rewritten along with what is around it, or read anew; -1: nowhere.
int lineAnew(const editor::Snapshot& now, const QVector<ChangedLines>& changes, int line,
             const QByteArray& code) {
  if (const qint64 same = lineBehind(changes, line); same >= 0) return static_cast<int>(same);
  // Moved: it reads the same in what has come.
  return code.isEmpty() ? -1 : nearestWith(now, code, line, changes);
}

// From the first to the last line that the edits touched, without a look at the others.
ChangedLines touchedBy(const QVector<editor::TextEdit>& edits, const editor::Snapshot& before,
                       const editor::Snapshot& after) {
  qint64 size = before.size(), head = size, tail = size;  // bytes that are as they were
  for (const editor::TextEdit& edit : edits) {
    head = std::min(head, edit.start);
    tail = std::min(tail, size - edit.end);
    size += edit.text.size() - (edit.end - edit.start);
  }
  ChangedLines touched;
  touched.oldStart = before.lineAt(head);
  touched.oldCount = before.lineAt(before.size() - tail) + 1 - touched.oldStart;
  touched.newStart = after.lineAt(head);
  touched.newCount = after.lineAt(after.size() - tail) + 1 - touched.newStart;
  return touched;
}

}  // namespace

QVector<Breakpoint> Breakpoints::all() const {
  QStringList paths = byPath_.keys();
  paths.sort();
  QVector<Breakpoint> all;
  for (const QString& path : std::as_const(paths)) all += inFile(path);
  return all;
}

QVector<Breakpoint> Breakpoints::inFile(const QString& path) const {
  QVector<Breakpoint> found;
  for (const Kept& kept : byPath_.value(path)) found.append(kept.breakpoint);
  return found;
}

const Breakpoint* Breakpoints::at(const QString& path, int line) const {
  const auto file = byPath_.constFind(path);
  if (file == byPath_.cend()) return nullptr;
  for (const Kept& kept : *file)
    if (kept.breakpoint.line == line) return &kept.breakpoint;
  return nullptr;
}

const Breakpoint* Breakpoints::withId(qint64 id) const {
  for (const List& list : byPath_)
    for (const Kept& kept : list)
      if (kept.breakpoint.id == id) return &kept.breakpoint;
  return nullptr;
}

bool Breakpoints::toggle(const QString& path, int line) {
  if (const Breakpoint* there = at(path, line)) {
    remove(there->id);
    return false;
  }
  Breakpoint fresh;
  fresh.path = path;
  fresh.line = line;
  put(fresh);
  return at(path, line) != nullptr;
}

void Breakpoints::put(Breakpoint breakpoint) {
  if (breakpoint.path.isEmpty() || breakpoint.line < 0) return;
  List& list = byPath_[breakpoint.path];
  list.removeIf([&](const Kept& kept) {
    return kept.breakpoint.line == breakpoint.line || kept.breakpoint.id == breakpoint.id;
  });
  if (breakpoint.id <= 0) breakpoint.id = ++last_;
  last_ = std::max(last_, breakpoint.id);
  const auto place = std::find_if(list.begin(), list.end(), [&](const Kept& kept) {
    return kept.breakpoint.line > breakpoint.line;
  });
  list.insert(place, {breakpoint, -1, {}});
  if (const editor::Snapshot* text = textOf(breakpoint.path)) anchor(&list, *text);
  Q_EMIT fileChanged(breakpoint.path);
}

void Breakpoints::remove(qint64 id) {
  for (auto file = byPath_.begin(); file != byPath_.end(); ++file) {
    if (file->removeIf([&](const Kept& kept) { return kept.breakpoint.id == id; }) == 0) continue;
    const QString path = file.key();
    if (file->isEmpty()) byPath_.erase(file);
    Q_EMIT fileChanged(path);
    return;
  }
}

void Breakpoints::clear() {
  const QStringList paths = files();
  byPath_.clear();
  for (const QString& path : paths) Q_EMIT fileChanged(path);
}

void Breakpoints::setAllOn(bool on) {
  for (List& list : byPath_)
    for (Kept& kept : list) kept.breakpoint.isOn = on;
  for (const QString& path : files()) Q_EMIT fileChanged(path);
}

void Breakpoints::load(const QJsonArray& json) {
  QStringList touched = files();
  byPath_.clear();
  {
    const QSignalBlocker quiet(this);
    qsizetype count = 0;
    for (const QJsonValue value : json) {
      if (++count > kMost) break;
      Breakpoint one;
      one.path = value[u"path"].toString();
      one.line = value[u"line"].toInt(-1);
      one.isOn = value[u"on"].toBool(true);
      one.condition = value[u"condition"].toString().left(kMostOfCondition);
      one.hits = value[u"hits"].toString().left(kMostOfCondition);
      one.log = value[u"log"].toString().left(kMostOfCondition);
      put(one);
    }
  }
  touched += files();
  touched.removeDuplicates();
  for (const QString& path : std::as_const(touched)) Q_EMIT fileChanged(path);
}

QJsonArray Breakpoints::toJson() const {
  QJsonArray json;
  for (const Breakpoint& one : all()) {
    if (json.size() >= kMost) break;
    QJsonObject object{{QStringLiteral("path"), one.path}, {QStringLiteral("line"), one.line}};
    if (!one.isOn) object.insert(QStringLiteral("on"), false);
    for (const auto& [name, text] :
         {std::pair("condition", &one.condition), {"hits", &one.hits}, {"log", &one.log}})
      if (!text->isEmpty()) object.insert(QLatin1String(name), *text);
    json.append(object);
  }
  return json;
}

void Breakpoints::pathRenamed(const QString& from, const QString& to) {
  for (const QString& path : files()) {
    if (path != from && !path.startsWith(from + u'/')) continue;
    const QString now = to + path.mid(from.size());
    for (Kept& kept : byPath_.take(path)) {
      kept.breakpoint.path = now;
      put(kept.breakpoint);
    }
    Q_EMIT fileChanged(path);
  }
}

const editor::Snapshot* Breakpoints::textOf(const QString& path) const {
  const auto text = open_.constFind(path);
  return text == open_.cend() ? nullptr : &*text;
}

void Breakpoints::anchor(List* list, const editor::Snapshot& text) {
  for (Kept& kept : *list) {
    const int last = static_cast<int>(text.lineCount()) - 1;
    kept.breakpoint.line = std::min(kept.breakpoint.line, last);
    kept.anchor = codeStart(text, kept.breakpoint.line);
    kept.code = text.line(kept.breakpoint.line).trimmed();
  }
}

void Breakpoints::opened(const editor::SyncedDocument& document) {
  const editor::Snapshot& text = document.text;
  open_.insert(document.id, text);
  const auto file = byPath_.find(document.id);
  if (file == byPath_.end()) return;
  // Another program may have written it since it was open here.
  QVector<int> lines;
  for (const Kept& kept : *file) {
    const int line = kept.breakpoint.line;
    const bool isThere =
        kept.code.isEmpty() || (line < text.lineCount() && text.line(line).trimmed() == kept.code);
    const int found =
        isThere ? line
                : nearestWith(text, kept.code, line, {ChangedLines{.newCount = text.lineCount()}});
    lines += found < 0 ? line : found;
  }
  settle(document.id, lines, text);
}

void Breakpoints::changed(const editor::SyncedDocument& document,
                          const QVector<editor::TextEdit>& edits) {
  const editor::Snapshot before = std::exchange(open_[document.id], document.text);
  const auto file = byPath_.find(document.id);
  if (file == byPath_.end()) return;
  QVector<int> lines;
  std::optional<QVector<ChangedLines>> changes;  // looked for once, where needed
  const auto lookForChanges = [&] {
    if (changes) return;
    if (std::max(before.size(), document.text.size()) <= kMostCompared)
      changes = editor::textDiff(before, document.text);
    else
      changes = {touchedBy(edits, before, document.text)};
  };
  for (Kept& kept : *file) {
    editor::Anchor at{kept.anchor, editor::Bias::kAfter};
    bool isTaken = false;  // its line was taken out
    for (const editor::TextEdit& edit : edits) {
      isTaken = isTaken || (edit.start <= at.offset && at.offset < edit.end);
      at.follow(edit);
    }
    int line = static_cast<int>(document.text.lineAt(at.offset));
    if (isTaken && document.text.line(line).trimmed() != kept.code) {
      lookForChanges();
      const int anew = lineAnew(document.text, *changes, kept.breakpoint.line, kept.code);
      if (anew >= 0) {
        line = anew;
      } else if (!kept.isStandIn && kept.lost.size() < kMostLost) {
        kept.lost.append({kept.breakpoint, kept.code});
        kept.isStandIn = true;
      }
    }
    lines += line;
  }
  settle(document.id, lines, document.text);
  // Lines that come may be those that went: an undo.
  const auto now = byPath_.find(document.id);
  const bool mayBeBack =
      std::any_of(edits.cbegin(), edits.cend(),
                  [](const editor::TextEdit& edit) { return edit.text.contains('\n'); }) &&
      std::any_of(now->cbegin(), now->cend(),
                  [](const Kept& kept) { return !kept.lost.isEmpty(); });
  if (!mayBeBack) return;
  lookForChanges();
  if (bringBack(&*now, *changes, document.text)) Q_EMIT fileChanged(document.id);
}

// Puts breakpoints back whose lines have come again. True: some are.
bool Breakpoints::bringBack(List* list, const QVector<ChangedLines>& changes,
                            const editor::Snapshot& text) {
  QVector<Breakpoint> back;
  for (Kept& kept : *list) {
    kept.lost.removeIf([&](const Lost& one) {
      const int line =
          one.code.isEmpty() ? -1 : nearestWith(text, one.code, one.breakpoint.line, changes);
      if (line < 0) return false;
      back.append(one.breakpoint);
      back.back().line = line;
      return true;
    });
  }
  if (back.isEmpty()) return false;
  list->removeIf([](const Kept& kept) { return kept.isStandIn && kept.lost.isEmpty(); });
  for (const Breakpoint& one : std::as_const(back)) {
    for (Kept& kept : *list)
      if (kept.isStandIn && kept.breakpoint.id == one.id) kept.breakpoint.id = ++last_;
    const bool isThere = std::any_of(list->cbegin(), list->cend(), [&one](const Kept& kept) {
      return kept.breakpoint.line == one.line || kept.breakpoint.id == one.id;
    });
    if (!isThere) list->append({one, -1, {}});
  }
  std::stable_sort(list->begin(), list->end(), [](const Kept& a, const Kept& b) {
    return a.breakpoint.line < b.breakpoint.line;
  });
  anchor(list, text);
  return true;
}

// The breakpoints of a file are in these lines now.
void Breakpoints::settle(const QString& path, const QVector<int>& lines,
                         const editor::Snapshot& text) {
  const auto file = byPath_.find(path);
  Q_ASSERT(file != byPath_.end() && file->size() == lines.size());
  const int last = static_cast<int>(text.lineCount()) - 1;
  bool isMoved = false;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const int line = std::min(lines[i], last);
    isMoved = isMoved || line != (*file)[i].breakpoint.line;
    (*file)[i].breakpoint.line = line;
  }
  const auto byLine = [](const Kept& a, const Kept& b) {
    return a.breakpoint.line < b.breakpoint.line;
  };
  std::stable_sort(file->begin(), file->end(), byLine);
  anchor(&*file, text);
  if (!isMoved) return;
  // Lines that were joined have one.
  for (qsizetype i = file->size() - 1; i > 0; --i) {
    Kept& first = (*file)[i - 1];
    const Kept& second = (*file)[i];
    if (first.breakpoint.line != second.breakpoint.line) continue;
    first.lost += second.lost;
    // The one that is there for itself stays.
    if (first.isStandIn && !second.isStandIn) first.breakpoint = second.breakpoint;
    first.isStandIn = first.isStandIn && second.isStandIn;
  }
  const auto twin = std::unique(file->begin(), file->end(), [](const Kept& a, const Kept& b) {
    return a.breakpoint.line == b.breakpoint.line;
  });
  const bool isFewer = twin != file->end();
  file->erase(twin, file->end());
  if (isFewer) Q_EMIT fileChanged(path);
  Q_EMIT moved(path);
}

void Breakpoints::closed(const editor::DocumentId& id) {
  open_.remove(id);
  const auto file = byPath_.find(id);
  if (file == byPath_.end()) return;
  for (Kept& kept : *file) kept.anchor = -1;
}

}  // namespace waferpair::workbench
