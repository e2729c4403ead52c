// SPDX-License-Identifier: GPL-3.0-or-later
// Models are fetched from a hub that behaves as Hugging Face's, and from one that does not: what is
// in place in the end is whole and right, or nothing is and the user is told why.
#include <QCryptographicHash>
#include <QtTest>

#include "pairing/downloads/hub_folder.h"
#include "pairing/downloads/model_download.h"
#include "pairing/downloads/part_file.h"
#include "pairing/models/model_files.h"
#include "tests/pairing/downloads/scripted_hub.h"
#include "tests/support/disk_fault.h"
#include "tests/support/small_disk.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

constexpr qint64 kFileBytes = 3'000'000;
// Waits as short as a test needs.
constexpr DownloadPatience kHurry{std::chrono::milliseconds(400), std::chrono::milliseconds(1), 4};

QByteArray someBytes(qint64 size, char seed) {
  QByteArray bytes(size, Qt::Uninitialized);
  quint32 state = static_cast<quint32>(seed) * 2654435761U + 1;
  for (char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

// A download and what it has said so far.
struct Told {
  explicit Told(const DownloadOrder& order, const DownloadPatience& patience = kHurry)
      : download(order, patience) {
    using D = ModelDownload;
    QObject::connect(&download, &D::progressed, &download,
                     [this](const DownloadProgress& p) { progress.append(p); });
    QObject::connect(&download, &D::finished, &download, [this](const QString& p) { path = p; });
    QObject::connect(&download, &D::failed, &download,
                     [this](const editor::Error& e) { error = e; });
    QObject::connect(&download, &D::stopped, &download, [this] { isStopped = true; });
  }
  bool wait() {
    return QTest::qWaitFor([this] { return !path.isEmpty() || !error.what.isEmpty() || isStopped; },
                           20000);
  }
  bool waitFor(DownloadProgress::Phase phase) {
    return QTest::qWaitFor([this, phase] {
      return std::any_of(progress.begin(), progress.end(),
                         [phase](const DownloadProgress& p) { return p.phase == phase; });
    });
  }

  QVector<DownloadProgress> progress;
  QString path;
  editor::Error error;
  bool isStopped = false;
  ModelDownload download;
};

}  // namespace

class TestModelDownload : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    hub_ = std::make_unique<ScriptedHub>();
    hub_->setFile(someBytes(kFileBytes, 1));
  }

  void aFileIsFetchedToWhereOthersFindIt() {
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.isEmpty(), qPrintable(told.error.what));
    const HubFolder folder(cache(), ScriptedHub::repository());
    QCOMPARE(told.path, folder.snapshot(ScriptedHub::commit(), "coder-q8_0.gguf"));
    QCOMPARE(read(told.path), hub_->file());
    // As Python's huggingface_hub lays it out.
    const QString model = cache() + "/models--me--coder-GGUF";
    QCOMPARE(QFile::symLinkTarget(told.path), model + "/blobs/" + hub_->sha256());
    QVERIFY(QFileInfo(model + "/snapshots/" + ScriptedHub::commit()).isDir());
    char link[256] = {};
    QVERIFY(readlink(told.path.toLocal8Bit().constData(), link, sizeof link - 1) > 0);
    QCOMPARE(QByteArray(link), "../../blobs/" + hub_->sha256());
    QCOMPARE(read(model + "/refs/main"), ScriptedHub::commit().toLatin1());
    QCOMPARE(filesIn(model + "/blobs"), QStringList{hub_->sha256()});
    QCOMPARE(filesIn(cache() + "/.locks/models--me--coder-GGUF"), QStringList());
    QProcessEnvironment environment;
    environment.insert("HF_HUB_CACHE", cache());
    const ModelFiles found = findModelFiles(environment, folder_->filePath("home"), "/nowhere");
    QCOMPARE(found.files.size(), 1);
    QCOMPARE(found.files[0].names, QStringList{"me/coder-GGUF/coder-q8_0.gguf"});
    // The hub sent it on to another host, and neither saw anything that names the user.
    QCOMPARE(hub_->requests().size(), 2);
    QCOMPARE(hub_->requests()[0].path,
             "/me/coder-GGUF/resolve/" + ScriptedHub::commit().toLatin1() + "/coder-q8_0.gguf");
    for (const ScriptedHub::Request& request : hub_->requests()) {
      for (const char* name : {"authorization", "cookie", "referer", "from"})
        QVERIFY2(!request.headers.contains(name), name);
      QCOMPARE(request.headers.value("accept-encoding"), QByteArray("identity"));
    }
  }

  void namesAndPasswordsInARedirectionAreNotSent() {
    // They would be sent as an Authorization header.
    hub_->setLocation("http://me:secret@127.0.0.1:" + QByteArray::number(filePort()) +
                      "/blobs/coder");
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QVERIFY(!hub_->lastFileRequest().headers.contains("authorization"));
  }

  void aBrokenTransferIsGoneOnWith() {
    hub_->script({.cutAfter = 1'000'000});
    hub_->script({.status = 503});
    hub_->script({.cutAfter = 500'000});
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.isEmpty(), qPrintable(told.error.what));
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->fileRequests(), 4);
    QCOMPARE(hub_->lastFileRequest().headers.value("range"), QByteArray("bytes=1500000-"));
    QCOMPARE(hub_->lastFileRequest().headers.value("if-range"), QByteArray("\"blob-1\""));
    QVERIFY(told.waitFor(DownloadProgress::Phase::kWaiting));
  }

  void whatAnEarlierProgramLeftIsGoneOnWith() {
    hub_->script({.stallAfter = 1'200'000});
    const HubFolder folder(cache(), ScriptedHub::repository());
    {
      Told told(order(), {std::chrono::seconds(30)});
      QTRY_VERIFY(QFileInfo(folder.part(order().file)).size() == 1'200'000);
      // However little comes behind the last report, it is told.
      QTRY_COMPARE(told.progress.last().bytes, 1'200'000);
      // As it goes with the program.
    }
    QCOMPARE(folder.unfinished().size(), 1);
    QCOMPARE(folder.unfinished()[0].bytes, 1'200'000);
    QCOMPARE(folder.unfinished()[0].note, (PartNote{order().commit, order().file, "\"blob-1\""}));
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->fileRequests(), 2);
    QCOMPARE(hub_->lastFileRequest().headers.value("range"), QByteArray("bytes=1200000-"));
    QCOMPARE(told.progress.first().phase, DownloadProgress::Phase::kReading);
    QVERIFY(folder.unfinished().isEmpty());
  }

  void whatIsKeptIsCheckedToo() {
    hub_->script({.stallAfter = 1'200'000});
    const HubFolder folder(cache(), ScriptedHub::repository());
    {
      Told told(order(), {std::chrono::seconds(30)});
      QTRY_VERIFY(QFileInfo(folder.part(order().file)).size() == 1'200'000);
    }
    QFile part(folder.part(order().file));
    QVERIFY(part.open(QFile::ReadWrite));
    QVERIFY(part.seek(1000));
    part.write("?");
    part.close();
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("SHA-256"), qPrintable(told.error.what));
    QVERIFY(!QFileInfo::exists(folder.part(order().file)));
  }

  void aServerThatIgnoresRangesIsReadFromTheBeginning() {
    hub_->script({.cutAfter = 1'000'000});
    hub_->script({.ignoresRange = true});
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->fileRequests(), 2);
  }

  void aFileWithAnotherTagIsReadFromTheBeginning() {
    hub_->script({.cutAfter = 1'000'000});
    hub_->script({.otherTag = "\"blob-2\""});
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->fileRequests(), 2);
  }

  // It would otherwise be asked until the end of days.
  void aServerThatNeverComesFurtherIsGivenUp() {
    for (int i = 0; i < 20; ++i) hub_->script({.cutAfter = 1'000'000, .ignoresRange = true});
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("broke off"), qPrintable(told.error.what));
    QCOMPARE(hub_->fileRequests(), kHurry.tries);
  }

  void aWrongFileIsRemoved() {
    hub_->script({.bytes = someBytes(kFileBytes, 2)});
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("SHA-256"), qPrintable(told.error.what));
    QVERIFY(!told.error.remedy.isEmpty());
    QCOMPARE(filesIn(cache() + "/models--me--coder-GGUF/blobs"), QStringList());
    QVERIFY(!QFileInfo::exists(cache() + "/models--me--coder-GGUF/refs/main"));
    Told again(order());
    QVERIFY(again.wait());
    QCOMPARE(read(again.path), hub_->file());
  }

  void liesAboutTheLengthAreRefused_data() {
    QTest::addColumn<qint64>("cutFirst");
    QTest::addColumn<qint64>("lengthOff");
    QTest::newRow("longer") << qint64(-1) << qint64(500);
    QTest::newRow("shorter") << qint64(-1) << qint64(-500);
    QTest::newRow("longer, of a range") << qint64(1'000'000) << qint64(500);
    QTest::newRow("shorter, of a range") << qint64(1'000'000) << qint64(-500);
  }
  void liesAboutTheLengthAreRefused() {
    QFETCH(qint64, cutFirst);
    QFETCH(qint64, lengthOff);
    if (cutFirst > 0) hub_->script({.cutAfter = cutFirst});
    hub_->script({.lengthOff = lengthOff});
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("another length"), qPrintable(told.error.what));
    QVERIFY(!QFileInfo::exists(cache() + "/models--me--coder-GGUF/refs/main"));
  }

  void aFileOfNoToldLengthIsHeldToWhatTheHubSays_data() {
    QTest::addColumn<qint64>("size");
    QTest::addColumn<QString>("said");
    QTest::newRow("right") << kFileBytes << "";
    QTest::newRow("more") << kFileBytes + 1 << "More comes";
    QTest::newRow("less") << kFileBytes - 1 << "ended before all of it";
  }
  void aFileOfNoToldLengthIsHeldToWhatTheHubSays() {
    QFETCH(qint64, size);
    QFETCH(QString, said);
    const DownloadOrder whole = order();
    for (int i = 0; i < 10; ++i) {
      hub_->script({.ignoresRange = true,
                    .isChunked = true,
                    .bytes = size == kFileBytes ? hub_->file() : someBytes(size, 1)});
    }
    Told told(whole);
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains(said), qPrintable(told.error.what));
    QCOMPARE(told.path.isEmpty(), !said.isEmpty());
  }

  void anotherRangeThanAskedForIsRefused() {
    hub_->script({.cutAfter = 1'000'000});
    hub_->script({.rangeStartOff = 7});
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("another length"), qPrintable(told.error.what));
    // The part that was there is kept: the next server may be better.
    Told again(order());
    QVERIFY(again.wait());
    QCOMPARE(read(again.path), hub_->file());
    QCOMPARE(hub_->lastFileRequest().headers.value("range"), QByteArray("bytes=1000000-"));
  }

  void silenceIsAFailureThatMayPass() {
    hub_->script({.stallAfter = 1'000'000});
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->lastFileRequest().headers.value("range"), QByteArray("bytes=1000000-"));
    const auto waited = std::find_if(told.progress.begin(), told.progress.end(), [](const auto& p) {
      return p.phase == DownloadProgress::Phase::kWaiting;
    });
    QVERIFY(waited != told.progress.end());
    QVERIFY2(waited->why.contains("has sent nothing for 0.4 s"), qPrintable(waited->why));
  }

  void aServerThatWantsTimeIsGivenIt() {
    hub_->script({.status = 429, .headers = {"Retry-After: 0"}});
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->fileRequests(), 2);
  }

  void aFileThatIsNotThereIsSaidAtOnce() {
    hub_->script({.status = 404, .headers = {"X-Error-Code: EntryNotFound"}});
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("does not have this"), qPrintable(told.error.what));
    QCOMPARE(hub_->fileRequests(), 1);
    QCOMPARE(filesIn(cache() + "/models--me--coder-GGUF/blobs"), QStringList());
  }

  void redirectionsToUnsafePlacesAreNotFollowed_data() {
    QTest::addColumn<QByteArray>("location");
    QTest::newRow("open line") << QByteArray("http://192.0.2.1/blob");
    QTest::newRow("a file") << QByteArray("file:///etc/passwd");
    QTest::newRow("nothing") << QByteArray(" ");
    QTest::newRow("around") << QByteArray("/me/coder-GGUF/resolve/main/coder-q8_0.gguf");
  }
  void redirectionsToUnsafePlacesAreNotFollowed() {
    QFETCH(QByteArray, location);
    hub_->setLocation(location);
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("sends the request"), qPrintable(told.error.what));
    QCOMPARE(hub_->fileRequests(), 0);
  }

  void onlyOneAtATimeFetchesAFile() {
    hub_->script({.stallAfter = 1'000'000});
    Told first(order(), {std::chrono::seconds(30)});
    QVERIFY(first.waitFor(DownloadProgress::Phase::kFetching));
    Told second(order());
    QVERIFY(second.wait());
    QVERIFY2(second.error.what.contains("Another program"), qPrintable(second.error.what));
    first.download.stop();
    QVERIFY(first.wait());
    QVERIFY(first.isStopped);
    // Its lock went with it, what it had fetched did not.
    Told third(order());
    QVERIFY(third.wait());
    QCOMPARE(read(third.path), hub_->file());
  }

  void aLockThatACrashLeftIsTakenOver() {
    const HubFolder folder(cache(), ScriptedHub::repository());
    QVERIFY(folder.make());
    QFile lock(folder.lock(order().file));
    QVERIFY(lock.open(QFile::WriteOnly));
    lock.close();
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
  }

  void whatAnotherProgramHasFetchedIsNotFetchedAgain() {
    write(cache() + "/models--me--coder-GGUF/blobs/" + hub_->sha256(), hub_->file());
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
    QCOMPARE(hub_->requests().size(), 0);
  }

  void aDamagedFileOfAnotherProgramIsSaidAndLeftAlone() {
    const QString blob = cache() + "/models--me--coder-GGUF/blobs/" + hub_->sha256();
    write(blob, "something else");
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("is damaged"), qPrintable(told.error.what));
    QVERIFY(told.error.what.contains(blob));
    QCOMPARE(read(blob), QByteArray("something else"));
  }

  void aFullDiskIsSaidBeforeAnythingIsAsked() {
    if (!test::SmallDisk::instance()->problem().empty())
      QSKIP(test::SmallDisk::instance()->problem().c_str());
    test::SmallDisk::instance()->empty();
    DownloadOrder order = this->order();
    order.cache = QString::fromStdString(test::SmallDisk::instance()->path()) + "/hub";
    Told told(order);
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("3.0 MB are needed"), qPrintable(told.error.what));
    QVERIFY2(told.error.what.contains("of that are missing"), qPrintable(told.error.what));
    QVERIFY(told.error.remedy.contains("HF_HOME"));
    QCOMPARE(hub_->requests().size(), 0);
    QCOMPARE(filesIn(order.cache + "/models--me--coder-GGUF/blobs"), QStringList());
  }

  void aDiskThatFillsUpMeanwhileKeepsWhatHasCome() {
    const HubFolder folder(cache(), ScriptedHub::repository());
    hub_->script({.stallAfter = 1'000'000});
    {
      Told told(order(), {std::chrono::seconds(30)});
      QTRY_VERIFY(QFileInfo(folder.part(order().file)).size() == 1'000'000);
      told.download.stop();
      QVERIFY(told.wait());
    }
    {
      // The note comes first, and again with its tag, each in one write.
      const test::DiskFault full(test::DiskCall::kWrite, ENOSPC, 2);
      Told told(order());
      QVERIFY(told.wait());
      QVERIFY2(told.error.what.contains("No space left"), qPrintable(told.error.what));
      QVERIFY(told.error.remedy.contains("Make room"));
    }
    QVERIFY(QFileInfo(folder.part(order().file)).size() >= 1'000'000);
    Told told(order());
    QVERIFY(told.wait());
    QCOMPARE(read(told.path), hub_->file());
  }

  void whatCannotBeRenamedIsSaid() {
    const test::DiskFault broken(test::DiskCall::kSync, EIO, 0);
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY(!told.error.what.isEmpty());
    QVERIFY(!QFileInfo::exists(cache() + "/models--me--coder-GGUF/refs/main"));
  }

  void aFolderThatCannotBeMadeIsSaid() {
    write(folder_->filePath("cache"), "a file in the way");
    Told told(order());
    QVERIFY(told.wait());
    QVERIFY2(told.error.what.contains("cannot be made"), qPrintable(told.error.what));
    QVERIFY(!told.error.remedy.isEmpty());
  }

  void timeLeftFollowsFromTheRate() {
    DownloadProgress progress{DownloadProgress::Phase::kFetching, 1000, 3000, 500, {}};
    QCOMPARE(progress.secondsLeft(), 4);
    progress.bytesPerSecond = 0;
    QCOMPARE(progress.secondsLeft(), -1);
  }

 private:
  QString cache() const { return folder_->filePath("cache"); }
  DownloadOrder order() const {
    return {hub_->base(),
            cache(),
            ScriptedHub::repository(),
            ScriptedHub::commit(),
            {"coder-q8_0.gguf", hub_->file().size(), hub_->sha256()}};
  }
  int filePort() const { return hub_->filePort(); }
  static QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray("(no such file)");
  }
  static void write(const QString& path, const QByteArray& bytes) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
  }
  static QStringList filesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::Files | QDir::Hidden);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<ScriptedHub> hub_;
};

int main(int argc, char** argv) {
  const test::SmallDisk disk(1 << 20);
  QCoreApplication app(argc, argv);
  TestModelDownload test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_model_download.moc"
