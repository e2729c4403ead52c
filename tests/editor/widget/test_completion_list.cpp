// SPDX-License-Identifier: GPL-3.0-or-later
// The list of what could stand at the caret, by real keys and mouse, alone and beside ghost text.
#include <QAccessible>
#include <QTextEdit>
#include <QtTest>

#include "editor/assist/completion_list.h"
#include "editor/view/selections.h"
#include "editor/widget/list_popup.h"
#include "tests/editor/editor_test.h"
#include "tests/editor/suggesting_editor.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

class ScriptedSource : public ListSource {
 public:
  quint64 request(const ListQuery& query) override {
    queries.append(query);
    return ++last;
  }
  void taken(const ListItem& item) override { took.append(item.text); }

  bool opensBehind(const DocumentId&, QByteArrayView before) const override {
    return before.endsWith('.');
  }
  QVector<TextEdit> editsWith(const ListItem&) const override { return edits; }
  void describe(const ListItem& item) override { asked.append(item.key); }

  void answer(const QByteArrayList& texts, bool isWhole = true, bool isLast = true) {
    QVector<ListItem> items;
    for (const QByteArray& text : texts)
      items.append({.text = text, .detail = u"line 7"_s, .key = ++keys});
    Q_EMIT ready(last, items, isWhole, isLast);
  }

  QVector<TextEdit> edits;
  QVector<quint64> asked;
  quint64 keys = 0;

  QVector<ListQuery> queries;
  QByteArrayList took;
  quint64 last = 0;
};

struct Desk {
  explicit Desk(const QByteArray& textWithCaret)
      : editor(editorAt(textWithCaret)),
        suggesting(editor.get(), &provider, &provider),
        completions(&suggesting.view, &source) {
    suggesting.open(u"/project/a.cpp"_s);
    completions.openDocument(u"/project/a.cpp"_s);
  }
  ~Desk() { completions.closeDocument(); }

  ListPopup* list() { return editor->list(); }
  GhostText* ghost() { return editor->ghost(); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(editor.get(), key, modifiers);
  }
  void type(const char* text) { QTest::keyClicks(editor.get(), text); }
  // Ctrl+Space, and this answer.
  void open(const QByteArrayList& texts) {
    key(Qt::Key_Space, Qt::ControlModifier);
    source.answer(texts);
  }
  QStringList shown() {
    QStringList texts;
    for (int i = 0; list()->isOpen() && i < list()->model()->rowCount(); ++i)
      texts.append(list()->model()->index(i, 0).data().toString());
    return texts;
  }
  QString selected() { return list()->currentIndex().data().toString(); }

  std::unique_ptr<CodeEditor> editor;
  ScriptedProvider provider;
  ScriptedSource source;
  SuggestingEditor suggesting;
  CompletionList completions;
};

}  // namespace

