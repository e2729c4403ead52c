// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/diagnostic_store.h"

#include <algorithm>
#include <utility>

#include "editor/text/anchor.h"

namespace waferpair::workbench {
namespace {

void placeIn(const editor::Snapshot& text, ColumnUnit unit, QVector<Diagnostic>* found) {
  for (Diagnostic& one : *found) one.range = byteRangeOf(text, one.told[u"range"], unit);
}

// What two programs say alike, but for signs and for the name of the rule behind it.
QString plainWords(const QString& message) {
  QString words;
  for (const QChar c : message.section(QStringLiteral(" ["), 0, 0))
    if (c.isLetterOrNumber()) words += c.toLower();
  return words;
}

}  // namespace

DiagnosticStore::DiagnosticStore(editor::DocumentSync* sync, QObject* parent)
    : QObject(parent), sync_(sync) {
  sync->subscribe(this);
}

void DiagnosticStore::report(const QString& reporter, const QString& path,
                             const QVector<Diagnostic>& found, ColumnUnit unit) {
  put(path, {reporter, unit, found, false});
}

void DiagnosticStore::reportAsTold(const QString& reporter, const QString& path,
                                   QVector<Diagnostic> found, ColumnUnit unit) {
  if (const editor::SyncedDocument* open = sync_->find(path)) placeIn(open->text, unit, &found);
  put(path, {reporter, unit, found, true});
}

void DiagnosticStore::put(const QString& path, const Report& report) {
  const auto before = files_.constFind(path);
  if (before == files_.cend() && report.found.isEmpty()) return;
  OfFile now = before == files_.cend() ? OfFile() : *before;
  const auto same = std::find_if(now.reports.begin(), now.reports.end(), [&](const Report& each) {
    return each.reporter == report.reporter;
  });
  const bool isKnown = same != now.reports.end();
  if (isKnown ? same->found == report.found : report.found.isEmpty()) return;
  if (isKnown) now.reports.erase(same);
  if (!report.found.isEmpty()) now.reports.append(report);
  if (now.reports.isEmpty()) {
    files_.remove(path);
  } else {
    gather(path, &now);
    files_.insert(path, now);
  }
  Q_EMIT fileChanged(path);
}

void DiagnosticStore::retract(const QString& reporter) {
  for (const QString& path : files()) report(reporter, path, {}, ColumnUnit::kUtf16);
}

void DiagnosticStore::gather(const QString& path, OfFile* file) const {
  const editor::SyncedDocument* open = sync_->find(path);
  const auto lineOf = [open](const Diagnostic& one) {
    return open ? open->text.lineAt(std::min(one.range.start, open->text.size())) : one.place.line;
  };
  file->all.clear();
  // Servers first: they know what mends an error.
  QMultiHash<qint64, Diagnostic> byLine;  // what they say
  const bool isTwice = std::any_of(file->reports.cbegin(), file->reports.cend(),
                                   [](const Report& each) { return each.isAsTold; });
  for (const Report& report : std::as_const(file->reports)) {
    if (report.isAsTold) continue;
    file->all += report.found;
    if (!isTwice) continue;
    for (const Diagnostic& one : report.found) byLine.insert(lineOf(one), one);
  }
  for (const Report& report : std::as_const(file->reports)) {
    if (!report.isAsTold) continue;
    for (const Diagnostic& one : report.found) {
      const QList<Diagnostic> there = byLine.values(lineOf(one));
      const bool isKnown =
          std::any_of(there.cbegin(), there.cend(), [&one](const Diagnostic& other) {
            return other.severity == one.severity &&
                   plainWords(other.message) == plainWords(one.message);
          });
      if (!isKnown) file->all.append(one);
    }
  }
  std::stable_sort(
      file->all.begin(), file->all.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
      });
}

void DiagnosticStore::opened(const editor::SyncedDocument& document) {
  const auto file = files_.find(document.id);
  if (file == files_.end()) return;
  for (Report& report : file->reports) placeIn(document.text, report.unit, &report.found);
  gather(document.id, &*file);
}

void DiagnosticStore::changed(const editor::SyncedDocument& document,
                              const QVector<editor::TextEdit>& edits) {
  const auto file = files_.find(document.id);
  if (file == files_.end()) return;
  for (Report& report : file->reports) {
    for (Diagnostic& one : report.found) {
      auto range = editor::AnchoredRange::fixed(one.range.start, one.range.end);
      for (const editor::TextEdit& edit : edits) range.follow(edit);
      one.range = {range.start(), range.end()};
    }
  }
  gather(document.id, &*file);
}

const QVector<Diagnostic>& DiagnosticStore::of(const QString& path) const {
  static const QVector<Diagnostic> none;
  const auto found = files_.constFind(path);
  return found == files_.cend() ? none : found->all;
}

QStringList DiagnosticStore::files() const {
  QStringList files = files_.keys();
  files.sort();
  return files;
}

}  // namespace waferpair::workbench
