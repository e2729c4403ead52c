// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that are previewed while an instruction is typed, by keys in the real window.
#include <QJsonArray>
#include <QJsonObject>
#include <QPushButton>

#include "editor/widget/code_editor.h"
#include "gui/pairing/edit_preview.h"
#include "gui/pairing/edit_session.h"
#include "gui/store/settings.h"
#include "tests/gui/pairing/edit_desk.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

const QByteArray kOneChange = said(block("  return 1;\n", "  return 11;\n"));

// A desk whose model was measured to be quick.
struct PreviewDesk : EditDesk {
  PreviewDesk() {
    chooseModel();
    server.script({{kOneChange, pairing::chatFinish("stop")}});
    editor()->selectAll();
    ask(QStringLiteral("first"));
    wait();
  }
  void wait() {
    QTRY_COMPARE(hunks()->offeredCount(), 1);
    QTRY_VERIFY2(state().startsWith("1 change ("), qPrintable(state()));
    key(Qt::Key_Escape, Qt::NoModifier);
    if (bar()->isVisible()) key(Qt::Key_Escape);
    hunks()->dismissAll();
    QTRY_VERIFY(!bar()->isVisible());
    hunks()->clear();
    requests = server.requests().size();
  }
  // The instruction is typed, and not sent.
  void begin(const QString& instruction) {
    editor()->setSelection(0, editor()->length());
    caret = editor()->caret();
    key(Qt::Key_K, Qt::ControlModifier);
    type(instruction);
  }
  void script(const QByteArray& answer) { server.script({{answer, pairing::chatFinish("stop")}}); }
  qsizetype asked() const { return server.requests().size() - requests; }
  const EditPreview* preview() { return document()->findChild<EditSession*>()->preview(); }
  QByteArrayList texts() {
    QByteArrayList texts;
    for (const editor::Hunk& hunk : hunks()->hunks())
      if (hunk.state == editor::HunkState::kOffered) texts.append(hunk.text);
    return texts;
  }

  qsizetype requests = 0;
  qint64 caret = 0;
};

}  // namespace

