// SPDX-License-Identifier: GPL-3.0-or-later
// OutputFile on disks that are full, fail or refuse: what was at the path is there until all of the
// new file is.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "runtime/base/output_file.h"
#include "tests/support/disk_fault.h"
#include "tests/support/small_disk.h"

using namespace waferpair::base;
using waferpair::test::DiskCall;
using waferpair::test::DiskFault;
using waferpair::test::ShortWrites;
using waferpair::test::SmallDisk;

namespace {

const QByteArray kOld = "what was there\n";

QByteArray read(const std::string& path) {
  QFile file(QString::fromStdString(path));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
}

void write(const std::string& path, const QByteArray& bytes) {
  QFile file(QString::fromStdString(path));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

// Saves in pieces of `piece` bytes.
Result<void> save(const std::string& path, const QByteArray& bytes, int piece) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(file.error());
  for (qsizetype at = 0; at < bytes.size(); at += piece) {
    const QByteArray part = bytes.mid(at, piece);
    if (auto written = file->write(std::string_view(part.data(), part.size())); !written)
      return written;
  }
  return file->keep();
}

mode_t modeOf(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 ? info.st_mode : 0;
}

}  // namespace

class TestOutputFile : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> dir_;
  std::string path(const char* name = "out.json") const {
    return dir_->filePath(name).toStdString();
  }
  QStringList names() const {
    return QDir(dir_->path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }
  static void sizes() {
    QTest::addColumn<QByteArray>("bytes");
    for (const int size : {0, 1, 16'383, 16'384, 16'385, 1 << 20}) {
      QByteArray bytes(size, 'n');
      for (int i = 0; i < size; i += 97) bytes[i] = static_cast<char>(i);
      QTest::addRow("%d bytes", size) << bytes;
    }
  }

 private slots:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void eachSizeArrives_data() { sizes(); }
  void eachSizeArrives() {
    QFETCH(QByteArray, bytes);
    for (const int piece : {100, 70'000, 2 << 20}) {
      QVERIFY(save(path(), bytes, piece).has_value());
      QCOMPARE(read(path()), bytes);
    }
    const ShortWrites few(999);
    QVERIFY(save(path(), "x" + bytes, 100).has_value());
    QCOMPARE(read(path()), "x" + bytes);
    QCOMPARE(names(), QStringList{"out.json"});
  }

  void nothingIsThereBeforeItIsComplete() {
    write(path(), kOld);
    {
      auto file = OutputFile::create(path());
      QVERIFY(file.has_value());
      QVERIFY(file->write("half").has_value());
      QVERIFY(file->flush().has_value());
      QCOMPARE(read(path()), kOld);
      QCOMPARE(read(file->unfinishedPath()), QByteArray("half"));
      QCOMPARE(names(), (QStringList{"out.json", "out.json.part"}));
    }
    QCOMPARE(names(), QStringList{"out.json"});
    QCOMPARE(read(path()), kOld);
  }

  void aFullDiskKeepsWhatWasThere_data() { sizes(); }
  void aFullDiskKeepsWhatWasThere() {
    QFETCH(QByteArray, bytes);
    const SmallDisk& disk = *SmallDisk::instance();
    if (!disk.problem().empty()) QSKIP(disk.problem().c_str());
    for (const int piece : {100, 2 << 20}) {
      disk.empty();
      const std::string out = disk.path() + "/out.json";
      write(out, kOld);
      QVERIFY(disk.fill());
      const auto saved = save(out, bytes, piece);
      QCOMPARE(saved.has_value(), bytes.isEmpty());  // which needs no room
      QCOMPARE(read(out), bytes.isEmpty() ? bytes : kOld);
      QCOMPARE(QDir(QString::fromStdString(disk.path())).entryList(QDir::Files),
               (QStringList{"ballast", "out.json"}));
      if (saved) continue;
      QVERIFY2(saved.error().what.find(out) == 0, saved.error().what.c_str());
      QVERIFY(saved.error().what.find("No space left") != std::string::npos);
      QVERIFY(saved.error().remedy.find("room") != std::string::npos);
    }
  }

  void whateverFailsKeepsWhatWasThere_data() {
    QTest::addColumn<DiskCall>("call");
    QTest::addColumn<int>("error");
    for (const int error : {EIO, ENOSPC, EDQUOT}) {
      QTest::addRow("write %d", error) << DiskCall::kWrite << error;
      QTest::addRow("sync %d", error) << DiskCall::kSync << error;
      QTest::addRow("rename %d", error) << DiskCall::kRename << error;
    }
  }
  void whateverFailsKeepsWhatWasThere() {
    QFETCH(DiskCall, call);
    QFETCH(int, error);
    write(path(), kOld);
    const DiskFault fault(call, error);
    const auto saved = save(path(), QByteArray(200'000, 'n'), 5000);
    QVERIFY(!saved.has_value());
    QVERIFY2(saved.error().what.find(std::strerror(error)) != std::string::npos,
             saved.error().what.c_str());
    QVERIFY(!saved.error().remedy.empty());
    QCOMPARE(read(path()), kOld);
    QCOMPARE(names(), QStringList{"out.json"});
  }

  void aLimitOnFileSizesIsAnError() {
    write(path(), kOld);
    std::signal(SIGXFSZ, SIG_IGN);  // as both programs do
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit now{64 * 1024, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
    const auto saved = save(path(), QByteArray(200'000, 'n'), 5000);
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!saved.has_value());
    QVERIFY(saved.error().remedy.find("ulimit") != std::string::npos);
    QCOMPARE(read(path()), kOld);
    QCOMPARE(names(), QStringList{"out.json"});
  }

  void aFolderThatCannotBeSyncedIsToldOf() {
    const DiskFault fault(DiskCall::kFolderSync, EIO);
    QVERIFY(!save(path(), "new", 10).has_value());
    QCOMPARE(read(path()), QByteArray("new"));
    QCOMPARE(names(), QStringList{"out.json"});
  }

  void whatCanBeReadAsFarAsItGoesIsLeft() {
    const auto leave = [this](const char* text) {
      auto file = OutputFile::create(path("run.wptrace"), OutputFile::Unfinished::kLeave);
      QVERIFY(file.has_value());
      QVERIFY(file->write(text).has_value());
    };
    write(path("run.wptrace"), kOld);
    leave("one");
    leave("two");  // the earlier one is not lost
    QCOMPARE(read(path("run.wptrace")), kOld);
    QCOMPARE(read(path("run.unfinished.wptrace")), QByteArray("one"));
    QCOMPARE(read(path("run.unfinished-2.wptrace")), QByteArray("two"));
    {
      auto file = OutputFile::create(path("run.wptrace"), OutputFile::Unfinished::kLeave);
      QVERIFY(file->write("three").has_value());
      const DiskFault fault(DiskCall::kRename, EIO);
      QVERIFY(!file->keep().has_value());
      QCOMPARE(read(file->unfinishedPath()), QByteArray("three"));
    }
    QCOMPARE(read(path("run.unfinished-3.wptrace")), QByteArray("three"));
    auto file = OutputFile::create(path("run.wptrace"), OutputFile::Unfinished::kLeave);
    file->discard();
    QCOMPARE(names().size(), 4);
  }

  void whatIsOthersIsNotTouched() {
    // A file that happens to be called like the unfinished one.
    write(path("out.json.part"), "a download of the user's");
    QVERIFY(save(path(), "new", 10).has_value());
    QCOMPARE(read(path()), QByteArray("new"));
    QCOMPARE(read(path("out.json.part")), QByteArray("a download of the user's"));
    QVERIFY(QFile::remove(dir_->filePath("out.json.part")));
    // Nor what a link of that name leads to.
    write(path("precious"), kOld);
    QVERIFY(QFile::link("precious", dir_->filePath("out.json.part")));
    QVERIFY(save(path(), "newer", 10).has_value());
    QCOMPARE(read(path("precious")), kOld);
  }

  void linksAndPermissionsStay() {
    QVERIFY(QDir(dir_->path()).mkdir("sub"));
    write(path("sub/out.json"), kOld);
    QCOMPARE(chmod(path("sub/out.json").c_str(), 0640), 0);
    QVERIFY(QFile::link("sub/out.json", dir_->filePath("link")));
    QVERIFY(save(path("link"), "new", 10).has_value());
    QVERIFY(S_ISLNK(modeOf(path("link"))));
    QCOMPARE(read(path("sub/out.json")), QByteArray("new"));
    QCOMPARE(modeOf(path("sub/out.json")) & 07777, mode_t(0640));
  }

  void whatCannotBeReplacedIsRefused() {
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    QVERIFY(QFile::link("round", dir_->filePath("round")));
    const std::string longName(256, 'x');
    for (const std::string& bad : {path("pipe"), dir_->path().toStdString(), path("round"),
                                   std::string("/dev/null"), std::string("/dev/full"),
                                   path("no/such/folder"), path(longName.c_str()), std::string()}) {
      const mode_t before = modeOf(bad);
      const auto file = OutputFile::create(bad);
      QVERIFY2(!file.has_value(), bad.c_str());
      QVERIFY2(file.error().what.find(bad) == 0, file.error().what.c_str());
      QVERIFY(!file.error().remedy.empty());
      QCOMPARE(modeOf(bad), before);
    }
    QCOMPARE(names(), (QStringList{"pipe", "round"}));
  }
};

int main(int argc, char** argv) {
  const SmallDisk disk(4 << 20);
  const QCoreApplication application(argc, argv);
  TestOutputFile test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_output_file.moc"
