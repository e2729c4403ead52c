// SPDX-License-Identifier: GPL-3.0-or-later
// Our own key and mouse events against Qt Test's: the same events reach the same widgets, and the
// same things happen. What Qt Test has no way for is checked by its effect alone.
#include "gui/automation/input.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>
#include <functional>
#include <memory>

namespace waferpair::gui {
namespace {

// A window with a bit of everything that input goes through.
struct Scene {
  Scene() {
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    for (QWidget* widget : {static_cast<QWidget*>(line = new QLineEdit),
                            static_cast<QWidget*>(text = new QPlainTextEdit),
                            static_cast<QWidget*>(button = new QPushButton("Press"))})
      column->addWidget(widget);
    line->setObjectName("line");
    text->setObjectName("text");
    button->setObjectName("button");
    window.setCentralWidget(middle);
    QMenu* menu = window.menuBar()->addMenu("&File");
    menu->setObjectName("menu");
    const auto count = [this](const QString& name) { return [this, name] { done.append(name); }; };
    QObject::connect(menu->addAction("&New"), &QAction::triggered, count("new"));
    QAction* open = menu->addAction("&Open");
    open->setShortcut(Qt::CTRL | Qt::Key_O);
    QObject::connect(open, &QAction::triggered, count("open"));
    QAction* chord = menu->addAction("Chord");
    chord->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K, Qt::CTRL | Qt::Key_L));
    QObject::connect(chord, &QAction::triggered, count("chord"));
    QObject::connect(button, &QPushButton::clicked, count("clicked"));
    window.resize(400, 400);
    window.show();
    window.activateWindow();
  }
  bool isReady() { return QTest::qWaitForWindowActive(&window); }

  QMainWindow window;
  QLineEdit* line;
  QPlainTextEdit* text;
  QPushButton* button;
  QStringList done;
};

// Logs the events that reach widgets, one text each: "line KeyPress 0x41 mods 0 'a'".
class Log : public QObject {
 public:
  Log() { qApp->installEventFilter(this); }
  QStringList events;

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (!watched->isWidgetType()) return false;
    const QString who = watched->objectName().isEmpty()
                            ? QString(watched->metaObject()->className())
                            : watched->objectName();
    const QString kind = QVariant::fromValue(event->type()).toString();
    switch (event->type()) {
      case QEvent::ShortcutOverride:
      case QEvent::KeyPress:
      case QEvent::KeyRelease: {
        const auto* key = static_cast<QKeyEvent*>(event);
        events.append(QStringLiteral("%1 %2 0x%3 mods %4 '%5' %6")
                          .arg(who, kind)
                          .arg(key->key(), 0, 16)
                          .arg(key->modifiers().toInt(), 0, 16)
                          .arg(key->text(), event->spontaneous() ? "system" : "program"));
        break;
      }
      case QEvent::MouseButtonPress:
      case QEvent::MouseButtonRelease:
      case QEvent::MouseButtonDblClick:
      case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        events.append(QStringLiteral("%1 %2 at %3,%4 %5 of %6 %7")
                          .arg(who, kind)
                          .arg(mouse->position().x())
                          .arg(mouse->position().y())
                          .arg(mouse->button())
                          .arg(mouse->buttons().toInt())
                          .arg(event->spontaneous() ? "system" : "program"));
        break;
      }
      default:
        break;
    }
    return false;
  }
};

using Act = std::function<void(Scene&)>;

QWindow* handle(Scene& scene) { return scene.window.windowHandle(); }

QPoint middleOf(Scene& scene, QWidget* widget) {
  return widget->mapTo(&scene.window, widget->rect().center());
}

}  // namespace

class TestInput : public QObject {
  Q_OBJECT
 private slots:
  void doesAsQtTestDoes_data();
  void doesAsQtTestDoes();
  void typesAnyCharacter();
  void composesAsAnInputMethodDoes();
  void tabGoesOnAndBackTabGoesBack();
  void twoClicksAreNotADoubleClick();
  void aDoubleClickSelectsAWord();
  void aDragSelects();
  void aDragCarriesTextElsewhere();
  void theWheelScrolls();
  void chordsOfTwoKeysAreShortcuts();
  void keysGoToAnOpenMenu();
  void hoverIsSeen();
};

