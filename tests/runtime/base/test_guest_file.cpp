// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever lies where a project has a file is read within bounds, or refused; nothing is waited
// for.
#include "runtime/base/guest_file.h"

#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/odd_file.h"

using namespace waferpair::base;
using waferpair::test::OddFile;

namespace {

constexpr std::size_t kMost = 1 << 20;

}  // namespace

class TestGuestFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsNoFileIsRefusedOrAbsent_data() {
    QTest::addColumn<OddFile>("odd");
    for (const OddFile& odd : waferpair::test::oddFiles()) QTest::newRow(odd.name) << odd;
  }
  void whatIsNoFileIsRefusedOrAbsent() {
    QFETCH(OddFile, odd);
    QTemporaryDir folder;
    const QByteArray path = folder.filePath("x").toLocal8Bit();
    QVERIFY(odd.make(path));
    const auto read = readGuestFile(path.toStdString(), kMost);
    if (odd.isRefused) {
      QVERIFY(!read);
      QVERIFY2(read.error().what.find("/x ") != std::string::npos, read.error().what.c_str());
      QVERIFY(!read.error().remedy.empty());
    } else {
      QVERIFY(!read || read->value_or("").empty());
    }
  }

  void aFileIsReadUpToTheBound_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("isRead");
    for (const int size :
         {0, 1, 4095, 4096, 4097, static_cast<int>(kMost) - 1, static_cast<int>(kMost)})
      QTest::addRow("%d", size) << size << true;
    QTest::newRow("one more") << static_cast<int>(kMost) + 1 << false;
  }
  void aFileIsReadUpToTheBound() {
    QFETCH(int, size);
    QFETCH(bool, isRead);
    QTemporaryDir folder;
    QFile file(folder.filePath("x"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray bytes(size, 'b');
    QCOMPARE(file.write(bytes), bytes.size());
    file.close();
    const auto read = readGuestFile(file.fileName().toStdString(), kMost);
    QCOMPARE(read.has_value(), isRead);
    if (isRead) QCOMPARE(QByteArray::fromStdString(**read), bytes);
  }

  void linksAreFollowedUnlessTheyAreRefused() {
    QTemporaryDir folder;
    QFile file(folder.filePath("x"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("text") == 4);
    file.close();
    QVERIFY(file.link(folder.filePath("link")));
    const std::string link = folder.filePath("link").toStdString();
    QCOMPARE(**readGuestFile(link, kMost), std::string("text"));
    QVERIFY(!readGuestFile(link, kMost, Links::kRefuse));
    QVERIFY(!readGuestFile(folder.filePath("none").toStdString(), kMost)->has_value());
    QVERIFY(!readGuestFile(file.fileName().toStdString() + "/below", kMost)->has_value());
  }
};

QTEST_GUILESS_MAIN(TestGuestFile)
#include "test_guest_file.moc"
