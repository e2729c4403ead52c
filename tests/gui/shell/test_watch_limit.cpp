// SPDX-License-Identifier: GPL-3.0-or-later
// The system watches no more files. This program has an inotify_add_watch() of its own in place of
// the C library's, which allows as many as a test says.
#include <sys/syscall.h>
#include <unistd.h>

#include <QTreeView>
#include <atomic>
#include <cerrno>
#include <climits>
#include <memory>

#include "editor/text/folder_watch.h"
#include "editor/text/watch_limit.h"
#include "gui/kit/banner.h"
#include "tests/gui/shell/window_fixture.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

std::atomic<int> left = INT_MAX;
std::atomic<int> refused = 0;

}  // namespace

extern "C" int inotify_add_watch(int fd, const char* path, std::uint32_t mask) noexcept {
  if (left-- <= 0) {
    ++refused;
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_inotify_add_watch, fd, path, mask));
}

class TestWatchLimit : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    for (int i = 0; i < 10; ++i) w_->write(QString("folder%1/a.txt").arg(i), "one\n");
    w_->write("a.txt", "one\n");
  }
  void cleanup() { w_.reset(); }

  // The limit is met once a process, so this comes first.
  void whereThereAreEnoughNothingIsSaid() {
    left = INT_MAX;
    w_->openProject();
    w_->openFile("a.txt");
    expandAll();
    w_->write("a.txt", "two\n");
    QTRY_COMPARE(w_->editor()->text(), QByteArray("two\n"));
    QVERIFY(left < INT_MAX);
    QCOMPARE(refused, 0);
    QVERIFY(!editor::WatchLimit::instance().isMet());
    QVERIFY(!w_->parts().notices->find("watchLimit"));
  }

  // A few are to be had, but not one for each folder.
  void usedUpOnTheWayIsSaid() {
    left = 5;
    w_->openProject();
    expandAll();
    QTRY_VERIFY(w_->parts().notices->find("watchLimit"));
    const auto* notice = w_->parts().notices->find("watchLimit");
    QVERIFY2(notice->text().contains("fs.inotify.max_user_watches=1048576"),
             qPrintable(notice->text()));
    QVERIFY(refused > 0);
  }

  // Nobody tells, so it is looked for.
  void whatOthersChangeIsSeenAllTheSame() {
    left = 0;
    w_->openProject();
    w_->openFile("a.txt");
    QTRY_VERIFY(w_->parts().notices->find("watchLimit"));
    QTRY_COMPARE(rows(), 11);
    w_->write("a.txt", "another text\n");
    w_->write("new.txt", "x\n");
    QVERIFY(QFile::remove(w_->path("folder3/a.txt")));
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->text(), QByteArray("another text\n"), 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 12, 30'000);
  }

  void aWatchOfManyFoldersMeetsIt() {
    left = 0;
    editor::FolderWatch watch;
    QVERIFY(!watch.setFolders({w_->project()}));
    QVERIFY(editor::WatchLimit::instance().isMet());
    // Once there are some again it is watched.
    left = INT_MAX;
    QVERIFY(watch.setFolders({w_->project()}));
  }

 private:
  QTreeView* view() { return w_->find<QTreeView>("folderTreeView"); }
  int rows() { return view()->model()->rowCount(view()->rootIndex()); }
  void expandAll() {
    QTRY_VERIFY(rows() >= 11);
    for (int row = 0; row < 10; ++row)
      view()->expand(view()->model()->index(row, 0, view()->rootIndex()));
    QTRY_COMPARE(view()->model()->rowCount(view()->model()->index(9, 0, view()->rootIndex())), 1);
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestWatchLimit)
#include "test_watch_limit.moc"
