// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/blame.h"

#include <QHash>
#include <algorithm>

namespace waferpair::workbench {
namespace {

bool isCommitName(QByteArrayView id) {
  return id.size() >= 40 && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

QVector<BlamedLine> readBlame(const QByteArray& porcelain) {
  QVector<BlamedLine> lines;
  QHash<QByteArray, BlamedLine> known;  // a commit is described where it comes first
  QByteArray current;
  for (qsizetype at = 0; at < porcelain.size();) {
    qsizetype end = porcelain.indexOf('\n', at);
    if (end < 0) end = porcelain.size();
    const QByteArray line = porcelain.mid(at, end - at);
    at = end + 1;
    if (line.startsWith('\t')) {
      if (!current.isEmpty()) lines.append(known.value(current));
      current.clear();
      continue;
    }
    const qsizetype blank = line.indexOf(' ');
    const QByteArray word = line.left(std::max<qsizetype>(0, blank));
    const QByteArray rest = line.mid(blank + 1);
    if (current.isEmpty()) {
      if (!isCommitName(word)) continue;
      current = word;
      const bool isCommitted = word.count('0') < word.size();
      known[current].commit = isCommitted ? word : QByteArray();
    } else if (word == "author") {
      known[current].author = QString::fromUtf8(rest);
    } else if (word == "author-time") {
      known[current].when = rest.toLongLong();
    } else if (word == "summary") {
      known[current].subject = QString::fromUtf8(rest);
    }
  }
  return lines;
}

}  // namespace waferpair::workbench
