// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the window is held up: the longest turn of the UI thread's event loop while it
// does what takes long. A key or a click that comes meanwhile waits as long. Beside each stands the
// processor time of that thread in it, which other programs on the computer do not stretch. All of
// it is host time.
//
//   bench_stalls [PART...]      parts of the names of what is measured; none: all of it
//
// Runs under any Qt platform (QT_QPA_PLATFORM=offscreen, or Xvfb).
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>
#include <cerrno>
#include <cstdio>

#include "editor/widget/code_editor.h"
#include "gui/automation/idle.h"
#include "gui/automation/input.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/kit/theme.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/transcript.h"
#include "gui/project/workspace.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/store/recovery_store.h"
#include "pairing/models/model_roster.h"
#include "pairing/threads/thread.h"
#include "pairing/threads/thread_store.h"
#include "tests/bench/window_bench.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/pairing/scripted_model.h"

using namespace waferpair;
using namespace waferpair::bench;
using namespace waferpair::gui;

namespace {

constexpr double kBarMs = 50;
constexpr int kKeys = 20;
constexpr int kKeyEveryMs = 40;
constexpr int kManyFiles = 200'000;
constexpr int kPatienceMs = 120'000;
constexpr int kRestMs = 300;  // nothing is under way, and nothing has begun

double cpuMs() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// The longest turn of the event loop, and how many were too long, since reset(). A turn is what
// lies between two waits of the loop for events; whatever else waits is a part of one.
class Meter : public QObject {
 public:
  Meter() {
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this,
            [this] { willWait_ = true; });
    theMeter = this;
  }
  ~Meter() override { theMeter = nullptr; }
  static Meter* theMeter;

  // Whether this call is the loop's wait.
  bool begins() {
    if (!std::exchange(willWait_, false)) return false;
    end();
    return true;
  }
  void turn() {
    inTurn_ = true;
    wall_.start();
    cpuAtStart_ = cpuMs();
  }
  void reset() {
    longest_ = cpu_ = total_ = 0;
    over_ = 0;
    inTurn_ = false;
  }
  double longest() const { return longest_; }
  double cpu() const { return cpu_; }
  int over() const { return over_; }
  double total() const { return total_; }

 private:
  void end() {
    if (!std::exchange(inTurn_, false)) return;
    const double wall = msSince(wall_);
    const double cpu = cpuMs() - cpuAtStart_;
    total_ += cpu;
    longest_ = std::max(longest_, wall);
    cpu_ = std::max(cpu_, cpu);
    if (cpu > kBarMs) ++over_;
  }

  bool willWait_ = false;
  bool inTurn_ = false;
  QElapsedTimer wall_;
  double cpuAtStart_ = 0, longest_ = 0, cpu_ = 0, total_ = 0;
  int over_ = 0;
};

Meter* Meter::theMeter = nullptr;
const pid_t kUiThread = ::getpid();

template <typename Wait>
int waited(const Wait& wait) {
  const bool isLoop = ::gettid() == kUiThread && Meter::theMeter && Meter::theMeter->begins();
  const int ready = wait();
  if (isLoop) {
    const int error = errno;
    Meter::theMeter->turn();
    errno = error;
  }
  return ready;
}

QString processor() {
  QFile file(QStringLiteral("/proc/cpuinfo"));
  if (!file.open(QFile::ReadOnly)) return {};
  for (const QByteArray& line : file.readAll().split('\n'))
    if (line.startsWith("model name")) return QString::fromUtf8(line.mid(line.indexOf(':') + 2));
  return {};
}

class Bench {
 public:
  Bench(MainWindow* window, pairing::ScriptedEndpoint* endpoint, const QString& folder,
        const QStringList& wanted)
      : window_(window), endpoint_(endpoint), folder_(folder), wanted_(wanted), idle_(window, {}) {}

