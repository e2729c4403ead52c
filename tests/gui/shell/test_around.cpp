// SPDX-License-Identifier: GPL-3.0-or-later
// Round the window by keyboard: from part to part, and to whatever the status bar offers.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QStatusBar>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

#include "gui/documents/find_bar.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/kit/status_row.h"
#include "gui/project/folder_tree.h"
#include "gui/shell/start_page.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {

class TestAround : public QObject {
  Q_OBJECT
 private slots:
  void f6GoesThroughAllParts();
  void partsThatCannotBeSeenArePassedOver();
  void theKeyboardCanBeSeenInEachPart();
  void choosersOfTheStatusBarHaveKeys_data();
  void choosersOfTheStatusBarHaveKeys();
  void choosersNeedAText();
  void whatLeavesTheStatusBarIsInItsMenu();

 private:
  // Returns the name of the part that has the keyboard.
  static QString part(WindowFixture& f);
};

QString TestAround::part(WindowFixture& f) {
  const QWidget* focus = QApplication::focusWidget();
  const std::pair<const char*, const QWidget*> parts[] = {
      {"find", f.parts().tabs->findBar()},
      {"notices", f.parts().notices},
      {"text", f.parts().tabs},
      {"start page", f.find<StartPage>("startPage")},
      {"status bar", f.window().statusBar()},
      {"tools", f.find<QToolBar>("activityBar")},
      {"files", f.parts().tree},
  };
  for (const auto& [name, root] : parts)
    if (focus && (root == focus || root->isAncestorOf(focus))) return QLatin1String(name);
  return QStringLiteral("elsewhere");
}

void TestAround::f6GoesThroughAllParts() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  f.parts().notices->show("news", Banner::Kind::kInfo, "Something happened.");
  f.key(Qt::Key_F, Qt::ControlModifier);
  f.document()->setFocus();
  const QStringList round{"text", "status bar", "tools", "files", "notices", "find"};
  QStringList seen;
  for (int i = 0; i < round.size(); ++i) {
    seen.append(part(f));
    f.key(Qt::Key_F6);
  }
  QCOMPARE(seen, round);
  QCOMPARE(part(f), QStringLiteral("text"));
  QVERIFY(f.editor()->hasFocus());
  f.key(Qt::Key_F6, Qt::ShiftModifier);
  QCOMPARE(part(f), QStringLiteral("find"));
  f.key(Qt::Key_F6, Qt::ShiftModifier);
  QCOMPARE(part(f), QStringLiteral("notices"));
}

void TestAround::partsThatCannotBeSeenArePassedOver() {
  WindowFixture f;
  f.openProject();
  WindowFixture::trigger(f.window(), "view.files");  // hides them
  QStringList seen;
  for (int i = 0; i < 6; ++i) {
    f.key(Qt::Key_F6);
    seen.append(part(f));
  }
  const qsizetype first = seen.indexOf("start page");
  QVERIFY(first >= 0);
  // Without a text the status bar's only field for the keyboard is the choice of models.
  QCOMPARE(QSet<QString>(seen.begin(), seen.end()),
           (QSet<QString>{"start page", "status bar", "tools"}));
}

void TestAround::theKeyboardCanBeSeenInEachPart() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  auto* view = f.find<QTreeView>("folderTreeView");
  QTRY_VERIFY(view->model()->rowCount(view->rootIndex()) > 0);
  for (int i = 0; i < 3; ++i) {
    QWidget* before = QApplication::focusWidget();
    const QImage without = [&] {
      f.window().statusBar()->setFocus();  // nowhere: it shows nothing
      const QImage picture = f.window().grab().toImage();
      before->setFocus();
      return picture;
    }();
    f.key(Qt::Key_F6);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus != before);
    const QRect place(focus->mapTo(&f.window(), QPoint()), focus->size());
    QVERIFY2(f.window().grab(place).toImage() != without.copy(place), qPrintable(part(f)));
  }
  QVERIFY(view->currentIndex().isValid());
}

