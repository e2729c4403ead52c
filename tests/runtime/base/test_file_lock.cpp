// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cerrno>

#include "runtime/base/file_lock.h"

namespace waferpair::base {

class TestFileLock : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  bool exists(const char* name) const { return access(path(name).c_str(), F_OK) == 0; }
  void write(const char* name) const {
    QFile file(folder_->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theFileGoesWithItsHolder() {
    {
      const auto held = FileLock::create(path("a"));
      QVERIFY(held.has_value());
      struct stat info;
      QCOMPARE(stat(path("a").c_str(), &info), 0);
      QCOMPARE(info.st_mode & 07777, mode_t{0600});
    }
    QVERIFY(!exists("a"));
  }

  void oneHolderAtATime() {
    const auto held = FileLock::create(path("a"));
    QVERIFY(!FileLock::create(path("a")));
    QCOMPARE(errno, EEXIST);
    QVERIFY(!FileLock::take(path("a")));
    QCOMPARE(errno, EWOULDBLOCK);
    QVERIFY(exists("a"));
  }

  void aKilledHolderLeavesALeftover() {
    const pid_t child = fork();
    if (child == 0) {
      const auto held = FileLock::create(path("a"));
      raise(SIGKILL);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QVERIFY(exists("a"));
    {
      const auto taken = FileLock::take(path("a"));
      QVERIFY(taken.has_value());
      QVERIFY(!FileLock::take(path("a")));
    }
    QVERIFY(!exists("a"));
    QVERIFY(!FileLock::take(path("a")));
    QCOMPARE(errno, ENOENT);
  }

  void thoseWhoAskDoNotDisturbEachOther() {
    write("a");
    const int one = open(path("a").c_str(), O_RDONLY | O_CLOEXEC);
    const int other = open(path("a").c_str(), O_RDONLY | O_CLOEXEC);
    QVERIFY(!FileLock::isHeld(one));
    QVERIFY(!FileLock::isHeld(other));
    {
      const auto held = FileLock::take(path("a"));
      QVERIFY(FileLock::isHeld(one));
    }
    QVERIFY(!FileLock::isHeld(one));
    close(one);
    close(other);
  }

  void whatIsInItsPlaceByNowIsLeftAlone() {
    {
      const auto held = FileLock::create(path("a"));
      QVERIFY(held->isInPlace());
      QVERIFY(unlink(path("a").c_str()) == 0);
      write("a");
      QVERIFY(!held->isInPlace());
    }
    QVERIFY(exists("a"));
  }

  void itMayMoveAndMayBeLeft() {
    {
      auto held = FileLock::create(path("a"));
      QVERIFY(held->moveTo(path("b")));
      QCOMPARE(held->path(), path("b"));
      QVERIFY(held->isInPlace());
      held->leave();
    }
    QVERIFY(!exists("a"));
    QVERIFY(exists("b"));
    FileLock second = std::move(*FileLock::take(path("b")));
    QVERIFY(second.isInPlace());
  }

  void onlyFilesAreTaken() {
    QCOMPARE(mkfifo(path("fifo").c_str(), 0600), 0);
    write("file");
    QCOMPARE(symlink("file", path("link").c_str()), 0);
    QCOMPARE(mkdir(path("folder").c_str(), 0700), 0);
    for (const char* name : {"fifo", "link", "folder"}) {
      QVERIFY2(!FileLock::take(path(name)), name);
      QVERIFY2(exists(name), name);
    }
  }
};

}  // namespace waferpair::base

QTEST_APPLESS_MAIN(waferpair::base::TestFileLock)
#include "test_file_lock.moc"
