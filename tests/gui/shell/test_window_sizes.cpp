// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is cut and nothing overlaps, from a window of 640 x 400 up. CTest runs this a second time
// with everything at twice the size (QT_SCALE_FACTOR=2).
#include <QAbstractScrollArea>
#include <QDialog>
#include <QLabel>
#include <QLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "tests/gui/wafer/wafer_window.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::WaferWindow;

namespace {

constexpr QSize kSmallest(640, 400);

QString describe(const QWidget* widget) {
  QStringList way;
  for (const QWidget* one = widget; one && !one->isWindow(); one = one->parentWidget())
    way.prepend(QLatin1String(one->metaObject()->className()).mid(0) + u'#' + one->objectName());
  const QString text = widget->property("text").toString();
  return QStringLiteral("%1 \"%2\" %3x%4, wants %5x%6")
      .arg(way.join(u'/'), text)
      .arg(widget->width())
      .arg(widget->height())
      .arg(widget->sizeHint().width())
      .arg(widget->sizeHint().height());
}

// Returns whether an ancestor scrolls: a widget in it may be out of sight.
bool scrolls(const QWidget* widget, const QWidget* top) {
  for (const QWidget* one = widget; one && one != top; one = one->parentWidget())
    if (qobject_cast<const QAbstractScrollArea*>(one->parentWidget()) ||
        one->parentWidget()->inherits("QTabBar"))
      return true;
  return false;
}

bool isIn(const QWidget* widget, const char* ancestor) {
  for (const QWidget* one = widget; one; one = one->parentWidget())
    if (one->inherits(ancestor)) return true;
  return false;
}

bool textFits(const QWidget* widget) {
  const auto* label = qobject_cast<const QLabel*>(widget);
  const bool isText =
      (label && !label->text().isEmpty()) || (qobject_cast<const QAbstractButton*>(widget) &&
                                              !widget->property("text").toString().isEmpty());
  if (!isText) return true;
  if (label && label->wordWrap()) return label->heightForWidth(label->width()) <= label->height();
  const QSize wanted = widget->sizeHint();
  if (wanted.height() > widget->height()) return false;
  if (wanted.width() <= widget->width()) return true;
  // Shortened with dots: then the whole text is told otherwise.
  return widget->property("elides").toBool() &&
         widget->toolTip().contains(widget->property("text").toString());
}

// Everything wrong with what `top` shows, one line each.
QStringList faults(const QWidget* top) {
  QStringList wrong;
  for (const QWidget* widget : top->findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != top->window() || scrolls(widget, top)) continue;
    // The wafer view lays its own small print out by hand.
    if (isIn(widget, "waferpair::view::WaferPanel")) continue;
    const QString name = widget->objectName();
    if (name == QLatin1String("qt_toolbar_ext_button") ||
        name == QLatin1String("qt_menubar_ext_button")) {
      wrong.append("some are left out: " + describe(widget));
      continue;
    }
    if (name.startsWith(QLatin1String("qt_"))) continue;
    if (!textFits(widget)) wrong.append("cut: " + describe(widget));
    const QRect place(widget->mapTo(top, QPoint()), widget->size());
    if (!top->rect().contains(place)) wrong.append("outside: " + describe(widget));
    if (!widget->layout()) continue;
    QList<const QWidget*> inner;
    for (const QWidget* child :
         widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (child->isVisible() && !child->isWindow() && widget->layout()->indexOf(child) >= 0)
        inner.append(child);
    for (qsizetype i = 0; i < inner.size(); ++i)
      for (qsizetype j = i + 1; j < inner.size(); ++j)
        if (inner[i]->geometry().intersects(inner[j]->geometry()))
          wrong.append("overlap: " + describe(inner[i]) + " and " + describe(inner[j]));
  }
  return wrong;
}

// The leaves of the status bar that are to be seen, from left to right.
QList<QWidget*> statusFields(const MainWindow& window) {
  QList<QWidget*> fields;
  for (QWidget* widget : window.statusBar()->findChildren<QWidget*>())
    if (widget->isVisible() &&
        (qobject_cast<QLabel*>(widget) || qobject_cast<QAbstractButton*>(widget)))
      fields.append(widget);
  std::sort(fields.begin(), fields.end(), [&window](const QWidget* a, const QWidget* b) {
    return a->mapTo(&window, QPoint()).x() < b->mapTo(&window, QPoint()).x();
  });
  return fields;
}

}  // namespace