class TestEditPreview : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<PreviewDesk>(); }
  void cleanup() { w_.reset(); }

  void changesAreShownWhileTheInstructionIsTypedAndEnterKeepsThem() {
    w_->script(kTwoChanges);
    w_->begin("times ten");
    QTRY_COMPARE(w_->texts(), (QByteArrayList{"  return 10;\n", "  return 20;\n"}));
    QTRY_VERIFY2(w_->state().startsWith("Preview: 2 changes ("), qPrintable(w_->state()));
    QVERIFY(w_->state().endsWith("Enter keeps it, Esc takes it away."));
    if (qEnvironmentVariableIsSet("SHOTS")) w_->window().grab().save("/tmp/preview.png");
    // Nothing else has changed by it.
    QCOMPARE(w_->editor()->text(), kText);
    QCOMPARE(w_->editor()->caret(), w_->caret);
    QVERIFY(!w_->editor()->sci(QsciScintillaBase::SCI_CANUNDO));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(w_->state().startsWith("2 changes ("), qPrintable(w_->state()));
    QCOMPARE(w_->asked(), 1);  // not asked again
    QVERIFY(!w_->preview()->isShown());
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(),
             w_->with("return 1;", "return 10;").replace("return 2;", "return 20;"));
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), kText);
  }

  void anotherInstructionHasOtherChanges() {
    w_->script(kTwoChanges);
    w_->begin("times ten");
    QTRY_COMPARE(w_->texts().size(), 2);
    QSignalSpy changes(w_->hunks(), &editor::Hunks::changed);
    // The same answer again: what is there does not flicker.
    w_->script(kTwoChanges);
    WindowFixture::type(" please");
    QTRY_COMPARE(w_->asked(), 2);
    QTRY_VERIFY(w_->preview()->run()->isOver());
    QCOMPARE(changes.size(), 0);
    w_->script(kOneChange);
    WindowFixture::type(" plus one");
    QTRY_COMPARE(w_->texts(), QByteArrayList{"  return 11;\n"});
    QCOMPARE(w_->asked(), 3);
    // An empty instruction has none.
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Delete);
    QCOMPARE(w_->texts(), QByteArrayList());
    QCOMPARE(w_->editor()->text(), kText);
  }

  // What is on offer is renewed by the sentence that refines it, and comes back with Esc.
  void aSentenceThatRefinesIsPreviewedOverWhatIsOnOffer() {
    w_->script(kTwoChanges);
    w_->begin("times ten");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(w_->state().startsWith("2 changes ("), qPrintable(w_->state()));
    const QByteArrayList first = w_->texts();
    QCOMPARE(first.size(), 2);
    w_->script(kOneChange);
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    WindowFixture::type("only the first");
    QTRY_COMPARE(w_->texts(), QByteArrayList{"  return 11;\n"});
    QVERIFY(w_->preview()->isShown());
    // It was asked as the sentence behind the first one.
    const QJsonArray messages = w_->server.requests().last().body["messages"].toArray();
    QCOMPARE(messages.last().toObject()["content"].toString().contains("only the first"), true);
    QVERIFY(messages.size() >= 4);
    // It is renewed by what is typed further.
    w_->script(said(block("  return 1;\n", "  return 12;\n")));
    WindowFixture::type(", twelve");
    QTRY_COMPARE(w_->texts(), QByteArrayList{"  return 12;\n"});
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(w_->texts(), first);
    QCOMPARE(w_->editor()->text(), kText);
    QVERIFY(!w_->editor()->sci(QsciScintillaBase::SCI_CANUNDO));

    // And it is kept with Enter.
    w_->script(kOneChange);
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    WindowFixture::type("only the first");
    QTRY_COMPARE(w_->texts(), QByteArrayList{"  return 11;\n"});
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(!w_->preview()->isShown());
    QCOMPARE(w_->texts(), QByteArrayList{"  return 11;\n"});
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), w_->with("return 1;", "return 11;"));
  }

  void escTakesThemAwayAndLeavesTheTextAsItWas() {
    w_->script(kTwoChanges);
    w_->begin("times ten");
    QTRY_COMPARE(w_->texts().size(), 2);
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!w_->bar()->isVisible());
    QCOMPARE(w_->hunks()->hunks().size(), 0);
    QCOMPARE(w_->editor()->text(), kText);
    QVERIFY(!w_->editor()->sci(QsciScintillaBase::SCI_CANUNDO));
  }

  void anAnswerThatComesBehindEscIsNotShown() {
    w_->server.script({{said("<<<<<<< SEARCH\n  return 1;\n")}, Then::kStall});
    w_->begin("slowly");
    QTRY_COMPARE(w_->asked(), 1);
    QTRY_VERIFY2(w_->state().startsWith("Preview: 0 changes so far, "), qPrintable(w_->state()));
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!w_->bar()->isVisible());
    QTRY_VERIFY(!w_->preview()->run());
    QCOMPARE(w_->hunks()->hunks().size(), 0);
  }

  void whatIsAcceptedByHandIsNoPreviewAnyMore() {
    w_->script(kTwoChanges);
    w_->begin("times ten");
    QTRY_COMPARE(w_->texts().size(), 2);
    w_->hunks()->accept(0);
    QVERIFY(!w_->preview()->isShown());
    QCOMPARE(w_->texts(), QByteArrayList{"  return 20;\n"});
    WindowFixture::type(" more");
    test::rest();  // longer than typing rests
    QCOMPARE(w_->asked(), 1);
    QCOMPARE(w_->texts(), QByteArrayList{"  return 20;\n"});
    QCOMPARE(w_->editor()->text(), w_->with("return 1;", "return 10;"));
  }

  // What was offered by somebody else stands beside it, or some of it is decided.
  void whatTheUserHasToDecideAboutIsNotReplaced() {
    w_->script(kOneChange);
    w_->begin("plus one");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->texts(), QByteArrayList{"  return 11;\n"});
    QTRY_VERIFY2(w_->state().startsWith("1 change ("), qPrintable(w_->state()));
    const qsizetype before = w_->asked();
    const qint64 end = w_->editor()->length();
    QVERIFY(w_->hunks()->add({{editor::AnchoredRange::at(end), "// end\n"}}));
    WindowFixture::type("another thing");
    test::rest();
    QCOMPARE(w_->asked(), before);
    QCOMPARE(w_->texts(), (QByteArrayList{"  return 11;\n", "// end\n"}));
  }

  void whatIsTypedIntoTheTextMovesThem() {
    w_->script(kTwoChanges);
    w_->begin("times ten");
    QTRY_COMPARE(w_->texts().size(), 2);
    w_->editor()->replaceRange(0, 0, "// top\n");
    w_->editor()->flushEdits();
    WindowFixture::key(Qt::Key_Return);
    w_->document()->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(
        w_->editor()->text(),
        "// top\n" + w_->with("return 1;", "return 10;").replace("return 2;", "return 20;"));
  }

  void aFailureIsQuietAndEnterAsksAgain() {
    w_->server.script({.pieces = {"{}"}, .then = Then::kEnd, .status = 500});
    w_->begin("times ten");
    QTRY_COMPARE(w_->state(), "No preview. Enter asks again.");
    QCOMPARE(w_->texts(), QByteArrayList());
    w_->script(kTwoChanges);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->texts().size(), 2);
    QCOMPARE(w_->asked(), 2);
  }

  void theSettingTurnsItOff() {
    Preferences off = w_->parts().settings->get();
    off.renewEdits = false;
    w_->parts().settings->set(off);
    w_->begin("times ten");
    test::rest();
    QCOMPARE(w_->asked(), 0);
    QVERIFY(!w_->preview()->isShown());
  }

  // Nothing is known of it yet, or it is slow.
  void aModelThatWasNotMeasuredIsNotAskedUnbidden() {
    pairing::EditPace pace;
    QVERIFY(!pace.isQuick("a"));
    pace.measured("a", pairing::EditPace::kQuickMs);
    QVERIFY(pace.isQuick("a"));
    QVERIFY(!pace.isQuick("b"));
    pace.measured("a", 3 * pairing::EditPace::kQuickMs);
    QVERIFY(!pace.isQuick("a"));
    pace.measured("a", 0);
    QVERIFY(pace.isQuick("a"));

    w_.reset();
    EditDesk fresh;
    fresh.chooseModel();
    fresh.editor()->selectAll();
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    WindowFixture::type("times ten");
    test::rest();
    QCOMPARE(fresh.server.requests().size(), 0);
  }

 private:
  std::unique_ptr<PreviewDesk> w_;
};

QTEST_MAIN(TestEditPreview)
#include "test_edit_preview.moc"
