// SPDX-License-Identifier: GPL-3.0-or-later
// Names that can stand behind "value.": when they go along with a request, how long that waits for
// them, and that what is shown stays as it is.
#include <QtTest>

#include "tests/editor/editor_test.h"
#include "tests/editor/suggesting_editor.h"
#include "tests/support/rest.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

// Answers when it is told to.
class ScriptedNames : public NameSource {
 public:
  KnownNames namesAt(const NamePlace& place) override {
    if (!place.isSame(asked)) {
      asked = place;
      known = {};
      ++questions;
    }
    return known;
  }
  std::chrono::milliseconds worthWaiting() const override { return wait; }
  void answer(const KnownNames& names) {
    known = names;
    wait = std::chrono::milliseconds(0);
    Q_EMIT came(asked.document);
  }

  NamePlace asked;
  KnownNames known;
  int questions = 0;
  std::chrono::milliseconds wait{0};
};

const KnownNames kMembers{{"size", "sizeHint"}, true};

struct NamingDesk {
  explicit NamingDesk(const QByteArray& textWithCaret)
      : editor(editorAt(textWithCaret)), suggesting(editor.get(), &provider, &provider) {
    suggesting.controller.setNames(&names);
    suggesting.open(u"/project/a.cpp"_s);
  }
  void type(const char* keys) {
    QTest::keyClicks(editor.get(), QLatin1String(keys));
    waferpair::test::dealWithEvents();
  }
  qsizetype asked() const { return provider.requests.size(); }
  const CompletionQuery& last() const { return provider.requests.last(); }

  std::unique_ptr<CodeEditor> editor;
  ScriptedProvider provider;
  ScriptedNames names;
  SuggestingEditor suggesting;
};

}  // namespace

class TestSuggestedNames : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void namesAtHandGoAlong() {
    NamingDesk desk("a = box|\n");
    desk.names.wait = std::chrono::hours(1);
    desk.type(".");
    QCOMPARE(desk.names.asked.start, 8);
    QCOMPARE(desk.names.asked.offset, 8);
    QCOMPARE(desk.names.asked.before, "a = box.");
    QCOMPARE(desk.asked(), 0);
    desk.names.answer(kMembers);
    QCOMPARE(desk.asked(), 1);
    QCOMPARE(desk.last().names, kMembers.names);
    QVERIFY(desk.last().namesAreAll);
    // The whole of the name has them, by one question.
    desk.type("s");
    QCOMPARE(desk.asked(), 2);
    QCOMPARE(desk.last().names, kMembers.names);
    QCOMPARE(desk.names.questions, 1);
  }

  void onlyMembersAreAskedAbout() {
    NamingDesk desk("a = |\n");
    desk.type("bo");
    QCOMPARE(desk.names.questions, 0);
    QVERIFY(desk.last().names.isEmpty());
    desk.type("x->");
    QCOMPARE(desk.names.questions, 1);
    desk.type("y::");
    QCOMPARE(desk.names.asked.before, "a = box->y::");
  }

  void aServerThatSaysNothingIsNotWaitedForLong() {
    NamingDesk desk("a = box|\n");
    desk.names.wait = std::chrono::milliseconds(5);
    desk.type(".");
    QTRY_COMPARE(desk.asked(), 1);
    QVERIFY(desk.last().names.isEmpty());
    // A key does not wait at all.
    desk.type("s");
    QCOMPARE(desk.asked(), 2);
  }

  void aSlowServerIsNotWaitedFor() {
    NamingDesk desk("a = box|\n");
    desk.type(".");
    QCOMPARE(desk.asked(), 1);
  }

  void lateNamesAreAskedWithWhileNothingIsShown() {
    NamingDesk desk("a = box|\n");
    desk.type(".");
    desk.names.answer(kMembers);
    QCOMPARE(desk.asked(), 2);
    QCOMPARE(desk.last().names, kMembers.names);
    desk.names.answer(kMembers);  // once is enough
    QCOMPARE(desk.asked(), 2);
  }

  void whatIsShownStaysWhateverIsKnownLater() {
    NamingDesk desk("a = box|\n");
    desk.type(".");
    desk.provider.say(desk.provider.requests.last().id, "wrong()");
    QVERIFY(desk.editor->ghost()->isShown());
    desk.names.answer(kMembers);
    QCOMPARE(desk.asked(), 1);
    QCOMPARE(desk.editor->ghost()->remaining(), "wrong()");
  }

  void nothingLateComesForAnotherPlace() {
    NamingDesk desk("a = box|\nb\n");
    desk.names.wait = std::chrono::milliseconds(20);
    desk.type(".");
    QTest::keyClick(desk.editor.get(), Qt::Key_Down);
    desk.names.answer(kMembers);
    waferpair::test::rest({&desk.suggesting.controller});
    QCOMPARE(desk.asked(), 0);
  }

  void noNamesAreNoReasonToAskAgain() {
    NamingDesk desk("a = box|\n");
    desk.type(".");
    desk.names.answer({});
    QCOMPARE(desk.asked(), 1);
  }

  void whatTheKeyAsksForHasThemToo() {
    NamingDesk desk("a = box.si|\n");
    desk.names.wait = std::chrono::hours(1);
    desk.suggesting.controller.requestNow();
    QCOMPARE(desk.asked(), 1);  // at once
    desk.names.answer(kMembers);
    QCOMPARE(desk.asked(), 1);
    desk.suggesting.controller.requestNow();
    QCOMPARE(desk.last().names, kMembers.names);
  }
};

QTEST_MAIN(TestSuggestedNames)
#include "test_suggested_names.moc"
