// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QtTest>

#include "gui/client/session_token.h"

using waferpair::gui::readSessionToken;
using waferpair::gui::SessionToken;

class TestSessionToken : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    directory_ = std::make_unique<QTemporaryDir>();
    path_ = directory_->filePath("4711.token");
  }

  void aTokenOfTheUsersOwnIsRead() {
    write(digits_ + '\n');
    const SessionToken read = readSessionToken(path_);
    QCOMPARE(read.token, digits_);
    QVERIFY(read.problem.what.isEmpty());
  }

  void whatIsNoTokenIsRefusedByName_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("short") << QByteArray("abc\n");
    QTest::newRow("long") << QByteArray(65, 'a');
    QTest::newRow("header injection") << QByteArray(60, 'a') + "\r\nX:";
    QTest::newRow("not hexadecimal") << QByteArray(64, 'g');
    QTest::newRow("a large file") << QByteArray(1 << 20, 'a');
  }
  void whatIsNoTokenIsRefusedByName() {
    QFETCH(QByteArray, content);
    write(content);
    expectRefusal();
  }

  void aFileThatOthersCanReadIsRefused() {
    write(digits_);
    QFile::setPermissions(path_, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
    expectRefusal();
  }
  void aFileThatTheGroupCanWriteIsRefused() {
    write(digits_);
    QFile::setPermissions(path_, QFile::ReadOwner | QFile::WriteOwner | QFile::WriteGroup);
    expectRefusal();
  }
  void aMissingFileIsRefused() { expectRefusal(); }
  void aFolderIsRefused() {
    QVERIFY(QDir().mkdir(path_));
    expectRefusal();
  }
  void aSymbolicLinkIsRefused() {
    write(digits_);
    const QString link = path_ + ".link";
    QVERIFY(QFile::link(path_, link));
    path_ = link;
    expectRefusal();
  }
  void aPipeIsRefusedWithoutWaitingForIt() {
    QCOMPARE(::mkfifo(QFile::encodeName(path_).constData(), 0600), 0);
    expectRefusal();
  }

 private:
  void write(const QByteArray& content) {
    QFile file(path_);
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(content);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
  }
  void expectRefusal() {
    const SessionToken read = readSessionToken(path_);
    QVERIFY(read.token.isEmpty());
    QVERIFY2(read.problem.what.contains(path_), qPrintable(read.problem.what));
    QVERIFY(!read.problem.remedy.isEmpty());
  }

  const QByteArray digits_ = QByteArray("0123456789abcdef").repeated(4);
  std::unique_ptr<QTemporaryDir> directory_;
  QString path_;
};

QTEST_APPLESS_MAIN(TestSessionToken)
#include "test_session_token.moc"
