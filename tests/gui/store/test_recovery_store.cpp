// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "gui/store/recovery_store.h"

namespace waferpair::gui {
namespace {

RecoveryEntry entry(const QByteArray& text, const QString& path = {}) {
  return {path,
          QStringLiteral("Untitled 1"),
          QStringLiteral("C++"),
          2,
          {.size = 7, .sha1 = "12345678901234567890", .kind = editor::PathKind::kLink},
          QDateTime::currentDateTime(),
          editor::Snapshot(text),
          editor::Encoding::kWindows1251};
}

QStringList copiesBelow(const QString& directory) {
  QStringList found;
  const QStringList runs = QDir(directory).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  for (const QString& run : runs) {
    const QDir folder(QDir(directory).filePath(run));
    const QStringList names = folder.entryList({"*.copy"}, QDir::Files);
    for (const QString& name : names) found.append(folder.filePath(name));
  }
  return found;
}

// Leaves what a crash leaves: the copies, and a lock that nobody holds.
void abandon(std::unique_ptr<RecoveryStore>& store, const QString& directory) {
  store->flush();
  store.reset();
  QVERIFY(!copiesBelow(directory).isEmpty());
}

}  // namespace

class TestRecoveryStore : public QObject {
  Q_OBJECT
 private slots:
  void textsComeBackByteForByte_data();
  void textsComeBackByteForByte();
  void aLivingRunKeepsItsCopies();
  void removedCopiesAreGone();
  void flushedIsOnDisk();
  void removedIsGoneBeforeWhatIsStillBeingWritten();
  void adoptedCopiesSurviveTheNextCrash();
  void copiesOfEarlierVersionsAreRead();
  void noDamagedCopyIsTakenForText();
  void damagedFilesAreSetAsideAndReported();
  void aFullDiskIsReported();
  void aLockThatNamesOurOwnProcessIsALeftoverAllTheSame();
  void copiesWithoutALockAreALeftover();
  void whatWasBeingWrittenLeavesNoTrace();
  void aFolderThatIsRemovedMeanwhileIsMadeAgain();
};

void TestRecoveryStore::textsComeBackByteForByte_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("plain") << QByteArray("int main() {}\n");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("line ends of all kinds") << QByteArray("a\r\nb\rc\n\n");
  QTest::newRow("beyond ASCII") << QByteArray("größe 漢字 \xf0\x9f\x98\x80");
  QTest::newRow("a NUL") << QByteArray("a\0b", 3);
  QTest::newRow("large") << QByteArray(3'000'000, 'x');
}

void TestRecoveryStore::textsComeBackByteForByte() {
  QFETCH(QByteArray, text);
  QTemporaryDir directory;
  auto store = std::make_unique<RecoveryStore>(directory.path());
  store->write(QStringLiteral("1"), entry("older"));
  store->write(QStringLiteral("1"), entry(text, QStringLiteral("/some/where.cpp")));
  abandon(store, directory.path());

  RecoveryStore next(directory.path());
  QStringList problems;
  const auto orphans = RecoveryStore::readCopies(next.claimCopies(), &problems);
  QVERIFY(problems.isEmpty());
  QCOMPARE(orphans.size(), 1);
  const RecoveryEntry& back = orphans.first().entry;
  QCOMPARE(back.text.toByteArray(), text);
  QCOMPARE(back.path, QStringLiteral("/some/where.cpp"));
  QCOMPARE(back.title, QStringLiteral("Untitled 1"));
  QCOMPARE(back.language, QStringLiteral("C++"));
  QCOMPARE(back.caret, std::min<qint64>(2, text.size()));
  QCOMPARE(back.base.sha1, QByteArray("12345678901234567890"));
  QCOMPARE(back.base.size, 7);
  QCOMPARE(back.base.kind, editor::PathKind::kLink);
  QCOMPARE(back.encoding, editor::Encoding::kWindows1251);
  QVERIFY(qAbs(back.time.secsTo(QDateTime::currentDateTime())) < 60);
}

void TestRecoveryStore::aLivingRunKeepsItsCopies() {
  QTemporaryDir directory;
  RecoveryStore living(directory.path());
  living.write(QStringLiteral("1"), entry("mine"));
  living.flush();
  RecoveryStore second(directory.path());
  QStringList problems;
  QVERIFY(RecoveryStore::readCopies(second.claimCopies(), &problems).isEmpty());
  QCOMPARE(copiesBelow(directory.path()).size(), 1);
}

void TestRecoveryStore::removedCopiesAreGone() {
  QTemporaryDir directory;
  {
    RecoveryStore store(directory.path());
    store.write(QStringLiteral("1"), entry("one"));
    store.write(QStringLiteral("2"), entry("two"));
    store.remove(QStringLiteral("1"));
    store.flush();
    QCOMPARE(copiesBelow(directory.path()).size(), 1);
    store.remove(QStringLiteral("2"));
  }
  // An orderly end leaves nothing at all.
  QVERIFY(QDir(directory.path()).isEmpty());
}

