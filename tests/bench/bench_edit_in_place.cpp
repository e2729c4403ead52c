// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what editing in place costs beside the model: in the real window, with an endpoint on
// this computer that a script plays and that answers at once. All of it is host time.
//
//   bench_edit_in_place [ROUNDS]
//
// Runs under any Qt platform (QT_QPA_PLATFORM=offscreen, or Xvfb).
#include <QApplication>
#include <QFile>
#include <QTemporaryDir>

#include "editor/assist/hunks.h"
#include "gui/automation/input.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/theme.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "pairing/models/model_roster.h"
#include "tests/bench/window_bench.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/pairing/scripted_model.h"

using namespace waferpair;
using namespace waferpair::bench;
using namespace waferpair::gui;

namespace {

constexpr int kFunctions = 400;  // of five lines each
constexpr int kChanges = 40;     // in one answer
constexpr int kKeys = 200;

QByteArray function(int number, const QByteArray& result) {
  const QByteArray digits = QByteArray::number(number);
  return "int value" + digits + "(int a) {\n  int b = a + " + digits + ";\n  return " + result +
         ";\n}\n\n";
}

// A change of every tenth function, as an answer has it.
QByteArrayList answer() {
  QByteArrayList pieces;
  for (int i = 0; i < kChanges; ++i) {
    const QByteArray head = "int value" + QByteArray::number(i * 10) + "(int a) {\\n";
    const QByteArray second = "  int b = a + " + QByteArray::number(i * 10) + ";\\n";
    pieces += pairing::chatText("<<<<<<< SEARCH\\n" + head + second + "=======\\n" + head +
                                "  const int b = a;\\n>>>>>>> REPLACE\\n");
  }
  return pieces;
}

class Bench {
 public:
  Bench(MainWindow* window, pairing::ScriptedEndpoint* endpoint)
      : window_(window), endpoint_(endpoint), document_(window->parts().tabs->current()) {}

  // From Enter in the bar to the first change on offer, to all of them, and to the picture of them.
  void ask(int rounds) {
    QVector<double> first, all, painted;
    for (int i = 0; i < rounds; ++i) {
      endpoint_->script({answer() + QByteArrayList{pairing::chatFinish("stop")}});
      const QElapsedTimer clock = send();
      waitUntil([&] { return offered() > 0; });
      first.append(msSince(clock));
      waitUntil([&] { return offered() == kChanges; });
      all.append(msSince(clock));
      window_->repaint();
      painted.append(msSince(clock));
      document_->hunks()->dismissAll();
    }
    row("Enter to the first change on offer", first);
    row("Enter to all 40", all);
    row("Enter to the picture with all 40", painted);
  }

  void stop(int rounds) {
    QVector<double> times;
    for (int i = 0; i < rounds; ++i) {
      endpoint_->script({answer(), pairing::ScriptedEndpoint::Then::kStall});
      send();
      waitUntil([&] { return offered() > 0; });
      QElapsedTimer clock;
      clock.start();
      input::pressKey(window_, Qt::Key_Escape);
      waitUntil([&] { return endpoint_->openConnections() == 0; });
      times.append(msSince(clock));
      document_->hunks()->dismissAll();
    }
    row("Esc to the connection closed", times);
  }

  void type(const char* what) {
    QVector<double> times;
    document_->setFocus();
    document_->editor()->setSelection(0, 0);
    for (int i = 0; i < kKeys; ++i) {
      if (const auto took = input::typeAndPaint(document_->editor()->viewport(), u'x'))
        times.append(*took);
    }
    row(what, times);
  }

  void offerAll() {
    endpoint_->script({answer() + QByteArrayList{pairing::chatFinish("stop")}});
    send();
    waitUntil([&] { return offered() == kChanges; });
  }

 private:
  QElapsedTimer send() {
    document_->setFocus();
    document_->editor()->selectAll();
    input::pressKey(window_, Qt::Key_K, Qt::ControlModifier);
    input::type(window_, QStringLiteral("make it const"));
    QElapsedTimer clock;
    clock.start();
    input::pressKey(window_, Qt::Key_Return);
    return clock;
  }
  qsizetype offered() const { return document_->hunks()->offeredCount(); }

  MainWindow* window_;
  pairing::ScriptedEndpoint* endpoint_;
  Document* document_;
};

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir folder;
  useProfile(folder.path());
  const QApplication application(argc, argv);
  Theme::instance().apply(ThemeKind::kDark);
  const int rounds = argc > 1 ? std::max(1, atoi(argv[1])) : 30;

  const QString path = folder.filePath(QStringLiteral("values.cpp"));
  QFile file(path);
  if (!file.open(QFile::WriteOnly)) qFatal("no file");
  file.write("\n");  // a line to type into that no change is of
  for (int i = 0; i < kFunctions; ++i) file.write(function(i, "b"));
  file.close();

  pairing::ScriptedEndpoint endpoint;
  MainWindow window(AppPaths::forUser(), nullptr);
  window.show();
  window.activateWindow();
  window.start({path});
  waitUntil([&] { return window.isActiveWindow(); });

  // Once the window has read which models the user has.
  pairing::chooseScripted(window.parts().roster, endpoint.base());

  Bench bench(&window, &endpoint);
  bench.ask(rounds);
  bench.stop(rounds);
  bench.type("a key, nothing on offer");
  bench.offerAll();
  bench.type("a key, 40 changes on offer");
  window.parts().tabs->current()->editor()->setUnmodified();
  return 0;
}
