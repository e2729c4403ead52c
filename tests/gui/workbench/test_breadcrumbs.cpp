// SPDX-License-Identifier: GPL-3.0-or-later
// Folders, file and symbols over the text in the real window.
#include <QTest>
#include <QToolButton>

#include "gui/store/settings.h"
#include "gui/workbench/breadcrumbs.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

constexpr int kPatience = 20'000;  // ms

QStringList crumbs(WindowFixture& f) { return Breadcrumbs::of(f.document())->texts(); }

void enterCrumbs() {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(Qt::Key_B);
}

}  // namespace

class TestBreadcrumbs : public QObject {
  Q_OBJECT
 private slots:
  void foldersAndFileAreNamed() {
    WindowFixture f;
    f.write("src/core/a.txt", "a\n");
    f.openProject();
    f.openFile("src/core/a.txt");
    QTRY_COMPARE(crumbs(f), QStringList({"src", "core", "a.txt"}));
    QVERIFY(Breadcrumbs::of(f.document())->isVisible());
    f.parts().tabs->newDocument();
    QVERIFY(!Breadcrumbs::of(f.document())->isVisible());
  }

  void aPartListsItsNeighbors() {
    WindowFixture f;
    f.write("src/a.txt", "a\n");
    f.write("src/b.txt", "b\n");
    f.write("docs/c.txt", "c\n");
    f.openProject();
    f.openFile("src/a.txt");
    enterCrumbs();
    auto* file = f.find<QToolButton>("breadcrumb1");
    QVERIFY(file->hasFocus());
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type(QStringLiteral("b.t"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(f.document()->title(), QStringLiteral("b.txt"));
    // Through another folder to a file there.
    enterCrumbs();
    WindowFixture::key(Qt::Key_Left);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::type(QStringLiteral("docs"));
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type(QStringLiteral("c"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(f.document()->title(), QStringLiteral("c.txt"));
    enterCrumbs();
    QVERIFY(!f.editor()->hasFocus());
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(f.editor()->hasFocus());
  }

  void theSettingHidesThem() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    WindowFixture::trigger(f.window(), "view.breadcrumbs");
    QTRY_VERIFY(!Breadcrumbs::of(f.document())->isVisible());
    WindowFixture::trigger(f.window(), "view.breadcrumbs");
    QTRY_VERIFY(Breadcrumbs::of(f.document())->isVisible());
  }

  void symbolsFollowTheCaret() {
    WindowFixture f;
    f.useScriptedLanguageServer({});
    f.openProjectWith("a.cpp", "class Box\n  def open\n  def shut\nclass Bag\n  def fill\n");
    QVERIFY(QTest::qWaitFor([] { return WindowFixture::click("startLanguageServer"); }, kPatience));
    QTRY_VERIFY_WITH_TIMEOUT(crumbs(f).size() > 1, kPatience);
    QCOMPARE(crumbs(f).value(1), QStringLiteral("Box"));
    f.editor()->goToLine(2, 6);
    QTRY_COMPARE(crumbs(f), QStringList({"a.cpp", "Box", "shut"}));
    enterCrumbs();
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type(QStringLiteral("open"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(f.editor()->caretLine(), 1);
    QTRY_COMPARE(crumbs(f), QStringList({"a.cpp", "Box", "open"}));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestBreadcrumbs)
#include "test_breadcrumbs.moc"