class TestWindowSizes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
    w_.open({1280, 800});
  }
  void cleanupTestCase() { w_.window.reset(); }

  void nothingIsCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("state");
    for (const QSize size : {kSmallest, QSize(800, 600), QSize(1280, 800), QSize(1920, 1080)})
      for (const char* state : {"text", "find and replace", "notices", "start page", "no folder"})
        QTest::addRow("%dx%d, %s", size.width(), size.height(), state) << size << state;
  }
  void nothingIsCut() {
    QFETCH(QSize, size);
    QFETCH(QString, state);
    MainWindow& window = *w_.window;
    enter(state);
    window.resize(size);
    settle();
    const QSize least = window.minimumSizeHint();
    QVERIFY2(least.width() <= kSmallest.width() && least.height() <= kSmallest.height(),
             qPrintable(QStringLiteral("asks for %1x%2").arg(least.width()).arg(least.height())));
    QCOMPARE(window.size(), size);
    // What changes a moment later is laid out anew.
    QTRY_VERIFY2(faults(&window).isEmpty(), qPrintable(faults(&window).join('\n')));
    leave(state);
  }

  void statusFieldsLieBesideOneAnother_data() {
    QTest::addColumn<int>("width");
    for (int width = 640; width <= 1920; width += 40) QTest::addRow("%d", width) << width;
  }
  void statusFieldsLieBesideOneAnother() {
    QFETCH(int, width);
    w_.window->resize(width, 600);
    settle();
    const QList<QWidget*> fields = statusFields(*w_.window);
    QVERIFY(fields.size() >= 4);
    int right = 0;
    for (const QWidget* field : fields) {
      const int left = field->mapTo(w_.window.get(), QPoint()).x();
      QVERIFY2(left >= right, qPrintable(describe(field)));
      right = left + field->width();
    }
    QVERIFY(right <= width);
  }

  void dialogsFit_data() {
    QTest::addColumn<QString>("command");
    for (const char* command : {"app.settings", "help.shortcuts", "help.keys", "help.guide",
                                "help.crashReports", "help.about"})
      QTest::newRow(command) << command;
  }
  void dialogsFit() {
    QFETCH(QString, command);
    w_.window->resize(kSmallest);
    settle();
    w_.window->parts().commands->action(command)->trigger();
    QDialog* dialog = nullptr;
    for (QDialog* one : w_.window->findChildren<QDialog*>())
      if (one->isVisible()) dialog = one;
    QVERIFY(dialog);
    settle();
    const QSize most = dialog->screen()->availableSize().expandedTo(kSmallest);
    QVERIFY2(dialog->minimumSizeHint().width() <= kSmallest.width() &&
                 dialog->minimumSizeHint().height() <= kSmallest.height(),
             qPrintable(QStringLiteral("asks for %1x%2")
                            .arg(dialog->minimumSizeHint().width())
                            .arg(dialog->minimumSizeHint().height())));
    QVERIFY(dialog->width() <= most.width() && dialog->height() <= most.height());
    for (const QSize size : {dialog->size(), kSmallest - QSize(20, 40)}) {
      dialog->resize(size);
      settle();
      const QStringList wrong = faults(dialog);
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }
    dialog->close();
    settle();
  }

  void overlaysStayInside_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("panel");
    QTest::newRow("palette") << "view.palette"
                             << "picker";
    QTest::newRow("quick open") << "file.quickOpen"
                                << "picker";
    QTest::newRow("go to line") << "go.line"
                                << "inputPrompt";
  }
  void overlaysStayInside() {
    QFETCH(QString, command);
    QFETCH(QString, panel);
    w_.window->resize(kSmallest);
    w_.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_.window.get()));
    settle();
    w_.window->parts().commands->action(command)->trigger();
    settle();
    auto* overlay = w_.window->findChild<QWidget*>(panel);
    QVERIFY(overlay->isVisible());
    QVERIFY(w_.window->rect().contains(overlay->geometry()));
    QStringList wrong = faults(overlay);
    for (const QWidget* inner :
         overlay->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (inner->isVisible() && !overlay->rect().contains(inner->geometry()))
        wrong.append("outside: " + describe(inner));
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  }

 private:
  static void settle() {
    // Layout requests go from the inside out, one level at each turn.
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }

  void enter(const QString& state) {
    const WindowParts& parts = w_.window->parts();
    const auto run = [&parts](const char* id) { parts.commands->action(id)->trigger(); };
    if (state == "find and replace") {
      run("edit.replace");
      QTest::keyClicks(QApplication::focusWidget(), "one");
    } else if (state == "notices") {
      parts.notices
          ->show("aNotice", Banner::Kind::kWarning,
                 "The file somewhere/below/a/rather/long/way/to/one.cpp was changed by another "
                 "program. What is here has changes that are not saved.")
          .addButton("first", "Reload from Disk", [] {})
          .addButton("second", "Keep What Is Here", [] {});
    } else if (state == "start page" || state == "no folder") {
      parts.tabs->close(parts.tabs->current());
      if (state == "no folder") run("file.closeFolder");
    }
  }

  void leave(const QString& state) {
    const WindowParts& parts = w_.window->parts();
    if (state == "find and replace") {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    } else if (state == "notices") {
      parts.notices->remove("aNotice");
    } else if (state == "start page" || state == "no folder") {
      w_.window->start({w_.project.path()});
      QVERIFY(parts.tabs->openFile(w_.project.filePath("one.cpp")));
    }
    settle();
  }

  QTemporaryDir profile_;
  WaferWindow w_;
};

QTEST_MAIN(TestWindowSizes)
#include "test_window_sizes.moc"
