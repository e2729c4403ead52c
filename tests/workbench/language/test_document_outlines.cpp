// SPDX-License-Identifier: GPL-3.0-or-later
// What open texts declare, as a scripted server, clangd and pylsp tell it, kept up to date.
#include <QSignalSpy>
#include <QStandardPaths>

#include "tests/workbench/language/language_project.h"
#include "workbench/language/document_outlines.h"

using namespace waferpair;
using namespace waferpair::workbench;

namespace {

// "Outer>inner" of the symbols around the byte behind `mark`.
QString pathBehind(DocumentOutlines& outlines, const LanguageProject& project, const QString& name,
                   const QByteArray& mark) {
  const QByteArray text = project.sync.find(project.path(name))->text.toByteArray();
  const qint64 offset = text.indexOf(mark) + mark.size();
  QStringList names;
  for (const int index : outlines.pathAt(project.path(name), offset))
    names.append(outlines.symbols(project.path(name))[index].name);
  return names.join(u'>');
}

// "name:depth@start-end" of each.
QStringList told(DocumentOutlines& outlines, const LanguageProject& project, const QString& name) {
  QStringList told;
  for (const OutlineSymbol& one : outlines.symbols(project.path(name)))
    told.append(QStringLiteral("%1:%2@%3-%4")
                    .arg(one.name)
                    .arg(one.depth)
                    .arg(one.range.start)
                    .arg(one.range.end));
  return told;
}

}  // namespace

class TestDocumentOutlines : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aTreeIsToldAndAListBecomesOne_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("tree") << "";
    QTest::newRow("tree, UTF-8") << "utf8";
    QTest::newRow("list") << "flat";
  }
  void aTreeIsToldAndAListBecomesOne() {
    QFETCH(QString, how);
    LanguageProject p(how);
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open("a.cpp", "# \xc3\xa4\nclass A\n def one\n def two\nclass B\n");
    QVERIFY(outlines.symbols(p.path("a.cpp")).isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"),
                              QStringList({"A:0@5-31", "one:1@14-23", "two:1@23-31", "B:0@31-39"}),
                              10'000);
    QCOMPARE(pathBehind(outlines, p, "a.cpp", "def o"), "A>one");
    QCOMPARE(pathBehind(outlines, p, "a.cpp", "class A"), "A");
    // At the edge of two it is in the later one.
    QCOMPARE(pathBehind(outlines, p, "a.cpp", "two\n"), "B");
    QCOMPARE(outlines.pathAt(p.path("a.cpp"), 0), QVector<int>());
    QCOMPARE(outlines.symbols(p.path("a.cpp"))[1].parent, 0);
  }

  void itMovesWithTheTextAndIsAskedForAgain() {
    LanguageProject p("");
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open("a.cpp", "class A\n");
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList("A:0@0-8"), 10'000);
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "class B\n"}});
    QCOMPARE(told(outlines, p, "a.cpp"), QStringList("A:0@8-16"));
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList({"B:0@0-8", "A:0@8-16"}),
                              10'000);
  }

  // An answer about the text before an edit is put where it belongs by now.
  void aLateAnswerIsPutWhereItBelongs() {
    LanguageProject p("slow");
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open("a.cpp", "class A\n");
    QVERIFY(p.becomesReady("a.cpp"));
    QSignalSpy changed(&outlines, &DocumentOutlines::outlineChanged);
    outlines.symbols(p.path("a.cpp"));
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "0123\n"}});
    QVERIFY(changed.wait(10'000));
    QCOMPARE(told(outlines, p, "a.cpp"), QStringList("A:0@5-13"));
  }

  void withoutAServerThereIsNone() {
    LanguageProject p("");
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open("a.cpp", "class A\n");
    QTRY_COMPARE_WITH_TIMEOUT(outlines.symbols(p.path("a.cpp")).size(), 1, 10'000);
    p.service.setEnabled(false);
    QTRY_VERIFY(outlines.symbols(p.path("a.cpp")).isEmpty());
    p.service.setEnabled(true);
    QTRY_COMPARE_WITH_TIMEOUT(outlines.symbols(p.path("a.cpp")).size(), 1, 10'000);
    p.sync.close(p.path("a.cpp"));
    QVERIFY(outlines.symbols(p.path("a.cpp")).isEmpty());
  }

  void aServerThatWasStartedAnewIsAskedAnew() {
    LanguagePatience patience = brisk();
    patience.again = std::chrono::milliseconds(1500);
    LanguageProject p("", patience);
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open("a.cpp", "class A\n");
    QTRY_COMPARE_WITH_TIMEOUT(outlines.symbols(p.path("a.cpp")).size(), 1, 10'000);
    p.sync.change(p.path("a.cpp"), 2, {{8, 8, "class CRASH\n"}});
    QTRY_COMPARE_WITH_TIMEOUT(p.stateOf("a.cpp"), LanguageClient::State::kDead, 10'000);
    p.sync.change(p.path("a.cpp"), 3, {{14, 19, "B"}});
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList({"A:0@0-8", "B:0@8-16"}),
                              10'000);
  }

  void realServersTellIt_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("clangd") << "clangd"
                            << "a.cpp"
                            << QByteArray(
                                   "namespace n {\nclass A {\n  int one() { return 1; }\n};\n}\n");
    QTest::newRow("pylsp") << "pylsp"
                           << "a.py"
                           << QByteArray("class A:\n    def one(self):\n        return 1\n");
  }
  void realServersTellIt() {
    QFETCH(QString, program);
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("It is not installed.");
    LanguageServer server = scripted({});
    server.programs = {program};
    server.arguments = {};
    LanguageProject p(server);
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open(name, text);
    QTRY_VERIFY_WITH_TIMEOUT(!outlines.symbols(p.path(name)).isEmpty(), 20'000);
    QCOMPARE(pathBehind(outlines, p, name, "return"), program == "clangd" ? "n>A>one" : "A>one");
    const QVector<OutlineSymbol>& symbols = outlines.symbols(p.path(name));
    QCOMPARE(symbols.last().kind, "method");
  }
};

QTEST_GUILESS_MAIN(TestDocumentOutlines)
#include "test_document_outlines.moc"
