// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>

#include "editor/text/text_file.h"
#include "tests/support/disk_fault.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using waferpair::test::DiskCall;
using waferpair::test::DiskFault;

namespace {

void writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray readFile(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

void touch(const QString& path, const QDateTime& time) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadWrite));
  QVERIFY(file.setFileTime(time, QFileDevice::FileModificationTime));
}

}  // namespace

class TestTextFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    QVERIFY(dir_->isValid());
  }

  void loadThenSaveGivesTheSameBytes_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray latin = "caf\xE9\r\n\x80 5";
    for (const char* ends : {"\n", "\r\n", "\r", "mixed"}) {
      for (const Encoding encoding : {Encoding::kUtf8, Encoding::kUtf8Bom, Encoding::kUtf16Le,
                                      Encoding::kUtf16Be, Encoding::kWindows1252}) {
        for (const bool lastEnd : {true, false}) {
          QByteArray text;
          for (int line = 0; line < 40; ++line) {
            const QByteArray mixed = line % 3 == 0 ? "\n" : line % 3 == 1 ? "\r\n" : "\r";
            text += "\tint x" + QByteArray::number(line) + " = 'é€'; ";
            if (line < 39 || lastEnd)
              text += qstrcmp(ends, "mixed") == 0 ? mixed : QByteArray(ends);
          }
          QTest::newRow(qPrintable(
              QStringLiteral("%1 %2 %3")
                  .arg(encodingName(encoding), QString::fromLatin1(QByteArray(ends).toHex()))
                  .arg(lastEnd)))
              << *encodeText(text, encoding);
        }
      }
    }
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("only mark") << QByteArray("\xEF\xBB\xBF");
    QTest::newRow("latin") << latin;
  }
  void loadThenSaveGivesTheSameBytes() {
    QFETCH(QByteArray, bytes);
    writeFile(path(), bytes);
    Result<TextFile> file = TextFile::open(path());
    QVERIFY(file.has_value());
    QCOMPARE(file->safeMode(), SafeMode::kOff);
    const Result<Snapshot> text = file->readText();
    QVERIFY(text.has_value());
    QVERIFY(file->save(text->toByteArray()).has_value());
    QCOMPARE(readFile(path()).toHex(), bytes.toHex());
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
  }

  void reportsLineEnds() {
    writeFile(path(), "a\r\nb\r\nc\n");
    const Result<TextFile> file = TextFile::open(path());
    QCOMPARE(file->lineEnds(), LineEnds::kCrLf);
    QVERIFY(file->hasMixedLineEnds());
    QVERIFY(file->notice().contains(QStringLiteral("CRLF")));
  }

  void binaryFileIsShownInPartAndNeverSaved() {
    QByteArray bytes(kBinaryShown + 1000, 'x');
    bytes[5] = '\0';
    writeFile(path(), bytes);
    Result<TextFile> file = TextFile::open(path());
    QCOMPARE(file->safeMode(), SafeMode::kBinary);
    QVERIFY(file->notice().contains(QStringLiteral("binary")));
    QVERIFY(file->notice().contains(QStringLiteral("256 KiB")));
    QCOMPARE(file->readText()->size(), kBinaryShown);
    const SaveResult saved = file->save("gone");
    QVERIFY(!saved.has_value());
    QVERIFY(!saved.error().remedy.isEmpty());
    QCOMPARE(readFile(path()), bytes);
  }

  void fileOver20MbIsTextInSafeMode() {
    const QByteArray line = "0123456789abcde\n";
    const QByteArray bytes = line.repeated(kHugeBytes / line.size() + 1);
    writeFile(path(), bytes);
    Result<TextFile> file = TextFile::open(path());
    QCOMPARE(file->safeMode(), SafeMode::kHuge);
    QVERIFY(file->notice().contains(QStringLiteral("highlighting and suggestions are off")));
    int pieces = 0;
    qint64 size = 0;
    QVERIFY(file->read([&](const QByteArray& utf8) {
                  ++pieces;
                  size += utf8.size();
                })
                .has_value());
    QCOMPARE(size, bytes.size());
    QVERIFY(pieces >= 20);
    QVERIFY(file->save(bytes + "more\n").has_value());
    QCOMPARE(QFileInfo(path()).size(), bytes.size() + 5);
  }

  void saveKeepsPermissionsAndTheTargetOfALink() {
    writeFile(path(), "#!/bin/sh\n");
    const auto permissions = QFileDevice::ReadOwner | QFileDevice::WriteOwner |
                             QFileDevice::ExeOwner | QFileDevice::ReadGroup | QFileDevice::ExeGroup;
    QVERIFY(QFile::setPermissions(path(), permissions));
    const QString link = dir_->filePath(QStringLiteral("link.sh"));
    QVERIFY(QFile::link(path(), link));

    Result<TextFile> file = TextFile::open(link);
    QVERIFY(file->save("#!/bin/sh\nexit\n").has_value());
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(readFile(path()), QByteArray("#!/bin/sh\nexit\n"));
    // Owner bits come twice in Qt, as owner's and as this user's.
    const auto mask = QFileDevice::Permissions(0x7077);
    QCOMPARE(QFile::permissions(path()) & mask, permissions & mask);
  }

  void aSaveThatFailsLeavesTheOriginalWhole() {
    writeFile(path(), "precious\n");
    Result<TextFile> file = TextFile::open(path());
    SaveResult saved;
    {
      const DiskFault fault(DiskCall::kWrite, ENOSPC);
      saved = file->save("few");
    }
    QVERIFY(!saved.has_value());
    QVERIFY2(saved.error().what.contains(u"as it was"_s), qPrintable(saved.error().what));
    QVERIFY(saved.error().remedy.contains(u"space"_s));
    QCOMPARE(readFile(path()), QByteArray("precious\n"));
    // Nothing half-written stays behind, and the next save works.
    QCOMPARE(QDir(dir_->path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"file.txt"_s});
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
    QVERIFY(file->save("few").has_value());
    QCOMPARE(readFile(path()), QByteArray("few"));
  }

  // It has the new text by then: that is nobody else's change.
  void aSaveThatIsNotConfirmedIsNoOutsideChange() {
    writeFile(path(), "precious\n");
    Result<TextFile> file = TextFile::open(path());
    {
      const DiskFault fault(DiskCall::kFolderSync, EIO);
      QVERIFY(!file->save("another text\n").has_value());
    }
    QCOMPARE(readFile(path()), QByteArray("another text\n"));
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
  }

  void pipesAndFoldersAreNotReplacedByFiles() {
    const QString pipe = dir_->filePath(u"pipe"_s);
    QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QVERIFY(!TextFile::open(pipe).has_value());
    for (const QString& path : {pipe, dir_->path()}) {
      TextFile file = TextFile::create(path);
      const SaveResult saved = file.save("text");
      QVERIFY(!saved.has_value());
      QVERIFY(!saved.error().remedy.isEmpty());
      QVERIFY(!QFileInfo(path).isFile());
    }
  }

  void missingFolderIsAnErrorWithARemedy() {
    TextFile file = TextFile::create(dir_->filePath(QStringLiteral("no/such/file.txt")));
    const SaveResult saved = file.save("text");
    QVERIFY(!saved.has_value());
    QVERIFY(saved.error().what.contains(QStringLiteral("file.txt")));
    QVERIFY(saved.error().remedy.contains(QStringLiteral("place")));
  }

  void noPermissionLeavesTheOriginal() {
    if (geteuid() == 0) QSKIP("root may write everywhere");
    writeFile(path(), "precious\n");
    Result<TextFile> file = TextFile::open(path());
    QVERIFY(QFile::setPermissions(dir_->path(), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    const SaveResult saved = file->save("gone");
    QVERIFY(QFile::setPermissions(
        dir_->path(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner));
    QVERIFY(!saved.has_value());
    QVERIFY(saved.error().remedy.contains(QStringLiteral("permissions")));
    QCOMPARE(readFile(path()), QByteArray("precious\n"));
  }

  void characterNotInTheEncodingSavesNothing() {
    writeFile(path(), "caf\xE9\n");
    Result<TextFile> file = TextFile::open(path());
    QCOMPARE(file->encoding(), Encoding::kWindows1252);
    const SaveResult saved = file->save("\xE2\x86\x92\n");
    QVERIFY(!saved.has_value());
    QVERIFY(saved.error().remedy.contains(QStringLiteral("UTF-8")));
    QCOMPARE(readFile(path()), QByteArray("caf\xE9\n"));
    file->setEncoding(Encoding::kUtf8);
    QVERIFY(file->save("\xE2\x86\x92\n").has_value());
    QCOMPARE(readFile(path()), QByteArray("\xE2\x86\x92\n"));
  }

  void openNamesWhatItCannotOpen_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("word");
    QTest::newRow("missing") << u"/no/such/file"_s << u"could not be read"_s;
    QTest::newRow("folder") << QDir::tempPath() << u"folder"_s;
    QTest::newRow("device") << u"/dev/zero"_s << u"regular"_s;
  }
  void openNamesWhatItCannotOpen() {
    QFETCH(QString, path);
    QFETCH(QString, word);
    const Result<TextFile> file = TextFile::open(path);
    QVERIFY(!file.has_value());
    QVERIFY(file.error().what.contains(word));
    QVERIFY(!file.error().remedy.isEmpty());
  }

  void outsideChangesAreSeen() {
    const QDateTime earlier = QDateTime::currentDateTime().addSecs(-100);
    writeFile(path(), "one\n");
    touch(path(), earlier);
    Result<TextFile> file = TextFile::open(path());
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);

    touch(path(), earlier.addSecs(10));
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);  // same content
    writeFile(path(), "two\n");
    touch(path(), earlier.addSecs(20));
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    QVERIFY(QFile::remove(path()));
    QCOMPARE(file->outsideChange(), OutsideChange::kDeleted);
    QVERIFY(file->save("three\n").has_value());
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
  }

  // Neither the size nor the millisecond of its last change tells.
  void anotherFileInItsPlaceIsAnOutsideChange() {
    const QDateTime time = QDateTime::currentDateTime().addSecs(-100);
    writeFile(path(), "one\n");
    touch(path(), time);
    Result<TextFile> file = TextFile::open(path());
    const QString other = dir_->filePath(u"other"_s);
    writeFile(other, "two\n");
    touch(other, time);
    QCOMPARE(rename(QFile::encodeName(other).constData(), QFile::encodeName(path()).constData()),
             0);
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
  }

  void aChangeWithinTheSameMillisecondIsAnOutsideChange() {
    writeFile(path(), "one\n");
    const auto setNanoseconds = [this](long nanoseconds) {
      const timespec times[2] = {{1'700'000'000, nanoseconds}, {1'700'000'000, nanoseconds}};
      QCOMPARE(utimensat(AT_FDCWD, QFile::encodeName(path()).constData(), times, 0), 0);
    };
    setNanoseconds(5'000'100);
    Result<TextFile> file = TextFile::open(path());
    writeFile(path(), "two\n");
    setNanoseconds(5'000'200);
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
  }

  // As of a program that sets the time of what it writes, or a clock that was set back.
  void anotherContentOfTheSameSizeAndTimeIsAnOutsideChange() {
    const QDateTime time = QDateTime::currentDateTime().addSecs(-100);
    writeFile(path(), "one\n");
    touch(path(), time);
    Result<TextFile> file = TextFile::open(path());
    writeFile(path(), "two\n");
    touch(path(), time);
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
  }

  // Sooner than any clock of a file system ticks; and what was looked at once stays seen.
  void aChangeRightBehindASaveIsAnOutsideChange() {
    for (int round = 0; round < 50; ++round) {
      Result<TextFile> file = TextFile::create(path());
      QVERIFY(file->save("one\n").has_value());
      QFile(path()).resize(0);
      writeFile(path(), "two\n");
      QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
      QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    }
  }

  void whatIsNoFileInItsPlaceIsAnOutsideChange_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("a link to the same text") << 0;
    QTest::newRow("a link to nothing") << 1;
    QTest::newRow("a folder") << 2;
    QTest::newRow("a FIFO") << 3;
    QTest::newRow("a device") << 4;
  }
  void whatIsNoFileInItsPlaceIsAnOutsideChange() {
    QFETCH(int, kind);
    writeFile(path(), "");
    Result<TextFile> file = TextFile::open(path());
    QVERIFY(QFile::remove(path()));
    const QString other = dir_->filePath(u"other"_s);
    const QByteArray name = QFile::encodeName(path());
    if (kind == 0) writeFile(other, "");
    if (kind <= 1) QVERIFY(QFile::link(other, path()));
    if (kind == 2) QVERIFY(QDir().mkdir(path()));
    if (kind == 3) QCOMPARE(mkfifo(name.constData(), 0600), 0);
    if (kind == 4) QVERIFY(QFile::link(u"/dev/zero"_s, path()));
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    file->ignoreOutsideChange();
    QCOMPARE(file->outsideChange(), kind == 1 ? OutsideChange::kDeleted : OutsideChange::kNone);
  }

  void aTextKnowsWhichStateOfTheFileItWasMadeFrom() {
    writeFile(path(), "one\n");
    const FileStamp one = TextFile::open(path())->stamp();
    // Written anew with the same content: nothing has happened to the text.
    writeFile(path(), "one\n");
    Result<TextFile> file = TextFile::open(path());
    file->setMadeFrom(one);
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
    // Neither size nor time tells.
    writeFile(path(), "two\n");
    file = TextFile::open(path());
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
    file->setMadeFrom(one);
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    file->setMadeFrom({.size = kUnknownSize, .sha1 = one.sha1});
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    file->setMadeFrom({.size = kUnknownSize});
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    // There was none then.
    file->setMadeFrom({});
    QCOMPARE(file->outsideChange(), OutsideChange::kChanged);
    writeFile(path(), "one\n");
    file->setMadeFrom({.size = kUnknownSize, .sha1 = one.sha1});
    QCOMPARE(file->outsideChange(), OutsideChange::kNone);
    QVERIFY(QFile::remove(path()));
    file->setMadeFrom(one);
    QCOMPARE(file->outsideChange(), OutsideChange::kDeleted);
  }

  void aFileMayBeMadeThroughALink() {
    const QString target = dir_->filePath(u"target"_s);
    QVERIFY(QFile::link(target, path()));
    TextFile file = TextFile::create({});
    file.moveTo(path());
    QCOMPARE(file.outsideChange(), OutsideChange::kNone);
    QVERIFY(file.save("text\n").has_value());
    QCOMPARE(readFile(target), QByteArray("text\n"));
    QCOMPARE(file.outsideChange(), OutsideChange::kNone);
  }

  void textThatChangedBetweenLookingAndReadingIsRefused() {
    writeFile(path(), "one\n");
    const Result<TextFile> file = TextFile::open(path());
    writeFile(path(), "longer than before\n");
    QVERIFY(!file->readText().has_value());
  }

 private:
  QString path() const { return dir_->filePath(QStringLiteral("file.txt")); }
  std::unique_ptr<QTemporaryDir> dir_;
};

QTEST_GUILESS_MAIN(TestTextFile)
#include "test_text_file.moc"
