// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/breakpoints.h"

#include <QJsonObject>
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "editor/text/anchor.h"
#include "editor/text/line_diff.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfCondition = 10'000;  // UTF-16 units

// Returns the first byte of the line that is no blank: a line that is broken before it takes its
// breakpoint along.
qint64 codeStart(const editor::Snapshot& text, int line) {
  const QByteArray code = text.line(line);
  const auto first =
      std::find_if(code.begin(), code.end(), [](char c) { return c != ' ' && c != '\t'; });
  const qint64 blanks = first == code.end() ? 0 : first - code.begin();
  return text.lineStart(line) + blanks;
}

// The line of [from, to) that reads like `code`, the nearest to `line`; none: -1.
int lineWith(const editor::Snapshot& text, const QByteArray& code, int line, int from, int to) {
  int best = -1;
  for (int at = std::max(0, from); at < std::min<qint64>(to, text.lineCount()); ++at)
    if ((best < 0 || std::abs(at - line) < std::abs(best - line)) &&
        text.line(at).trimmed() == code)
      best = at;
  return best;
}

// The line that an unchanged line of `before` has now; -1: it is not there any more.
int lineBehind(const QVector<editor::ChangedLines>& changes, int line) {
  int now = line;
  for (const editor::ChangedLines& change : changes) {
    if (change.oldStart > line) break;
    if (line < change.oldStart + change.oldCount) return -1;
    now += static_cast<int>(change.newCount - change.oldCount);
  }
  return now;
}

// Where a line is that was rewritten along with what is around it, or read anew.
int lineAnew(const editor::Snapshot& now, const QVector<editor::ChangedLines>& changes, int line,
             const QByteArray& code) {
  if (const int same = lineBehind(changes, line); same >= 0) return same;
  if (code.isEmpty()) return -1;
  // Moved: it reads the same in what has come.
  int best = -1;
  for (const editor::ChangedLines& change : changes) {
    const int there = lineWith(now, code, line, static_cast<int>(change.newStart),
                               static_cast<int>(change.newStart + change.newCount));
    if (there >= 0 && (best < 0 || std::abs(there - line) < std::abs(best - line))) best = there;
  }
  return best;
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
        isThere ? line : lineWith(text, kept.code, line, 0, static_cast<int>(text.lineCount()));
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
  std::optional<QVector<editor::ChangedLines>> changes;  // looked for once, where needed
  for (const Kept& kept : *file) {
    editor::Anchor at{kept.anchor, editor::Bias::kAfter};
    bool isTaken = false;  // its line was taken out
    for (const editor::TextEdit& edit : edits) {
      isTaken = isTaken || (edit.start <= at.offset && at.offset < edit.end);
      at.follow(edit);
    }
    int line = static_cast<int>(document.text.lineAt(at.offset));
    if (isTaken && document.text.line(line).trimmed() != kept.code) {
      if (!changes) changes = editor::textDiff(before, document.text);
      const int anew = lineAnew(document.text, *changes, kept.breakpoint.line, kept.code);
      if (anew >= 0) line = anew;
    }
    lines += line;
  }
  settle(document.id, lines, document.text);
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
