// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "gui/shell/options.h"
#include "gui/store/file_position.h"

namespace waferpair::gui {

class TestOptions : public QObject {
  Q_OBJECT
 private slots:
  void readsTargetsAndSwitches();
  void refusesWhatItDoesNotKnow();
  void readsPlaces_data();
  void readsPlaces();
  void readsFilesWithPlaces_data();
  void readsFilesWithPlaces();
  void takesAnExistingNameWhole();
};

void TestOptions::readsTargetsAndSwitches() {
  const Options options =
      parseOptions({"waferpair", "--model", "m.gguf", "a.cpp:3", "--no-runtime", "folder"});
  QCOMPARE(options.error, QString());
  QCOMPARE(options.targets, QStringList({"a.cpp:3", "folder"}));
  QCOMPARE(options.model, QStringLiteral("m.gguf"));
  QVERIFY(!options.runtime);
  QVERIFY(!options.help && !options.version);
  QVERIFY(parseOptions({"waferpair", "--help"}).help);
  QVERIFY(parseOptions({"waferpair", "--version"}).version);
  QVERIFY(!options.automation && !options.reproducible);
  QVERIFY(parseOptions({"waferpair", "--reproducible"}).reproducible);
  QVERIFY(parseOptions({"waferpair", "--trust", "folder"}).trust && !options.trust);
  QVERIFY(parseOptions({"waferpair", "--automation"}).automation);
  const Options socket = parseOptions({"waferpair", "--automation-socket", "/tmp/s"});
  QVERIFY(socket.automation);
  QCOMPARE(socket.automationSocket, QStringLiteral("/tmp/s"));
}

void TestOptions::refusesWhatItDoesNotKnow() {
  QVERIFY(!parseOptions({"waferpair", "--no-such-thing"}).error.isEmpty());
  QVERIFY(!parseOptions({"waferpair", "--model"}).error.isEmpty());
  QVERIFY(!parseOptions({"waferpair", "--tour", "x", "--no-runtime"}).error.isEmpty());
  QVERIFY(!parseOptions({"waferpair", "--tour", "x", "--tour-seconds", "soon"}).error.isEmpty());
}

void TestOptions::readsPlaces_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<int>("line");  // 0: not a place
  QTest::addColumn<int>("column");
  QTest::newRow("line") << "12" << 12 << 1;
  QTest::newRow("line and column") << "12:4" << 12 << 4;
  QTest::newRow("blanks") << " 12 : 4 " << 12 << 4;
  QTest::newRow("column still to come") << "12:" << 12 << 1;
  QTest::newRow("line 0") << "0" << 0 << 0;
  QTest::newRow("column 0") << "3:0" << 0 << 0;
  QTest::newRow("negative") << "-3" << 0 << 0;
  QTest::newRow("word") << "twelve" << 0 << 0;
  QTest::newRow("more digits than an int") << "12345678901234" << 0 << 0;
  QTest::newRow("empty") << "" << 0 << 0;
}

void TestOptions::readsPlaces() {
  QFETCH(QString, text);
  QFETCH(int, line);
  QFETCH(int, column);
  const auto place = parseLineColumn(text);
  QCOMPARE(place.has_value(), line > 0);
  if (place) QCOMPARE(*place, (LineColumn{line, column}));
}

void TestOptions::readsFilesWithPlaces_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("path");
  QTest::addColumn<int>("line");
  QTest::newRow("no place") << "a/b.cpp"
                            << "a/b.cpp" << 0;
  QTest::newRow("line") << "a/b.cpp:7"
                        << "a/b.cpp" << 7;
  QTest::newRow("as compilers write") << "a/b.cpp:7:3:"
                                      << "a/b.cpp" << 7;
  QTest::newRow("a colon in the name") << "odd:name"
                                       << "odd:name" << 0;
  QTest::newRow("a colon in the name and a line") << "odd:name:9"
                                                  << "odd:name" << 9;
}

void TestOptions::readsFilesWithPlaces() {
  QFETCH(QString, text);
  QFETCH(QString, path);
  QFETCH(int, line);
  const FilePosition place = parseFilePosition(text);
  QCOMPARE(place.path, path);
  QCOMPARE(place.position ? place.position->line : 0, line);
}

void TestOptions::takesAnExistingNameWhole() {
  QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("log:12"));
  QFile file(name);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(parseFilePosition(name).path, name);
  QVERIFY(!parseFilePosition(name).position);
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestOptions)
#include "test_options.moc"