class TestCompletionList : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Behind "value." it opens by itself, where its source says so and the user has not said no.
  void itOpensBehindADot() {
    Desk desk("value|\n");
    desk.type(".");
    QVERIFY(desk.source.queries.isEmpty());
    desk.key(Qt::Key_Backspace);
    desk.completions.setOpensBehind(true);
    desk.type(".");
    QCOMPARE(desk.source.queries.size(), 1);
    QCOMPARE(desk.source.queries[0].offset, 6);
    QCOMPARE(desk.source.queries[0].typed, "");
    desk.source.answer({"size", "front"});
    QCOMPARE(desk.shown(), QStringList({u"size"_s, u"front"_s}));
    desk.completions.setOpensByItself(false);  // as it is
    desk.type("fr");
    QCOMPARE(desk.shown(), QStringList(u"front"_s));
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), "value.front\n");
    desk.type(" x");
    QCOMPARE(desk.source.queries.size(), 1);
    // It closes with the place that it is for.
    desk.type(".");
    desk.source.answer({"size"});
    desk.key(Qt::Key_Backspace);
    QVERIFY(!desk.list()->isOpen());
  }

  // A slower source's items come when the list is open, or open it.
  void itemsComeTwice() {
    Desk desk("x = cou|\n");
    desk.key(Qt::Key_Space, Qt::ControlModifier);
    desk.source.answer({}, true, false);
    QVERIFY(!desk.list()->isOpen());
    desk.source.answer({"count", "counter"}, true, false);
    QCOMPARE(desk.shown(), QStringList({u"count"_s, u"counter"_s}));
    desk.key(Qt::Key_Down);
    desk.source.answer({"couple", "count", "counter"});
    QCOMPARE(desk.shown(), QStringList({u"couple"_s, u"count"_s, u"counter"_s}));
    QCOMPARE(desk.selected(), u"counter"_s);  // what was chosen by hand stays so
    desk.source.answer({"late"});
    QCOMPARE(desk.list()->model()->rowCount(), 3);
  }

  // What changes elsewhere with an entry is part of its undo step, and leaves the caret with it.
  void editsElsewhereComeAlong() {
    Desk desk("a\nfo|\nz\n");
    desk.source.edits = {{0, 0, "import f\n"}, {5, 6, "Z"}, {2, 4, "overlaps"}};
    desk.open({"foo"});
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), "import f\na\nfoo\nZ\n");
    QCOMPARE(desk.editor->caret(), 14);
    desk.editor->undo();
    QCOMPARE(desk.editor->text(), "a\nfo\nz\n");
    desk.editor->redo();
    // Those that come later are made as they come.
    Q_EMIT desk.source.editsCame(u"/project/other.cpp"_s, {{0, 0, "no\n"}});
    Q_EMIT desk.source.editsCame(u"/project/a.cpp"_s, {{0, 6, "use"}});
    QCOMPARE(desk.editor->text(), "use f\na\nfoo\nZ\n");
  }

  void theSelectedEntryIsDescribed() {
    Desk desk("x = cou|\n");
    desk.open({"count", "counter"});
    const auto* about = desk.editor->findChild<QTextEdit*>(u"completionAbout"_s);
    QCOMPARE(desk.source.asked, QVector<quint64>{1});
    Q_EMIT desk.source.described(1, u"Counts **all**."_s);
    QVERIFY(about->isVisible());
    QCOMPARE(about->toPlainText(), u"Counts all."_s);
    desk.key(Qt::Key_Down);
    QVERIFY(!about->isVisible());
    Q_EMIT desk.source.described(1, u"Too late"_s);
    QVERIFY(!about->isVisible());
    Q_EMIT desk.source.described(2, u"Counter"_s);
    QVERIFY(about->isVisible() && !about->geometry().intersects(desk.list()->geometry()));
    desk.key(Qt::Key_Escape);
    QVERIFY(!about->isVisible());
  }

  void theKeyOpensItAndEnterTakes() {
    Desk desk("x = cou|\n");
    desk.open({"count", "counter"});
    QCOMPARE(desk.source.queries.size(), 1);
    QCOMPARE(desk.source.queries[0].typed, QByteArray("cou"));
    QCOMPARE(desk.source.queries[0].offset, 7);
    QVERIFY(desk.list()->isVisible());
    QCOMPARE(desk.shown(), (QStringList{"count", "counter"}));
    QCOMPARE(desk.selected(), u"count"_s);
    desk.key(Qt::Key_Down);
    QCOMPARE(desk.selected(), u"counter"_s);
    desk.key(Qt::Key_Down);
    QCOMPARE(desk.selected(), u"count"_s);
    desk.key(Qt::Key_Up);
    desk.key(Qt::Key_Return);
    QCOMPARE(withCaret(*desk.editor), QByteArray("x = counter|\n"));
    QVERIFY(!desk.list()->isVisible());
    QCOMPARE(desk.source.took, QByteArrayList{"counter"});
    desk.editor->undo();
    QCOMPARE(desk.editor->text(), QByteArray("x = cou\n"));
  }

  void theKeypadsEnterIsAnEnter() {
    Desk desk("x = cou|\n");
    desk.open({"count"});
    desk.key(Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE(desk.editor->text(), QByteArray("x = count\n"));
  }

  // All carets behind the same letters get the text, as one step; others stay as they are.
  void severalCaretsAreCompleted() {
    Desk desk("int a;\n|\n 1\n\n 2\nba");
    const auto carets = [&](const QVector<qint64>& places) {
      QVector<Selection> all;
      for (const qint64 place : places) all.append({place, place});
      setSelections(desk.editor.get(), all, 0);
    };
    desk.editor->setText("int a;\n\n 1\n\n 2\nba");
    carets({11, 7});
    desk.type("fo");
    QCOMPARE(desk.editor->text(), "int a;\nfo\n 1\nfo\n 2\nba");
    desk.open({"foo_long", "forest"});
    QCOMPARE(desk.shown(), QStringList({"foo_long", "forest"}));
    desk.type("o");
    QCOMPARE(desk.shown(), QStringList({"foo_long"}));
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), "int a;\nfoo_long\n 1\nfoo_long\n 2\nba");
    desk.type("(");
    QCOMPARE(desk.editor->text().count("foo_long("), 2);
    desk.editor->undo();
    desk.editor->undo();
    QCOMPARE(desk.editor->text(), "int a;\nfoo\n 1\nfoo\n 2\nba");
    // An import comes along once; another word before a caret is left alone.
    carets({10, static_cast<qint64>(desk.editor->text().size())});
    desk.source.edits = {{0, 0, "#inc\n"}};
    desk.open({"foo_long"});
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), "#inc\nint a;\nfoo_long\n 1\nfoo\n 2\nba");
    QCOMPARE(selectionsOf(*desk.editor).size(), 2);
  }

  void whatIsTypedInAnotherWayIsReplaced() {
    Desk desk("x = gT|;\n");
    desk.open({"getText"});
    desk.key(Qt::Key_Return);
    QCOMPARE(withCaret(*desk.editor), QByteArray("x = getText|;\n"));
    desk.editor->undo();
    QCOMPARE(desk.editor->text(), QByteArray("x = gT;\n"));
  }

  void typingOnLeavesOutWhatNoLongerFits() {
    Desk desk("x = c|\n");
    desk.open({"count", "cat", "counter"});
    desk.type("o");
    QCOMPARE(desk.shown(), (QStringList{"count", "counter"}));
    desk.key(Qt::Key_Down);
    desk.type("u");
    QCOMPARE(desk.selected(), u"counter"_s);  // chosen by hand, it stays chosen
    desk.key(Qt::Key_Backspace);
    desk.key(Qt::Key_Backspace);
    QCOMPARE(desk.shown(), (QStringList{"count", "cat", "counter"}));
    QCOMPARE(desk.source.queries.size(), 1);
    desk.type("(");
    QVERIFY(!desk.list()->isVisible());
    QCOMPARE(desk.editor->text(), QByteArray("x = c(\n"));
  }

  void whereThereAreMoreTheyAreAskedFor() {
    Desk desk("x = c|\n");
    desk.key(Qt::Key_Space, Qt::ControlModifier);
    desk.source.answer({"count"}, false);
    desk.type("o");
    QCOMPARE(desk.source.queries.size(), 2);
    QCOMPARE(desk.source.queries[1].typed, QByteArray("co"));
    QCOMPARE(desk.shown(), QStringList{"count"});
    desk.source.answer({"count", "control"});
    QCOMPARE(desk.shown(), (QStringList{"count", "control"}));
  }

  void whatIsTypedToItsEndNeedsNoList() {
    Desk desk("x = coun|\n");
    desk.open({"count", "counter"});
    desk.type("t");
    QCOMPARE(desk.selected(), u"count"_s);
    // It stands there already: Enter is a line break.
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), QByteArray("x = count\n\n"));
    QVERIFY(!desk.list()->isVisible());
    QCOMPARE(desk.source.took, QByteArrayList());
    Desk only("x = coun|\n");
    only.open({"count"});
    only.type("t");
    QVERIFY(!only.list()->isVisible());
  }

  void nothingKnownIsSaidWhenAskedFor() {
    Desk desk("zz|\n");
    desk.open({});
    QCOMPARE(desk.shown(), QStringList{"Nothing known for this place"});
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), QByteArray("zz\n\n"));
    QVERIFY(!desk.list()->isVisible());
  }

  void aLateAnswerForAnotherPlaceOpensNothing() {
    Desk desk("one cou|\n");
    desk.key(Qt::Key_Space, Qt::ControlModifier);
    desk.key(Qt::Key_Home);
    desk.source.answer({"count"});
    QVERIFY(!desk.list()->isVisible());
    desk.key(Qt::Key_End);
    desk.open({"count"});
    QVERIFY(desk.list()->isVisible());
    desk.key(Qt::Key_Home);
    QVERIFY(!desk.list()->isVisible());
  }

  // -- By itself

  void itOpensByItselfBehindThreeLettersOfAWord() {
    Desk desk("|\n");
    desk.type("coun");
    QCOMPARE(desk.source.queries.size(), 0);
    desk.completions.setOpensByItself(true);
    desk.type(" 123 co");
    QCOMPARE(desk.source.queries.size(), 0);
    desk.type("u");
    QCOMPARE(desk.source.queries.size(), 1);
    desk.source.answer({"count"});
    QCOMPARE(desk.shown(), QStringList{"count"});
    desk.key(Qt::Key_Escape);
    QVERIFY(!desk.list()->isVisible());
    // Taking something back asks for nothing, and neither does what the list put in.
    desk.key(Qt::Key_Backspace);
    QCOMPARE(desk.source.queries.size(), 1);
    desk.type("u");
    desk.source.answer({"counter"});
    desk.key(Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("coun 123 counter\n"));
    QCOMPARE(desk.source.queries.size(), 2);
    desk.type(" abc");
    desk.source.answer({});
    QVERIFY(!desk.list()->isVisible());
    desk.completions.setOpensByItself(false);
    desk.type("d");
    QCOMPARE(desk.source.queries.size(), 3);
  }

  // -- Beside ghost text

  void tabIsTheGhostsUntilTheListIsTurnedTo() {
    Desk desk("x = |\n");
    desk.completions.setOpensByItself(true);
    desk.type("cou");
    desk.source.answer({"count", "counter"});
    QVERIFY(desk.ghost()->show(desk.editor->caret(), "rse(1);"));
    QVERIFY(desk.list()->isVisible());
    // The list came by itself, and nobody turned to it.
    desk.key(Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("x = course(1);\n"));
    QVERIFY(!desk.list()->isVisible());

    Desk other("x = |\n");
    other.completions.setOpensByItself(true);
    other.type("cou");
    other.source.answer({"count", "counter"});
    QVERIFY(other.ghost()->show(other.editor->caret(), "rse(1);"));
    other.key(Qt::Key_Down);
    other.key(Qt::Key_Tab);
    QCOMPARE(other.editor->text(), QByteArray("x = counter\n"));

    Desk asked("x = cou|\n");
    QVERIFY(asked.ghost()->show(asked.editor->caret(), "rse(1);"));
    asked.open({"count", "counter"});
    QVERIFY(asked.ghost()->isShown());
    asked.key(Qt::Key_Tab);
    QCOMPARE(asked.editor->text(), QByteArray("x = count\n"));
  }

  void enterIsTheListsAndEscapeClosesOneLayerAtATime() {
    Desk desk("x = cou|\n");
    QVERIFY(desk.ghost()->show(desk.editor->caret(), "rse(1);"));
    desk.open({"count"});
    desk.key(Qt::Key_Escape);
    QVERIFY(!desk.list()->isVisible());
    QVERIFY(desk.ghost()->isShown());
    desk.open({"count"});
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), QByteArray("x = count\n"));
    QVERIFY(!desk.ghost()->isShown());
  }

  void whatBothSayOnlyShortensTheGhost() {
    Desk desk("x = cou|\n");
    QVERIFY(desk.ghost()->show(desk.editor->caret(), "nter(1);"));
    QSignalSpy cleared(desk.ghost(), &GhostText::cleared);
    desk.open({"counter"});
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor->text(), QByteArray("x = counter\n"));
    QCOMPARE(desk.ghost()->remaining(), QByteArray("(1);"));
    QCOMPARE(cleared.size(), 0);
    desk.key(Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("x = counter(1);\n"));
  }

  void whatIsTakenAsksForASuggestionAsTypingDoes() {
    Desk desk("x = cou|\n");
    desk.open({"counter"});
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.provider.requests.size(), 1);
    QCOMPARE(desk.provider.requests[0].offset, 11);
  }

  // Neither hides the other, and neither moves when the other comes or goes.
  void theListAndTheGhostKeepOutOfEachOthersWay() {
    Desk desk("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nx = cou|\nbelow\n");
    desk.open({"count", "counter"});
    const QRect place = desk.list()->geometry();
    const auto y = static_cast<int>(desk.editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                                     static_cast<long>(desk.editor->caret())));
    QCOMPARE(place.bottom() + 1, y);  // right above the line
    QVERIFY(desk.ghost()->show(desk.editor->caret(), "nt();\nmore();\nlines();"));
    QCOMPARE(desk.list()->geometry(), place);
    desk.type("n");
    QVERIFY(desk.ghost()->isShown());
    QCOMPARE(desk.list()->geometry(), place);
    desk.ghost()->clear();
    QCOMPARE(desk.list()->geometry(), place);
    // In the first line there is no room above: it stands below the rows of the ghost.
    Desk top("x = cou|\nbelow\n");
    top.open({"count", "counter"});
    const int lineHeight = static_cast<int>(top.editor->sci(QsciScintillaBase::SCI_TEXTHEIGHT));
    QCOMPARE(top.list()->y(), lineHeight);
    QVERIFY(top.ghost()->show(top.editor->caret(), "nt();\nmore();"));
    QCOMPARE(top.list()->y(), 2 * lineHeight);
  }

  // -- The mouse, the focus, assistive technology

  void aClickTakes() {
    Desk desk("x = cou|\n");
    desk.open({"count", "counter"});
    const QRect row = desk.list()->visualRect(desk.list()->model()->index(1, 0));
    QTest::mouseClick(desk.list()->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(desk.editor->text(), QByteArray("x = counter\n"));
    QVERIFY(desk.editor->hasFocus());
  }

  void itGoesWithTheFocus() {
    Desk desk("x = cou|\n");
    desk.open({"count"});
    desk.editor->clearFocus();
    QVERIFY(!desk.list()->isVisible());
    QVERIFY(!desk.completions.isOpen());
  }

  void itIsToldToScreenReaders() {
    Desk desk("x = cou|\n");
    desk.open({"count", "counter"});
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(desk.list());
    QVERIFY(list);
    QCOMPARE(list->role(), QAccessible::List);
    QCOMPARE(list->text(QAccessible::Name), u"Completions"_s);
    QCOMPARE(list->childCount(), 2);
    QCOMPARE(list->child(1)->role(), QAccessible::ListItem);
    QCOMPARE(list->child(1)->text(QAccessible::Name), u"counter, line 7"_s);
#if QT_VERSION < QT_VERSION_CHECK(6, 8, 0)
    QCOMPARE(desk.editor->accessibleDescription(), u"count, line 7, 1 of 2"_s);
    desk.key(Qt::Key_Down);
    QCOMPARE(desk.editor->accessibleDescription(), u"counter, line 7, 2 of 2"_s);
    desk.key(Qt::Key_Escape);
    QCOMPARE(desk.editor->accessibleDescription(), QString());
#endif
  }
};

QTEST_MAIN(TestCompletionList)
#include "test_completion_list.moc"