  // Does it in a turn of the loop, and measures until there is rest. `isDone`: that is not all.
  void measure(const char* what, const std::function<void()>& act,
               const std::function<bool()>& isDone = {}) {
    settle();
    meter_.reset();
    QTimer::singleShot(0, window_, act);
    QElapsedTimer clock;
    clock.start();
    do spin(20);
    while (isDone && !isDone() && clock.elapsed() < kPatienceMs);
    settle();
    std::printf(
        "%-58s %9.1f ms of processor %9.1f ms by the clock   %3d over   %8.0f ms in all  %s\n",
        what, meter_.cpu(), meter_.longest(), meter_.over(), meter_.total(),
        meter_.cpu() <= kBarMs ? "" : "OVER 50 ms");
    std::fflush(stdout);
  }
  bool wants(const QString& what) const {
    return wanted_.isEmpty() || std::any_of(wanted_.begin(), wanted_.end(),
                                            [&](const QString& w) { return what.contains(w); });
  }

  QString write(const QString& name, const QByteArray& bytes) const {
    const QString path = folder_ + u'/' + name;
    QFile file(path);
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no file");
    return path;
  }

  void files(const char* what, const QByteArray& bytes, bool types, const char* suffix = "js") {
    if (!wants(QString::fromLatin1(what))) return;
    const QString path =
        write(QStringLiteral("file%1.%2").arg(++files_).arg(QLatin1String(suffix)), bytes);
    measure(
        what, [this, path] { window_->parts().tabs->open(path); },
        [this, path] { return window_->parts().tabs->documentAt(path) != nullptr; });
    Document* document = window_->parts().tabs->current();
    if (types) {
      document->setFocus();
      const QByteArray name = QByteArray("  typing in it: ") + what;
      left_ = kKeys;
      measure(
          name.constData(),
          [this, document] {
            document->editor()->goToLine(0, 1000);
            typeNext();
          },
          [this] { return left_ == 0; });
    }
    const QByteArray name = QByteArray("  closing it: ") + what;
    measure(name.constData(), [this, document] {
      document->editor()->setUnmodified();
      window_->parts().tabs->close(document);
    });
  }

  // A text that a crash left, of a file or without one.
  void recovery(const char* what, const QByteArray& bytes, bool hasFile) {
    if (!wants(QString::fromLatin1(what))) return;
    RecoveryEntry entry;
    entry.title = QStringLiteral("Recovered");
    entry.text = editor::Snapshot(QByteArray(bytes).insert(bytes.size() / 2, "/* changed */"));
    entry.time = QDateTime::currentDateTimeUtc();
    entry.caret = 100;
    if (hasFile) {
      entry.path = write(QStringLiteral("recovered%1.js").arg(++files_), bytes);
      entry.base = editor::TextFile::open(entry.path)->stamp();
    }
    const QString copies = folder_ + QStringLiteral("/copies%1").arg(++files_);
    {
      RecoveryStore store(copies);
      store.write(QStringLiteral("1"), entry);
      store.flush();
    }
    bool isOver = false;
    measure(
        what,
        [this, copies, &isOver] {
          window_->parts().recovery->recover({copies}, [&isOver](const auto&) { isOver = true; });
        },
        [&isOver] { return isOver; });
    Document* document = window_->parts().tabs->current();
    if (document->text() != entry.text) qFatal("not recovered");
    document->editor()->setUnmodified();
    window_->parts().tabs->close(document);
  }

  void manyFiles() {
    if (!wants(QStringLiteral("folder"))) return;
    const QString many = folder_ + QStringLiteral("/many");
    QDir().mkpath(many);
    const int folder = ::open(QFile::encodeName(many).constData(), O_PATH | O_DIRECTORY);
    for (int i = 0; i < kManyFiles; ++i) {
      const QByteArray name = "file" + QByteArray::number(i * 7919L % kManyFiles) + ".txt";
      ::close(::openat(folder, name.constData(), O_CREAT | O_WRONLY, 0600));
    }
    measure("a folder of 200,000 files, opened",
            [this, many] { window_->parts().workspace->open(many); });
    measure("  one more file in it", [this] { write(QStringLiteral("many/new.txt"), "x"); });
    measure("  Ctrl+P in it", [this] { input::pressKey(window_, Qt::Key_P, Qt::ControlModifier); });
    measure("  a letter typed there", [this] { input::type(window_, QStringLiteral("7")); });
    input::pressKey(window_, Qt::Key_Escape);
    measure("  closed", [this] { window_->parts().workspace->closeFolder(); });
    ::close(folder);
  }