void TestInput::doesAsQtTestDoes_data() {
  QTest::addColumn<Act>("ours");
  QTest::addColumn<Act>("theirs");
  const auto key = [](const char* name, Qt::Key code, Qt::KeyboardModifiers modifiers) {
    QTest::newRow(name) << Act([=](Scene& s) { input::pressKey(s.line, code, modifiers); })
                        << Act([=](Scene& s) { QTest::keyClick(handle(s), code, modifiers); });
  };
  key("letter", Qt::Key_A, {});
  key("digit", Qt::Key_7, {});
  key("return", Qt::Key_Return, {});
  key("tab", Qt::Key_Tab, {});
  key("backspace", Qt::Key_Backspace, {});
  key("escape", Qt::Key_Escape, {});
  key("delete", Qt::Key_Delete, {});
  key("arrow", Qt::Key_Left, Qt::ShiftModifier);
  key("function key", Qt::Key_F2, {});
  for (const char* text : {"a", "Z", "(", "~", " "}) {
    QTest::addRow("typed %s", text) << Act([=](Scene& s) { input::type(s.line, text); })
                                    << Act([=](Scene& s) { QTest::keyClick(handle(s), text[0]); });
  }
  QTest::newRow("click") << Act([](Scene& s) {
    input::click(s.button, s.button->rect().center());
  }) << Act([](Scene& s) {
    QTest::mouseClick(handle(s), Qt::LeftButton, {}, middleOf(s, s.button));
  });
  QTest::newRow("right click") << Act([](Scene& s) {
    input::click(s.button, s.button->rect().center(), Qt::RightButton);
  }) << Act([](Scene& s) {
    QTest::mouseClick(handle(s), Qt::RightButton, {}, middleOf(s, s.button));
  });
  QTest::newRow("double click") << Act([](Scene& s) {
    input::doubleClick(s.button, s.button->rect().center());
  }) << Act([](Scene& s) {
    QTest::mouseDClick(handle(s), Qt::LeftButton, {}, middleOf(s, s.button));
  });
  QTest::newRow("move") << Act([](Scene& s) {
    input::moveMouse(s.button, s.button->rect().center());
  }) << Act([](Scene& s) { QTest::mouseMove(handle(s), middleOf(s, s.button)); });
}

void TestInput::doesAsQtTestDoes() {
  QFETCH(Act, ours);
  QFETCH(Act, theirs);
  const auto play = [](const Act& act, QStringList* events, QStringList* done, QString* text) {
    Scene scene;
    QVERIFY(scene.isReady());
    scene.line->setText("some text");
    scene.line->setFocus();
    input::moveMouse(&scene.window, {2, 398});
    QCoreApplication::processEvents();
    Log log;
    act(scene);
    QCoreApplication::processEvents();
    *events = log.events;
    *done = scene.done;
    *text = scene.line->text();
  };
  QStringList ourEvents, theirEvents, ourDone, theirDone;
  QString ourText, theirText;
  play(ours, &ourEvents, &ourDone, &ourText);
  play(theirs, &theirEvents, &theirDone, &theirText);
  QVERIFY(!theirEvents.isEmpty());
  QCOMPARE(ourEvents, theirEvents);
  QCOMPARE(ourDone, theirDone);
  QCOMPARE(ourText, theirText);
}

void TestInput::typesAnyCharacter() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.text->setFocus();
  const QString text = QStringLiteral("Größe\n\tЖ 漢 😀");
  input::type(scene.text, text);
  QCOMPARE(scene.text->toPlainText(), text);
}

void TestInput::composesAsAnInputMethodDoes() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setFocus();
  class Watch : public QObject {
   public:
    QStringList seen;
    bool eventFilter(QObject*, QEvent* event) override {
      if (event->type() != QEvent::InputMethod) return false;
      const auto* method = static_cast<QInputMethodEvent*>(event);
      seen.append(method->preeditString() + u'|' + method->commitString());
      return false;
    }
  } watch;
  scene.line->installEventFilter(&watch);
  input::compose(QStringLiteral("にほん"));
  QCOMPARE(scene.line->text(), QStringLiteral("にほん"));
  QCOMPARE(watch.seen, QStringList({QStringLiteral("にほん|"), QStringLiteral("|にほん")}));
}

