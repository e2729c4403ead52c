// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "gui/shell/open_request.h"
#include "gui/shell/options.h"

namespace waferpair::gui {

class TestOpenRequest : public QObject {
  Q_OBJECT
 private slots:
  void aCommandLineIsMadeARequest();
  void whatCannotBeWaitedForIsSaid();
  void aRequestComesOutAsItWentIn();
  void otherLinesAreNone_data();
  void otherLinesAreNone();
  void theRightWindowIsChosen();
};

void TestOpenRequest::aCommandLineIsMadeARequest() {
  const QTemporaryDir folder;
  const QString before = QDir::currentPath();
  QDir::setCurrent(folder.path());
  const QString here = QDir::currentPath();
  QString problem;
  OpenRequest request =
      requestOf(parseOptions({"waferpair", "--wait", "a/../b.cpp:3:7", "c"}), &problem);
  QCOMPARE(problem, QString());
  QCOMPARE(request.kind, OpenRequest::Kind::kOpen);
  QVERIFY(request.wait);
  QCOMPARE(request.places,
           (QList<FilePosition>{{here + "/b.cpp", LineColumn{3, 7}}, {here + "/c", std::nullopt}}));
  // Names of files that are compared have no places.
  request = requestOf(parseOptions({"waferpair", "--diff", "a:1", "b"}), &problem);
  QCOMPARE(request.kind, OpenRequest::Kind::kDiff);
  QCOMPARE(request.places,
           (QList<FilePosition>{{here + "/a:1", std::nullopt}, {here + "/b", std::nullopt}}));
  QDir::setCurrent(before);
}

void TestOpenRequest::whatCannotBeWaitedForIsSaid() {
  const QTemporaryDir folder;
  QVERIFY(!parseOptions({"waferpair", "--wait"}).error.isEmpty());
  QString problem;
  requestOf(parseOptions({"waferpair", "--wait", folder.path()}), &problem);
  QVERIFY2(problem.contains(folder.path()), qPrintable(problem));
  problem.clear();
  requestOf(parseOptions({"waferpair", "--diff", folder.path(), "b"}), &problem);
  QVERIFY2(problem.contains(folder.path()), qPrintable(problem));
  problem.clear();
  requestOf(parseOptions({"waferpair", folder.path()}), &problem);
  QCOMPARE(problem, QString());
  QVERIFY(!parseOptions({"waferpair", "--handed-over", "x", "f"}).error.isEmpty());
  QVERIFY(!parseOptions({"waferpair", "--handed-over", "1", "f"}).error.isEmpty());
}

void TestOpenRequest::aRequestComesOutAsItWentIn() {
  const OpenRequest plain{OpenRequest::Kind::kOpen,
                          {{"/a \"b\"\n/ü.cpp", LineColumn{12, 4}}, {"/c", std::nullopt}},
                          true,
                          "token"};
  const QByteArray line = openRequestLine(plain);
  QCOMPARE(line.count('\n'), 1);
  QVERIFY(line.endsWith('\n'));
  const auto read = parseOpenRequest(line);
  QVERIFY(read);
  QCOMPARE(*read, plain);
  const OpenRequest merge{
      OpenRequest::Kind::kMerge, {{"/1", {}}, {"/2", {}}, {"/3", {}}, {"/4", {}}}, false, {}};
  QCOMPARE(parseOpenRequest(openRequestLine(merge)), std::optional(merge));
  QCOMPARE(parseOpenRequest(openRequestLine({})), std::optional(OpenRequest()));
  const auto greeting = parseGreeting(greetingLine({"/x", true}));
  QVERIFY(greeting);
  QCOMPARE(greeting->folder, QStringLiteral("/x"));
  QVERIFY(greeting->isEmpty);
}

void TestOpenRequest::otherLinesAreNone_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("no JSON") << QByteArray("GET / HTTP/1.1\n");
  QTest::newRow("no object") << QByteArray("[1]\n");
  QTest::newRow("another version") << QByteArray(R"({"waferpair":2,"kind":"open","places":[]})");
  QTest::newRow("another kind") << QByteArray(R"({"waferpair":1,"kind":"run","places":[]})");
  QTest::newRow("a relative path")
      << QByteArray(R"({"waferpair":1,"kind":"open","places":[{"path":"a"}]})");
  QTest::newRow("a path with a zero")
      << QByteArray(R"({"waferpair":1,"kind":"open","places":[{"path":"/a\u0000b"}]})");
  QTest::newRow("no path") << QByteArray(R"({"waferpair":1,"kind":"open","places":[7]})");
  QTest::newRow("one file compared")
      << QByteArray(R"({"waferpair":1,"kind":"diff","places":[{"path":"/a"}]})");
  QTest::newRow("waiting for nothing")
      << QByteArray(R"({"waferpair":1,"kind":"open","places":[],"wait":true})");
  OpenRequest many;
  for (qsizetype i = 0; i <= kMostPlaces; ++i) many.places.append({"/a", std::nullopt});
  QTest::newRow("too many files") << openRequestLine(many);
  QTest::newRow("too long") << openRequestLine(
      {OpenRequest::Kind::kOpen,
       {{"/" + QString(kLongestOpenLine, u'a'), std::nullopt}},
       false,
       {}});
}

void TestOpenRequest::otherLinesAreNone() {
  QFETCH(QByteArray, line);
  QVERIFY(!parseOpenRequest(line));
  QVERIFY(!parseGreeting(line));
}

void TestOpenRequest::theRightWindowIsChosen() {
  const QTemporaryDir root;
  const auto path = [&root](const char* name) { return root.filePath(QLatin1String(name)); };
  for (const char* name : {"a/inner", "b", "c"}) QDir().mkpath(path(name));
  const auto file = [](const QString& name) {
    OpenRequest request;
    request.places.append({name, std::nullopt});
    return request;
  };
  const QList<WindowGreeting> windows{
      {path("b"), false}, {path("a"), false}, {path("a/inner"), false}, {QString(), true}};
  // A folder: where it is open, else where nothing is, else nowhere.
  QCOMPARE(chooseWindow(file(path("a")), windows), 1);
  QCOMPARE(chooseWindow(file(path("c")), windows), 3);
  QCOMPARE(chooseWindow(file(path("c")), windows.mid(0, 3)), -1);
  // A file: in the innermost folder that it is in, else in the window used last.
  QCOMPARE(chooseWindow(file(path("a/x.cpp")), windows), 1);
  QCOMPARE(chooseWindow(file(path("a/inner/x.cpp")), windows), 2);
  QCOMPARE(chooseWindow(file(path("ab.cpp")), windows), 0);
  QCOMPARE(chooseWindow(file("/elsewhere/x.cpp"), windows), 0);
  // A window with several folders is where each of them is; of several that are named the first
  // one that is open somewhere counts.
  QList<WindowGreeting> several = windows;
  several[0].others = {path("c")};
  QCOMPARE(chooseWindow(file(path("c")), several), 0);
  QCOMPARE(chooseWindow(file(path("c/x.cpp")), several), 0);
  OpenRequest two = file(path("new"));
  QDir().mkpath(path("new"));
  two.places.append({path("c"), std::nullopt});
  QCOMPARE(chooseWindow(two, several), 0);
  two.places.append({path("a"), std::nullopt});
  QCOMPARE(chooseWindow(two, several), 0);
  QCOMPARE(parseGreeting(greetingLine(several[0]))->others, several[0].others);
  // Nothing named: the window used last.
  QCOMPARE(chooseWindow({}, windows), 0);
  QCOMPARE(chooseWindow({}, {}), -1);
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestOpenRequest)
#include "test_open_request.moc"
