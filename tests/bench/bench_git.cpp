// SPDX-License-Identifier: GPL-3.0-or-later
// Measures git in the real window on a repository that it makes itself: how soon its state and its
// log are there, and what a key takes from its press to the end of the paint while both are read,
// with the same keys without a repository beside it.
//
//   bench_git [--commits N] [--files N] [--keys N]      by default 100,000, 50,000 and 400
#include <sys/resource.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QProcess>
#include <QTemporaryDir>
#include <cstdio>
#include <memory>

#include "gui/documents/editor_tabs.h"
#include "gui/git/git_tools.h"
#include "gui/git/log_model.h"
#include "gui/git/log_panel.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "tests/bench/window_bench.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

constexpr qint64 kPatienceMs = 600'000;

// By `git fast-import`: the last commit has all the files, the others one each.
void makeRepository(const QString& folder, int commits, int files) {
  const auto git = [&](const QStringList& arguments, const QByteArray& input = {}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start("git", arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(static_cast<int>(kPatienceMs)) || process.exitCode() != 0)
      qFatal("git failed: %s", process.readAllStandardError().constData());
  };
  QByteArray stream;
  const auto commit = [&](int number) {
    const QByteArray message = "Commit number " + QByteArray::number(number) + "\n";
    stream += "commit refs/heads/main\ncommitter A Tester <tester@example.org> " +
              QByteArray::number(1'500'000'000 + number * 600) + " +0000\ndata " +
              QByteArray::number(message.size()) + '\n' + message;
  };
  for (int i = 1; i < commits; ++i) {
    commit(i);
    const QByteArray text = "version " + QByteArray::number(i) + '\n';
    stream += "M 100644 inline changing.txt\ndata " + QByteArray::number(text.size()) + '\n' +
              text + '\n';
  }
  commit(commits);
  for (int i = 0; i < files; ++i) {
    const QByteArray text = "file " + QByteArray::number(i) + "\nwith two lines\n";
    stream += "M 100644 inline folder" + QByteArray::number(i / 200) + "/file" +
              QByteArray::number(i) + ".txt\ndata " + QByteArray::number(text.size()) + '\n' +
              text + '\n';
  }
  git({"init", "-q", "-b", "main"});
  git({"fast-import", "--quiet"}, stream);
  git({"reset", "-q", "--hard"});
}

struct Window {
  explicit Window(const QString& folder) {
    paths.config = profile.filePath("config");
    paths.state = profile.filePath("state");
    window = std::make_unique<MainWindow>(paths, nullptr);
    window->resize(1440, 900);
    window->show();
    window->start({folder, folder + "/open.txt"});
    bench::waitUntil([this] { return window->parts().tabs->current() != nullptr; }, kPatienceMs);
  }
  QTemporaryDir profile;
  AppPaths paths;
  std::unique_ptr<MainWindow> window;
};

// What the thread of the window has done so far.
struct Worked {
  Worked() {
    rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    ms = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
    waits = usage.ru_nvcsw;
  }
  double ms = 0;   // of the processor
  long waits = 0;  // times that it gave the processor away, to wait for something
};

// From a key's press to the end of the paint that follows it, 20 ms apart. Whatever else the
// computer does, a key's own time of the processor stays, and so does what it waits for.
struct Keys {
  QVector<double> times;    // by the clock
  QVector<double> worked;   // of the processor
  QVector<double> between;  // of the processor, at a time: what a key that comes then has ahead
  int waited = 0;           // keys that waited for a lock, a file or another thread
};

void rows(const char* what, const Keys& keys) {
  bench::row(what, keys.times);
  bench::row("    of the processor", keys.worked);
  bench::row("    of the processor between keys, at a time", keys.between);
  std::printf("%-52s %12d of %lld\n", "    keys that waited for something", keys.waited,
              static_cast<long long>(keys.times.size()));
}

Keys typeKeys(MainWindow& window, int keys, const std::function<void(int)>& between) {
  Keys all;
  auto* editor = window.parts().tabs->current()->editor();
  editor->setFocus();
  for (int i = 0; i < keys; ++i) {
    between(i);
    const Worked before;
    QElapsedTimer clock;
    clock.start();
    const QString letter(QChar('a' + i % 26));
    QKeyEvent press(QEvent::KeyPress, Qt::Key_A + i % 26, {}, letter);
    QCoreApplication::sendEvent(editor, &press);
    editor->viewport()->repaint();
    all.times.append(bench::msSince(clock));
    const Worked after;
    all.worked.append(after.ms - before.ms);
    all.waited += after.waits > before.waits ? 1 : 0;
    QElapsedTimer rest;
    rest.start();
    while (rest.elapsed() < 20) {
      const Worked begun;
      QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
      all.between.append(Worked().ms - begun.ms);
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  QCommandLineParser parser;
  const QCommandLineOption commitsOption("commits", "Commits.", "N", "100000");
  const QCommandLineOption filesOption("files", "Files.", "N", "50000");
  const QCommandLineOption keysOption("keys", "Keys.", "N", "400");
  parser.addOptions({commitsOption, filesOption, keysOption});
  parser.addHelpOption();
  parser.process(app);
  const int commits = parser.value(commitsOption).toInt();
  const int files = parser.value(filesOption).toInt();
  const int keys = parser.value(keysOption).toInt();

  QTemporaryDir bare, repository;
  for (const QTemporaryDir* folder : {&bare, &repository}) {
    QFile open(folder->filePath("open.txt"));
    if (!open.open(QIODevice::WriteOnly)) return 1;
    for (int i = 0; i < 500; ++i) open.write("a line of some text that stands here\n");
  }
  makeRepository(repository.path(), commits, files);
  std::printf("%d commits, %d files\n", commits, files);
  {
    Window plain(bare.path());
    rows("a key, no repository", typeKeys(*plain.window, keys, [](int) {}));
  }
  QElapsedTimer clock;
  clock.start();
  Window window(repository.path());
  GitTools* git = window.window->parts().git;
  bench::waitUntil([&] { return git->watch()->status() != nullptr; }, kPatienceMs);
  std::printf("%-52s %12.0f ms\n", "folder opened until its state is there", bench::msSince(clock));
  rows("a key while the state is read again and again", typeKeys(*window.window, keys, [&](int i) {
         if (i % 10 == 0) git->watch()->refresh();
       }));
  clock.start();
  git->showLog({});
  LogModel* log = git->log()->model();
  bench::waitUntil([&] { return log->rowCount() > 0; }, kPatienceMs);
  std::printf("%-52s %12.0f ms\n", "log asked for until its first rows", bench::msSince(clock));
  const Keys during = typeKeys(*window.window, keys, [](int) {});
  bench::waitUntil([&] { return !log->isReading(); }, kPatienceMs);
  std::printf("%-52s %12.0f ms, %lld rows\n", "until all rows (keys are typed meanwhile)",
              bench::msSince(clock), static_cast<long long>(log->total()));
  rows("a key while the log is read", during);
  clock.start();
  log->setFilter("number 4242");
  std::printf("%-52s %12.1f ms\n", "words that leave out commits, until keys go on",
              bench::msSince(clock));
  bench::waitUntil([&] { return !log->isFiltering(); }, kPatienceMs);
  std::printf("%-52s %12.1f ms, %d rows\n", "and until these are shown", bench::msSince(clock),
              log->rowCount());
  rows("a key while words leave out commits", typeKeys(*window.window, keys, [&](int i) {
         if (i % 10 == 0) log->setFilter(i % 20 == 0 ? "number 4242" : "tester 17");
       }));
  std::fflush(stdout);
  std::_Exit(0);  // there is nothing to save
}
