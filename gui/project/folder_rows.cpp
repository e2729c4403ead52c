// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/folder_rows.h"

#include <QCollator>
#include <QSet>
#include <algorithm>
#include <utility>
#include <vector>

#include "editor/text/folder_entries.h"
#include "editor/text/path_bytes.h"

namespace waferpair::gui {
namespace {

QString parentOf(const QString& path) {
  return path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
}

struct Sorted {
  QCollatorSortKey key;
  FolderRow row;
};

QCollator rowOrder() {
  QCollator order;
  // No locale, no numeric order.
  if (QLocale().language() == QLocale::C) order.setLocale(QLocale(QLocale::English));
  order.setNumericMode(true);
  order.setCaseSensitivity(Qt::CaseInsensitive);
  return order;
}

// Adds `count` rows from `first` on to the ranges.
void extend(QVector<RowChanges::Range>* ranges, qsizetype row) {
  if (!ranges->isEmpty() && ranges->last().first + ranges->last().count == row)
    ++ranges->last().count;
  else
    ranges->append({row, 1});
}

}  // namespace

const exclusions::RuleChain& FolderRules::in(const QString& folder) {
  // Down from the root; most of the way is known.
  QStringList way;
  for (QString each = folder; !known_.contains(each); each = parentOf(each)) {
    way.prepend(each);
    if (each.size() <= root_.size()) break;
  }
  for (const QString& each : std::as_const(way)) {
    const bool isRoot = each.size() <= root_.size();
    const exclusions::RuleChain above = isRoot
                                            ? exclusions::gitRulesAbove(editor::nativePath(root_))
                                            : known_.value(parentOf(each));
    known_.insert(each, exclusions::gitRulesIn(above, editor::nativePath(each)));
  }
  return known_[folder];
}

QVector<FolderRow> readFolderRows(const QString& folder, ShownRows shown, FolderRules* rules) {
  const exclusions::RuleChain& chain = rules->in(folder);
  const std::string prefix = editor::nativePath(folder) + '/';
  const QCollator order = rowOrder();
  std::vector<Sorted> rows;
  editor::eachEntryOf(editor::pathBytes(folder), [&](const editor::FolderEntry& entry) {
    const QByteArray name = entry.name();
    const bool isHidden = name.startsWith('.');
    if (isHidden && !shown.hidden) return true;
    const bool isFolder = entry.kindBehind() == editor::FolderEntry::Kind::kFolder;
    const bool isIgnored = exclusions::isNoise(chain, prefix + name.toStdString(), isFolder);
    if (isIgnored && !shown.ignored) return true;
    const QString text = editor::pathText(name);
    rows.push_back({order.sortKey(text), {text, isFolder, isHidden || isIgnored}});
    return true;
  });
  std::sort(rows.begin(), rows.end(), [](const Sorted& a, const Sorted& b) {
    if (a.row.isFolder != b.row.isFolder) return a.row.isFolder;
    const int compared = a.key.compare(b.key);
    return compared != 0 ? compared < 0 : a.row.name < b.row.name;
  });
  QVector<FolderRow> sorted;
  sorted.reserve(static_cast<qsizetype>(rows.size()));
  for (Sorted& each : rows) sorted.append(std::move(each.row));
  return sorted;
}

RowChanges rowChanges(const QVector<FolderRow>& before, const QVector<FolderRow>& after) {
  // A name is in a folder once.
  using Rows = QHash<QString, const FolderRow*>;
  Rows old, now;
  for (const FolderRow& row : before) old.insert(row.name, &row);
  for (const FolderRow& row : after) now.insert(row.name, &row);
  const auto sameIn = [](const Rows& rows, const FolderRow& row) -> const FolderRow* {
    const FolderRow* found = rows.value(row.name);
    return found && found->isFolder == row.isFolder ? found : nullptr;
  };
  RowChanges changes;
  for (qsizetype row = 0; row < before.size(); ++row)
    if (!sameIn(now, before[row])) extend(&changes.removed, row);
  std::reverse(changes.removed.begin(), changes.removed.end());
  for (qsizetype row = 0; row < after.size(); ++row) {
    const FolderRow* same = sameIn(old, after[row]);
    if (!same) extend(&changes.inserted, row);
    changes.looksOther = changes.looksOther || (same && same->isFaint != after[row].isFaint);
  }
  return changes;
}

}  // namespace waferpair::gui
