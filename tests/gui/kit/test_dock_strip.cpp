// SPDX-License-Identifier: GPL-3.0-or-later
// The wafer view gives way in a small window and comes back in a large one.
#include <QDockWidget>
#include <QMouseEvent>
#include <QStatusBar>
#include <QToolButton>

#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/strip_text.h"
#include "gui/pairing/pair_dock.h"
#include "gui/project/folder_tree.h"
#include "gui/wafer/wafer_dock.h"
#include "tests/gui/wafer/wafer_window.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::WaferWindow;

class TestDockStrip : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
  }
  void init() {
    QDir(AppPaths::forUser().state).removeRecursively();  // an earlier test's window
    w_ = std::make_unique<WaferWindow>();
    w_->open(kLarge);
    QTRY_VERIFY(dock()->isSubscribed());
  }
  void cleanup() { w_.reset(); }

  void itYieldsAndComesBack() {
    const int width = dock()->width(), files = parts().filesDock->width();
    QVERIFY(width > 400);
    for (const QSize size : {QSize(640, 400), QSize(1000, 800), QSize(1400, 450)}) {
      w_->window->resize(size);
      QTRY_VERIFY(strip()->isStrip());
      QCOMPARE(w_->window->size(), size);
      QTRY_VERIFY(dock()->width() < 50);
      QVERIFY(!dock()->panel()->isVisible());
      QTRY_VERIFY(!dock()->isSubscribed());  // a strip costs the server nothing
      w_->window->resize(kLarge);
      QTRY_VERIFY(!strip()->isStrip());
      QTRY_COMPARE(dock()->width(), width);
      QTRY_COMPARE(parts().filesDock->width(), files);
      QVERIFY(dock()->panel()->isVisible());
      QTRY_VERIFY(dock()->isSubscribed());
    }
  }

  void theStripTellsTheFigureAndWhoseItIs() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    auto* figure = w_->window->findChild<StripText*>("waferDockFigure");
    QVERIFY(figure->isVisible());
    QTRY_COMPARE(figure->text(), QStringLiteral("6,120 tokens/s wafer"));
    QVERIFY(figure->height() >= figure->sizeHint().height());
    QCOMPARE(figure->accessibleName(), figure->text());
  }

  void aClickOpensItAndAnotherFoldsIt() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    auto* figure = w_->window->findChild<QWidget*>("waferDockFigure");
    QTest::mouseClick(figure, Qt::LeftButton);
    QTRY_VERIFY(dock()->panel()->isVisible());
    // There is room for one of the two beside the text.
    QTRY_VERIFY(!parts().filesDock->isVisible());
    QCOMPARE(w_->window->size(), QSize(640, 400));
    auto* fold = w_->window->findChild<QToolButton*>("waferFold");
    QVERIFY(fold->isVisible());
    QTest::mouseClick(fold, Qt::LeftButton);
    QTRY_VERIFY(strip()->isStrip());
    QTRY_VERIFY(parts().filesDock->isVisible());
  }

  void theKeyOpensAndFoldsIt() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    QAction* action = parts().commands->action("view.wafer");
    QVERIFY(!action->isChecked());
    QTest::keyClick(w_->window.get(), Qt::Key_W, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(dock()->panel()->isVisible());
    QVERIFY(action->isChecked());
    QTest::keyClick(w_->window.get(), Qt::Key_W, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(strip()->isStrip());
    QVERIFY(!action->isChecked());
    // The dock hides in a large window, as ever.
    w_->window->resize(kLarge);
    QTRY_VERIFY(!strip()->isStrip());
    QTest::keyClick(w_->window.get(), Qt::Key_W, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(dock()->isHidden());
  }

  void showingTheFilesTakesTheRoomBack() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    strip()->open();
    QTRY_VERIFY(!parts().filesDock->isVisible());
    QTest::keyClick(w_->window.get(), Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY(parts().filesDock->isVisible());
    QTRY_VERIFY(strip()->isStrip());
  }

  void growingEndsWhatWasDoneByHand() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    strip()->open();
    QTRY_VERIFY(!parts().filesDock->isVisible());
    w_->window->resize(kLarge);
    QTRY_VERIFY(parts().filesDock->isVisible());
    QVERIFY(dock()->panel()->isVisible());
  }

  void whatIsHiddenStaysHidden() {
    QAction* action = parts().commands->action("view.wafer");
    action->trigger();
    QVERIFY(dock()->isHidden());
    for (const QSize size : {QSize(640, 400), kLarge}) {
      w_->window->resize(size);
      QCoreApplication::processEvents();
      QVERIFY(dock()->isHidden());
    }
    action->trigger();
    QTRY_VERIFY(dock()->panel()->isVisible());
  }

  void theKeyboardReachesTheStripAndWhatItOpens() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    parts().tabs->current()->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("waferDockOpen"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QTRY_VERIFY(dock()->panel()->isVisible());
    QVERIFY(dock()->isAncestorOf(QApplication::focusWidget()));
    parts().tabs->current()->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(dock()->panel()->view()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    QVERIFY(w_->window->statusBar()->isAncestorOf(QApplication::focusWidget()));
  }

  // Questions and the wafer share an edge of the window: there is room for one of them at a time.
  void oneOfTwoAtAnEdgeIsOpenAtATime() {
    parts().commands->action("view.ask")->trigger();
    QTRY_VERIFY(parts().pairDock->ask()->isVisible());
    QVERIFY(dock()->panel()->isVisible());
    QCOMPARE(parts().pairDock->width(), dock()->width());
    w_->window->resize(640, 600);
    QTRY_VERIFY(strip()->isStrip() && parts().pairStrip->isStrip());
    QTRY_VERIFY(dock()->width() < 50 && parts().pairDock->width() < 50);

    parts().pairStrip->open();
    QTRY_VERIFY(parts().pairDock->width() >= 300);
    QVERIFY(strip()->isStrip());
    QTRY_VERIFY(dock()->height() < 50 && dock()->width() >= 300);
    strip()->open();
    QTRY_VERIFY(dock()->panel()->isVisible());
    QVERIFY(parts().pairStrip->isStrip());
    QTRY_VERIFY(dock()->width() >= 300 && parts().pairDock->height() < 50);
    QCOMPARE(w_->window->size(), QSize(640, 600));
    strip()->fold();
    QTRY_VERIFY(dock()->width() < 50 && parts().pairDock->width() < 50);

    w_->window->resize(kLarge);
    QTRY_VERIFY(dock()->panel()->isVisible() && parts().pairDock->ask()->isVisible());
    parts().commands->action("view.ask")->trigger();
    QVERIFY(parts().pairDock->isHidden());
  }

  void belowTheTextItIsALine() {
    w_->window->addDockWidget(Qt::BottomDockWidgetArea, dock());
    QCoreApplication::processEvents();
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    QTRY_VERIFY(dock()->height() < 50 && dock()->width() > 300);
    auto* figure = w_->window->findChild<StripText*>("waferDockFigure");
    QTRY_VERIFY(figure->width() >= figure->sizeHint().width());
    QVERIFY(figure->width() > figure->height());
    QCOMPARE(w_->window->size(), QSize(640, 400));
    w_->window->resize(kLarge);
    QTRY_VERIFY(dock()->panel()->isVisible());
    QTRY_VERIFY(dock()->height() > 150);
  }

  // The strip is no choice of the user's: the next window decides for itself.
  void theNextStartShowsWhatWasChosen() {
    w_->window->resize(640, 400);
    QTRY_VERIFY(strip()->isStrip());
    strip()->open();
    QTRY_VERIFY(!parts().filesDock->isVisible());
    w_->window->close();
    QTRY_VERIFY(!w_->window->isVisible());
    w_->window.reset();  // there is one window at a time
    w_->window = std::make_unique<MainWindow>(AppPaths::forUser(), w_->runtime.get());
    w_->window->show();
    QCOMPARE(w_->window->size(), QSize(640, 400));
    QTRY_VERIFY(strip()->isStrip());
    QVERIFY(parts().filesDock->isVisible());
    w_->window->resize(kLarge);
    QTRY_VERIFY(dock()->panel()->isVisible());
    QTRY_VERIFY(dock()->width() > 400);
  }

 private:
  static constexpr QSize kLarge{1440, 900};

  const WindowParts& parts() const { return w_->window->parts(); }
  WaferDock* dock() const { return parts().waferDock; }
  DockStrip* strip() const { return parts().waferStrip; }

  QTemporaryDir profile_;
  std::unique_ptr<WaferWindow> w_;
};

QTEST_MAIN(TestDockStrip)
#include "test_dock_strip.moc"
