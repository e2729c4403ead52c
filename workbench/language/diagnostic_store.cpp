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

}  // namespace

DiagnosticStore::DiagnosticStore(editor::DocumentSync* sync, QObject* parent)
    : QObject(parent), sync_(sync) {
  sync->subscribe(this);
}

void DiagnosticStore::report(const QString& reporter, const QString& path,
                             const QVector<Diagnostic>& found, ColumnUnit unit) {
  const auto before = files_.constFind(path);
  if (before == files_.cend() && found.isEmpty()) return;
  OfFile now = before == files_.cend() ? OfFile() : *before;
  const auto same = std::find_if(now.reports.begin(), now.reports.end(),
                                 [&](const Report& each) { return each.reporter == reporter; });
  const bool isKnown = same != now.reports.end();
  if (isKnown ? same->found == found : found.isEmpty()) return;
  if (isKnown) now.reports.erase(same);
  if (!found.isEmpty()) now.reports.append({reporter, unit, found});
  if (now.reports.isEmpty()) {
    files_.remove(path);
  } else {
    gather(&now);
    files_.insert(path, now);
  }
  Q_EMIT fileChanged(path);
}

void DiagnosticStore::reportAsTold(const QString& reporter, const QString& path,
                                   QVector<Diagnostic> found, ColumnUnit unit) {
  if (const editor::SyncedDocument* open = sync_->find(path)) placeIn(open->text, unit, &found);
  report(reporter, path, found, unit);
}

void DiagnosticStore::retract(const QString& reporter) {
  for (const QString& path : files()) report(reporter, path, {}, ColumnUnit::kUtf16);
}

void DiagnosticStore::gather(OfFile* file) {
  file->all.clear();
  for (const Report& report : std::as_const(file->reports)) file->all += report.found;
  std::stable_sort(
      file->all.begin(), file->all.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
      });
}

void DiagnosticStore::opened(const editor::SyncedDocument& document) {
  const auto file = files_.find(document.id);
  if (file == files_.end()) return;
  for (Report& report : file->reports) placeIn(document.text, report.unit, &report.found);
  gather(&*file);
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
  gather(&*file);
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
