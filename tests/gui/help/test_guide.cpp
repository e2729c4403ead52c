// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>

#include "editor/widget/prose.h"
#include "gui/help/guide.h"
#include "gui/help/guide_view.h"
#include "gui/help/guide_window.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/markdown_look.h"
#include "gui/shell/settings_dialog.h"
#include "gui/store/settings_table.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/paths.h"

namespace waferpair::gui {
namespace {

QString realGuide() { return QString::fromStdString(test::sourceDir()) + "/docs/guide"; }

void put(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
  QFile file(folder.filePath(QLatin1String(name)));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

// A guide of three pages, of which the index names two.
void writeGuide(const QTemporaryDir& folder) {
  put(folder, "index.md", "# Start\n\nSee [two](two.md) and [one](one.md#deep), [two](two.md).\n");
  put(folder, "one.md",
      "# One\n\nAbout apples.\n\n## Deep\n\n" + QByteArray("A line of text.\n\n").repeated(80) +
          "Pears and [run](command:file.new) it, or [set](setting:theme).\n");
  put(folder, "two.md", "# Two\n\nPears at the top.\n\n## Pears\n\nRound.\n");
  put(folder, "three.md", "# Three\n\nPears.\n");
}

}  // namespace

class TestGuide : public QObject {
  Q_OBJECT
 private slots:
  void pagesComeInTheOrderOfTheIndex();
  void aFolderWithoutAnIndexHasNoPages();
  void aSearchFindsPartsByAllWords();
  void keysAreThoseThatAreSet_data();
  void keysAreThoseThatAreSet();
  void aSearchIsTypedAndItsHitsAreGoneThrough();
  void linksLeadToPagesAndBack();
  void linksRunCommandsAndShowSettings();
  void theRealPagesAreRight();
  void theWindowHasAGuide();
};

void TestGuide::pagesComeInTheOrderOfTheIndex() {
  const QTemporaryDir folder;
  writeGuide(folder);
  const Guide guide(folder.path());
  QStringList titles;
  for (const GuidePage& page : guide.pages()) titles.append(page.title);
  QCOMPARE(titles, QStringList({"Start", "Two", "One"}));
  QCOMPARE(guide.find("one.md"), 2);
  QCOMPARE(guide.find("three.md"), -1);
}

void TestGuide::aFolderWithoutAnIndexHasNoPages() {
  const QTemporaryDir folder;
  put(folder, "one.md", "# One\n");
  QVERIFY(Guide(folder.path()).pages().isEmpty());
  QVERIFY(Guide(QString()).pages().isEmpty());
}

void TestGuide::aSearchFindsPartsByAllWords() {
  const QTemporaryDir folder;
  writeGuide(folder);
  const Guide guide(folder.path());
  // A heading comes before texts that come before it in the guide.
  const QList<GuideHit> pears = guide.search("PEARS");
  QCOMPARE(pears.size(), 3);
  QCOMPARE(pears[0], (GuideHit{1, "Pears", "Round."}));
  QCOMPARE(pears[1], (GuideHit{1, "Two", "Pears at the top."}));
  QCOMPARE(pears[2].page, 2);
  QCOMPARE(pears[2].heading, QStringLiteral("Deep"));
  QVERIFY2(pears[2].around.startsWith(QStringLiteral("… ")) &&
               pears[2].around.contains(QStringLiteral("Pears and run it")),
           qPrintable(pears[2].around));
  QCOMPARE(guide.search("pears top").size(), 1);
  QVERIFY(guide.search("pears grapes").isEmpty());
  QVERIFY(guide.search("  ").isEmpty());
}

void TestGuide::keysAreThoseThatAreSet_data() {
  QTest::addColumn<QString>("markdown");
  QTest::addColumn<QString>("shown");
  QTest::newRow("a key") << "[Ctrl+P](command:go.x) goes"
                         << "[Ctrl+\\[](command:go.x) goes";
  QTest::newRow("two keys after one another") << "[Ctrl+M, X](command:go.x)"
                                              << "[Ctrl+\\[](command:go.x)";
  QTest::newRow("an escaped key") << "[Alt+\\]](command:go.x)"
                                  << "[Ctrl+\\[](command:go.x)";
  QTest::newRow("words") << "[Get a Model](command:go.x)"
                         << "[Get a Model](command:go.x)";
  QTest::newRow("another link") << "[Ctrl+P](page.md) `a[0](b)`"
                                << "[Ctrl+P](page.md) `a[0](b)`";
}

void TestGuide::keysAreThoseThatAreSet() {
  QFETCH(QString, markdown);
  QTEST(withKeys(markdown, [](const QString&) { return QStringLiteral("Ctrl+["); }), "shown");
}

void TestGuide::aSearchIsTypedAndItsHitsAreGoneThrough() {
  const QTemporaryDir folder;
  writeGuide(folder);
  GuideWindow window(
      folder.path(), [](const QString& id) { return id; }, nullptr);
  window.resize(700, 400);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  auto* list = window.findChild<QListWidget*>("guideList");
  auto* search = window.findChild<QLineEdit*>("guideSearch");
  auto* view = window.findChild<GuideView*>("guideText");
  QCOMPARE(window.page(), QStringLiteral("index.md"));
  QCOMPARE(list->count(), 3);

  search->setFocus();
  QTest::keyClicks(search, "pears");
  QCOMPARE(list->count(), 3);
  QCOMPARE(list->item(0)->text(), QStringLiteral("Two › Pears\nRound."));
  QTest::keyClick(search, Qt::Key_Down);
  QCOMPARE(window.page(), QStringLiteral("two.md"));
  QTest::keyClick(list, Qt::Key_Down);
  QTest::keyClick(list, Qt::Key_Down);
  QCOMPARE(window.page(), QStringLiteral("one.md"));
  QVERIFY(view->verticalScrollBar()->value() > 0);  // at its heading
  QCOMPARE(view->extraSelections().size(), 1);
  QCOMPARE(view->extraSelections().first().cursor.selectedText(), QStringLiteral("Pears"));

  // Esc takes back the search, and only then closes.
  QTest::keyClick(&window, Qt::Key_Escape);
  QCOMPARE(list->count(), 3);
  QCOMPARE(list->item(1)->text(), QStringLiteral("Two"));
  QVERIFY(window.isVisible());
  QTest::keyClicks(search, "grapes");
  QCOMPARE(list->count(), 1);
  QCOMPARE(list->item(0)->flags(), Qt::NoItemFlags);
  QTest::keyClick(&window, Qt::Key_Escape);
  QTest::keyClick(&window, Qt::Key_Escape);
  QVERIFY(!window.isVisible());
}

void TestGuide::linksLeadToPagesAndBack() {
  const QTemporaryDir folder;
  writeGuide(folder);
  GuideWindow window(
      folder.path(), [](const QString& id) { return id; }, nullptr);
  window.resize(700, 400);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  auto* view = window.findChild<GuideView*>("guideText");
  auto* back = window.findChild<QToolButton*>("guideBack");
  auto* forward = window.findChild<QToolButton*>("guideForward");
  QVERIFY(!back->isEnabled() && !forward->isEnabled());
  Q_EMIT view->anchorClicked(QUrl("one.md#deep"));
  QCOMPARE(window.page(), QStringLiteral("one.md"));
  const int deep = view->verticalScrollBar()->value();
  QVERIFY(deep > 0);
  Q_EMIT view->anchorClicked(QUrl("two.md"));
  Q_EMIT view->anchorClicked(QUrl("nothing.md"));
  QCOMPARE(window.page(), QStringLiteral("two.md"));
  QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(window.page(), QStringLiteral("one.md"));
  QCOMPARE(view->verticalScrollBar()->value(), deep);
  back->click();
  QCOMPARE(window.page(), QStringLiteral("index.md"));
  QVERIFY(!back->isEnabled() && forward->isEnabled());
  forward->click();
  QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(window.page(), QStringLiteral("two.md"));
  QVERIFY(back->isEnabled() && !forward->isEnabled());
  QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);  // there is nothing there
  QCOMPARE(window.page(), QStringLiteral("two.md"));
}

void TestGuide::linksRunCommandsAndShowSettings() {
  const QTemporaryDir folder;
  writeGuide(folder);
  GuideWindow window(
      folder.path(), [](const QString& id) { return id; }, nullptr);
  QSignalSpy commands(&window, &GuideWindow::commandWanted);
  QSignalSpy settings(&window, &GuideWindow::settingWanted);
  QSignalSpy addresses(&window, &GuideWindow::addressWanted);
  auto* view = window.findChild<GuideView*>("guideText");
  Q_EMIT view->anchorClicked(QUrl("command:file.new"));
  Q_EMIT view->anchorClicked(QUrl("setting:editor/vimKeys"));
  Q_EMIT view->anchorClicked(QUrl("https://example.org/a"));
  Q_EMIT view->anchorClicked(QUrl("file:///etc/passwd"));
  QCOMPARE(commands.size(), 1);
  QCOMPARE(commands[0][0].toString(), QStringLiteral("file.new"));
  QCOMPARE(settings[0][0].toString(), QStringLiteral("editor/vimKeys"));
  QCOMPARE(addresses.size(), 1);
  QCOMPARE(window.page(), QStringLiteral("index.md"));
}

// What the pages of docs/guide name is there: pages, headings, pictures, commands, their keys,
// settings.
void TestGuide::theRealPagesAreRight() {
  WindowFixture fixture;
  fixture.open({});
  const CommandRegistry& commands = *fixture.parts().commands;
  const Guide guide(realGuide());
  QCOMPARE(guide.pages().size(),
           QDir(realGuide()).entryList({"*.md"}, QDir::Files).size());  // the index names all
  static const QRegularExpression link("\\[((?:[^\\]\\\\]|\\\\.)*)\\]\\(([^)\\s]+)\\)");
  for (const GuidePage& page : guide.pages()) {
    for (const auto& match : link.globalMatch(page.markdown)) {
      const QString where = page.file + QStringLiteral(": ") + match.captured(0);
      const QString to = match.captured(2);
      if (to.startsWith("command:")) {
        const QString id = to.mid(8);
        const bool needsModel = id.startsWith("model.") || id.startsWith("wafer.") ||
                                id.startsWith("suggest.") || id == "view.wafer" ||
                                id == "help.lessons" || id.startsWith("editor.");
        const Command* command = commands.find(id);
        if (!command && needsModel) continue;  // there without a model they are not
        QVERIFY2(command, qPrintable(where));
        QString text = match.captured(1);
        text.replace(QRegularExpression("\\\\(.)"), "\\1");
        const QKeySequence keys(text, QKeySequence::PortableText);
        if (!keys.isEmpty() && keys.toString(QKeySequence::PortableText) == text)
          QVERIFY2(command->keys.contains(keys), qPrintable(where));
      } else if (to.startsWith("setting:")) {
        bool isThere = false;
        for (const SettingRow& row : settingsTable())
          isThere = isThere || QString(row.id).startsWith(to.mid(8));
        QVERIFY2(isThere, qPrintable(where));
      } else if (to.startsWith("images/")) {
        QVERIFY2(QFile::exists(realGuide() + u'/' + to), qPrintable(where));
      } else if (!to.contains(u':')) {
        const QString file = to.section(u'#', 0, 0);
        QVERIFY2(file.isEmpty() || guide.find(file) >= 0, qPrintable(where));
        if (to.contains(u'#')) {
          QTextDocument shown;
          editor::fillProse(
              &shown, editor::ProsePiece{
                          guide.pages()[guide.find(file.isEmpty() ? page.file : file)].markdown});
          QVERIFY2(headingTop(shown, to.section(u'#', 1)), qPrintable(where));
        }
      }
    }
  }
}

void TestGuide::theWindowHasAGuide() {
  WindowFixture fixture;
  fixture.open({});
  WindowFixture::key(Qt::Key_F1, Qt::ShiftModifier);
  auto* guide = fixture.find<GuideWindow>("guideWindow");
  QVERIFY(guide && guide->isVisible());
  Q_EMIT guide->settingWanted("editor/vimKeys");
  auto* dialog = fixture.find<SettingsDialog>("settingsDialog");
  QVERIFY(dialog);
  QCOMPARE(dialog->findChild<QLineEdit*>("settingsSearch")->text(),
           QStringLiteral("editor/vimKeys"));
  dialog->close();
  QVERIFY(!fixture.document());
  Q_EMIT guide->commandWanted("file.new");
  QVERIFY(fixture.document());
  guide->close();
  // The same window comes back, where it was.
  guide->showPage("git.md");
  fixture.trigger(fixture.window(), "help.guide");
  QVERIFY(guide->isVisible());
  QCOMPARE(guide->page(), QStringLiteral("git.md"));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestGuide)
#include "test_guide.moc"
