// SPDX-License-Identifier: GPL-3.0-or-later
// The text alone on the screen and back; the list that Ctrl+Tab goes through.
#include <QDockWidget>
#include <QListWidget>
#include <QMenuBar>
#include <QStatusBar>
#include <QTest>

#include "gui/documents/pane.h"
#include "gui/kit/tab_bar.h"
#include "gui/store/session_store.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

void toggleZen() {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(Qt::Key_Z);
}

bool isBare(WindowFixture& f) {
  return f.window().menuBar()->isHidden() && f.window().statusBar()->isHidden() &&
         f.parts().filesDock->isHidden() && f.parts().tabs->activePane()->bar()->isHidden() &&
         f.find<QWidget>("activityBar")->isHidden();
}

bool isWhole(WindowFixture& f) {
  return f.window().menuBar()->isVisible() && f.window().statusBar()->isVisible() &&
         f.parts().filesDock->isVisible() && f.parts().tabs->activePane()->bar()->isVisible() &&
         f.find<QWidget>("activityBar")->isVisible();
}

}  // namespace

class TestZen : public QObject {
  Q_OBJECT
 private slots:
  void theSameKeyLeavesIt() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    QVERIFY(isWhole(f));
    toggleZen();
    QVERIFY(isBare(f));
    QVERIFY(f.window().isFullScreen());
    QVERIFY(f.editor()->hasFocus());
    QVERIFY(f.parts().searchDock->isHidden());
    toggleZen();
    QVERIFY(isWhole(f));
    QVERIFY(!f.window().isFullScreen());
    QVERIFY(f.parts().searchDock->isHidden());  // as it was before
  }

  void escTwiceLeavesIt() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    toggleZen();
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(isBare(f));
    WindowFixture::type(QStringLiteral("b"));
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(isBare(f));  // something was typed between
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(isWhole(f));
    QCOMPARE(f.editor()->text(), QByteArray("ba\n"));
  }

  void commandsStillHaveTheirKeys() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    toggleZen();
    WindowFixture::type(QStringLiteral("b"));
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(f.read("a.txt"), QByteArray("ba\n"));
  }

  void theNextStartIsWhole() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    toggleZen();
    QVERIFY(f.close());
    f.openProject();
    QVERIFY(isWhole(f));
  }

  void ctrlTabListsTheFilesUsedLast() {
    WindowFixture f;
    for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.write(name, "x\n");
    f.openProject();
    for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.openFile(name);
    auto* popup = f.find<QWidget>("recentPopup");
    auto* list = f.find<QListWidget>("recentList");
    QVERIFY(!popup->isVisible());
    // Ctrl stays down from one key to the next.
    const auto tab = [] {
      QTest::keyPress(QGuiApplication::focusWindow(), Qt::Key_Tab, Qt::ControlModifier);
    };
    tab();
    QVERIFY(popup->isVisible());
    QCOMPARE(list->count(), 3);
    QVERIFY(list->item(0)->text().startsWith("c.txt"));
    QCOMPARE(list->currentRow(), 1);
    QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
    tab();
    QCOMPARE(list->currentRow(), 2);
    QTest::keyRelease(QGuiApplication::focusWindow(), Qt::Key_Control);
    QVERIFY(!popup->isVisible());
    QCOMPARE(f.document()->title(), QStringLiteral("a.txt"));
    QVERIFY(f.editor()->hasFocus());
    // The one that was left is the one before.
    tab();
    QCOMPARE(f.document()->title(), QStringLiteral("c.txt"));
    // A click in the list chooses.
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->item(2)).center());
    QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
    QVERIFY(!popup->isVisible());
    // Without the key there is no list to be closed by letting it go.
    QTest::keyRelease(QGuiApplication::focusWindow(), Qt::Key_Control);
    WindowFixture::trigger(f.window(), "go.recentTab");
    QVERIFY(!popup->isVisible());
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestZen)
#include "test_zen.moc"