  void thread() {
    if (!wants(QStringLiteral("thread"))) return;
    const QString project = folder_ + QStringLiteral("/project");
    QDir().mkpath(project);
    QByteArray answer;
    for (int i = 0; i < 30; ++i)
      answer += "## Part " + QByteArray::number(i) +
                "\n\nIt *returns* what `value()` gives, as **all** of them do; see [it](a.cpp).\n\n"
                "- one\n- two\n\n```cpp\nint value(int a) {\n  return a + 1;\n}\n```\n\n";
    {
      pairing::ThreadStore store(AppPaths::forUser().state + QStringLiteral("/threads"));
      store.load(project);
      pairing::Thread thread = pairing::Thread::make();
      thread.title = QStringLiteral("long");
      using Author = pairing::Message::Author;
      for (int i = 0; i < 100; ++i) {
        thread.append(Author::kUser, pairing::MessageState::kSent,
                      QString::fromLatin1("Why? ").repeated(100));
        thread.append(Author::kModel, pairing::MessageState::kComplete, QString::fromUtf8(answer));
      }
      store.save(thread);
      store.flush();
    }
    measure(
        "a thread of 200 long messages, opened",
        [this, project] { window_->parts().workspace->open(project); },
        [this] { return ask()->thread() && ask()->thread()->messages.size() == 200; });
    measure("  a new thread beside it", [this] { ask()->newThread(); });
  }

  void answer(const char* what, const QByteArray& text) {
    if (!wants(QString::fromLatin1(what))) return;
    QByteArrayList pieces;
    for (qsizetype at = 0; at < text.size(); at += 4000)
      pieces += pairing::chatText(text.mid(at, 4000).replace("\n", "\\n"));
    endpoint_->script(
        {.pieces = pieces + QByteArrayList{pairing::chatFinish("stop"), pairing::sse("[DONE]")}});
    measure(
        what,
        [this] {
          ask()->newThread();
          ask()->ask(QStringLiteral("go on"));
        },
        [this] { return !ask()->isRunning() && ask()->thread()->messages.size() == 2; });
  }

 private:
  // Each key is a turn of its own, as a keyboard sends them.
  void typeNext() {
    input::type(window_, QStringLiteral("x"));
    if (--left_ > 0) QTimer::singleShot(kKeyEveryMs, window_, [this] { typeNext(); });
  }
  AskPanel* ask() { return window_->parts().pairDock->ask(); }

  void spin(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
  }
  void settle() {
    QElapsedTimer rest, all;
    rest.start();
    all.start();
    while (rest.elapsed() < kRestMs && all.elapsed() < kPatienceMs) {
      spin(20);
      if (!idle_.busyWith().isEmpty()) rest.restart();
    }
  }

  MainWindow* window_;
  pairing::ScriptedEndpoint* endpoint_;
  const QString folder_;
  const QStringList wanted_;
  Idle idle_;
  Meter meter_;
  int files_ = 0;
  int left_ = 0;  // keys to be typed
};

}  // namespace

// In place of the C library's, by which the event loop waits.
extern "C" int poll(pollfd* of, nfds_t count, int timeout) {
  return waited([&] { return static_cast<int>(::syscall(SYS_poll, of, count, timeout)); });
}
extern "C" int ppoll(pollfd* of, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  timespec left = timeout ? *timeout : timespec();  // the kernel writes into it
  return waited([&] {
    return static_cast<int>(
        ::syscall(SYS_ppoll, of, count, timeout ? &left : nullptr, mask, _NSIG / 8));
  });
}

