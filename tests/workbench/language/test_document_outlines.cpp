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
    DocumentOutlines outlines(&p.sync, &p.service, nullptr, {});
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
    DocumentOutlines outlines(&p.sync, &p.service, nullptr, {});
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
    DocumentOutlines outlines(&p.sync, &p.service, nullptr, {});
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
    DocumentOutlines outlines(&p.sync, &p.service, nullptr, {});
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
    DocumentOutlines outlines(&p.sync, &p.service, nullptr, {});
    p.open("a.cpp", "class A\n");
    QTRY_COMPARE_WITH_TIMEOUT(outlines.symbols(p.path("a.cpp")).size(), 1, 10'000);
    p.sync.change(p.path("a.cpp"), 2, {{8, 8, "class CRASH\n"}});
    QTRY_COMPARE_WITH_TIMEOUT(p.stateOf("a.cpp"), LanguageClient::State::kDead, 10'000);
    p.sync.change(p.path("a.cpp"), 3, {{14, 19, "B"}});
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList({"A:0@0-8", "B:0@8-16"}),
                              10'000);
  }

  // "kind name:depth@first-last", by lines from 1.
  static QStringList tagged(DocumentOutlines& outlines, const LanguageProject& project,
                            const QString& name) {
    const editor::Snapshot text = project.sync.find(project.path(name))->text;
    QStringList tagged;
    for (const OutlineSymbol& one : outlines.symbols(project.path(name))) {
      if (!text.slice(one.place.start, one.place.end).isEmpty() &&
          text.slice(one.place.start, one.place.end) != one.name.toUtf8())
        return {"not at its name: " + one.name};
      tagged.append(QStringLiteral("%1 %2:%3@%4-%5")
                        .arg(one.kind, one.name)
                        .arg(one.depth)
                        .arg(text.lineAt(one.range.start) + 1)
                        .arg(text.lineAt(one.range.end) + 1));
    }
    return tagged;
  }

  void textsWithoutAServerAreReadByCtags_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("C++") << "a.cpp"
                         << QByteArray(
                                "#define M 1\nnamespace n {\nclass A {\n  int one(int a) {\n"
                                "    return a;\n  }\n  int x;\n};\n}\nint f() { return 1; }\n")
                         << QStringList{"constant M:0@1-1", "namespace n:0@2-9",
                                        "class A:1@3-8",    "function one:2@4-6",
                                        "field x:2@7-7",    "function f:0@10-10"};
    QTest::newRow("Python") << "a.py"
                            << QByteArray(
                                   "class A:\n    def one(self):\n        return 1\n\n"
                                   "def f(): pass\n")
                            << QStringList{"class A:0@1-3", "method one:1@2-3", "function f:0@5-5"};
    // What Go writes elsewhere stands by itself, and the package around all of it is left out.
    QTest::newRow("Go") << "a.go"
                        << QByteArray(
                               "package main\ntype T struct {\n  a int\n}\n"
                               "func (t *T) M() int {\n  return 1\n}\nfunc main() {\n}\n")
                        << QStringList{"struct T:0@2-4", "field a:1@3-4", "function M:0@5-7",
                                       "function main:0@8-9"};
    // Nobody says where these end.
    QTest::newRow("JavaScript") << "a.js"
                                << QByteArray(
                                       "class A {\n  m() {\n    return 1;\n  }\n}\n"
                                       "function f() {}\n")
                                << QStringList{"class A:0@1-6", "method m:1@2-6",
                                               "function f:0@6-7"};
    QTest::newRow("Rust") << "a.rs"
                          << QByteArray(
                                 "struct A {\n    x: i32,\n}\nimpl A {\n    fn m(&self) {\n"
                                 "    }\n}\nfn main() {\n}\n")
                          << QStringList{"struct A:0@1-4", "field x:1@2-4", "module A:0@4-8",
                                         "method m:1@5-8", "function main:0@8-10"};
    QTest::newRow("Markdown") << "a.md" << QByteArray("# One\ntext\n## Two\nmore\n# Three\n")
                              << QStringList{"chapter One:0@1-4", "section Two:1@3-4",
                                             "chapter Three:0@5-5"};
    QTest::newRow("empty") << "a.py" << QByteArray() << QStringList();
    QTest::newRow("no such language") << "a.nothing" << QByteArray("class A:\n") << QStringList();
    QTest::newRow("no text") << "a.c" << QByteArray(5000, '\xff') << QStringList();
  }
  void textsWithoutAServerAreReadByCtags() {
    if (QStandardPaths::findExecutable("ctags").isEmpty()) QSKIP("It is not installed.");
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QStringList, expected);
    LanguageProject p("", brisk(), false);
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open(name, text);
    p.open("other.py", "def last(): pass\n");
    QVERIFY(outlines.symbols(p.path(name)).isEmpty());
    // One text is read after the other.
    outlines.symbols(p.path("other.py"));
    QTRY_COMPARE_WITH_TIMEOUT(tagged(outlines, p, "other.py"), QStringList("function last:0@1-1"),
                              10'000);
    QCOMPARE(tagged(outlines, p, name), expected);
  }

  void whatCtagsReadFollowsEditsUntilAServerTells() {
    if (QStandardPaths::findExecutable("ctags").isEmpty()) QSKIP("It is not installed.");
    LanguageProject p("", brisk(), false);
    DocumentOutlines outlines(&p.sync, &p.service);
    p.open("a.cpp", "class A {};\n");
    outlines.symbols(p.path("a.cpp"));
    // Before the answer, which is about the text as it was.
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "class B {};\n"}});
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList("A:0@12-23"), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList({"B:0@0-11", "A:0@12-23"}),
                              10'000);
    // For this server a class is all of its line.
    p.agreeToAll();
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList({"B:0@0-12", "A:0@12-24"}),
                              10'000);
    // Its last word stays until there is another one.
    p.service.setEnabled(false);
    QCOMPARE(outlines.symbols(p.path("a.cpp")).size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(told(outlines, p, "a.cpp"), QStringList({"B:0@0-11", "A:0@12-23"}),
                              10'000);
  }

  void aProgramThatDiesAgainAndAgainIsLeftAlone() {
    TagReader reader({"false"});
    QVERIFY(reader.isThere());
    int answers = 0;
    for (int i = 0; i < 5; ++i)
      reader.read("a.py", editor::Snapshot("def f(): pass\n"),
                  [&answers](const QVector<OutlineSymbol>& symbols) {
                    QVERIFY(symbols.isEmpty());
                    ++answers;
                  });
    QTRY_COMPARE_WITH_TIMEOUT(answers, 5, 10'000);
    QVERIFY(!reader.isThere());
    QVERIFY(!TagReader({"no-such-program"}).isThere());
    QVERIFY(TagReader({"no-such-program", "sh"}).isThere());
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
    DocumentOutlines outlines(&p.sync, &p.service, nullptr, {});
    p.open(name, text);
    QTRY_VERIFY_WITH_TIMEOUT(!outlines.symbols(p.path(name)).isEmpty(), 20'000);
    QCOMPARE(pathBehind(outlines, p, name, "return"), program == "clangd" ? "n>A>one" : "A>one");
    const QVector<OutlineSymbol>& symbols = outlines.symbols(p.path(name));
    QCOMPARE(symbols.last().kind, "method");
  }
};

QTEST_GUILESS_MAIN(TestDocumentOutlines)
#include "test_document_outlines.moc"
