// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of real commits, for benchmarks that count what becomes of changes.
#pragma once

#include <QByteArrayList>
#include <QStringList>

namespace waferpair::bench {

struct CommitArguments {
  qsizetype cases = 500;
  QStringList repositories;  // folders of git
};
// "[CASES] REPOSITORY..."; the repository of this source without any.
CommitArguments commitArguments();

// What git says; empty: it fails.
QByteArray git(const QString& repository, const QStringList& arguments);
// With their ends.
QByteArrayList linesOf(const QByteArray& text);
bool standsOnce(const QByteArray& text, const QByteArray& part);

}  // namespace waferpair::bench