// Qt Test has a back tab say U+000B, which no keyboard does.
void TestInput::tabGoesOnAndBackTabGoesBack() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setFocus();
  input::pressKey(scene.line, Qt::Key_Tab);
  QVERIFY(scene.text->hasFocus());
  scene.button->setFocus();  // the text takes both for itself
  input::pressKey(scene.line, Qt::Key_Backtab, Qt::ShiftModifier);
  QVERIFY(scene.text->hasFocus());
}

void TestInput::twoClicksAreNotADoubleClick() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setText("word");
  const QPoint at(8, scene.line->height() / 2);
  for (int i = 0; i < 2; ++i) input::click(scene.line, at);
  QVERIFY(!scene.line->hasSelectedText());
}

void TestInput::aDoubleClickSelectsAWord() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setText("word");
  input::doubleClick(scene.line, QPoint(12, scene.line->height() / 2));
  QCOMPARE(scene.line->selectedText(), QStringLiteral("word"));
}

void TestInput::aDragSelects() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setText("from here to there");
  const int y = scene.line->height() / 2;
  input::drag(scene.line, {3, y}, scene.line, {scene.line->width() - 3, y});
  QCOMPARE(scene.line->selectedText(), scene.line->text());
  // Let go over another control, it is still the first one's.
  input::drag(scene.line, {3, y}, scene.button, scene.button->rect().center());
  QCOMPARE(scene.done, QStringList());
}

// Qt runs an event loop of its own while something is being dragged.
void TestInput::aDragCarriesTextElsewhere() {
  if (QGuiApplication::platformName() == QLatin1String("offscreen"))
    QSKIP("The offscreen platform has no drag and drop.");
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setDragEnabled(true);
  scene.line->setText("carried");
  scene.line->selectAll();
  input::drag(scene.line, {12, scene.line->height() / 2}, scene.text->viewport(), {10, 10});
  QTRY_COMPARE(scene.text->toPlainText(), QStringLiteral("carried"));
}

void TestInput::theWheelScrolls() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.text->setPlainText(QStringLiteral("line\n").repeated(200));
  const QScrollBar* bar = scene.text->verticalScrollBar();
  input::wheel(scene.text->viewport(), {10, 10}, {0, -15});
  const int one = bar->value();
  QVERIFY(one > 0);
  input::wheel(scene.text->viewport(), {10, 10}, {0, -30});
  QCOMPARE(bar->value(), 3 * one);
  input::wheel(scene.text->viewport(), {10, 10}, {0, 45});
  QCOMPARE(bar->value(), 0);
}

void TestInput::chordsOfTwoKeysAreShortcuts() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setFocus();
  input::pressKey(scene.line, QKeySequence(QStringLiteral("Ctrl+O")));
  QCOMPARE(scene.done, QStringList({"open"}));
  input::pressKey(scene.line, QKeySequence(QStringLiteral("Ctrl+K, Ctrl+L")));
  QCOMPARE(scene.done, QStringList({"open", "chord"}));
  QCOMPARE(scene.line->text(), QString());
}

void TestInput::keysGoToAnOpenMenu() {
  Scene scene;
  QVERIFY(scene.isReady());
  scene.line->setFocus();
  input::pressKey(scene.line, QKeySequence(QStringLiteral("Alt+F")));
  QTRY_VERIFY(QApplication::activePopupWidget());
  input::pressKey(scene.line, Qt::Key_Down);
  input::pressKey(scene.line, Qt::Key_Return);
  QTRY_VERIFY(!QApplication::activePopupWidget());
  QCOMPARE(scene.done.size(), 1);
  QCOMPARE(scene.line->text(), QString());
}

void TestInput::hoverIsSeen() {
  Scene scene;
  QVERIFY(scene.isReady());
  input::moveMouse(&scene.window, {2, 398});
  QVERIFY(!scene.button->underMouse());
  input::moveMouse(scene.button, scene.button->rect().center());
  QVERIFY(scene.button->underMouse());
  input::moveMouse(scene.line, scene.line->rect().center());
  QVERIFY(!scene.button->underMouse() && scene.line->underMouse());
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestInput)
#include "test_input.moc"