namespace {

QByteArray oneLine(qsizetype bytes) {
  QByteArray line = "var a=[";
  for (int i = 0; line.size() < bytes; ++i)
    line += "{\"name\":\"value" + QByteArray::number(i) + "\",f:function(a){return a+1}},";
  return line + "];\n";
}

QByteArray json(qsizetype bytes) {
  QByteArray text = "[";
  for (int i = 0; text.size() < bytes; ++i)
    text += "{\"id\":" + QByteArray::number(i) + ",\"name\":\"item\",\"tags\":[\"a\",\"b\"]},";
  return text + "0]\n";
}

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir folder;
  useProfile(folder.filePath(QStringLiteral("profile")));
  const QApplication application(argc, argv);
  Theme::instance().apply(ThemeKind::kDark);
  QDir().mkpath(AppPaths::forUser().config);
  QFile settings(AppPaths::forUser().config + QStringLiteral("/settings.json"));
  if (!settings.open(QFile::WriteOnly)) qFatal("no settings");
  settings.write(R"({"editor/languageServers": false})");
  settings.close();

  pairing::ScriptedEndpoint endpoint;
  MainWindow window(AppPaths::forUser(), nullptr);
  window.resize(1600, 1000);
  window.show();
  window.activateWindow();
  window.start({});
  waitUntil([&] { return window.isActiveWindow(); });
  pairing::chooseScripted(window.parts().roster, endpoint.base());
  window.parts().pairDock->show();

  std::printf("The longest turn of the UI thread, beside the bar of %.0f ms; %s\n\n", kBarMs,
              qPrintable(processor()));
  QStringList wanted;
  for (int i = 1; i < argc; ++i) wanted += QString::fromLocal8Bit(argv[i]);
  Bench bench(&window, &endpoint, folder.path(), wanted);
  bench.files("a small text, the first", "int a;\n", true);
  bench.files("a line of 48 KiB", oneLine(48 << 10), true);
  bench.files("a line of 128 KiB", oneLine(128 << 10), true);
  bench.files("a line of 1 MB", oneLine(1'000'000), true);
  bench.files("a line of 4.5 MB", oneLine(4'500'000), true);
  bench.files("JSON of 1 MB in one line", json(1'000'000), true, "json");
  bench.files("minified JS of 1 MB in lines of 100 KiB", oneLine(100 << 10).repeated(10), true);
  const QByteArray large =
      QByteArray("int value(int a) { return a + 1; }  // it\n").repeated(490'000);
  bench.files("a text of 20 MB", large, true);
  bench.recovery("recovered: a line of 1 MB", oneLine(1'000'000), true);
  bench.recovery("recovered: a line of 4.5 MB", oneLine(4'500'000), true);
  bench.recovery("recovered: a line of 4.5 MB without a file", oneLine(4'500'000), false);
  bench.recovery("recovered: a text of 5 MB", large.left(5'000'000), true);
  bench.recovery("recovered: a text of 20 MB", large, true);
  bench.recovery("recovered: a text of 20 MB without a file", large, false);
  bench.thread();
  bench.answer("an answer: *a**a* x 20,000", QByteArray("*a**a*").repeated(20'000));
  bench.answer("an answer: [ x 60,000", QByteArray("[").repeated(60'000));
  bench.answer("an answer: 100,000 lines", QByteArray("a line of it\n").repeated(100'000));
  bench.answer("an answer: a table of 300 x 300",
               QByteArray("| a").repeated(300) + "|\n" + QByteArray("|---").repeated(300) + "|\n" +
                   (QByteArray("| b").repeated(300) + "|\n").repeated(300));
  bench.manyFiles();
  for (Document* document : window.parts().tabs->documents()) document->editor()->setUnmodified();
  return 0;
}
