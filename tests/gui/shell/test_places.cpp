// SPDX-License-Identifier: GPL-3.0-or-later
// Back and forward through places, and bookmarks that are kept, by real keys in the window.
#include <QTest>

#include "editor/layers/bookmarks.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/kit/picker.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

QByteArray lines(int count) {
  QByteArray text;
  for (int i = 0; i < count; ++i) text += "line " + QByteArray::number(i) + '\n';
  return text;
}

void goToLine(WindowFixture& f, int line) {
  f.key(Qt::Key_G, Qt::ControlModifier);
  f.type(QString::number(line));
  f.key(Qt::Key_Return);
  QTRY_COMPARE(f.editor()->caretLine(), line - 1);
}

}  // namespace

class TestPlaces : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void backAndForwardThroughPlaces();
  void placesFollowEditsAndOutliveTheirTabs();
  void stepsByKeyAreNoPlaces();
  void bookmarksAreKeptWithTheProject();
  void bookmarksOfAllFilesAreListed();
};

void TestPlaces::backAndForwardThroughPlaces() {
  WindowFixture f;
  f.write("a.txt", lines(200));
  f.write("b.txt", lines(200));
  f.openProject();
  f.openFile("a.txt");
  goToLine(f, 100);
  f.openFile("b.txt");
  goToLine(f, 50);
  const auto at = [&f] {
    return f.document()->title() + u':' + QString::number(f.editor()->caretLine() + 1);
  };
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(at(), QStringLiteral("b.txt:1"));
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(at(), QStringLiteral("a.txt:100"));
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(at(), QStringLiteral("a.txt:1"));
  f.key(Qt::Key_Left, Qt::AltModifier);  // there is no more
  QCOMPARE(at(), QStringLiteral("a.txt:1"));
  f.key(Qt::Key_Right, Qt::AltModifier);
  f.key(Qt::Key_Right, Qt::AltModifier);
  f.key(Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(at(), QStringLiteral("b.txt:50"));
  QVERIFY(f.editor()->hasFocus());
  // Who goes elsewhere from the middle of the way begins another one.
  f.key(Qt::Key_Left, Qt::AltModifier);
  goToLine(f, 150);
  f.key(Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(at(), QStringLiteral("b.txt:150"));
}

void TestPlaces::placesFollowEditsAndOutliveTheirTabs() {
  WindowFixture f;
  f.write("a.txt", lines(200));
  f.openProject();
  f.openFile("a.txt");
  goToLine(f, 100);
  goToLine(f, 1);
  f.key(Qt::Key_Return);
  f.key(Qt::Key_Return);
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(f.editor()->caretLine(), 101);
  QCOMPARE(f.editor()->lineText(101), QByteArray("line 99"));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_S, Qt::ControlModifier);
  goToLine(f, 150);
  goToLine(f, 20);
  f.write("b.txt", lines(3));
  f.openFile("b.txt");
  f.parts().tabs->close(f.parts().tabs->documentAt(f.path("a.txt")));
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(f.document()->title(), QStringLiteral("a.txt"));
  QCOMPARE(f.editor()->caretLine(), 19);
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(f.editor()->caretLine(), 149);
}

void TestPlaces::stepsByKeyAreNoPlaces() {
  WindowFixture f;
  f.openProjectWith("a.txt", lines(200));
  for (int i = 0; i < 30; ++i) f.key(Qt::Key_Down);
  f.key(Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(f.editor()->caretLine(), 30);
}

void TestPlaces::bookmarksAreKeptWithTheProject() {
  WindowFixture f;
  f.write("a.txt", lines(100));
  f.write("b.txt", lines(100));
  f.openProject();
  f.openFile("a.txt");
  goToLine(f, 10);
  f.key(Qt::Key_K, Qt::ControlModifier | Qt::AltModifier);
  f.openFile("b.txt");
  goToLine(f, 20);
  f.key(Qt::Key_K, Qt::ControlModifier | Qt::AltModifier);
  f.parts().tabs->close(f.document());
  QVERIFY(f.close());
  f.open({});
  QCOMPARE(f.editor()->bookmarks()->lines(), QVector<int>{9});
  QCOMPARE(f.parts().tabs->documents().size(), 1);
  f.openFile("b.txt");
  QCOMPARE(f.editor()->bookmarks()->lines(), QVector<int>{19});
}

void TestPlaces::bookmarksOfAllFilesAreListed() {
  WindowFixture f;
  f.write("a.txt", lines(100));
  f.write("b.txt", lines(100));
  f.openProject();
  f.openFile("a.txt");
  f.editor()->bookmarks()->setLines({30, 60});
  f.openFile("b.txt");
  f.key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY(f.parts().picker->isVisible());
  f.type(QStringLiteral("line 60"));
  f.key(Qt::Key_Return);
  QTRY_COMPARE(f.document()->title(), QStringLiteral("a.txt"));
  QCOMPARE(f.editor()->caretLine(), 60);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestPlaces)
#include "test_places.moc"
