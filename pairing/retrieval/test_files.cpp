// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/retrieval/test_files.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace waferpair::pairing {
namespace {

// The name without what makes it a test's: "bar" of "test_bar.cpp", "BarTest.java", "bar.spec.ts".
QString coreOf(const QString& path) {
  static const QRegularExpression mark(
      QStringLiteral(R"(^(test|spec)s?[_.-]|[_.-]?(tests?|spec)$)"),
      QRegularExpression::CaseInsensitiveOption);
  return QFileInfo(path).completeBaseName().remove(mark).toLower();
}

}  // namespace

bool isTestFile(const QString& path) {
  static const QRegularExpression name(
      QStringLiteral(R"((^|[/_.-])(tests?|specs?)([/_.-]|$)|(Tests?|Spec)\.\w+$)"));
  return name.match(path).hasMatch();
}

bool isTestOf(const QString& test, const QString& path) {
  return test != path && isTestFile(test) && coreOf(test) == coreOf(path);
}

}  // namespace waferpair::pairing
