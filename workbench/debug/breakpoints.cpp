// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/breakpoints.h"

#include <QJsonObject>
#include <algorithm>

#include "editor/text/anchor.h"

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
  list.insert(place, {breakpoint, -1});
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
  }
}

void Breakpoints::opened(const editor::SyncedDocument& document) {
  open_.insert(document.id, document.text);
  const auto file = byPath_.find(document.id);
  if (file != byPath_.end()) anchor(&*file, document.text);
}

void Breakpoints::changed(const editor::SyncedDocument& document,
                          const QVector<editor::TextEdit>& edits) {
  open_.insert(document.id, document.text);
  const auto file = byPath_.find(document.id);
  if (file == byPath_.end()) return;
  bool isMoved = false;
  for (Kept& kept : *file) {
    editor::Anchor at{kept.anchor, editor::Bias::kAfter};
    for (const editor::TextEdit& edit : edits) at.follow(edit);
    const int line = static_cast<int>(document.text.lineAt(at.offset));
    isMoved = isMoved || line != kept.breakpoint.line;
    kept.breakpoint.line = line;
  }
  anchor(&*file, document.text);
  if (!isMoved) return;
  // Lines that were joined have one.
  const auto twin = std::unique(file->begin(), file->end(), [](const Kept& a, const Kept& b) {
    return a.breakpoint.line == b.breakpoint.line;
  });
  const bool isFewer = twin != file->end();
  file->erase(twin, file->end());
  if (isFewer) Q_EMIT fileChanged(document.id);
  Q_EMIT moved(document.id);
}

void Breakpoints::closed(const editor::DocumentId& id) {
  open_.remove(id);
  const auto file = byPath_.find(id);
  if (file == byPath_.end()) return;
  for (Kept& kept : *file) kept.anchor = -1;
}

}  // namespace waferpair::workbench
