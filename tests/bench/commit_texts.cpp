// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/commit_texts.h"

#include <QCoreApplication>
#include <QProcess>

#include "tests/support/paths.h"

namespace waferpair::bench {

CommitArguments commitArguments() {
  CommitArguments found;
  QStringList arguments = QCoreApplication::arguments().mid(1);
  if (!arguments.isEmpty()) {
    bool isNumber = false;
    const int number = arguments.first().toInt(&isNumber);
    if (isNumber) {
      found.cases = number;
      arguments.removeFirst();
    }
  }
  if (arguments.isEmpty()) {
    QProcess process;
    process.start("git", {"-C", QString::fromStdString(test::sourceDir()), "rev-parse",
                          "--absolute-git-dir"});
    process.waitForFinished(-1);
    arguments.append(QString::fromUtf8(process.readAllStandardOutput()).trimmed());
  }
  found.repositories = arguments;
  return found;
}

QByteArray git(const QString& repository, const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral("git"),
                QStringList{"--git-dir", repository, "-c", "core.quotePath=false"} + arguments);
  process.waitForFinished(-1);
  return process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

QByteArrayList linesOf(const QByteArray& text) {
  QByteArrayList lines = text.split('\n');
  if (lines.last().isEmpty()) lines.removeLast();
  for (QByteArray& line : lines) line += '\n';
  return lines;
}

bool standsOnce(const QByteArray& text, const QByteArray& part) {
  const qsizetype at = text.indexOf(part);
  return at >= 0 && text.indexOf(part, at + 1) < 0;
}

}  // namespace waferpair::bench