// Each copy is synced: so many take longer than it takes to look.
void TestRecoveryStore::flushedIsOnDisk() {
  constexpr int kMany = 40;
  QTemporaryDir directory;
  RecoveryStore store(directory.path());
  for (int i = 0; i < kMany; ++i)
    store.write(QString::number(i), entry(QByteArray(200'000, static_cast<char>('a' + i % 26))));
  store.flush();
  QCOMPARE(copiesBelow(directory.path()).size(), kMany);
  for (int i = 0; i < kMany; ++i) store.remove(QString::number(i));
  store.flush();
  QCOMPARE(copiesBelow(directory.path()).size(), 0);
}

// A text that was just saved must not come back as an older one, should the program be killed now.
void TestRecoveryStore::removedIsGoneBeforeWhatIsStillBeingWritten() {
  QTemporaryDir directory;
  RecoveryStore store(directory.path());
  store.write(QStringLiteral("saved"), entry("older"));
  store.flush();
  const QStringList older = copiesBelow(directory.path());
  QCOMPARE(older.size(), 1);
  for (int i = 0; i < 40; ++i) store.write(QString::number(i), entry(QByteArray(200'000, 'x')));
  store.write(QStringLiteral("saved"), entry("newer"));
  store.remove(QStringLiteral("saved"));
  QVERIFY(!QFile::exists(older.first()));
  store.flush();
  QVERIFY(!QFile::exists(older.first()));
}

void TestRecoveryStore::adoptedCopiesSurviveTheNextCrash() {
  QTemporaryDir directory;
  auto store = std::make_unique<RecoveryStore>(directory.path());
  store->write(QStringLiteral("1"), entry("precious"));
  abandon(store, directory.path());
  for (int crash = 0; crash < 3; ++crash) {
    store = std::make_unique<RecoveryStore>(directory.path());
    QStringList problems;
    const auto orphans = RecoveryStore::readCopies(store->claimCopies(), &problems);
    QCOMPARE(orphans.size(), 1);
    QCOMPARE(orphans.first().entry.text.toByteArray(), QByteArray("precious"));
    store->adopt(orphans.first(), QString::number(crash + 10));
    abandon(store, directory.path());
    QCOMPARE(copiesBelow(directory.path()).size(), 1);
  }
}

void TestRecoveryStore::copiesOfEarlierVersionsAreRead() {
  for (const bool hadFile : {true, false}) {
    RecoveryEntry old = entry("text\n", QStringLiteral("/p/a.cpp"));
    if (!hadFile) old.base = {};
    QByteArray bytes = encodeRecovery(old);
    for (const char* field : {"baseSize", "baseIsLink", "encoding"})
      bytes.replace(QByteArray(field), QByteArray("x") + field);
    RecoveryEntry read;
    QVERIFY(decodeRecovery(bytes, &read));
    QCOMPARE(read.base.sha1, old.base.sha1);
    QCOMPARE(read.base.size, hadFile ? editor::kUnknownSize : editor::kNoFile);
    QCOMPARE(read.base.kind, editor::PathKind::kFile);
    QVERIFY(!read.encoding);
  }
}

void TestRecoveryStore::noDamagedCopyIsTakenForText() {
  const RecoveryEntry original = entry("line one\nline two\n", QStringLiteral("/p/a.cpp"));
  const QByteArray whole = encodeRecovery(original);
  RecoveryEntry read;
  QVERIFY(decodeRecovery(whole, &read));
  for (qsizetype length = 0; length < whole.size(); ++length) {
    QVERIFY(!decodeRecovery(whole.left(length), &read));
  }
  QRandomGenerator random(5);
  for (int round = 0; round < 5000; ++round) {
    QByteArray bytes = whole;
    const int at = random.bounded(static_cast<int>(bytes.size()));
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.bounded(8)));
    // The header's own fields may be hit and still parse; the text must never be another.
    if (decodeRecovery(bytes, &read)) {
      QCOMPARE(read.text, original.text);
      QVERIFY(read.caret >= 0 && read.caret <= read.text.size());
    }
  }
}

void TestRecoveryStore::damagedFilesAreSetAsideAndReported() {
  QTemporaryDir directory;
  auto store = std::make_unique<RecoveryStore>(directory.path());
  store->write(QStringLiteral("1"), entry("good"));
  store->write(QStringLiteral("2"), entry("bad"));
  abandon(store, directory.path());
  const QStringList copies = copiesBelow(directory.path());
  for (const QString& copy : copies) {
    QFile file(copy);
    QVERIFY(file.open(QIODevice::ReadWrite));
    if (file.readAll().endsWith("bad")) QVERIFY(file.resize(file.size() - 1));
  }
  {
    RecoveryStore next(directory.path());
    QStringList problems;
    const auto orphans = RecoveryStore::readCopies(next.claimCopies(), &problems);
    QCOMPARE(orphans.size(), 1);
    QCOMPARE(orphans.first().entry.text.toByteArray(), QByteArray("good"));
    QCOMPARE(problems.size(), 1);
  }
  RecoveryStore later(directory.path());
  QStringList problems;
  QCOMPARE(RecoveryStore::readCopies(later.claimCopies(), &problems).size(), 1);
  QVERIFY(problems.isEmpty());
}

void TestRecoveryStore::aFullDiskIsReported() {
  QTemporaryDir directory;
  RecoveryStore store(directory.path());
  store.write(QStringLiteral("1"), entry("the copy that was there before"));
  store.flush();
  QSignalSpy problem(&store, &RecoveryStore::problem);
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 4096;
  QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
  store.write(QStringLiteral("1"), entry(QByteArray(100'000, 'x')));
  store.flush();
  QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
  QTRY_COMPARE(problem.count(), 1);
  const QStringList copies = copiesBelow(directory.path());
  QCOMPARE(copies.size(), 1);
  QFile file(copies.first());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().endsWith("that was there before"));
}

// A container's first process has the same id at each start. What an older release wrote into its
// lock, that id among it, must not keep the text from being offered.
void TestRecoveryStore::aLockThatNamesOurOwnProcessIsALeftoverAllTheSame() {
  QTemporaryDir directory;
  const QDir run(directory.filePath("run"));
  QVERIFY(QDir().mkpath(run.path()));
  QFile copy(run.filePath("1.copy"));
  QVERIFY(copy.open(QIODevice::WriteOnly));
  copy.write(encodeRecovery(entry("typed in a container")));
  copy.close();
  QFile lock(run.filePath("lock"));
  QVERIFY(lock.open(QIODevice::WriteOnly));
  lock.write(QByteArray::number(QCoreApplication::applicationPid()) + '\n' +
             QCoreApplication::applicationName().toUtf8() + '\n' +
             QSysInfo::machineHostName().toUtf8() + '\n' + QSysInfo::machineUniqueId() + '\n' +
             QSysInfo::bootUniqueId() + '\n');
  lock.close();

  RecoveryStore store(directory.path());
  QStringList problems;
  const auto orphans = RecoveryStore::readCopies(store.claimCopies(), &problems);
  QCOMPARE(orphans.size(), 1);
  QCOMPARE(orphans.first().entry.text.toByteArray(), QByteArray("typed in a container"));
  QCOMPARE(problems, QStringList());
}

void TestRecoveryStore::copiesWithoutALockAreALeftover() {
  QTemporaryDir directory;
  auto store = std::make_unique<RecoveryStore>(directory.path());
  store->write(QStringLiteral("1"), entry("left in order"));
  abandon(store, directory.path());
  QCOMPARE(QFileInfo(copiesBelow(directory.path()).first()).dir().entryList(QDir::Files).size(), 1);
  // Two at once: the first that takes it has it alone.
  RecoveryStore next(directory.path());
  RecoveryStore other(directory.path());
  QStringList problems;
  QCOMPARE(RecoveryStore::readCopies(next.claimCopies(), &problems).size(), 1);
  QCOMPARE(RecoveryStore::readCopies(other.claimCopies(), &problems).size(), 0);
}

void TestRecoveryStore::whatWasBeingWrittenLeavesNoTrace() {
  QTemporaryDir directory;
  auto store = std::make_unique<RecoveryStore>(directory.path());
  store->write(QStringLiteral("1"), entry("whole"));
  abandon(store, directory.path());
  const QString copy = copiesBelow(directory.path()).first();
  QFile half(copy + ".AbCdEf");
  QVERIFY(half.open(QIODevice::WriteOnly));
  half.write("{\"format\":");
  half.close();
  {
    RecoveryStore next(directory.path());
    QStringList problems;
    const auto orphans = RecoveryStore::readCopies(next.claimCopies(), &problems);
    QCOMPARE(orphans.size(), 1);
    QCOMPARE(orphans.first().entry.text.toByteArray(), QByteArray("whole"));
    next.drop(orphans.first());
  }
  QCOMPARE(QDir(directory.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList());
}

void TestRecoveryStore::aFolderThatIsRemovedMeanwhileIsMadeAgain() {
  QTemporaryDir directory;
  RecoveryStore store(directory.path());
  store.write(QStringLiteral("1"), entry("before"));
  store.flush();
  QVERIFY(QDir(QFileInfo(copiesBelow(directory.path()).first()).path()).removeRecursively());
  QSignalSpy problem(&store, &RecoveryStore::problem);
  store.write(QStringLiteral("1"), entry("after"));
  store.flush();
  QCOMPARE(problem.count(), 0);
  QFile file(copiesBelow(directory.path()).value(0));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().endsWith("\nafter"));
  // The folder is locked again.
  RecoveryStore second(directory.path());
  QStringList problems;
  QVERIFY(RecoveryStore::readCopies(second.claimCopies(), &problems).isEmpty());
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestRecoveryStore)
#include "test_recovery_store.moc"
