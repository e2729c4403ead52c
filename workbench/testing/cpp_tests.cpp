// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of Qt Test and GoogleTest in C++.
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "workbench/testing/code_mask.h"
#include "workbench/testing/find_tests.h"

namespace waferpair::workbench {
namespace {

// Slots that prepare and tidy up, and those that give data.
bool isNoTest(const QString& slot) {
  static const QSet<QString> others{QStringLiteral("initTestCase"), QStringLiteral("init"),
                                    QStringLiteral("cleanupTestCase"), QStringLiteral("cleanup"),
                                    QStringLiteral("initMain")};
  return others.contains(slot) || slot.endsWith(QLatin1String("_data"));
}

bool isOfQtTest(const QByteArray& text) {
  return text.contains("QTEST_") || text.contains("QTest") || text.contains("QtTest");
}

struct TestSlot {
  QString name;
  qsizetype start = 0;
  qsizetype end = 0;
};

struct TestClass {
  QString name;
  qsizetype start = 0;
  qsizetype end = 0;
  QVector<TestSlot> slotsOf;
};

// The private slots without arguments of a class, whose body is between two brackets.
QVector<TestSlot> slotsIn(const QByteArray& code, qsizetype open, qsizetype close) {
  static const QRegularExpression label(QStringLiteral(
      R"(\b(?:(public|protected|private)\s*(slots|Q_SLOTS)?|signals|Q_SIGNALS)\s*:(?!:))"));
  static const QRegularExpression method(QStringLiteral(
      R"(\bvoid\s+(\w+)\s*\(\s*(?:void\s*)?\)\s*(?:noexcept\s*)?(?:override\s*)?[;{])"));
  // Bodies of methods are left out.
  QByteArray body = code.mid(open + 1, std::max<qsizetype>(0, close - open - 1));
  for (qsizetype at = body.indexOf('{'); at >= 0; at = body.indexOf('{', at)) {
    const qsizetype end = closingBracket(body, at);
    for (++at; at < end; ++at) body[at] = ' ';
  }
  const QString flat = QString::fromLatin1(body);
  QVector<TestSlot> found;
  bool isSlots = false;
  qsizetype from = 0;
  const auto takeUntil = [&](qsizetype to) {
    auto each = method.globalMatch(flat, from);
    while (isSlots && each.hasNext()) {
      const auto match = each.next();
      if (match.capturedStart() >= to) break;
      if (isNoTest(match.captured(1))) continue;
      const qsizetype last = match.capturedEnd() - 1;
      const bool hasBody = body.at(last) == '{';
      const qsizetype end = hasBody ? closingBracket(code, open + 1 + last) : open + 1 + last;
      found.append({match.captured(1), open + 1 + match.capturedStart(), end});
    }
    from = to;
  };
  auto labels = label.globalMatch(flat);
  while (labels.hasNext()) {
    const auto match = labels.next();
    takeUntil(match.capturedStart());
    isSlots = match.captured(1) == QLatin1String("private") && match.hasCaptured(2);
  }
  takeUntil(flat.size());
  return found;
}

QVector<TestClass> classesIn(const QByteArray& code) {
  static const QRegularExpression heading(
      QStringLiteral(R"(\bclass\s+(?:\w+\s+)*?(\w+)\s*(?:final\s*)?:[^;{}()]*\{)"));
  QVector<TestClass> found;
  auto each = heading.globalMatch(QString::fromLatin1(code));
  while (each.hasNext()) {
    const auto match = each.next();
    const qsizetype open = match.capturedEnd() - 1;
    TestClass one{match.captured(1), match.capturedStart(), closingBracket(code, open), {}};
    one.slotsOf = slotsIn(code, open, one.end);
    if (!one.slotsOf.isEmpty()) found.append(one);
  }
  return found;
}

void addQtTests(const QByteArray& text, const QByteArray& header, QVector<TestItem>* items) {
  const QByteArray code = maskedCode(text, CodeFamily::kCpp);
  LineCounter lines(text);
  for (const TestClass& one : classesIn(code)) {
    const TestId id{TestFramework::kQtTest, {}, {one.name}};
    const int first = lines.lineOf(one.start);
    const qsizetype group = items->size();
    items->append({id, first, first, true});
    for (const TestSlot& slot : one.slotsOf) {
      TestId own = id;
      own.names.append(slot.name);
      const int line = lines.lineOf(slot.start);
      items->append({own, line, lines.lineOf(slot.end), false});
    }
    (*items)[group].lastLine = lines.lineOf(one.end);
  }
  if (!items->isEmpty() || header.isEmpty()) return;
  // The class is in the header, and what its slots do is here.
  const QString all = QString::fromLatin1(code);
  for (const TestClass& one : classesIn(maskedCode(header, CodeFamily::kCpp))) {
    QSet<QString> names;
    for (const TestSlot& slot : one.slotsOf) names.insert(slot.name);
    const QRegularExpression definition(
        QStringLiteral(R"(\bvoid\s+%1::(\w+)\s*\(\s*(?:void\s*)?\)[^;{}]*\{)").arg(one.name));
    LineCounter counter(text);
    QVector<TestItem> own;
    auto each = definition.globalMatch(all);
    while (each.hasNext()) {
      const auto match = each.next();
      if (!names.contains(match.captured(1))) continue;
      const int line = counter.lineOf(match.capturedStart());
      const int last = counter.lineOf(closingBracket(code, match.capturedEnd() - 1));
      own.append({{TestFramework::kQtTest, {}, {one.name, match.captured(1)}}, line, last, false});
    }
    if (own.isEmpty()) continue;
    items->append({{TestFramework::kQtTest, {}, {one.name}},
                   own.constFirst().line,
                   own.constLast().lastLine,
                   true});
    *items += own;
  }
}

void addGoogleTests(const QByteArray& text, QVector<TestItem>* items) {
  static const QRegularExpression macro(QStringLiteral(
      R"((?:^|\n)[ \t]*((?:TYPED_)?TEST(?:_F|_P)?)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*\{)"));
  const QByteArray code = maskedCode(text, CodeFamily::kCpp);
  LineCounter lines(text);
  QSet<QString> suites;
  auto each = macro.globalMatch(QString::fromLatin1(code));
  while (each.hasNext()) {
    const auto match = each.next();
    const QString suite = match.captured(2);
    const int line = lines.lineOf(match.capturedStart(1));
    const int last = lines.lineOf(closingBracket(code, match.capturedEnd() - 1));
    const TestId id{TestFramework::kGoogleTest, {}, {suite}};
    if (!suites.contains(suite)) {
      suites.insert(suite);
      // No line is the suite's own: its tests may stand anywhere in the file.
      items->append({id, -1, -1, true});
    }
    items->append({{id.framework, {}, {suite, match.captured(3)}}, line, last, false});
  }
}

}  // namespace

QVector<TestItem> cppTests(const QByteArray& text, const QByteArray& header) {
  QVector<TestItem> items;
  if (isOfQtTest(text) || isOfQtTest(header)) addQtTests(text, header, &items);
  if (text.contains("TEST") && !text.contains("CppUTest") && !text.contains("catch2"))
    addGoogleTests(text, &items);
  std::stable_sort(items.begin(), items.end(),
                   [](const TestItem& a, const TestItem& b) { return a.line < b.line; });
  return items;
}

}  // namespace waferpair::workbench
