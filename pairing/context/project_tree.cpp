// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/project_tree.h"

#include <QMap>

namespace waferpair::pairing {
namespace {

constexpr int kDeepest = 8;  // folders

// The line of a folder: its files, and its folders that are not opened.
using Lines = QMap<QString, QStringList>;

// Folders of `depth` and above have lines.
QByteArray treeOf(const QStringList& files, int depth) {
  Lines lines;
  QMap<QString, int> closed;  // folders, with how many files are below them
  for (const QString& file : files) {
    QString folder;
    qsizetype at = 0;
    for (int level = 0; level < depth; ++level) {
      const qsizetype slash = file.indexOf(u'/', at);
      if (slash < 0) break;
      at = slash + 1;
      folder = file.left(at);
    }
    const qsizetype slash = file.indexOf(u'/', at);
    if (slash < 0) {
      lines[folder].append(file.mid(at));
    } else {
      ++closed[file.left(slash + 1)];
    }
  }
  for (auto it = closed.cbegin(); it != closed.cend(); ++it) {
    const qsizetype slash = it.key().lastIndexOf(u'/', -2);
    lines[it.key().left(slash + 1)].append(
        QStringLiteral("%1 (%2)").arg(it.key().mid(slash + 1)).arg(it.value()));
  }
  QByteArray tree;
  for (auto it = lines.cbegin(); it != lines.cend(); ++it) {
    const QString head = it.key().isEmpty() ? QStringLiteral("./") : it.key();
    tree += (head + QStringLiteral(": ") + it.value().join(QStringLiteral(", ")) + u'\n').toUtf8();
  }
  return tree;
}

}  // namespace

QByteArray projectTree(QStringList files, qsizetype mostBytes,
                       const std::function<bool(const QString& file)>& isShown) {
  files.removeIf([&isShown](const QString& file) { return !isShown(file); });
  files.sort();
  QByteArray tree;
  for (int depth = 0; depth <= kDeepest; ++depth) {
    const QByteArray deeper = treeOf(files, depth);
    if (deeper == tree || (depth > 0 && deeper.size() > mostBytes)) break;
    tree = deeper;
  }
  if (tree.size() <= mostBytes) return tree;
  const qsizetype end = tree.lastIndexOf(", ", std::max<qsizetype>(mostBytes - 8, 0));
  return end > 0 ? tree.first(end) + ", …\n" : QByteArray();
}

}  // namespace waferpair::pairing
