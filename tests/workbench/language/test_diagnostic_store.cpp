// SPDX-License-Identifier: GPL-3.0-or-later
// What several find wrong in one file, open or not, and how it follows edits.
#include <QJsonArray>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/text_sync.h"
#include "workbench/language/diagnostic_store.h"

using namespace waferpair;
using namespace waferpair::workbench;

namespace {

Diagnostic problem(int line, int column, int endColumn, const QString& message) {
  const QJsonObject range{{"start", QJsonObject{{"line", line}, {"character", column}}},
                          {"end", QJsonObject{{"line", line}, {"character", endColumn}}}};
  return readDiagnostics(QJsonArray{QJsonObject{{"range", range}, {"message", message}}})
      .constFirst();
}

QStringList shown(const DiagnosticStore& store, const QString& path) {
  QStringList rows;
  for (const Diagnostic& one : store.of(path))
    rows.append(
        QStringLiteral("%1-%2 %3").arg(one.range.start).arg(one.range.end).arg(one.message));
  return rows;
}

}  // namespace

class TestDiagnosticStore : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Each reporter's are its own: a newer report takes the place of its older one alone.
  void reportersKeepApart() {
    test::TextSync sync;
    DiagnosticStore store(&sync);
    QSignalSpy changed(&store, &DiagnosticStore::fileChanged);
    store.reportAsTold("server", "/p/a.cpp", {problem(4, 0, 1, "unused")}, ColumnUnit::kUtf16);
    store.reportAsTold("build", "/p/a.cpp", {problem(2, 0, 1, "undeclared")}, ColumnUnit::kUtf8);
    QCOMPARE(shown(store, "/p/a.cpp"), QStringList({"0-0 undeclared", "0-0 unused"}));
    QCOMPARE(changed.count(), 2);
    // The same again tells nobody.
    store.reportAsTold("build", "/p/a.cpp", {problem(2, 0, 1, "undeclared")}, ColumnUnit::kUtf8);
    QCOMPARE(changed.count(), 2);
    store.retract("server");
    QCOMPARE(shown(store, "/p/a.cpp"), QStringList({"0-0 undeclared"}));
    store.retract("build");
    QVERIFY(store.files().isEmpty());
    QCOMPARE(changed.count(), 4);
  }

  // The compiler says again what the server has said: that is one error, which goes with both.
  void oneErrorIsThereOnce() {
    test::TextSync sync;
    DiagnosticStore store(&sync);
    store.reportAsTold("build", "/p/a.cpp",
                       {problem(2, 0, 1, "No member 'x' [err]"), problem(2, 5, 6, "other"),
                        problem(3, 0, 1, "no member 'x'")},
                       ColumnUnit::kUtf8);
    store.report("server", "/p/a.cpp", {problem(2, 4, 5, "no member ‘x’")}, ColumnUnit::kUtf16);
    QCOMPARE(shown(store, "/p/a.cpp"),
             QStringList({"0-0 no member ‘x’", "0-0 other", "0-0 no member 'x'"}));
    store.retract("server");
    QCOMPARE(shown(store, "/p/a.cpp"),
             QStringList({"0-0 No member 'x' [err]", "0-0 other", "0-0 no member 'x'"}));
  }

  // Columns of one reporter are bytes, of another UTF-16 units; both follow what is typed above.
  void placesFollowTheText() {
    test::TextSync sync;
    DiagnosticStore store(&sync);
    store.reportAsTold("build", "/p/a.cpp", {problem(1, 3, 4, "bytes")}, ColumnUnit::kUtf8);
    store.reportAsTold("server", "/p/a.cpp", {problem(1, 2, 3, "units")}, ColumnUnit::kUtf16);
    const QByteArray text = "one\n\xc3\xa4 b\n";  // "ä b": b is byte 3, unit 2
    sync.openText("/p/a.cpp", "C++", 1, text);
    QCOMPARE(shown(store, "/p/a.cpp"), QStringList({"7-8 units", "7-8 bytes"}));
    QVERIFY(sync.change("/p/a.cpp", 2, {{0, 0, "xy"}}));
    QCOMPARE(shown(store, "/p/a.cpp"), QStringList({"9-10 units", "9-10 bytes"}));
    // What comes for an open text is where it is now.
    store.reportAsTold("build", "/p/a.cpp", {problem(0, 0, 2, "new")}, ColumnUnit::kUtf8);
    QCOMPARE(shown(store, "/p/a.cpp"), QStringList({"0-2 new", "9-10 units"}));
  }
};

QTEST_GUILESS_MAIN(TestDiagnosticStore)
#include "test_diagnostic_store.moc"
