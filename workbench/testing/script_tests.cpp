// SPDX-License-Identifier: GPL-3.0-or-later
// Tests in Python, JavaScript, TypeScript, Rust and Go.
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "workbench/testing/code_mask.h"
#include "workbench/testing/find_tests.h"

namespace waferpair::workbench {

// -- Python: a block ends where a line begins at its column, or before

QVector<TestItem> pythonTests(const QString& path, const QByteArray& text) {
  static const QRegularExpression heading(QStringLiteral(
      R"(^([ \t]*)(?:(?:async[ \t]+)?def[ \t]+(\w+)|class[ \t]+(\w+)[ \t]*(\([^)\n]*\))?))"));
  struct Block {
    qsizetype column;
    qsizetype item;  // in `items`; -1: neither a test nor a group of some
  };
  QVector<TestItem> items;
  QVector<Block> open;
  const QList<QByteArray> lines = maskedCode(text, CodeFamily::kPython).split('\n');
  QStringList classes;
  int lastCode = 0;
  const auto closeFrom = [&](qsizetype column) {
    while (!open.isEmpty() && open.constLast().column >= column) {
      const Block block = open.takeLast();
      if (block.item < 0) continue;
      items[block.item].lastLine = lastCode;
      if (items[block.item].isGroup) classes.removeLast();
    }
  };
  for (int number = 0; number < lines.size(); ++number) {
    const QString line = QString::fromLatin1(lines[number]);
    if (line.trimmed().isEmpty()) continue;
    const auto match = heading.match(line);
    qsizetype column = 0;
    while (line[column] == u' ' || line[column] == u'\t') ++column;
    closeFrom(column);
    lastCode = number;
    if (!match.hasMatch()) continue;
    const bool isInFunction = !open.isEmpty() && open.constLast().item < 0;
    const bool isInTest = !open.isEmpty() && !isInFunction && !items[open.constLast().item].isGroup;
    Block block{column, -1};
    const QString function = match.captured(2);
    const QString name = match.captured(3);
    const bool isTest = function.startsWith(QLatin1String("test"));
    const bool isGroup = name.startsWith(QLatin1String("Test")) ||
                         match.captured(4).contains(QLatin1String("TestCase"));
    if (!isInFunction && !isInTest && (isTest || isGroup)) {
      block.item = items.size();
      TestId id{TestFramework::kPytest, path, classes};
      id.names.append(isTest ? function : name);
      if (isGroup) classes.append(name);
      items.append({id, number, number, isGroup});
    }
    open.append(block);
  }
  closeFrom(0);
  return items;
}

// -- JavaScript and TypeScript

QVector<TestItem> scriptTests(const QString& path, TestFramework framework,
                              const QByteArray& text) {
  static const QRegularExpression call(
      QStringLiteral(R"((?<![\w.$])(describe|suite|it|test)((?:\.\w+)*)\s*\(\s*(["'`]))"));
  const QByteArray code = maskedCode(text, CodeFamily::kScript);
  struct Around {
    qsizetype end;
    QString name;
  };
  QVector<Around> around;
  QVector<TestItem> items;
  auto each = call.globalMatch(QString::fromLatin1(code));
  LineCounter starts(text);
  while (each.hasNext()) {
    const auto match = each.next();
    const qsizetype from = match.capturedEnd();
    const qsizetype to = code.indexOf(match.captured(3).at(0).toLatin1(), from);
    if (to < 0) break;
    QByteArray name = text.mid(from, to - from);
    // What is put together as it runs has no name before.
    if (match.captured(3) == QLatin1String("`") && name.contains("${")) continue;
    for (const char* quoted : {"\\'", "\\\"", "\\`"}) name.replace(quoted, quoted + 1);
    const qsizetype open = code.lastIndexOf('(', from);
    const qsizetype end = closingBracket(code, open);
    while (!around.isEmpty() && around.constLast().end < from) around.removeLast();
    TestId id{framework, path, {}};
    for (const Around& outer : std::as_const(around)) id.names.append(outer.name);
    id.names.append(QString::fromUtf8(name));
    const bool isGroup = match.captured(1) == QLatin1String("describe") ||
                         match.captured(1) == QLatin1String("suite");
    if (isGroup) around.append({end, id.names.constLast()});
    const int line = starts.lineOf(match.capturedStart());
    // Ends of groups are behind those of what is in them: counted by themselves.
    const int last =
        line +
        static_cast<int>(text.mid(match.capturedStart(), end - match.capturedStart()).count('\n'));
    items.append({id, line, last, isGroup});
  }
  return items;
}

// -- Rust

QVector<TestItem> rustTests(const QString& root, const QStringList& modules,
                            const QByteArray& text) {
  static const QRegularExpression mark(QStringLiteral(
      R"(\bmod\s+(\w+)\s*\{|(#\[\s*(?:\w+::)*test\s*(?:\([^\]]*\))?\s*\])|\bfn\s+(\w+)|[{}])"));
  const QByteArray code = maskedCode(text, CodeFamily::kRust);
  struct Module {
    int depth;
    qsizetype item;
  };
  QVector<Module> open;
  QVector<TestItem> items;
  QStringList names = modules;
  int depth = 0;
  bool isTest = false;
  LineCounter lines(text);
  auto each = mark.globalMatch(QString::fromLatin1(code));
  while (each.hasNext()) {
    const auto match = each.next();
    if (match.hasCaptured(1)) {
      names.append(match.captured(1));
      const int line = lines.lineOf(match.capturedStart());
      open.append({depth++, items.size()});
      items.append({{TestFramework::kCargo, root, names}, line, line, true});
    } else if (match.hasCaptured(2)) {
      isTest = true;
    } else if (match.hasCaptured(3)) {
      if (!std::exchange(isTest, false)) continue;
      TestId id{TestFramework::kCargo, root, names};
      id.names.append(match.captured(3));
      const int line = lines.lineOf(match.capturedStart());
      const qsizetype body = code.indexOf('{', match.capturedEnd());
      const qsizetype end = body < 0 ? code.size() : closingBracket(code, body);
      const qsizetype length = end - match.capturedStart();
      const int last = line + static_cast<int>(text.mid(match.capturedStart(), length).count('\n'));
      items.append({id, line, last, false});
    } else if (match.captured(0) == QLatin1String("{")) {
      ++depth;
    } else if (depth > 0) {
      --depth;
      while (!open.isEmpty() && open.constLast().depth >= depth) {
        items[open.takeLast().item].lastLine = lines.lineOf(match.capturedStart());
        names.removeLast();
      }
    }
  }
  // A module without tests is no group of some.
  const QVector<TestItem> all = items;
  items.removeIf([&all](const TestItem& item) {
    return item.isGroup && std::none_of(all.cbegin(), all.cend(), [&](const TestItem& other) {
             return !other.isGroup && other.id.isIn(item.id);
           });
  });
  return items;
}

// -- Go

QVector<TestItem> goTests(const QString& path, const QByteArray& text) {
  static const QRegularExpression function(QStringLiteral(
      R"((?:^|\n)func\s+(Test(?:[^a-z\s(]\w*)?)\s*\(\s*\w+\s+\*testing\.T\s*\)\s*\{)"));
  const QByteArray code = maskedCode(text, CodeFamily::kGo);
  QVector<TestItem> items;
  LineCounter lines(text);
  auto each = function.globalMatch(QString::fromLatin1(code));
  while (each.hasNext()) {
    const auto match = each.next();
    const int line = lines.lineOf(match.capturedStart(1));
    const int last = lines.lineOf(closingBracket(code, match.capturedEnd() - 1));
    items.append(
        {{TestFramework::kGo, QFileInfo(path).path(), {match.captured(1)}}, line, last, false});
  }
  return items;
}

}  // namespace waferpair::workbench
