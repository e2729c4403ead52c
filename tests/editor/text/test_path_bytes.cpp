// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <cstdio>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"

using namespace waferpair::editor;

class TestPathBytes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void utf8IsAsEver() {
    const QByteArray name("caf\xc3\xa9/\xf0\x9f\x98\x80 \xef\xbf\xbd");
    QCOMPARE(pathText(name), QString::fromUtf8(name));
    QCOMPARE(pathBytes(QString::fromUtf8(name)), name);
    QVERIFY(isUtf8Path(pathText(name)));
    QCOMPARE(shownPath(pathText(name)), QString::fromUtf8(name));
  }

  void whatIsThereIsFoundAndRenamed() {
    const QTemporaryDir folder;
    const auto at = [&](const char* name) { return folder.path() + u'/' + pathText(name); };
    for (const char* name : {"caf\xe9", "plain"}) {
      FILE* file = std::fopen(pathBytes(at(name)).constData(), "w");
      QVERIFY(file);
      std::fclose(file);
    }
    QVERIFY(isFileAt(at("caf\xe9")) && isThere(at("caf\xe9")) && !isFolderAt(at("caf\xe9")));
    QVERIFY(!isThere(at("caf\xe8")) && realPath(at("caf\xe8")).isEmpty());
    QCOMPARE(realPath(folder.path() + "/../" + folder.path().section('/', -1) + '/' +
                      pathText("caf\xe9")),
             at("caf\xe9"));
    QCOMPARE(renameOnDisk(at("caf\xe9"), at("plain")), EEXIST);
    QCOMPARE(renameOnDisk(at("caf\xe9"), at("caf\xe8")), 0);
    QCOMPARE(renameOnDisk(at("caf\xe8"), folder.path() + "/no/a"), ENOENT);
    QVERIFY(isFileAt(at("caf\xe8")) && !isThere(at("caf\xe9")));
    QCOMPARE(renameOnDisk(at("caf\xe8"), at("cafe")), 0);
    QVERIFY(!isThere({}) && !isFileAt({}) && realPath({}).isEmpty());
  }

  void otherBytesComeBack() {
    QCOMPARE(shownPath(pathText("caf\xe9.txt")), QString("caf\\xe9.txt"));
    QVERIFY(!isUtf8Path(pathText("caf\xe9.txt")));
    // Cut sequences, too long ones, surrogates, and what is no byte of UTF-8 at all.
    for (const QByteArray name : {"\xe9", "a\xc3", "\xf0\x9f\x98", "\xc0\xaf", "\xed\xb2\x80",
                                  "\xed\xa0\xbd\xed\xb8\x80", "\xff\xfe", "\xc3\xa9\xe9\xc3\xa9"})
      QCOMPARE(pathBytes(pathText(name)), name);
    QRandomGenerator random(3);
    for (int round = 0; round < 2000; ++round) {
      QByteArray name;
      for (int i = random.bounded(12); i > 0; --i)
        name += static_cast<char>(random.bounded(2) == 0 ? random.bounded(1, 256)
                                                         : 0x80 + random.bounded(0x80));
      QCOMPARE(pathBytes(pathText(name)), name);
    }
  }
};

QTEST_GUILESS_MAIN(TestPathBytes)
#include "test_path_bytes.moc"
