// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/output_reader.h"

#include <QDir>
#include <algorithm>
#include <utility>

namespace waferpair::workbench {
namespace {

// Without escape sequences of colors, and without what a line overwrote of itself.
QByteArray plainLine(QByteArray line) {
  while (line.endsWith('\r')) line.chop(1);
  if (!line.contains('\x1b')) return line;
  QByteArray plain;
  for (qsizetype at = 0; at < line.size(); ++at) {
    if (line[at] != '\x1b' || at + 1 >= line.size() || line[at + 1] != '[') {
      if (line[at] != '\x1b') plain += line[at];
      continue;
    }
    at += 2;
    while (at < line.size() && (line[at] < '@' || line[at] > '~')) ++at;
  }
  return plain;
}

}  // namespace

QVector<TestOutcome> OutputReader::take(QByteArrayView bytes) {
  for (qsizetype at = 0; at < bytes.size();) {
    qsizetype end = bytes.indexOf('\n', at);
    const bool isWhole = end >= 0;
    if (!isWhole) end = bytes.size();
    const qsizetype room = kLongestLine - begun_.size();
    begun_.append(bytes.sliced(at, std::min(end - at, std::max<qsizetype>(0, room))));
    at = end + 1;
    if (isWhole) takeLine(plainLine(std::exchange(begun_, {})));
  }
  return std::exchange(told_, {});
}

QVector<TestOutcome> OutputReader::finish() {
  if (!begun_.isEmpty()) takeLine(plainLine(std::exchange(begun_, {})));
  takeEnd();
  return std::exchange(told_, {});
}

void OutputReader::tell(TestOutcome outcome) {
  outcome.message = outcome.message.trimmed().left(kMostOfOutput);
  outcome.output = outcome.output.left(kMostOfOutput);
  told_.append(std::move(outcome));
}

QString withoutPart(const QString& name, QString* part) {
  const qsizetype open = name.indexOf(u'[');
  if (open <= 0 || !name.endsWith(u']')) return name;
  *part = name.mid(open + 1, name.size() - open - 2);
  return name.left(open);
}

QString absolutePath(const QString& path, const QString& folder) {
  return path.isEmpty() ? QString() : QDir::cleanPath(QDir(folder).absoluteFilePath(path));
}

}  // namespace waferpair::workbench