void TestAround::choosersOfTheStatusBarHaveKeys_data() {
  QTest::addColumn<int>("key");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("then");
  QTest::newRow("language") << int(Qt::Key_M) << "python"
                            << "statusLanguage"
                            << "Python";
  QTest::newRow("indentation") << int(Qt::Key_I) << "tabs8"
                               << "statusIndentation"
                               << "Tabs: 8";
  QTest::newRow("encoding") << int(Qt::Key_E) << "utf16le"
                            << "statusEncoding"
                            << "UTF-16 LE";
  QTest::newRow("line ends") << int(Qt::Key_L) << "crlf"
                             << "statusLineEnds"
                             << "CRLF";
}

void TestAround::choosersOfTheStatusBarHaveKeys() {
  QFETCH(int, key);
  QFETCH(QString, typed);
  QFETCH(QString, field);
  QFETCH(QString, then);
  WindowFixture f;
  f.openProjectWith("a.txt", "one\ntwo\n");
  f.key(Qt::Key_M, Qt::ControlModifier);
  f.key(static_cast<Qt::Key>(key));
  QVERIFY(f.parts().picker->isOpen());
  f.type(typed);
  f.key(Qt::Key_Return);
  QVERIFY(!f.parts().picker->isOpen());
  QCOMPARE(f.find<QToolButton>(field.toLatin1().constData())->text(), then);
  QVERIFY(f.editor()->hasFocus());
  QVERIFY(f.editor()->text().startsWith("one"));  // no letter of the chord went into the text
}

void TestAround::choosersNeedAText() {
  WindowFixture f;
  f.openProject();
  const QStringList choosers{"edit.language", "edit.indentation", "edit.encoding",
                             "edit.reopenEncoding", "edit.lineEnds"};
  for (const QString& id : choosers) QVERIFY(!f.parts().commands->action(id)->isEnabled());
  f.key(Qt::Key_N, Qt::ControlModifier);
  for (const QString& id : choosers) QVERIFY(f.parts().commands->action(id)->isEnabled());
}

void TestAround::whatLeavesTheStatusBarIsInItsMenu() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\n");
  f.window().resize(1200, 700);
  auto* row = f.find<StatusRow>("statusRow");
  const QStringList names{"statusPosition", "statusIndentation", "statusEncoding", "statusLineEnds",
                          "statusLanguage"};
  const auto shown = [&] {
    QStringList found;
    for (const QString& name : names)
      if (f.find<QToolButton>(name.toLatin1().constData())->isVisible()) found.append(name);
    return found;
  };
  QTRY_COMPARE(shown(), names);
  QVERIFY(row->leftOut().isEmpty());
  // Too narrow for any window; a long text in the bar does the same in a wide one.
  row->setMaximumWidth(270 + f.find<QToolButton>("pairingStatus")->sizeHint().width());
  QTRY_COMPARE(shown(), (QStringList{"statusPosition", "statusLanguage"}));
  auto* more = f.find<QToolButton>("statusMore");
  QVERIFY(more->isVisible());
  QCOMPARE(more->toolTip(),
           QStringLiteral("Indentation: Spaces: 4\nEncoding: UTF-8\nLine ends: LF"));
  auto* menu = f.find<QMenu>("statusMoreMenu");
  menu->popup(QPoint());
  QStringList texts;
  QAction* encoding = nullptr;
  for (QAction* action : menu->actions()) {
    texts.append(action->text());
    if (action->objectName() == QLatin1String("statusEncoding")) encoding = action;
  }
  QCOMPARE(texts.join('\n'), more->toolTip());
  encoding->trigger();
  menu->close();
  QTRY_VERIFY(f.parts().picker->isOpen());
  QCOMPARE(f.parts().picker->accessibleName(), QStringLiteral("Encoding"));
  f.key(Qt::Key_Escape);
  row->setMaximumWidth(QWIDGETSIZE_MAX);
  QTRY_COMPARE(shown(), names);
  QVERIFY(!more->isVisible());
  // A message has two fifths of the row, and takes them of whatever stands there.
  f.window().resize(800, 700);
  QTRY_COMPARE(shown(), names);
  auto* message = f.find<QLabel>("diagnosticMessage");
  message->setText(QStringLiteral("error: ").repeated(40));
  QTRY_VERIFY(message->width() >= row->width() * 2 / 5 - 1);
  QVERIFY(more->isVisible() && shown().contains(QStringLiteral("statusPosition")));
  message->clear();
  QTRY_COMPARE(shown(), names);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestAround)
#include "test_around.moc"
