// SPDX-License-Identifier: GPL-3.0-or-later
// Editing in place by real keys and mouse, with a model that a script plays and without one.
#include <QApplication>
#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "editor/assist/hunks.h"
#include "gui/automation/state.h"
#include "gui/kit/command_registry.h"
#include "gui/pairing/edit_bar.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {
class TestEditInPlace : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void changesAreAcceptedOneByOneOrRejected() {
    EditDesk desk;
    desk.askForTwoChanges();
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
    QVERIFY(!desk.document()->isModified());
    const QString prompt = QJsonDocument(desk.server.requests().first().body).toJson();
    QVERIFY(prompt.contains(QStringLiteral("The file is a.cpp (C++)")));
    QVERIFY(prompt.contains(QStringLiteral("The instruction: times ten")));

    // From the bar: the caret is at the first one.
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral("2 changes")), qPrintable(desk.state()));
    QVERIFY(desk.find<QLineEdit>("editInstruction")->hasFocus());
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(desk.editor()->text(), desk.with("1;", "10;"));
    desk.key(Qt::Key_Backspace, Qt::AltModifier);
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QTRY_VERIFY(!desk.bar()->isVisible());  // there is nothing left to decide
    QVERIFY(desk.editor()->hasFocus());
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
  }

  void howFarItIsIsTold() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script({{pairing::chatReading(512, 2048)}, Then::kStall});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten"));
    const auto tells = [&desk](const QString& text) { return desk.state().contains(text); };
    QTRY_VERIFY2(tells(QStringLiteral("tokens (25 %), ")), qPrintable(desk.state()));
    QVERIFY(tells(QStringLiteral(" s. Esc stops.")));
    desk.server.say(pairing::chatReading(1024, 2048));
    QTRY_VERIFY2(tells(QStringLiteral("tokens (50 %), ")), qPrintable(desk.state()));
    desk.server.say(said("I will\nchange it.\n"));
    QTRY_VERIFY2(tells(QStringLiteral("0 changes so far, 3 lines written in ")),
                 qPrintable(desk.state()));
    desk.server.say(kTwoChanges);
    QTRY_VERIFY2(tells(QStringLiteral("2 changes so far, ")), qPrintable(desk.state()));
    desk.server.goOn({pairing::chatFinish("stop")});
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral("2 changes (")), qPrintable(desk.state()));
  }

  // The keyboard is in the bar as changes are accepted; what is undone is not what was typed there.
  void whatWasAcceptedFromTheBarIsUndoneInTheText() {
    EditDesk desk;
    desk.askForTwoChanges();
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral("2 changes")), qPrintable(desk.state()));
    auto* field = desk.find<QLineEdit>("editInstruction");
    QVERIFY(field->hasFocus());
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(desk.editor()->text(), desk.with("1;", "10;"));
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
    QCOMPARE(field->text(), QStringLiteral("times ten"));
    desk.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.editor()->text(), desk.with("1;", "10;"));
    // While another instruction is typed it is the field's again.
    field->setFocus();
    desk.key(Qt::Key_End);
    desk.key(Qt::Key_X);
    QCOMPARE(field->text(), QStringLiteral("times tenx"));
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(field->text() != QStringLiteral("times tenx"));
    QCOMPARE(desk.editor()->text(), desk.with("1;", "10;"));
  }

  // The answer before it is stopped, and its changes go.
  void anInstructionIsSentAgainWhileItsAnswerComesIn() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script({{kTwoChanges}, Then::kStall});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    desk.server.script({{said(block("  return 2;\n", "  return 20;\n"))}, Then::kStall});
    desk.key(Qt::Key_Return);
    QVERIFY(desk.bar()->isVisible());
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QVERIFY(desk.bar()->isVisible());
  }

  // All that came is taken before the answer has ended, and the next instruction is begun.
  void theNextInstructionIsBegunWhileTheAnswerEnds_data() {
    QTest::addColumn<bool>("opensBar");
    QTest::newRow("the bar is opened anew") << true;
    QTest::newRow("the keyboard is still in it") << false;
  }

  void theNextInstructionIsBegunWhileTheAnswerEnds() {
    QFETCH(const bool, opensBar);
    EditDesk w;
    w.chooseModel();
    w.server.script({{kTwoChanges}, Then::kStall});
    w.editor()->selectAll();
    w.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(w.hunks()->offeredCount(), 2);
    w.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w.hunks()->offeredCount(), 0);
    const QByteArray changed = w.editor()->text();
    if (opensBar) w.key(Qt::Key_K, Qt::ControlModifier);
    if (!opensBar) w.key(Qt::Key_A, Qt::ControlModifier);
    if (!opensBar) w.type(QStringLiteral("simplify"));
    w.server.goOn({pairing::chatFinish("stop")});
    QTRY_VERIFY(w.state().startsWith(QStringLiteral("2 changes")) &&
                !w.state().contains(QStringLiteral("Esc stops")));
    QVERIFY(w.bar()->isVisible());
    QVERIFY(w.find<QLineEdit>("editInstruction")->hasFocus());
    if (!opensBar) QCOMPARE(w.instruction(), QStringLiteral("simplify"));
    if (opensBar) w.type(QStringLiteral("simplify"));
    // The ready tasks are there again, though they were not while the answer came in.
    QVERIFY(w.find<QListWidget>("editPlain")->isVisible());
    w.type(QStringLiteral(" it"));
    w.server.script(
        {{said(block("  return 10;\n", "  return 1;\n")), pairing::chatFinish("stop")}});
    w.key(Qt::Key_Return);
    QTRY_COMPARE(w.hunks()->offeredCount(), 1);
    QCOMPARE(w.editor()->text(), changed);
    // What is asked for now is settled, and with it the bar goes.
    QTRY_VERIFY(w.state().startsWith(QStringLiteral("1 change")) &&
                !w.state().contains(QStringLiteral("Esc stops")));
    w.key(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(!w.bar()->isVisible());
  }

  void whatTheFastModelFailedAtIsTheDeepOnes() {
    EditDesk desk;
    ScriptedEndpoint deepServer;
    desk.chooseTwoModels(deepServer.base());
    const auto shown = [&desk] { return desk.bar()->findChild<QWidget*>("editModel")->toolTip(); };

    desk.server.script({{"{}"}, Then::kEnd, 500});
    deepServer.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten"));
    QTRY_VERIFY(shown().contains(QStringLiteral("as the fast one has failed")));
    QCOMPARE(deepServer.requests().size(), 0);
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    QCOMPARE(desk.server.requests().size(), 1);
    QCOMPARE(deepServer.requests().size(), 1);
    // Another instruction is the fast one's again.
    QTRY_VERIFY(!shown().contains(QStringLiteral("failed")));
  }

  void anEditOfManyLinesIsTheDeepModels_data() {
    QTest::addColumn<int>("lines");
    QTest::addColumn<QString>("model");
    QTest::newRow("few") << 200 << QStringLiteral("Small");
    QTest::newRow("many") << 201 << QStringLiteral("Large");
  }

  void anEditOfManyLinesIsTheDeepModels() {
    QFETCH(int, lines);
    QFETCH(QString, model);
    EditDesk desk(QByteArray("int x;\n").repeated(lines).chopped(1));
    desk.chooseTwoModels(desk.server.base());
    desk.editor()->selectAll();
    desk.key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(desk.bar()->findChild<QWidget*>("editModel")->toolTip().startsWith(model));
  }

  // A second sentence is about what is on offer: the model gets what it was asked and said before.
  void anotherSentenceRefinesWhatIsOnOffer() {
    EditDesk desk;
    desk.askForTwoChanges();
    QTRY_VERIFY(desk.state().startsWith(QStringLiteral("2 changes")));
    desk.server.script(
        {{said(block("  return 1;\n", "  return 100;\n")), pairing::chatFinish("stop")}});
    desk.find<QLineEdit>("editInstruction")->setFocus();
    desk.find<QLineEdit>("editInstruction")->selectAll();
    desk.type(QStringLiteral("only the first"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QCOMPARE(desk.hunks()->hunks().value(0).text, QByteArray("  return 100;\n"));
    const QJsonArray messages = desk.server.requests().last().body["messages"].toArray();
    const auto at = [&messages](qsizetype i) {
      return messages[messages.size() - i].toObject()["content"].toString();
    };
    QVERIFY2(at(3).contains(QStringLiteral("The instruction: times ten\n")), qPrintable(at(3)));
    QVERIFY2(at(2).contains(QStringLiteral("  return 10;\n")), qPrintable(at(2)));
    QVERIFY2(at(1).startsWith(QStringLiteral("The instruction: only the first\n")),
             qPrintable(at(1)));
    QTRY_VERIFY(desk.state().startsWith(QStringLiteral("1 change")));

    // What comes to nothing leaves what was on offer.
    desk.server.script({{"{}"}, Then::kEnd, 500});
    desk.find<QLineEdit>("editInstruction")->setFocus();
    desk.find<QLineEdit>("editInstruction")->selectAll();
    desk.type(QStringLiteral("now otherwise"));
    desk.key(Qt::Key_Return);
    constexpr int kHangMs = 60'000;  // a busy machine takes longer than Qt's five seconds
    QTRY_VERIFY2_WITH_TIMEOUT(desk.state().contains(QStringLiteral("before")),
                              qPrintable(desk.state()), kHangMs);
    QCOMPARE(desk.hunks()->offeredCount(), 1);
    QCOMPARE(desk.hunks()->hunks().value(0).text, QByteArray("  return 100;\n"));
    // What is decided is another text: then it begins anew.
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    desk.server.script(
        {{said(block("  return 2;\n", "  return 3;\n")), pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("three"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QCOMPARE(desk.server.requests().last().body["messages"].toArray().size(), 2);
  }

  // Rules and what is wrong at the caret go to a model that is asked for blocks, as chips that can
  // be struck; to a small one, which gets the lines alone, they do not.
  void rulesGoAlongWithAnInstruction_data() {
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<bool>("strikes");
    QTest::addColumn<bool>("goes");
    QTest::newRow("a model of unknown size") << qint64{-1} << false << true;
    QTest::newRow("struck") << qint64{-1} << true << false;
    QTest::newRow("a small one") << qint64{500'000'000} << false << false;
  }
  void rulesGoAlongWithAnInstruction() {
    QFETCH(const qint64, parameters);
    QFETCH(const bool, strikes);
    QFETCH(const bool, goes);
    EditDesk desk;
    desk.write("AGENTS.md", "Be kind.\n");
    pairing::ModelEntry model =
        pairing::scriptedModel(QStringLiteral("Scripted"), desk.server.base());
    model.parameters = parameters;
    desk.parts().roster->setModels({model});
    desk.parts().roster->setRole(pairing::ModelRoster::Role::kFast, model.id);
    desk.key(Qt::Key_K, Qt::ControlModifier);
    const auto chip = [&desk] {
      auto* found = desk.bar()->findChild<QToolButton*>("contextChip");
      return found && found->isVisible() ? found : nullptr;
    };
    if (parameters < 0) {
      QTRY_VERIFY(chip());
      QCOMPARE(chip()->text(), QStringLiteral("AGENTS.md"));
    } else {
      QVERIFY(!chip());
    }
    if (strikes) QTest::mouseClick(chip(), Qt::LeftButton);
    QVERIFY(desk.find<QLineEdit>("editInstruction")->hasFocus());
    desk.type(QStringLiteral("times ten"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    const QString body = QJsonDocument(desk.server.requests().first().body).toJson();
    QCOMPARE(body.contains(QStringLiteral("Be kind.")), goes);
    QVERIFY(body.contains(QStringLiteral("times ten")));
  }

  void allAreAcceptedAsOneStep() {
    EditDesk desk;
    desk.askForTwoChanges();
    QTRY_VERIFY(desk.state().startsWith(QStringLiteral("2 changes")));
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), desk.with("1;", "10;").replace("2;", "20;"));
    QTRY_VERIFY(!desk.bar()->isVisible());  // the answer has ended, too
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
  }

  void theMouseAcceptsAndRejects() {
    EditDesk desk;
    desk.askForTwoChanges();
    const auto button = [&desk](const QString& name) {
      QToolButton* found = nullptr;
      for (QToolButton* each : desk.editor()->viewport()->findChildren<QToolButton*>())
        if (each->isVisible() && each->accessibleName() == name) found = each;
      return found;
    };
    QTRY_VERIFY(button(QStringLiteral("Accept the change at line 6")));
    QTest::mouseClick(button(QStringLiteral("Accept the change at line 6")), Qt::LeftButton);
    QCOMPARE(desk.editor()->text(), desk.with("2;", "20;"));
    QTRY_VERIFY(!button(QStringLiteral("Reject the change at line 6")));
    QTest::mouseClick(button(QStringLiteral("Reject the change at line 2")), Qt::LeftButton);
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QTRY_VERIFY(!button(QStringLiteral("Reject the change at line 2")));
    QCOMPARE(desk.editor()->text(), desk.with("2;", "20;"));
  }

  void aTallChangeHasItsButtonsInReach() {
    QByteArray text;
    for (int i = 0; i < 200; ++i) text += "int line" + QByteArray::number(i) + ";\n";
    EditDesk desk(text);
    desk.chooseModel();
    QByteArray tall;
    for (int i = 0; i < 120; ++i) tall += "int row" + QByteArray::number(i) + ";\n";
    desk.server.script({{said(block("int line20;\n", tall)), pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("more"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QTRY_VERIFY(desk.find<QFrame>("hunkButtons") && desk.find<QFrame>("hunkButtons")->isVisible());
    // In the middle of its rows, and then behind them.
    const auto scroll = [&desk](int row) {
      desk.editor()->sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE,
                         static_cast<unsigned long>(row));
    };
    scroll(60);
    QTRY_COMPARE(desk.find<QFrame>("hunkButtons")->y(), 0);
    QVERIFY(desk.find<QFrame>("hunkButtons")->isVisible());
    scroll(200);
    QTRY_VERIFY(!desk.find<QFrame>("hunkButtons")->isVisible());
  }

  void escStopsAndThenRejectsAndThenCloses() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script(
        {{said(block("  return 1;\n", "  return 10;\n") + "<<<<<<< SEA")}, Then::kStall});
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QCOMPARE(desk.server.openConnections(), 1);
    desk.key(Qt::Key_Escape);
    QVERIFY2(desk.state().startsWith(QStringLiteral("Stopped: 1 change")),
             qPrintable(desk.state()));
    QTRY_COMPARE(desk.server.openConnections(), 0);
    QCOMPARE(desk.hunks()->offeredCount(), 1);
    desk.key(Qt::Key_Escape);  // from the bar
    QVERIFY(!desk.bar()->isVisible());
    QVERIFY(desk.editor()->hasFocus());
    QCOMPARE(desk.hunks()->offeredCount(), 1);
    desk.key(Qt::Key_Escape);  // from the text
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
  }

  void whatIsTypedMeanwhileIsKept() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script({{said(block("  return 1;\n", "  return 10;\n"))}, Then::kStall});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    desk.document()->setFocus();
    desk.editor()->setSelection(0, 0);
    desk.type(QStringLiteral("// typed "));
    QCOMPARE(desk.hunks()->offeredCount(), 1);
    desk.key(Qt::Key_F7);
    QCOMPARE(desk.editor()->caretLine(), 1);
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(desk.editor()->text(), "// typed " + desk.with("1;", "10;"));
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), "// typed " + QByteArray(kText));
  }

  void whatIsTypedOverAChangeDropsItAndItsTextCanBeCopied() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script(
        {{said(block("  return 1;\n", "  return 10;\n")), pairing::chatFinish("stop")}});
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QTRY_VERIFY(desk.state().startsWith(QStringLiteral("1 change")));
    desk.document()->setFocus();
    const qint64 at = QByteArray(kText).indexOf("1;");
    desk.editor()->setSelection(at, at);
    desk.type(QStringLiteral("7"));
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QVERIFY(desk.bar()->isVisible());
    QVERIFY(WindowFixture::click("editCopy"));
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("  return 10;\n"));
    QCOMPARE(desk.editor()->text(), desk.with("1;", "71;"));
  }

  void whatGoesWrongIsSaid() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script({{"{}"}, Then::kEnd, 429});
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.find<QLabel>("editState")->property("role").toString(),
                 QStringLiteral("problem"));
    QVERIFY(desk.bar()->isVisible());
    // The same again is a key away.
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    // What the model says without a change, and a change without a place.
    desk.server.script({{said("I cannot."), pairing::chatFinish("stop")}});
    desk.key(Qt::Key_Return);
    QTRY_VERIFY(desk.state().contains(QStringLiteral("I cannot.")));
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    desk.server.script({{said(block("  gone();\n", "  there();\n")), pairing::chatFinish("stop")}});
    desk.key(Qt::Key_Return);
    QTRY_VERIFY2(desk.state().contains(QStringLiteral("No place: ")), qPrintable(desk.state()));
    QVERIFY(WindowFixture::click("editCopy"));
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("  there();\n"));
    // Even a long story leaves room for the text.
    desk.server.script({{said(QByteArray(20'000, 'x')), pairing::chatFinish("stop")}});
    desk.key(Qt::Key_Return);
    QTRY_VERIFY(desk.state().contains(QStringLiteral("xxx")));
    QVERIFY2(desk.state().size() < 700, qPrintable(QString::number(desk.state().size())));
    QVERIFY(desk.find<QLabel>("editState")->toolTip().size() > 20'000);
  }

  // What is typed passes the gate as what is read does.
  void anInstructionWithASecretIsRefused() {
    EditDesk desk("int a;\n", QStringLiteral("a.cpp"));
    desk.chooseModel();
    desk.ask(QStringLiteral("use the key gh") +
             QStringLiteral("p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"));
    QTRY_VERIFY2(
        desk.state().startsWith(QStringLiteral("Nothing was sent: it has a GitHub token in it")),
        qPrintable(desk.state()));
    QVERIFY(desk.server.requests().isEmpty());
    QCOMPARE(desk.editor()->text(), QByteArray("int a;\n"));
  }

  void aFileThatModelsMayNotSeeIsRefused() {
    EditDesk desk("A=1\n", QStringLiteral(".env"));
    desk.chooseModel();
    desk.ask(QStringLiteral("times ten"));
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral(".env is not shown to a model: ")),
                 qPrintable(desk.state()));
    QVERIFY(desk.server.requests().isEmpty());
    // What needs no model is done all the same.
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.type(QStringLiteral("lower"));
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Return);
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray("a=1\n"));
  }

  void theTargetIsShown() {
    EditDesk desk;
    desk.editor()->setSelection(16, 16);
    desk.key(Qt::Key_K, Qt::ControlModifier);
    const auto* target = desk.find<QLabel>("editTarget");
    QCOMPARE(target->text(), QStringLiteral("Block, lines 1–3"));
    desk.key(Qt::Key_Escape);
    QVERIFY(!desk.bar()->isVisible());
    desk.editor()->setSelection(0, desk.editor()->lineStart(2));
    desk.key(Qt::Key_K, Qt::ControlModifier);
    QCOMPARE(target->text(), QStringLiteral("Selection, lines 1–2"));
    // It follows the text.
    desk.editor()->replaceRange(0, 0, "// a\n// b\n");
    QCOMPARE(target->text(), QStringLiteral("Selection, lines 1–4"));
  }

  void withoutAModelTheBarSaysSoAndOffersWhatNeedsNone() {
    EditDesk desk("c\na\nb\n", QStringLiteral("a.txt"));
    desk.editor()->selectAll();
    desk.key(Qt::Key_K, Qt::ControlModifier);
    QCOMPARE(desk.state(), QStringLiteral("No model that follows instructions is chosen."));
    // What can be typed is listed, and a row of it is a beginning.
    const auto* list = desk.find<QListWidget>("editPlain");
    QVERIFY(list->isVisible());
    QCOMPARE(list->item(0)->text(), QStringLiteral("sort lines"));
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.instruction(), QStringLiteral("sort lines backwards"));
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.type(QStringLiteral("sort"));
    QVERIFY(list->isVisible());
    QCOMPARE(list->currentRow(), 0);
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.hunks()->offeredCount(), 1);
    QCOMPARE(desk.editor()->text(), QByteArray("c\na\nb\n"));
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.editor()->text(), QByteArray("a\nb\nc\n"));
    QVERIFY(!desk.bar()->isVisible());

    desk.key(Qt::Key_K, Qt::ControlModifier);
    desk.type(QStringLiteral("explain it"));
    QVERIFY(!list->isVisible());
    QVERIFY(desk.state().contains(QStringLiteral("takes a model")));
    desk.key(Qt::Key_Return);
    QVERIFY2(desk.state().contains(QStringLiteral("No model that follows instructions is chosen")),
             qPrintable(desk.state()));
    QCOMPARE(desk.hunks()->offeredCount(), 0);
  }

  void aReadyTaskIsAnInstructionThatIsSentAtOnce() {
    EditDesk desk;
    desk.chooseModel();
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.editor()->setSelection(16, 16);
    WindowFixture::trigger(desk.window(), "edit.simplify");
    QTRY_COMPARE(desk.server.requests().size(), 1);
    const QString prompt = QJsonDocument(desk.server.requests().first().body).toJson();
    QVERIFY(prompt.contains(QStringLiteral("The instruction is about lines 1 to 3:")));
    QVERIFY(prompt.contains(desk.instruction()));
    QVERIFY(desk.instruction().contains(QStringLiteral("simpler")));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
  }

  void instructionsAreRememberedFromOneRunToTheNext() {
    EditDesk desk("b\na\n", QStringLiteral("a.txt"));
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("sort lines"));
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    desk.ask(QStringLiteral("reverse lines"));
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(desk.close());
    desk.openProject();
    desk.openFile(QStringLiteral("a.txt"));
    desk.key(Qt::Key_K, Qt::ControlModifier);
    desk.key(Qt::Key_Up);
    QCOMPARE(desk.instruction(), QStringLiteral("reverse lines"));
    desk.key(Qt::Key_Up);
    QCOMPARE(desk.instruction(), QStringLiteral("sort lines"));
    desk.key(Qt::Key_Up);
    QCOMPARE(desk.instruction(), QStringLiteral("sort lines"));
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Down);
    QCOMPARE(desk.instruction(), QString());
  }

  // All that the bar may have to show at once, in a column beside others.
  void buttonsAreWholeInANarrowColumn() {
    QWidget column;
    auto* layout = new QVBoxLayout(&column);
    auto* bar = new EditBar(nullptr);
    layout->addWidget(bar);
    layout->addStretch(1);
    bar->setOffering(true);
    bar->setAnother(true);
    bar->setLeftOver(true);
    bar->setModelOffers(true, true);
    for (const int width : {900, 355, 240}) {
      column.resize(width, 500);
      column.show();
      QVERIFY(QTest::qWaitForWindowExposed(&column));
      QTRY_COMPARE(column.width(), width);
      const QList<QPushButton*> buttons = bar->findChildren<QPushButton*>();
      QCOMPARE(buttons.size(), 6);
      for (const QPushButton* button : buttons) {
        const QRect place(button->mapTo(&column, QPoint(0, 0)), button->size());
        QVERIFY2(column.rect().contains(place), qPrintable(button->text()));
        QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
        QVERIFY2(button->height() >= button->sizeHint().height(), qPrintable(button->text()));
        for (const QPushButton* other : buttons)
          QVERIFY(other == button || !other->geometry().intersects(button->geometry()));
      }
    }
  }

  void commandsAndStateTellOfHunks() {
    EditDesk desk;
    desk.chooseModel();
    const Contexts& contexts = *desk.parts().commands->contexts();
    QVERIFY(!contexts.is(Context::kHunksShown));
    QVERIFY(!desk.parts().commands->action(QStringLiteral("edit.acceptHunk"))->isEnabled());
    desk.server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    desk.editor()->selectAll();
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 2);
    QVERIFY(contexts.is(Context::kHunksShown));
    QVERIFY(contexts.is(Context::kHunkAtCaret));
    desk.editor()->setSelection(0, 0);
    QVERIFY(!contexts.is(Context::kHunkAtCaret));
    desk.key(Qt::Key_F7, Qt::ShiftModifier);
    QCOMPARE(desk.editor()->caretLine(), 5);  // round the end
    desk.key(Qt::Key_Return, Qt::AltModifier);
    const QJsonObject hunks =
        documentJson(*desk.document(), false).value(QStringLiteral("hunks")).toObject();
    QCOMPARE(hunks.value(QStringLiteral("accepted")).toInt(), 1);
    const QJsonArray offered = hunks.value(QStringLiteral("offered")).toArray();
    QCOMPARE(offered.size(), 1);
    QCOMPARE(offered[0].toObject().value(QStringLiteral("text")).toString(),
             QStringLiteral("  return 10;\n"));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestEditInPlace)
#include "test_edit_in_place.moc"
